/* tidy.c - garbage is found from either side: rows that say so, and objects
 * that no row names.  Bytes go before the row, so a crash in between leaves a
 * row that says so still. */
#include "object/tidy.h"

#include "base/clock.h"
#include "store/document/job.h"
#include "store/document/snapshot.h"
#include "store/store.h"

enum { ARENA_BYTES_MAX = 1024 * 1024 };

enum footnote_rc tidy_deleted(struct store *st, struct objects *o,
                              int64_t *removed, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct object_garbage g = {.deleted_before_ms =
                                   clock_wall_ms() - OBJECT_KEPT_MS};

    TRY(store_own_read(st, &a, OP(object_garbage), &g, err));
    for (size_t i = 0; i < g.keys_n; i++) {
        struct object_forget forget = {.key = g.keys[i]};

        TRY(object_delete(o, g.keys[i], err));
        TRY(store_own(st, OP(object_forget), &forget, err));
        ++*removed;
    }
    return FOOTNOTE_OK;
}

enum footnote_rc tidy_unused(struct store *st, struct footnote_err *err)
{
    struct snapshot_sweep sweep = {.created_before_ms =
                                       clock_wall_ms() - SNAPSHOT_KEPT_MS};

    return store_own(st, OP(snapshot_sweep), &sweep, err);
}

struct looking {
    struct store *store;
    struct objects *objects;
    int64_t removed, now_ms;
    char text[OBJECTS_MAX][OBJECT_KEY_BYTES];
    struct str keys[OBJECTS_MAX];
    size_t n;
};

static enum footnote_rc look(struct looking *l, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct object_unknown u = {.keys = l->keys, .keys_n = l->n};

    l->n = 0;
    TRY(store_own_read(l->store, &a, OP(object_unknown), &u, err));
    for (size_t i = 0; i < u.keys_n; i++) {
        if (!u.unknown[i])
            continue;
        TRY(object_delete(l->objects, u.keys[i], err));
        l->removed++;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc gather(void *arg, struct str key, int64_t changed_ms,
                               struct footnote_err *err)
{
    struct looking *l = arg;

    if (key.n != OBJECT_KEY_BYTES || l->now_ms - changed_ms < TIDY_AGE_MS)
        return FOOTNOTE_OK;
    memcpy(l->text[l->n], key.p, key.n);
    l->keys[l->n] = (struct str){l->text[l->n], key.n};
    l->n++;
    return l->n == OBJECTS_MAX ? look(l, err) : FOOTNOTE_OK;
}

enum footnote_rc tidy_unknown(struct store *st, struct objects *o,
                              int64_t *removed, struct footnote_err *err)
{
    struct looking l = {.store = st, .objects = o, .now_ms = clock_wall_ms()};

    enum footnote_rc rc = object_each(o, gather, &l, err);

    if (rc == FOOTNOTE_OK)
        rc = look(&l, err);
    *removed += l.removed;
    return rc;
}
