/* rewrite.h - another product's marks in a text become markers of ours.  One
 * thread. */
#ifndef IMPORT_REWRITE_H
#define IMPORT_REWRITE_H
#include "import/kind.h"

enum { REWRITTEN_BYTES_MAX = 2 * STORE_CONTENT_BYTES_MAX };

/* Finds a mark at the beginning of `rest`: how many bytes it has (0: it is
 * none), and what to write instead, into `to`. */
typedef size_t rewrite_fn(void *arg, struct str rest, struct buf *to);

/* The text with each mark replaced; its own memory when there are none. */
enum footnote_rc rewrite(struct import *im, struct str text, rewrite_fn *mark,
                         void *arg, struct str *out, struct footnote_err *err);

/* "]" and the like: the number behind `*at`, which moves on; -1: there is
 * none. */
int64_t rewrite_number(struct str rest, size_t *at);
/* Whether `word` stands there; moves behind it. */
bool rewrite_word(struct str rest, size_t *at, struct str word);

#endif
