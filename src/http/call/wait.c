/* wait.c - requests that wait for a document to change.
 *
 * A change adds to one of a few counters, by a hash of tenant and document, and
 * wakes the loops.  A waiting request remembers what its counter was before it
 * read the document; when the counter differs it reads again.  Two documents
 * that share a counter cost a read, never an answer.  The changes of other
 * nodes are not told here, so every request reads about once a second. */
#include "http/call/wait.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "http/call/caller.h"
#include "store/document/document.h"

enum { READ_AGAIN_MS = 1000, COUNTERS = 256 };

struct document_waits {
    struct store *store;
    struct server *server;
    _Atomic uint32_t changes[COUNTERS];
};

struct wait {
    struct request *next, **at; /* in the loop's list; at is NULL: not there */
    size_t counter;
    uint32_t seen;
    int64_t read_ms, until_ms; /* of the loop's clock; until 0: not known yet */
    request_fn *again;
};

static size_t counter_of(struct str tenant, struct str document)
{
    return (str_hash(tenant) * 31 + str_hash(document)) % COUNTERS;
}

/* In whichever thread has committed it. */
static void on_change(void *arg, const struct document_change *change)
{
    struct document_waits *w = arg;

    if (change->document.p)
        w->changes[counter_of(change->tenant, change->document)]++;
    for (size_t i = 0; !change->document.p && i < COUNTERS; i++)
        w->changes[i]++;
    server_wake(w->server);
}

/* In a thread of the retriever. */
void waits_indexed(void *arg, struct str tenant, struct str course)
{
    struct document_waits *w = arg;

    w->changes[counter_of(tenant, course)]++;
    w->changes[counter_of(tenant, STR(""))]++;
    server_wake(w->server);
}

enum footnote_rc waits_open(struct store *st, struct document_waits **out,
                            struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    (*out)->store = st;
    return FOOTNOTE_OK;
}

void waits_watch(struct document_waits *w, struct server *s)
{
    assert(!w->server);
    w->server = s;
    store_watch(w->store, on_change, w);
}

void waits_unwatch(struct document_waits *w)
{
    if (w && w->server)
        store_unwatch(w->store, w);
}

/* ---- A loop's list ------------------------------------------------------ */

static void unlink_wait(struct wait *w)
{
    assert(w->at);
    *w->at = w->next;
    if (w->next)
        caller(w->next)->wait->at = w->at;
    w->at = NULL;
}

static void link_wait(struct loop_state *l, struct request *r)
{
    struct wait *w = caller(r)->wait;

    assert(!w->at);
    w->next = l->waits;
    w->at = &l->waits;
    if (w->next)
        caller(w->next)->wait->at = &w->next;
    l->waits = r;
}

static uint32_t changes_of(const struct request *r, const struct wait *w)
{
    return services(r)->waits->changes[w->counter];
}

static bool is_due(const struct request *r, const struct wait *w)
{
    int64_t now_ms = request_now_ms(r);

    return changes_of(r, w) != w->seen || now_ms >= w->read_ms ||
           now_ms >= w->until_ms || server_is_stopping(r->server);
}

/* `again` may end the request, or put it back in front. */
void waits_check(struct loop_state *l)
{
    for (struct request *r = l->waits, *next; r; r = next) {
        struct wait *w = caller(r)->wait;

        next = w->next;
        if (is_due(r, w)) {
            unlink_wait(w);
            (void)request_resume(r, w->again);
        }
    }
}

/* ---- For handlers ------------------------------------------------------- */

void wait_note(struct request *r)
{
    struct wait *w = caller(r)->wait;

    assert(w); /* wait_start() */
    w->seen = changes_of(r, w);
}

bool wait_start(struct request *r, struct str document)
{
    struct wait *w = arena_new(&r->arena, struct wait);

    if (!w || !request_loop(r))
        return false;
    w->counter = counter_of(caller(r)->who.tenant, document);
    caller(r)->wait = w;
    wait_note(r);
    return true;
}

/* The request is parked: when its client goes, it stays until it is due. */
void request_wait(struct request *r, int64_t wait_ms, request_fn *again)
{
    struct wait *w = caller(r)->wait;

    if (w->until_ms == 0)
        w->until_ms = r->started_ms + wait_ms;
    w->read_ms = request_now_ms(r) + READ_AGAIN_MS;
    w->again = again;
    link_wait(request_loop(r), r);
    request_park(r);
}

bool wait_is_over(const struct request *r)
{
    int64_t until_ms;

    assert(caller(r)->wait);
    until_ms = caller(r)->wait->until_ms;

    return until_ms &&
           (request_now_ms(r) >= until_ms || server_is_stopping(r->server));
}
