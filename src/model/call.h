/* call.h - one call, for the files that make it: openai.c and its helpers.
 *
 *                    model_start
 *                         |
 *            +------> RUNNING --------> ENDED    the caller was told all; the
 *     again  |         |    \             |      connection may still be kept
 *            +--- WAITING    \            |
 *                      \      \           v
 *                       +------+-------> gone
 *
 *     openai.c    the life above
 *     body.c      reads the bytes that came and tells the caller
 *     transfer.c  one try over HTTP, by libcurl
 *     retry.c     whether and when to try again */
#ifndef MODEL_CALL_H
#define MODEL_CALL_H
#include "model/completion.h"
#include "model/curl_loop.h"
#include "model/limits.h"
#include "model/request.h"

enum {
    IN_BYTES_MAX = 64 * 1024,            /* read ahead of the caller */
    ERROR_BYTES_MAX = 64 * 1024,         /* read of an error's page */
    SCRATCH_BYTES_MAX = 8 * 1024 * 1024, /* to understand one event */
    LINGER_MS = 1000, /* after a finish_reason, for the count of tokens */
    TAIL_MS = 500,    /* for a connection to become free again */
    BUDGET_MAX = 16   /* retries in a row, over all calls of a loop */
};

struct model_loop {
    uv_loop_t *uv;
    struct curl_loop *curl;
    uv_idle_t soon; /* calls became ready outside of libcurl */
    struct model_call *calls;
    struct model_call *ready; /* calls with bytes to read or an end */
    struct arena scratch;     /* for one event */
    int budget;               /* see retry.c */
    bool closing;
    size_t handles_n; /* timers, not yet closed */
    void (*closed)(void *arg);
    void *closed_arg;
};

enum call_state { CALL_RUNNING, CALL_WAITING, CALL_ENDED };

enum body_kind { BODY_UNKNOWN, BODY_STREAM, BODY_DOCUMENT, BODY_ERROR };

struct model_call {
    struct model_loop *loop;
    struct model_call *next, **prev; /* in loop->calls */
    struct model_call *ready_next;   /* in loop->ready */
    const struct model *model;
    const struct model_limits *limits;
    struct model_events events;
    enum call_state state;
    uv_timer_t timer;
    bool queued;    /* in loop->ready */
    bool in_event;  /* the caller's `text` is running */
    bool cancelled; /* from inside of it */
    bool paused;    /* by the caller */

    /* All tries. */
    struct model_request request;
    bool tools, usage; /* in this try */
    int64_t tries;
    int64_t started_ms;

    /* This try. */
    struct curl_transfer transfer;
    CURL *easy;
    bool attached;    /* libcurl has it */
    bool curl_paused; /* libcurl holds bytes back for us */
    bool curl_done;
    CURLcode result;     /* when curl_done */
    int64_t progress_ms; /* when bytes came, or the try began */
    bool connected, any_bytes;
    struct buf in;  /* bytes that came */
    size_t in_used; /* of which so many were read */
    enum body_kind kind;
    struct sse sse;
    struct buf document; /* of BODY_DOCUMENT and BODY_ERROR */
    struct completion completion;
};

/* ---- transfer.c ---- */

/* Makes c->easy, for all tries. */
enum footnote_rc transfer_open(struct model_call *c, struct footnote_err *err);
/* Begins a try. */
enum footnote_rc transfer_begin(struct model_call *c, struct footnote_err *err);
/* Removes the try from libcurl. */
void transfer_stop(struct model_call *c);
/* Lets a paused libcurl go on. */
void transfer_resume(struct model_call *c);
/* Frees the request once it was sent: the answer has begun, so there is no
 * other try, and a long prompt is not kept while its answer runs. */
void transfer_free_request(struct model_call *c);
int transfer_status(const struct model_call *c);
/* How long the server asks to wait, in ms; -1: it does not ask. */
int64_t transfer_retry_after(const struct model_call *c);
void transfer_free(struct model_call *c);

/* ---- body.c ---- */

/* Reads the bytes that came and tells the caller. */
void body_read(struct model_call *c);
/* The body has ended: decides whether it was a whole answer. */
void body_close(struct model_call *c);

/* ---- retry.c ---- */

/* How long to wait before the next try; false: there is none. */
bool retry_next(struct model_call *c, int64_t *wait_ms);
void retry_started(struct model_loop *l);

/* ---- openai.c ---- */

/* Queues the call, to be processed when libcurl has returned. */
void call_ready(struct model_call *c);
/* Sets the timer anew, as the deadline has changed. */
void call_watch_time(struct model_call *c);

#endif
