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
/* The area under the curve: the share of pairs in which the better one has
 * more; a tie is half.  Not a number when there is no pair. */
double figures_area(const double *better, size_t better_n, const double *worse,
                    size_t worse_n);
int figures_print(struct cli *c, const struct figures *f); /* an exit code */

#endif
