/* fold.c - text that was seen, in few bytes.
 *
 * Viewers that keep up have read it; one that comes late unpacks it, a fold at
 * a time.  Folds stand one after another, each of whole steps, behind its two
 * lengths:
 *
 *     [bytes of text][bytes packed][packed] [bytes of text]...
 *
 * They get longer with the text, so that there are never many. */
#include <stdlib.h>

#include "chat/feed/inner.h"

enum { FOLD_BYTES_MIN = 1024, FOLD_PART = 16 /* of what is folded */ };

struct lengths {
    size_t n, packed_n;
};

/* How many bytes behind the folds are whole steps, and not behind `upto`. */
static size_t measure(const struct feed *f, size_t upto, size_t *step)
{
    size_t n = 0, at = f->folded_step;

    while (at < f->steps.n) {
        size_t more = feed_step(f, &at);

        if (f->folded_bytes + n + more > upto)
            break;
        n += more;
        *step = at;
    }
    return n;
}

/* Under the lock.  Without memory for it all stays as it is. */
static bool add(struct feed *f, const struct packed *p)
{
    struct lengths l = {p->whole_n, p->n};
    struct buf rest = BUF(f->text.max - l.n);

    buf_add(&rest, str_skip(buf_str(&f->text), l.n));
    buf_reserve(&f->folds, f->folds.n + sizeof(l) + l.packed_n);
    if (rest.broken != FOOTNOTE_OK ||
        f->folds.cap - f->folds.n <= sizeof(l) + l.packed_n) {
        buf_free(&rest);
        return false;
    }
    buf_add(&f->folds, (struct str){(const char *)&l, sizeof(l)});
    buf_add(&f->folds, (struct str){(const char *)p->bytes, l.packed_n});
    buf_free(&f->text);
    f->text = rest;
    f->folded_bytes += l.n;
    return true;
}

void feed_fold(struct feed *f, size_t upto)
{
    size_t least = FOLD_BYTES_MIN + f->folded_bytes / FOLD_PART;
    size_t step = f->folded_step, n;
    struct packed p;

    if (upto < f->folded_bytes + least)
        return;
    n = measure(f, upto, &step);
    if (n < least || !pack(&p, (struct str){f->text.p, n}, STR_NONE))
        return;
    pthread_mutex_lock(&f->lock);
    if (add(f, &p))
        f->folded_step = step;
    pthread_mutex_unlock(&f->lock);
    pack_free(&p);
}

struct fold *fold_open(const struct feed *f, size_t at)
{
    struct packed p = {.bytes = (unsigned char *)f->folds.p};
    struct lengths l = {0};
    struct fold *fold;
    size_t from = 0;

    do {
        from += l.n;
        p.bytes += l.packed_n;
        memcpy(&l, p.bytes, sizeof(l));
        p.bytes += sizeof(l);
    } while (at - from >= l.n);
    fold = malloc(sizeof(*fold) + l.n);
    if (!fold)
        return NULL;
    fold->at = from;
    fold->n = p.whole_n = l.n;
    p.n = l.packed_n;
    if (unpack(&p, fold->bytes, STR_NONE))
        return fold;
    free(fold);
    return NULL;
}
