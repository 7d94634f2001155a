/* model.h - the configured models, and one call of a model.
 *
 *     models   the configured list; read-only once open, any thread
 *     loop     the libcurl side of one libuv loop; that loop's thread only
 *     call     one question to one model; the same thread
 *
 * The embedded answerer ("extractive") is in the list, but has no server:
 * model_start() is not for it.
 *
 *     model_start --> text, text, ... --> end            and the call is gone
 *          \------------\----------------> model_cancel  and the call is gone
 *
 * No function of this header calls an event: events come from the loop.  Any
 * function of a call may be called from inside of its `text`, but none once
 * `end` has begun. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H
#include <stdatomic.h>
#include <uv.h>

#include "base/arena.h"

struct config;

/* ---- The list ---- */

struct models;
struct curl_slist;
struct model {
    struct str name; /* for users */
    bool extractive; /* the embedded answerer: no server, no key, no tools */
    bool tools;      /* may be offered the search tool */
    bool images;     /* may be shown pictures */
    bool usage;      /* is asked to count tokens (stream_options) */
    bool direct;     /* on this machine: no proxy is used */
    struct str url;  /* of chat completions */
    struct str upstream_name;
    struct str key;             /* absent: none; shown and logged nowhere */
    struct curl_slist *headers; /* of every request, with the key */
};

/* The list that `c` describes; `c` is borrowed for the call.  *out is yours:
 * free with models_close(). */
enum footnote_rc models_open(const struct config *c, struct models **out,
                             struct footnote_err *err);
void models_close(struct models *m); /* NULL is fine */
/* Absent name: the default.  NULL: there is none of that name. */
const struct model *models_find(const struct models *m, struct str name);
size_t models_count(const struct models *m);
const struct model *models_at(const struct models *m, size_t i);

/* ---- Whether it is there ---- */

/* Why a call came to nothing: `cause`, or "HTTP 404". */
enum { MODEL_CAUSE_BYTES = 120 };
struct str model_cause(const char *cause, int status,
                       char out[MODEL_CAUSE_BYTES]);

struct model_reach {
    bool ok;
    const char *cause; /* as in struct model_end */
    int status;
};
/* Asks for the list of models, which costs nothing; waits up to `wait_ms`, or
 * until *stop.  Any thread.  Not for the embedded answerer. */
void model_reach(const struct model *m, int64_t wait_ms,
                 const atomic_bool *stop, struct model_reach *out);

/* ---- A question ---- */

#define MODEL_SEARCH_TOOL "search_course_materials"

struct model_tool_call {
    struct str id, name;  /* never absent; the name may be empty */
    struct str arguments; /* JSON, if the model wrote it right */
    struct str extra;     /* extra_content, verbatim JSON; absent: none */
};

enum model_role { MODEL_SYSTEM, MODEL_USER, MODEL_ASSISTANT, MODEL_TOOL };

struct model_line {
    enum model_role role;
    struct str text;
    struct str image_url;                /* data: or https:; absent: none */
    const struct model_tool_call *calls; /* that an assistant asked for */
    size_t calls_n;
    struct str call_id; /* of a tool's result */
};

struct model_ask {
    const struct model *model;
    const struct model_line *lines;
    size_t lines_n;
    bool tools; /* offer the search tool, if the model takes tools */
};

/* ---- An answer ---- */

enum model_finish {
    MODEL_FINISH_STOP,
    MODEL_FINISH_LENGTH,
    MODEL_FINISH_FILTER, /* or the model refused; its words came as text */
    MODEL_FINISH_TOOLS,
    MODEL_FINISH_OTHER
};

/* Codes of failure: model_unavailable (not reached, busy), model_timeout,
 * model_refused (our request, our key), model_error (its answer makes no sense
 * or ended early), model_limit (its answer is too long), context_too_long,
 * content_filter, and internal (out of memory). */
struct model_end {
    bool ok;
    enum model_finish finish;
    const char *code; /* static; NULL when ok */
    const char *text; /* likewise: a sentence for the person who asked */
    char detail[200]; /* the server's own words, for the debug log */
    /* For the operator, without anything that was asked: libcurl's words or
     * ours (static), or absent; the server's status, or 0. */
    const char *cause;
    int status;
    int64_t tokens_in, tokens_out; /* -1: unknown */
    const struct model_tool_call *calls;
    size_t calls_n;
};

struct model_events {
    void *arg;
    /* Whole characters, no NUL.  Borrowed for the call. */
    void (*text)(void *arg, struct str delta);
    /* Exactly once and last; all of *end is borrowed for the call. */
    void (*end)(void *arg, const struct model_end *end);
};

/* ---- Asking ---- */

struct model_loop;
/* *out is yours: end with model_loop_close(). */
enum footnote_rc model_loop_open(uv_loop_t *uv, struct model_loop **out,
                                 struct footnote_err *err);
/* Cancels every call.  When libuv has closed all handles, `closed` is called
 * and the loop is freed.  Not from inside of an event. */
void model_loop_close(struct model_loop *l, void (*closed)(void *arg),
                      void *arg);

struct model_call;
/* Copies `ask` with its texts (UTF-8), and *ev; `m` and the model outlive the
 * call.  *out is for pause and cancel, until `end`. */
enum footnote_rc model_start(struct model_loop *l, const struct models *m,
                             const struct model_ask *ask,
                             const struct model_events *ev,
                             struct model_call **out, struct footnote_err *err);
/* No text comes while paused; bytes wait in the sockets, and the idle time-out
 * does not run. */
void model_pause(struct model_call *c, bool paused);
/* Frees the call; no more events come. */
void model_cancel(struct model_call *c);

#endif
