/* unknown.h - numbers in a text that no source has.  Pure. */
#ifndef CITE_UNKNOWN_H
#define CITE_UNKNOWN_H
#include "base/arena.h"

enum { UNKNOWN_NUMBERS_MAX = 100 }; /* of one text; others are not told */

/* The numbers in the markers of `text`, valid UTF-8, that are not in `known`,
 * which ascends; they ascend, too, each once.  *out lives in `a`. */
enum footnote_rc unknown_numbers(struct arena *a, struct str text,
                                 const uint32_t *known, size_t known_n,
                                 const uint32_t **out, size_t *n,
                                 struct footnote_err *err);

#endif
