/* entity.h - character references of HTML, as in "&eacute;" and "&#233;". */
#ifndef INGEST_TEXT_ENTITY_H
#define INGEST_TEXT_ENTITY_H
#include "base/buf.h"

enum { ENTITY_BYTES_MAX = 32 };

/* The character that the "&" at s.p[at] begins, and the bytes it takes; 0 when
 * it is an ordinary "&".  Those that no text may have are U+FFFD. */
uint32_t entity_at(struct str s, size_t at, size_t *bytes);

#endif
