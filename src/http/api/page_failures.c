/* page_failures.c - a fixed table: each page has one place in it. */
#include "http/api/page_failures.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { PLACES = 1024 };

struct page_failures {
    pthread_mutex_t lock;
    struct page_failure {
        struct page_of page;
        enum footnote_rc rc; /* OK: nothing is here */
        int64_t until_ms;
    } places[PLACES];
};

enum footnote_rc page_failures_open(struct page_failures **out,
                                    struct footnote_err *err)
{
    struct page_failures *f = calloc(1, sizeof(*f));

    *out = f;
    if (!f)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    pthread_mutex_init(&f->lock, NULL);
    return FOOTNOTE_OK;
}

void page_failures_close(struct page_failures *f)
{
    if (f)
        pthread_mutex_destroy(&f->lock);
    free(f);
}

static struct page_failure *place_of(struct page_failures *f,
                                     const struct page_of *p)
{
    uint64_t h;

    memcpy(&h, p->file.b, sizeof(h));
    return &f->places[(h + 4 * (uint64_t)p->n + (uint64_t)p->scale) % PLACES];
}

static bool is_same(const struct page_of *a, const struct page_of *b)
{
    return a->n == b->n && a->scale == b->scale &&
           memcmp(a->file.b, b->file.b, SHA256_BYTES) == 0;
}

enum footnote_rc page_failures_get(struct page_failures *f,
                                   const struct page_of *page)
{
    const struct page_failure *at = place_of(f, page);
    enum footnote_rc rc = FOOTNOTE_OK;

    pthread_mutex_lock(&f->lock);
    if (at->rc && is_same(&at->page, page) && clock_mono_ms() < at->until_ms)
        rc = at->rc;
    pthread_mutex_unlock(&f->lock);
    return rc;
}

void page_failures_note(struct page_failures *f, const struct page_of *page,
                        enum footnote_rc rc)
{
    if (rc != FOOTNOTE_INVALID && rc != FOOTNOTE_TOOBIG)
        return;
    pthread_mutex_lock(&f->lock);
    *place_of(f, page) =
        (struct page_failure){*page, rc, clock_mono_ms() + PAGE_FAILURE_MS};
    pthread_mutex_unlock(&f->lock);
}
