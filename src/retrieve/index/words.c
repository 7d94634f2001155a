/* words.c - a growing set of words: open addressing, at most half full. */
#include "retrieve/index/words.h"

#include <assert.h>
#include <stdlib.h>

enum { FIRST = 1024 };
#define WORDS_BYTES_MAX ((size_t)1 << 31)

struct str words_get(const struct words_set *w, uint32_t number)
{
    assert(number < w->n);
    uint32_t start = number ? w->ends[number - 1] : 0;

    return (struct str){w->bytes.p + start, w->ends[number] - start};
}

static enum footnote_rc grow(struct words_set *w, struct footnote_err *err)
{
    uint32_t n = w->slots_n ? w->slots_n * 2 : FIRST;
    uint32_t *slots = calloc(n, sizeof(*slots));
    uint32_t *ends = realloc(w->ends, n / 2 * sizeof(*ends));

    if (ends)
        w->ends = ends;
    if (!slots || !ends) {
        free(slots);
        return err_set(err, FOOTNOTE_NOMEM, "indexing words");
    }
    for (uint32_t i = 0; i < w->n; i++) {
        uint64_t h = str_hash(words_get(w, i));

        while (slots[h & (n - 1)])
            h++;
        slots[h & (n - 1)] = i + 1;
    }
    free(w->slots);
    w->slots = slots;
    w->slots_n = n;
    w->ends_n = n / 2;
    return FOOTNOTE_OK;
}

enum footnote_rc words_add(struct words_set *w, struct str word, uint32_t *out,
                           struct footnote_err *err)
{
    uint64_t h = str_hash(word);

    if (w->n == w->ends_n)
        TRY(grow(w, err));
    for (;; h++) {
        uint32_t slot = w->slots[h & (w->slots_n - 1)];

        if (!slot)
            break;
        *out = slot - 1;
        if (str_eq(words_get(w, slot - 1), word))
            return FOOTNOTE_OK;
    }
    if (w->bytes.max == 0)
        w->bytes.max = WORDS_BYTES_MAX;
    buf_add(&w->bytes, word);
    TRY(buf_rc(&w->bytes, err));
    w->ends[w->n] = (uint32_t)w->bytes.n;
    w->slots[h & (w->slots_n - 1)] = w->n + 1;
    *out = w->n++;
    return FOOTNOTE_OK;
}

void words_clear(struct words_set *w)
{
    buf_reset(&w->bytes);
    if (w->slots)
        memset(w->slots, 0, w->slots_n * sizeof(*w->slots));
    w->n = 0;
}

void words_free(struct words_set *w)
{
    buf_free(&w->bytes);
    free(w->ends);
    free(w->slots);
    *w = (struct words_set){.n = 0};
}
