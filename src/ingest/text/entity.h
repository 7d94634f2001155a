/* entity.h - character references of HTML, as in "&eacute;" and "&#233;". */
#ifndef INGEST_TEXT_ENTITY_H
#define INGEST_TEXT_ENTITY_H
#include "base/buf.h"

enum { ENTITY_BYTES_MAX = 32 };

/* The character that the "&" at s.p[at] stands for, and the bytes of the
 * reference; 0 when it is an ordinary "&".  A character that no text may have
 * is U+FFFD. */
uint32_t entity_at(struct str s, size_t at, size_t *bytes);

#endif
