/* budget.c - memory for the bodies of all requests, and for what is made of
 * them.
 *
 * A request counts once it has more than a small one takes, so those never meet
 * this.  Users have fixed places: two that share one share a quarter, which is
 * rare and refuses too much rather than too little. */
#include <assert.h>
#include <stdlib.h>

#include "http/core/loop.h"

enum {
    UNCOUNTED_BYTES = 64 * 1024,
    USERS = 4096,
    PART = 4 /* of the budget, for one user */
};

struct budget {
    int64_t max;
    _Atomic int64_t used;
    _Atomic int64_t users[USERS];
};

enum footnote_rc budget_open(int64_t bytes, struct budget **out,
                             struct footnote_err *err)
{
    struct budget *b = calloc(1, sizeof(*b));

    assert(bytes > 0);
    *out = b;
    if (!b)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    b->max = bytes;
    return FOOTNOTE_OK;
}

void budget_close(struct budget *b)
{
    assert(!b || b->used == 0);
    free(b);
}

uint64_t budget_used(const struct budget *b)
{
    return (uint64_t)b->used;
}

static bool add(_Atomic int64_t *n, int64_t bytes, int64_t max)
{
    if (atomic_fetch_add(n, bytes) + bytes <= max)
        return true;
    atomic_fetch_sub(n, bytes);
    return false;
}

int budget_take(struct request *r, size_t bytes)
{
    struct budget *b = r->server->budget;
    _Atomic int64_t *user = &b->users[r->share % USERS];
    size_t held = r->held + bytes;
    int64_t more = (int64_t)(held - r->held_counted);

    if (held > UNCOUNTED_BYTES) {
        if ((int64_t)held > b->max / PART)
            return 413;
        if (!add(user, more, b->max / PART))
            return 429;
        if (!add(&b->used, more, b->max)) {
            atomic_fetch_sub(user, more);
            return 503;
        }
        r->held_counted = held;
    }
    r->held = held;
    return 0;
}

void budget_give_back(struct request *r)
{
    struct budget *b = r->server->budget;
    int64_t bytes = (int64_t)r->held_counted;

    if (bytes) {
        atomic_fetch_sub(&b->users[r->share % USERS], bytes);
        atomic_fetch_sub(&b->used, bytes);
    }
    r->held = r->held_counted = 0;
}
