/* model.h - who writes the answer: the configured models, and one call of one.
 *
 *     models   the configured list; read-only once open, any thread
 *     loop     the libcurl side of one libuv loop; that loop's thread only
 *     call     one question to one model; the same thread
 *
 * The embedded answerer ("extractive") is in the list, but it is no upstream:
 * model_start() is not for it.
 *
 *     model_start --> text, text, ... --> end            and the call is gone
 *          \------------\----------------> model_cancel  and the call is gone
 *
 * Events never come from inside a function of this header, so that a caller
 * need not be ready for them before it is done.  Any function of a call may be
 * called from inside of its `text`; none after `end` has begun. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H
#include <uv.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct config;

/* ---- The list ---- */

struct models;
struct curl_slist;
struct model {
    struct str name; /* as users pick it */
    bool extractive; /* ours: no upstream, no key, no tools */
    bool tools;      /* may be offered the search tool */
    bool images;     /* may be shown pictures */
    bool usage;      /* is asked to count tokens (stream_options) */
    bool direct;     /* this machine: no proxy on the way */
    struct str url;  /* of chat completions, whole */
    struct str upstream_name;
    struct str key;             /* absent: none; shown and logged nowhere */
    struct curl_slist *headers; /* of every question; the key is in there */
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

/* ---- What is asked ---- */

#define MODEL_SEARCH_TOOL "search_course_materials"

struct model_tool_call {
    struct str id, name;  /* never absent; the name may be empty */
    struct str arguments; /* a model's words: should be JSON, need not be */
    struct str extra;     /* extra_content, verbatim JSON; absent: none */
};

enum model_role { MODEL_SYSTEM, MODEL_USER, MODEL_ASSISTANT, MODEL_TOOL };

struct model_line {
    enum model_role role;
    struct str text;
    struct str image_url;                /* data: or https:; absent: none */
    const struct model_tool_call *calls; /* of an assistant that asked for */
    size_t calls_n;
    struct str call_id; /* of a tool's result */
};

struct model_ask {
    const struct model *model;
    const struct model_line *lines;
    size_t lines_n;
    bool tools; /* offer the search tool, if the model takes tools */
};

/* ---- What comes back ---- */

enum model_finish {
    MODEL_FINISH_STOP,
    MODEL_FINISH_LENGTH,
    MODEL_FINISH_FILTER, /* or the model refused; its words came as text */
    MODEL_FINISH_TOOLS,
    MODEL_FINISH_OTHER
};

/* Codes of failure: model_unavailable (not there, busy), model_timeout,
 * model_refused (our request, our key), model_error (what it sent makes no
 * sense, or ended early), model_limit (it sent too much), context_too_long,
 * content_filter, and internal (we have no memory). */
struct model_end {
    bool ok;
    enum model_finish finish;
    const char *code; /* static; NULL when ok */
    const char *text; /* likewise: a sentence for the person who asked */
    char detail[200]; /* what the model's server said, for the debug log */
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
/* Cancels every call.  `closed` is called when libuv is done with all of it,
 * and the loop is freed then.  Not from inside of an event. */
void model_loop_close(struct model_loop *l, void (*closed)(void *arg),
                      void *arg);

struct model_call;
/* `ask` and its texts (UTF-8) are copied; *ev too; `m` and the model outlive
 * the call.  *out is for pause and cancel, and gone with `end`. */
enum footnote_rc model_start(struct model_loop *l, const struct models *m,
                             const struct model_ask *ask,
                             const struct model_events *ev,
                             struct model_call **out, struct footnote_err *err);
/* No text while paused; what is on the way waits in the sockets.  An idle
 * time-out does not run meanwhile. */
void model_pause(struct model_call *c, bool paused);
/* No further events; frees it. */
void model_cancel(struct model_call *c);

#endif
