/* spans.h - pairs of UTF-16 offsets as a blob of varints.  Any thread. */
#ifndef STORE_SOURCE_SPANS_H
#define STORE_SOURCE_SPANS_H
#include "base/arena.h"

struct str spans_pack(struct arena *a, const uint32_t *pairs, size_t n);
/* pairs: room for as many numbers as the blob has bytes. */
enum footnote_rc spans_unpack(struct str blob, uint32_t *pairs, size_t *n,
                              struct footnote_err *err);

#endif
