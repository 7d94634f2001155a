/* needs_next.h - whether a sentence is only understood with the next one: it
 * announces it by a colon, or begins with a pronoun and leaves the subject to
 * it.  Pure. */
#ifndef RETRIEVE_SEARCH_NEEDS_NEXT_H
#define RETRIEVE_SEARCH_NEEDS_NEXT_H
#include "base/str.h"

bool needs_next(struct str sentence);

#endif
