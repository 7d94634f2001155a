/* utf8.h - checking and measuring UTF-8.  Any thread. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H
#include "base/str.h"

/* Strict: no overlong forms, no surrogates, nothing over U+10FFFF. */
bool utf8_valid(struct str s);
/* Fit to be a name: valid, on one line, and without what hides in it or turns
 * the direction of what stands around it (controls of C0 and C1, line and
 * paragraph separators, embeddings, overrides, isolates).  The marks that
 * Hebrew, Arabic and Persian are typed with are fine. */
bool utf8_is_name(struct str s);
/* Bytes of s up to the last whole character: 0 to 3 less than s.n when s ends
 * inside one, s.n otherwise.  Looks at the end only. */
size_t utf8_whole(struct str s);
/* Decodes one character of valid UTF-8 at s.p[*i] and moves *i behind it. */
uint32_t utf8_next(struct str s, size_t *i);
/* Length in UTF-16 units, as JavaScript counts. */
size_t utf8_utf16(struct str s);
/* The first `chars` characters of s (valid UTF-8). */
struct str utf8_cut(struct str s, size_t chars);
/* Appends code point c; returns 1 to 4. */
size_t utf8_put(uint32_t c, char out[4]);

#endif
