/* passage.h - checking, storing and reading passages. */
#ifndef STORE_DOCUMENT_PASSAGE_H
#define STORE_DOCUMENT_PASSAGE_H
#include "base/err.h"

struct passage;
struct tx;

enum { PASSAGES_MAX = 100 }; /* in one call */
enum footnote_rc passages_check(const struct passage *p, size_t n,
                                struct footnote_err *err);
/* A position that is there stays as it is. */
enum footnote_rc passages_insert(struct tx *tx, int64_t document,
                                 int64_t version, const struct passage *p,
                                 size_t n, struct footnote_err *err);

struct index_passage;
/* Reads rows of (document, version, position, heading, text) into tx->out. */
enum footnote_rc index_passages_take(struct tx *tx, struct db_cur *cur,
                                     struct index_passage **passages, size_t *n,
                                     struct footnote_err *err);

/* Whether a row whose sealed columns begin at `first` is a passage of the
 * document, as it was sealed.  One that is not was told of (damage.h); it is
 * not given to anybody. */
bool passage_is_whole(struct tx *tx, struct db_cur *cur, int first,
                      int64_t document);

#endif
