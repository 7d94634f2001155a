/* question.h - what a model is asked, as JSON.  Pure.
 *
 * Only what is needed is sent: servers refuse keys that they do not know, and
 * empty lists.  What some refuse (tools, counting) stands last, so that it
 * can be taken off again. */
#ifndef MODEL_QUESTION_H
#define MODEL_QUESTION_H
#include "base/buf.h"
#include "model/model.h"

enum { QUESTION_BYTES_MAX = 48 * 1024 * 1024 };

struct question {
    struct buf text;
    size_t base_n; /* up to where it is the same in every try */
};
#define QUESTION ((struct question){.text = BUF(QUESTION_BYTES_MAX)})

enum footnote_rc question_write(struct question *r, const struct model_ask *ask,
                                struct footnote_err *err);
/* Ends it, with or without what may be refused; can be done again. */
enum footnote_rc question_finish(struct question *r, bool tools, bool usage,
                                 struct footnote_err *err);

#endif
