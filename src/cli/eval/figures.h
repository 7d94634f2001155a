/* figures.h - named figures of a measurement, printed as text or as JSON. */
#ifndef CLI_EVAL_FIGURES_H
#define CLI_EVAL_FIGURES_H
#include "cli/cli.h"

enum { FIGURES_MAX = 16 };

struct figures {
    struct figure {
        const char *key;
        double value;
    } items[FIGURES_MAX];
    size_t n;
};

/* A value that is not a number was not measured and is not printed. */
void figures_add(struct figures *f, const char *key, double value);
int figures_print(struct cli *c, const struct figures *f); /* an exit code */

#endif
