/* case_files.h - the case files of tests/cite. */
#ifndef CASE_FILES_H
#define CASE_FILES_H
#include "base/arena.h"

/* The whole file, found from the top of the tree; a missing one fails the
 * test.  Lives in `a`. */
struct str read_cases(struct arena *a, const char *path);

#endif
