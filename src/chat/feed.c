/* feed.c - what a turn has shown: its life, and what the turn puts in.
 *
 * Text is one buffer, and an entry is a range of it: a token costs four bytes
 * more than its letters.  What was written and not shown is at its end, so that
 * a turn needs no copy. */
#include "chat/feed_inner.h"

#include <assert.h>
#include <stdlib.h>

enum {
    ENTRIES_FIRST = 16,
    ENTRIES_MAX = 4 * 1024 * 1024,
    TEXT_SPARE_BYTES = 256 /* and an eighth: thousands of these wait for more */
};

static struct feed_head copy_head(struct arena *a, const struct feed_head *h)
{
    return (struct feed_head){.session = arena_str(a, h->session),
                              .answer = arena_str(a, h->answer),
                              .question = arena_str(a, h->question),
                              .model = arena_str(a, h->model),
                              .created_ms = h->created_ms};
}

struct feed *feed_new(const struct feed_head *head)
{
    struct feed *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->arena = ARENA(FEED_ARENA_BYTES_MAX);
    f->text = BUF(FEED_TEXT_BYTES_MAX);
    f->head = copy_head(&f->arena, head);
    if (f->arena.failed) {
        arena_free(&f->arena);
        free(f);
        return NULL;
    }
    atomic_init(&f->refs, 1);
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

struct feed *feed_hold(struct feed *f)
{
    atomic_fetch_add(&f->refs, 1);
    return f;
}

void feed_drop(struct feed *f)
{
    if (!f || atomic_fetch_sub(&f->refs, 1) > 1)
        return;
    arena_free(&f->arena);
    buf_free(&f->text);
    free(f->entries);
    for (size_t i = 0; i < f->sources_n; i++)
        free(f->sources[i]);
    free(f->sources);
    pack_free(&f->packed);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

const struct feed_head *feed_head(const struct feed *f)
{
    return &f->head;
}

/* ---- Appending ---------------------------------------------------------- */

/* Room for one more in an array that grows by a quarter: it stays for long. */
static bool grow(void **items, size_t n, size_t *cap, size_t bytes)
{
    size_t next = *cap + *cap / 4 + ENTRIES_FIRST;
    void *p;

    if (n < *cap)
        return true;
    p = next <= ENTRIES_MAX ? realloc(*items, next * bytes) : NULL;
    if (!p)
        return false;
    *items = p;
    *cap = next;
    return true;
}

static bool has_room(struct feed *f)
{
    return grow((void **)&f->entries, f->entries_n, &f->entries_cap,
                sizeof(*f->entries));
}

void feed_tell(struct feed *f)
{
    for (struct view *v = f->views; v; v = v->next) {
        if (v->posted)
            continue;
        v->posted = true;
        mail_send(v->loop, &v->mail);
    }
}

static void add(struct feed *f, enum feed_kind kind, size_t upto)
{
    f->entries[f->entries_n++] =
        (struct entry){.kind = kind, .upto = (uint32_t)upto & 0x3fffffff};
    feed_tell(f);
}

enum footnote_rc feed_add_source(struct feed *f, const struct reference *r,
                                 struct footnote_err *err)
{
    struct reference *copy = source_copy(r);

    pthread_mutex_lock(&f->lock);
    if (copy && has_room(f) &&
        grow((void **)&f->sources, f->sources_n, &f->sources_cap,
             sizeof(struct reference *))) {
        f->sources[f->sources_n++] = copy;
        add(f, FEED_SOURCE, f->sources_n);
    } else {
        free(copy);
        copy = NULL;
    }
    pthread_mutex_unlock(&f->lock);
    return copy ? FOOTNOTE_OK
                : err_set(err, FOOTNOTE_NOMEM, "showing a source");
}

enum footnote_rc feed_write(struct feed *f, struct str text)
{
    enum footnote_rc rc;
    size_t n = f->text.n + text.n;

    pthread_mutex_lock(&f->lock);
    if (n >= f->text.cap)
        buf_reserve(&f->text, n + n / 8 + TEXT_SPARE_BYTES);
    buf_add(&f->text, text);
    rc = f->text.broken;
    f->text.broken = FOOTNOTE_OK;
    pthread_mutex_unlock(&f->lock);
    return rc;
}

struct str feed_text(const struct feed *f)
{
    return buf_str(&f->text);
}

enum footnote_rc feed_show(struct feed *f, size_t upto,
                           struct footnote_err *err)
{
    bool ok;

    pthread_mutex_lock(&f->lock);
    assert(upto > f->shown && upto <= f->text.n);
    ok = has_room(f);
    if (ok) {
        sources_pack(f); /* most viewers have seen them */
        f->shown = upto;
        add(f, FEED_TEXT, upto);
    }
    pthread_mutex_unlock(&f->lock);
    return ok ? FOOTNOTE_OK : err_set(err, FOOTNOTE_NOMEM, "showing text");
}

enum footnote_rc feed_add_text(struct feed *f, struct str text,
                               struct footnote_err *err)
{
    enum footnote_rc rc = feed_write(f, text);

    if (rc != FOOTNOTE_OK)
        return err_set(err, rc, "showing text");
    return feed_show(f, f->text.n, err);
}
