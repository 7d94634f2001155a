/* words.h - a growing set of words, numbered in order of arrival.  One thread.
 */
#ifndef RETRIEVE_INDEX_WORDS_H
#define RETRIEVE_INDEX_WORDS_H
#include "base/buf.h"

struct words_set {
    struct buf bytes; /* of all words, one after the other */
    uint32_t *ends;   /* where each ends in bytes */
    uint32_t *slots;  /* hash table of numbers, + 1 */
    uint32_t n, ends_n, slots_n;
};

/* The number of the word, which is added when it is new. */
enum footnote_rc words_add(struct words_set *w, struct str word, uint32_t *out,
                           struct footnote_err *err);
struct str words_get(const struct words_set *w, uint32_t number);
void words_clear(struct words_set *w);
void words_free(struct words_set *w);

#endif
