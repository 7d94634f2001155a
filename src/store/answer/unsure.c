/* unsure.c - what becomes of an answer when the outcome of a call is known.
 *
 * A call that failed leaves the answer as it was, so that it can be repeated.
 * A call that was UNSURE may be committed: its repeat must find its own
 * earlier effect and go on from it, rather than take it for somebody else's.
 *
 * An orphan is a lease of ours that nobody holds: its opening was UNSURE, or
 * its end could not be written.  We renew our leases, so its session would
 * stay RUNNING: the next sweep that can write ends it.  There is room for a
 * few; a forgotten orphan ends with this process. */

#include <assert.h>

#include "base/clock.h"
#include "store/answer/answer.h"
#include "store/answer/unsure.h"
#include "store/state.h"

static void note(struct answer *a, enum footnote_rc rc)
{
    if (rc == FOOTNOTE_UNSURE)
        a->unsure = true;
    else if (rc == FOOTNOTE_OK)
        a->unsure = false;
}

static void add_orphan(struct store *st, int64_t epoch, int64_t due_ms)
{
    struct orphans *o = &st->orphans;

    assert(epoch != 0);
    pthread_mutex_lock(&o->lock);
    o->items[o->n++ % ORPHANS_MAX] = (struct orphan){epoch, due_ms};
    pthread_mutex_unlock(&o->lock);
}

bool orphan_find(struct store *st, int64_t epoch, int64_t *due_ms)
{
    struct orphans *o = &st->orphans;
    bool found = false;

    pthread_mutex_lock(&o->lock);
    for (int i = 0; i < ORPHANS_MAX && !found; i++) {
        found = epoch != 0 && o->items[i].epoch == epoch;
        *due_ms = o->items[i].due_ms;
    }
    pthread_mutex_unlock(&o->lock);
    return found;
}

void orphan_adopt(struct store *st, int64_t epoch)
{
    struct orphans *o = &st->orphans;

    pthread_mutex_lock(&o->lock);
    for (int i = 0; i < ORPHANS_MAX; i++)
        if (o->items[i].epoch == epoch)
            o->items[i].epoch = 0;
    pthread_mutex_unlock(&o->lock);
}

void store_abandon(struct store *st, const struct answer *a)
{
    add_orphan(st, a->epoch, 0);
}

void unsure_after_write(struct store *st, const struct store_op *kind,
                        void *arg, enum footnote_rc rc)
{
    if (kind == OP(answer_append)) {
        struct answer_append *op = arg;
        if (rc == FOOTNOTE_OK)
            *op->answer = op->next;
        note(op->answer, rc);
    } else if (kind == OP(answer_finish)) {
        struct answer_finish *op = arg;
        note(op->answer, rc);
    } else if (kind == OP(answer_begin)) {
        const struct answer_begin *op = arg;
        if (rc == FOOTNOTE_OK)
            orphan_adopt(st, op->answer.epoch);
        else if (rc == FOOTNOTE_UNSURE)
            add_orphan(st, op->epoch, clock_mono_ms() + STORE_LEASE_MS);
    }
}
