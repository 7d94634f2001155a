/* hint.c - where a session's rows probably are, and how much there is.
 *
 * Keys of sessions never change, but a database may be put back to an earlier
 * state behind our back.  So this is a guess, which lets a reader send all of
 * its statements in one round trip; the row of the session, which comes with
 * them, says whether it was right.  Names are kept as hashes alone: two that
 * collide are a wrong guess. */
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include <pthread.h>

#include "store/read/hint.h"
#include "store/store.h"

enum { SLOTS = 8 * 1024 };

struct hints {
    pthread_mutex_t lock;
    struct slot {
        uint64_t hash;
        struct hint hint;
    } slots[SLOTS];
};

enum footnote_rc hints_open(struct hints **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    pthread_mutex_init(&(*out)->lock, NULL);
    return FOOTNOTE_OK;
}

void hints_close(struct hints *h)
{
    if (!h)
        return;
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static uint64_t hash_of(struct who who, struct str session)
{
    uint64_t h = str_hash(who.tenant) * 31 + str_hash(who.user);

    return h * 31 + str_hash(session);
}

struct hint hint_get(struct hints *h, struct who who, struct str session)
{
    uint64_t hash = hash_of(who, session);
    struct hint out = {0};

    pthread_mutex_lock(&h->lock);
    if (h->slots[hash % SLOTS].hash == hash)
        out = h->slots[hash % SLOTS].hint;
    pthread_mutex_unlock(&h->lock);
    return out;
}

void hint_put(struct hints *h, struct who who, struct str session,
              struct hint hint)
{
    uint64_t hash = hash_of(who, session);

    pthread_mutex_lock(&h->lock);
    h->slots[hash % SLOTS] = (struct slot){hash, hint};
    pthread_mutex_unlock(&h->lock);
}
