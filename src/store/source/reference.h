/* reference.h - the sources of one message, on their way into the store. */
#ifndef STORE_SOURCE_REFERENCE_H
#define STORE_SOURCE_REFERENCE_H
#include "base/sha256.h"
#include "store/source/binding.h"

struct reference;
struct tx;

/* A reference ready to be stored. */
struct new_reference {
    const struct reference *ref;
    struct str key;       /* source key */
    struct sha256 digest; /* of the source */
    uint32_t number;
    struct binding binding;
    int64_t source;            /* pooled key, once known */
    struct db_cur *asked;      /* for that key; NULL: it is known */
    struct str title, preview; /* what verdicts rest on */
    bool is_image;             /* cited by [^Page] too */
    bool has_score;
    double score;
    int support;      /* thousandths, -1: none */
    struct str spans; /* as stored */
    bool stored;      /* it was there before this change */
    bool was_cited;   /* as the way back has it */
};
struct new_references {
    struct new_reference *items;
    size_t n;
    struct str verdicts; /* packed, of the text they were marked in; absent: it
                            was not judged */
    bool spent;          /* not: the budget was not enough */
};

/* Checks, keys and digests; needs no database.  Numbers are as given. */
enum footnote_rc new_references_make(struct tx *tx, struct sha256_ctx *c,
                                     const struct reference *refs, size_t n,
                                     struct new_references *out,
                                     struct footnote_err *err);
/* Merges fresh references with those that are there: a source met again keeps
 * its first number, given numbers are kept, the others count on, at least from
 * `from`.  `out` is both lists by number; fresh->items[i].number becomes the
 * number of the i-th given source. */
enum footnote_rc new_references_number(struct tx *tx,
                                       const struct new_references *there,
                                       const struct new_references *fresh,
                                       uint32_t from,
                                       struct new_references *out,
                                       struct footnote_err *err);
/* Copies those numbers out; `numbers` may be NULL. */
void new_references_numbers(const struct new_references *fresh,
                            uint32_t *numbers);
/* Loads the stored references of a message.  They are read, changed and written
 * as one: a caller that changes them calls session_touch() before, which locks
 * the session's row until the commit. */
enum footnote_rc new_references_load(struct tx *tx, int64_t session,
                                     int64_t seq, struct new_references *out,
                                     struct footnote_err *err);
/* The same for the end of an answer, which must not fail for ever: damaged
 * references count as none.  They stay stored, and readers are told. */
enum footnote_rc new_references_load_sound(struct tx *tx, int64_t session,
                                           int64_t seq,
                                           struct new_references *out,
                                           struct footnote_err *err);
/* Writes the whole list to its message, and the way back of references that are
 * new or newly marked.  An empty list changes nothing. */
enum footnote_rc new_references_write(struct tx *tx, int64_t session,
                                      int64_t seq,
                                      const struct new_references *list,
                                      struct footnote_err *err);
/* Pools the sources that are not stored yet, then does the same. */
enum footnote_rc new_references_store(struct tx *tx, int64_t session,
                                      int64_t seq, int64_t pool,
                                      const struct new_references *list,
                                      struct footnote_err *err);
/* Its steps, for a message that is inserted with its references: ask, put,
 * pack, insert.  After ask, new_references_drop() is called in any case. */
enum footnote_rc new_references_ask(struct tx *tx, int64_t pool,
                                    const struct new_references *list,
                                    struct footnote_err *err);
enum footnote_rc new_references_put(struct tx *tx, int64_t pool,
                                    const struct new_references *list,
                                    struct footnote_err *err);
enum footnote_rc new_references_pack(struct tx *tx,
                                     const struct new_references *list,
                                     struct str *out, struct footnote_err *err);
enum footnote_rc new_references_insert(struct tx *tx, int64_t session,
                                       int64_t seq,
                                       const struct new_references *list,
                                       struct footnote_err *err);
void new_references_drop(const struct new_references *list);

#endif
