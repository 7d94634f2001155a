/* tidy.c - finds garbage in two ways: by rows that are marked as deleted, and
 * by objects without a row.  Bytes are removed before the row, so that a crash
 * in between leaves the marked row. */
#include "object/tidy.h"

#include <assert.h>

#include "base/clock.h"
#include "store/document/job.h"
#include "store/document/snapshot.h"

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

/* Keys to ask the store about, and what was removed. */
struct key_batch {
    struct store *store;
    struct objects *objects;
    int64_t removed, now_ms;
    char text[OBJECTS_MAX][OBJECT_KEY_BYTES];
    struct str keys[OBJECTS_MAX];
    size_t n;
};

static enum footnote_rc remove_unknown(struct key_batch *b,
                                       struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct object_unknown u = {.keys = b->keys, .keys_n = b->n};

    b->n = 0;
    TRY(store_own_read(b->store, &a, OP(object_unknown), &u, err));
    for (size_t i = 0; i < u.keys_n; i++) {
        if (!u.unknown[i])
            continue;
        TRY(object_delete(b->objects, u.keys[i], err));
        b->removed++;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc add_key(void *arg, struct str key, int64_t changed_ms,
                                struct footnote_err *err)
{
    struct key_batch *b = arg;

    if (key.n != OBJECT_KEY_BYTES || b->now_ms - changed_ms < TIDY_AGE_MS)
        return FOOTNOTE_OK;
    assert(b->n < OBJECTS_MAX);
    memcpy(b->text[b->n], key.p, key.n);
    b->keys[b->n] = (struct str){b->text[b->n], key.n};
    b->n++;
    return b->n == OBJECTS_MAX ? remove_unknown(b, err) : FOOTNOTE_OK;
}

enum footnote_rc tidy_unknown(struct store *st, struct objects *o,
                              int64_t *removed, struct footnote_err *err)
{
    struct key_batch b = {.store = st, .objects = o, .now_ms = clock_wall_ms()};
    enum footnote_rc rc = object_each(o, add_key, &b, err);

    if (rc == FOOTNOTE_OK)
        rc = remove_unknown(&b, err);
    *removed += b.removed;
    return rc;
}
