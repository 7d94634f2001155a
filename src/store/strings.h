/* strings.h - lists as they are stored, or given to a statement: JSON arrays.
 */
#ifndef STORE_STRINGS_H
#define STORE_STRINGS_H
#include "base/arena.h"

struct tx;

/* A JSON array of strings in scratch; absent when n is 0. */
enum footnote_rc strings_pack(struct tx *tx, const struct str *s, size_t n,
                              struct str *out, struct footnote_err *err);
enum footnote_rc strings_unpack(struct arena *a, struct str json,
                                const struct str **out, size_t *n,
                                struct footnote_err *err);
/* A JSON array of keys, in `a`. */
enum footnote_rc keys_pack(struct arena *a, const int64_t *keys, size_t n,
                           struct str *out, struct footnote_err *err);

#endif
