/* failure.h - why an answer failed: a code, a sentence, what to do.  Pure.
 *
 * The user reads our sentence.  The server's own words may name accounts and
 * machines, so they go to the log only. */
#ifndef MODEL_FAILURE_H
#define MODEL_FAILURE_H
#include "base/json.h"

enum failure_kind {
    FAILURE_NONE,
    FAILURE_UNREACHABLE, /* no connection, or it was lost before an answer */
    FAILURE_BUSY,        /* 429, 5xx: may pass in a moment */
    FAILURE_LOADING,     /* 503 while it reads the model from disk */
    FAILURE_QUOTA,       /* 429 that waiting does not help */
    FAILURE_TIMEOUT,
    FAILURE_REFUSED,   /* other 3xx and 4xx: our mistake */
    FAILURE_NO_USAGE,  /* refused because of stream_options */
    FAILURE_NO_TOOLS,  /* refused because tools were offered */
    FAILURE_CONTEXT,   /* the prompt is too long */
    FAILURE_FILTER,    /* the prompt was filtered */
    FAILURE_UPSTREAM,  /* an error in an answer that had begun well */
    FAILURE_GARBAGE,   /* no JSON, or no answer */
    FAILURE_CUT,       /* the stream ended too early */
    FAILURE_TOO_LARGE, /* line, event, answer or tool call */
    FAILURE_NO_MEMORY  /* ours */
};

struct failure {
    enum failure_kind kind;
    char detail[200];
};

/* The code of model.h and the sentence; static. */
const char *failure_code(enum failure_kind kind);
const char *failure_text(enum failure_kind kind);
/* Whether to try again, perhaps without usage or tools. */
bool failure_allows_retry(enum failure_kind kind);

/* Sets *f unless it is set: the first reason counts. */
void failure_set(struct failure *f, enum failure_kind kind, struct str detail);
/* Sets *f from the body of an error: JSON of any shape, HTML, nothing. `status`
 * is 200 for an error inside of an answer. */
void failure_read(struct failure *f, struct arena *scratch, int status,
                  struct str body);
void failure_read_json(struct failure *f, int status, const struct json *doc);
/* Whether a document is an error of some shape. */
bool failure_is_json(const struct json *doc);

#endif
