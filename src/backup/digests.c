/* digests.c - open addressing; a digest is a good hash of itself. */
#include "backup/digests.h"

#include <stdlib.h>

enum { SLOTS_MIN = 1024 };

/* The slot of `d`, or the free one where it belongs. */
static struct sha256 *slot_of(const struct digests *s, const struct sha256 *d)
{
    static const struct sha256 none;
    size_t at;

    memcpy(&at, d->b, sizeof(at));
    for (;; at++) {
        struct sha256 *slot = &s->slots[at & (s->slots_n - 1)];

        if (sha256_eq(slot, &none) || sha256_eq(slot, d))
            return slot;
    }
}

bool digests_has(const struct digests *s, const struct sha256 *d)
{
    return s->slots_n && sha256_eq(slot_of(s, d), d);
}

static enum footnote_rc grow(struct digests *s, struct footnote_err *err)
{
    static const struct sha256 none;
    struct digests more = {.slots_n = s->slots_n ? 2 * s->slots_n : SLOTS_MIN};

    more.slots = calloc(more.slots_n, sizeof(*more.slots));
    if (!more.slots)
        return err_set(err, FOOTNOTE_NOMEM, "too many files");
    for (size_t i = 0; i < s->slots_n; i++)
        if (!sha256_eq(&s->slots[i], &none))
            *slot_of(&more, &s->slots[i]) = s->slots[i];
    more.n = s->n;
    free(s->slots);
    *s = more;
    return FOOTNOTE_OK;
}

enum footnote_rc digests_add(struct digests *s, const struct sha256 *d,
                             struct footnote_err *err)
{
    if (2 * s->n >= s->slots_n)
        TRY(grow(s, err));
    if (!digests_has(s, d)) {
        *slot_of(s, d) = *d;
        s->n++;
    }
    return FOOTNOTE_OK;
}

void digests_free(struct digests *s)
{
    free(s->slots);
    *s = (struct digests){.slots = NULL};
}
