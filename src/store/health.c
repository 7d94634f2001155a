/* health.c - what reads and writes came to; see health.h.
 *
 * While all is well, noting that costs one atomic read. */
#include "store/health.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/state.h"

enum {
    STUCK_MS = 3000, /* a write that takes longer is not expected to succeed */
    KNOWN_MS = 10 * 1000
};

struct healths {
    pthread_mutex_t lock;
    struct health ways[HEALTH_WAYS]; /* under the lock, as is the next one */
    int64_t told_ms[HEALTH_WAYS];    /* by the monotonic clock */
    atomic_bool failing[HEALTH_WAYS];
    health_fn *fn;
    void *arg;
    atomic_llong busy_ms;  /* since when the writer is; 0: it is not */
    atomic_llong wrote_ms; /* when it last could */
    atomic_bool asked;
    atomic_uint_fast64_t counts[FOOTNOTE_RC_N];
};

enum footnote_rc healths_open(struct healths **out, struct footnote_err *err)
{
    struct healths *h = calloc(1, sizeof(*h));

    *out = h;
    if (!h)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    pthread_mutex_init(&h->lock, NULL);
    for (int i = 0; i < HEALTH_WAYS; i++)
        h->ways[i] = (struct health){.ok = true, .since_ms = clock_wall_ms()};
    return FOOTNOTE_OK;
}

void healths_close(struct healths *h)
{
    if (!h)
        return;
    pthread_mutex_destroy(&h->lock);
    free(h);
}

/* ---- Noting ------------------------------------------------------------- */

void health_counts(struct store *st, enum footnote_rc rc)
{
    atomic_fetch_add_explicit(&st->healths->counts[rc], 1,
                              memory_order_relaxed);
}

uint64_t health_count(const struct store *st, enum footnote_rc rc)
{
    return atomic_load(&st->healths->counts[rc]);
}

/* A failure may have several causes by turns: they are not told by turns. */
static void change(struct healths *h, enum health_way way, struct health *now)
{
    struct health *old = &h->ways[way];
    int64_t now_ms = clock_mono_ms();

    if (old->ok == now->ok && (strcmp(old->why, now->why) == 0 ||
                               now_ms - h->told_ms[way] < KNOWN_MS))
        return;
    now->since_ms = old->ok == now->ok ? old->since_ms : clock_wall_ms();
    h->told_ms[way] = now_ms;
    *old = *now;
    atomic_store(&h->failing[way], !now->ok);
    if (h->fn)
        h->fn(h->arg, way, now);
}

void health_note(struct store *st, enum health_way way, enum footnote_rc rc,
                 const struct footnote_err *err)
{
    struct healths *h = st->healths;
    struct health now = {.ok = rc == FOOTNOTE_OK, .rc = rc};

    if (way == HEALTH_WRITING && now.ok)
        atomic_store(&h->wrote_ms, clock_mono_ms());
    if (now.ok && !atomic_load(&h->failing[way]))
        return;
    if (!now.ok && err)
        memcpy(now.why, err->text, sizeof(now.why));
    pthread_mutex_lock(&h->lock);
    change(h, way, &now);
    pthread_mutex_unlock(&h->lock);
}

void health_busy(struct store *st, bool busy)
{
    atomic_store(&st->healths->busy_ms, busy ? clock_mono_ms() : 0);
}

/* ---- Looking ------------------------------------------------------------ */

void health_look(struct store *st, enum health_way way, struct health *out)
{
    struct healths *h = st->healths;
    int64_t now_ms = clock_mono_ms(), busy_ms = atomic_load(&h->busy_ms);

    pthread_mutex_lock(&h->lock);
    *out = h->ways[way];
    pthread_mutex_unlock(&h->lock);
    if (way != HEALTH_WRITING)
        return;
    if (now_ms - atomic_load(&h->wrote_ms) > KNOWN_MS)
        atomic_store(&h->asked, true);
    if (!out->ok || busy_ms == 0 || now_ms - busy_ms < STUCK_MS)
        return;
    *out = (struct health){.rc = FOOTNOTE_BUSY,
                           .since_ms = clock_wall_ms() - (now_ms - busy_ms)};
    snprintf(out->why, sizeof(out->why),
             "a write has waited for the database for %lld seconds",
             (long long)((now_ms - busy_ms) / 1000));
}

bool health_wants_write(struct store *st)
{
    return atomic_exchange(&st->healths->asked, false) ||
           atomic_load(&st->healths->failing[HEALTH_WRITING]);
}

void health_watch(struct store *st, health_fn *fn, void *arg)
{
    pthread_mutex_lock(&st->healths->lock);
    st->healths->fn = fn;
    st->healths->arg = arg;
    pthread_mutex_unlock(&st->healths->lock);
}
