/* real.h - questions asked of real documents: bench/quality real. */
#ifndef QUALITY_REAL_H
#define QUALITY_REAL_H

#include <stdbool.h>

/* `folder` is what bench/quality/fetch made.  Each file of questions is
 * measured by itself; `each` prints every question. */
void real_measure(const char *folder, const char *const *questions, int n,
                  bool each);

#endif
