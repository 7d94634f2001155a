/* claim_figures.h - how well verdicts tell true claims from others. */
#ifndef CLI_EVAL_CLAIM_FIGURES_H
#define CLI_EVAL_CLAIM_FIGURES_H
#include "cli/eval/figures.h"

enum footnote_rc claim_figures(struct arena *a, const char *folder,
                               struct figures *out, struct footnote_err *err);

#endif
