/* completion.h - one answer so far, from chunks of chat completions.
 *
 * Reads what servers that call themselves OpenAI-compatible really send: see
 * tests/upstream/scripts, one file per habit.  One thread; no I/O. */
#ifndef MODEL_COMPLETION_H
#define MODEL_COMPLETION_H
#include "model/calls.h"
#include "model/failure.h"
#include "model/sse_in.h"

struct completion {
    struct calls calls;
    struct failure failure;
    enum model_finish finish;
    bool finished;  /* a finish_reason came */
    bool done;      /* [DONE] came, or a whole answer: nothing will follow */
    bool began;     /* text or calls came: no second try after that */
    bool refusal;   /* its text says that it will not answer */
    int64_t choice; /* number of the choice that is read; -1: none yet */
    int64_t tokens_in, tokens_out;
    size_t text_bytes, text_bytes_max;
};

#define COMPLETION(limit)                                                      \
    ((struct completion){.finish = MODEL_FINISH_OTHER,                         \
                         .choice = -1,                                         \
                         .tokens_in = -1,                                      \
                         .tokens_out = -1,                                     \
                         .text_bytes_max = (limit)})

/* Reads one event.  *text is what it adds to the answer, often nothing; it
 * lives in `scratch` or in the event.  Failures are in r->failure. */
void completion_event(struct completion *r, struct arena *scratch,
                      const struct sse_event *e, struct str *text);
/* The same for an answer that came as one document instead of a stream. */
void completion_document(struct completion *r, struct arena *scratch,
                         struct str body, struct str *text);
/* The stream is over: a failure, if it ended too early. */
void completion_close(struct completion *r);
void completion_free(struct completion *r);

#endif
