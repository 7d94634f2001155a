/* reply.h - what came of one answer so far, from chunks of chat completions.
 *
 * Takes what servers that call themselves OpenAI-compatible really send: see
 * tests/upstream/scripts, one file per habit.  One thread; no I/O. */
#ifndef MODEL_REPLY_H
#define MODEL_REPLY_H
#include "model/calls.h"
#include "model/failure.h"
#include "model/sse_in.h"

struct reply {
    struct calls calls;
    struct failure failure;
    enum model_finish finish;
    bool finished; /* a finish_reason came */
    bool done;     /* [DONE] came, or a whole answer: nothing will follow */
    bool began;    /* text or calls came: no second try after that */
    bool refusal;  /* its text says that it will not answer */
    int64_t choice;
    int64_t tokens_in, tokens_out;
    size_t text_bytes, text_bytes_max;
};

#define REPLY(limit)                                                           \
    ((struct reply){.finish = MODEL_FINISH_OTHER,                              \
                    .choice = -1,                                              \
                    .tokens_in = -1,                                           \
                    .tokens_out = -1,                                          \
                    .text_bytes_max = (limit)})

/* Takes one event.  *text is what it adds to the answer, often nothing; it
 * lives in `scratch` or in the event.  Failures are in r->failure. */
void reply_event(struct reply *r, struct arena *scratch,
                 const struct sse_event *e, struct str *text);
/* The same for an answer that came as one document instead of a stream. */
void reply_document(struct reply *r, struct arena *scratch, struct str body,
                    struct str *text);
/* The stream is over: was that its end? */
void reply_close(struct reply *r);
void reply_free(struct reply *r);

#endif
