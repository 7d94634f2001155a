/* wait.c - requests that wait for a document to change.
 *
 * A change bumps one of a few counters, by a hash of whose document it is, and
 * wakes the loops.  A waiting request remembers what its counter was before it
 * looked at the document; when that differs it looks again.  Two documents
 * that share a counter cost a look, never an answer.  What other nodes change
 * is not told here, so everybody looks about once a second. */
#include "http/core/loop.h"
#include "store/document/document.h"

enum { LOOK_MS = 1000 };

struct wait {
    struct request *next, **at; /* in the loop's list; at is NULL: not there */
    size_t slot;
    uint32_t seen;
    int64_t look_ms, until_ms; /* of the loop's clock; until 0: not known yet */
    request_fn *again;
};

static size_t slot_of(struct str tenant, struct str document)
{
    return (str_hash(tenant) * 31 + str_hash(document)) % WAIT_SLOTS;
}

/* In whichever thread has committed it. */
static void on_change(void *arg, const struct document_change *change)
{
    struct server *s = arg;

    if (change->document.p)
        s->changes[slot_of(change->tenant, change->document)]++;
    for (size_t i = 0; !change->document.p && i < WAIT_SLOTS; i++)
        s->changes[i]++;
    for (size_t i = 0; i < s->loops_n; i++)
        uv_async_send(&s->loops[i].wake);
}

void waits_watch(struct server *s)
{
    store_watch(s->with.store, on_change, s);
}

void waits_unwatch(struct server *s)
{
    store_unwatch(s->with.store, s);
}

/* ---- A loop's list ------------------------------------------------------ */

static void unlink_wait(struct wait *w)
{
    if (!w->at)
        return;
    *w->at = w->next;
    if (w->next)
        w->next->wait->at = w->at;
    w->at = NULL;
}

static void link_wait(struct loop *l, struct request *r)
{
    struct wait *w = r->wait;

    w->next = l->waits;
    w->at = &l->waits;
    if (w->next)
        w->next->wait->at = &w->next;
    l->waits = r;
}

static bool is_due(const struct loop *l, const struct wait *w)
{
    return l->server->changes[w->slot] != w->seen ||
           loop_now(l) >= w->look_ms || loop_now(l) >= w->until_ms ||
           atomic_load(&l->server->stopping);
}

/* `again` may end the request, or put it back in front. */
void waits_look(struct loop *l)
{
    struct request *r = l->waits, *next;

    for (; r; r = next) {
        struct wait *w = r->wait;

        next = w->next;
        if (!is_due(l, w))
            continue;
        unlink_wait(w);
        w->again(r);
        conn_settle(r->conn);
    }
}

void wait_free(struct request *r)
{
    if (r->wait)
        unlink_wait(r->wait);
}

/* ---- For handlers ------------------------------------------------------- */

void wait_note(struct request *r)
{
    r->wait->seen = r->server->changes[r->wait->slot];
}

struct wait *wait_start(struct request *r, struct str document)
{
    r->wait = arena_new(&r->arena, struct wait);
    if (!r->wait)
        return NULL;
    r->wait->slot = slot_of(r->who.tenant, document);
    wait_note(r);
    return r->wait;
}

void request_wait(struct request *r, int64_t wait_ms, request_fn *again)
{
    struct loop *l = r->conn->loop;
    struct wait *w = r->wait;

    if (w->until_ms == 0)
        w->until_ms = r->started_ms + wait_ms;
    w->look_ms = loop_now(l) + LOOK_MS;
    w->again = again;
    link_wait(l, r);
}

bool wait_is_over(const struct request *r)
{
    const struct loop *l = r->conn->loop;

    return r->wait->until_ms && (loop_now(l) >= r->wait->until_ms ||
                                 atomic_load(&l->server->stopping));
}
