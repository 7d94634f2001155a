/* abbreviation.h - points that end no sentence.  Pure. */
#ifndef LANGUAGE_ABBREVIATION_H
#define LANGUAGE_ABBREVIATION_H
#include "base/str.h"

/* Whether the point at s.p[point] ends an abbreviation ("eg.", "Dr.") or
 * an initial ("J."). */
bool abbreviation_at(struct str s, size_t point);
/* Whether all of s is the number or letter of an item, with its point: "6." */
bool abbreviation_is_item(struct str s);

#endif
