/* confidence_figures.h - how well confidence tells questions that the documents
 * answer from others. */
#ifndef CLI_EVAL_CONFIDENCE_FIGURES_H
#define CLI_EVAL_CONFIDENCE_FIGURES_H
#include "cli/eval/collection.h"
#include "cli/eval/figures.h"

/* Of the collection in `folder`: questions with a judgement have an answer,
 * those without have none.  Questions of the collection in `outside`, which may
 * be NULL, have none either. */
enum footnote_rc confidence_figures(struct arena *a, const char *folder,
                                    const char *outside, struct figures *out,
                                    struct footnote_err *err);

#endif
