/* call.h - one call, for the files that make it: openai.c and its helpers.
 *
 *                    model_start
 *                         |
 *            +------> RUNNING --------> ENDED    the caller has heard all; the
 *     again  |         |    \             |      connection may still be kept
 *            +--- WAITING    \            |
 *                      \      \           v
 *                       +------+-------> gone
 *
 *     openai.c    the life above: events in, events out
 *     body.c      what has come, read and told
 *     transfer.c  one try over HTTP, as libcurl has it
 *     retry.c     whether and when to try again */
#ifndef MODEL_CALL_H
#define MODEL_CALL_H
#include "model/curl_loop.h"
#include "model/limits.h"
#include "model/question.h"
#include "model/reply.h"

enum {
    IN_BYTES_MAX = 64 * 1024,            /* read ahead of the caller */
    ERROR_BYTES_MAX = 64 * 1024,         /* read of an error's page */
    SCRATCH_BYTES_MAX = 8 * 1024 * 1024, /* to understand one event */
    LINGER_MS = 1000, /* for the count of tokens behind a finish_reason */
    TAIL_MS = 500,    /* for a connection to become free again */
    BUDGET_MAX = 16   /* tries again in a row, over all calls of a loop */
};

struct model_loop {
    uv_loop_t *uv;
    struct curl_loop *curl;
    uv_idle_t soon; /* calls became ready outside of libcurl */
    struct model_call *calls;
    struct model_call *ready; /* have something to tell */
    struct arena scratch;     /* for one event */
    int budget;               /* see retry.c */
    bool closing;
    size_t handles_n; /* timers, not yet closed */
    void (*closed)(void *arg);
    void *closed_arg;
};

enum call_state { CALL_RUNNING, CALL_WAITING, CALL_ENDED };

/* What a body turned out to be. */
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
    bool queued; /* in loop->ready */
    bool busy;   /* the caller is being told something */
    bool dead;   /* cancelled meanwhile */
    bool paused; /* by the caller */

    /* All tries. */
    struct question question;
    bool tools, usage; /* asked for in this try */
    int64_t tries;
    int64_t started_ms;

    /* This try. */
    struct curl_transfer transfer;
    CURL *easy;
    bool attached; /* libcurl has it */
    bool held;     /* libcurl holds bytes back for us */
    bool over;     /* libcurl is done with it */
    CURLcode result;
    int64_t moved_ms; /* when bytes came, or the try began */
    bool connected, any_bytes;
    struct buf in; /* bytes that came */
    size_t at;     /* of which so many are used */
    enum body_kind kind;
    struct sse sse;
    struct buf document; /* of BODY_DOCUMENT and BODY_ERROR */
    struct reply reply;
};

/* ---- transfer.c ---- */

/* Makes c->easy and all that every try needs. */
enum footnote_rc transfer_open(struct model_call *c, struct footnote_err *err);
/* Begins a try. */
enum footnote_rc transfer_begin(struct model_call *c, struct footnote_err *err);
/* Takes it away from libcurl. */
void transfer_stop(struct model_call *c);
/* Lets libcurl go on, after it was told to hold bytes back. */
void transfer_resume(struct model_call *c);
/* The answer has begun, so the question is not needed again: a long prompt
 * is not kept as long as its answer runs. */
void transfer_forget_question(struct model_call *c);
int transfer_status(const struct model_call *c);
/* What the server asks to wait, in ms; -1: nothing. */
int64_t transfer_retry_after(const struct model_call *c);
void transfer_free(struct model_call *c);

/* ---- body.c ---- */

/* Reads what has come and tells the caller. */
void body_read(struct model_call *c);
/* All has come and was read: was it an answer? */
void body_close(struct model_call *c);

/* ---- retry.c ---- */

/* How long to wait before the next try; false: there is none. */
bool retry_next(struct model_call *c, int64_t *wait_ms);
void retry_started(struct model_loop *l);

/* ---- openai.c ---- */

/* The call has something to tell, when libcurl has returned. */
void call_ready(struct model_call *c);
/* The time that it may take from now on has changed. */
void call_watch_time(struct model_call *c);

#endif
