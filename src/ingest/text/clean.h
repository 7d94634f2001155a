/* clean.h - drops the characters that people cannot see.  One thread a struct.
 *
 * Zero-width characters, overrides of the writing direction, tags and control
 * characters make a model read what a person does not.  Where honest text has
 * no use for them they are dropped, and `hidden` says so.  Joiners and
 * direction marks stay where scripts need them: behind a letter that is not
 * Latin, Greek or Cyrillic. */
#ifndef INGEST_TEXT_CLEAN_H
#define INGEST_TEXT_CLEAN_H
#include "base/buf.h"

struct clean {
    uint32_t before; /* the last character, as it came; 0 at the start */
    bool hidden;     /* hidden text was dropped */
};

/* What becomes of character c: itself, another, or 0 for nothing.  Line ends
 * of any kind become "\n", spaces that only look different become " "; "\t"
 * and "\f" stay. */
uint32_t clean_char(struct clean *k, uint32_t c);
/* Appends s, which is valid UTF-8, cleaned. */
void clean_add(struct clean *k, struct buf *out, struct str s);

#endif
