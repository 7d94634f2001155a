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
                              struct tidied *done, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct object_garbage g = {.deleted_before_ms =
                                   store_now_ms(st) - OBJECT_KEPT_MS};

    TRY(store_own_read(st, &a, OP(object_garbage), &g, err));
    if (g.keys_n > 0)
        TRY(objects_check_owner(o, err));
    for (size_t i = 0; i < g.keys_n; i++) {
        struct object_forget forget = {.key = g.keys[i]};

        TRY(object_delete(o, g.keys[i], err));
        TRY(store_own(st, OP(object_forget), &forget, err));
        done->removed++;
    }
    return FOOTNOTE_OK;
}

enum footnote_rc tidy_unused(struct store *st, struct footnote_err *err)
{
    struct snapshot_sweep sweep = {.created_before_ms =
                                       store_now_ms(st) - SNAPSHOT_KEPT_MS};

    return store_own(st, OP(snapshot_sweep), &sweep, err);
}

/* Keys to ask the store about, and what becomes of them. */
struct key_batch;
typedef enum footnote_rc key_fn(struct key_batch *b, struct str key,
                                bool unknown, struct footnote_err *err);
struct key_batch {
    struct store *store;
    struct objects *objects;
    struct tidied *done;
    key_fn *each;
    int64_t changed_before_ms;
    char text[OBJECTS_MAX][OBJECT_KEY_BYTES];
    struct str keys[OBJECTS_MAX];
    bool old[OBJECTS_MAX];
    size_t n;
};

static enum footnote_rc ask_store(struct key_batch *b, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct object_unknown u = {.keys = b->keys, .keys_n = b->n};

    b->n = 0;
    TRY(store_own_read(b->store, &a, OP(object_unknown), &u, err));
    for (size_t i = 0; i < u.keys_n; i++)
        if (b->old[i] || !u.unknown[i])
            TRY(b->each(b, u.keys[i], u.unknown[i], err));
    return FOOTNOTE_OK;
}

static enum footnote_rc add_key(void *arg, struct str key, int64_t changed_ms,
                                struct footnote_err *err)
{
    struct key_batch *b = arg;

    if (key.n != OBJECT_KEY_BYTES)
        return FOOTNOTE_OK;
    assert(b->n < OBJECTS_MAX);
    memcpy(b->text[b->n], key.p, key.n);
    b->keys[b->n] = (struct str){b->text[b->n], key.n};
    b->old[b->n] = changed_ms < b->changed_before_ms;
    b->n++;
    return b->n == OBJECTS_MAX ? ask_store(b, err) : FOOTNOTE_OK;
}

/* Young objects are not even asked about. */
static enum footnote_rc add_old(void *arg, struct str key, int64_t changed_ms,
                                struct footnote_err *err)
{
    const struct key_batch *b = arg;

    return changed_ms < b->changed_before_ms
               ? add_key(arg, key, changed_ms, err)
               : FOOTNOTE_OK;
}

static enum footnote_rc set_aside(struct key_batch *b, struct str key,
                                  bool unknown, struct footnote_err *err)
{
    if (!unknown)
        return FOOTNOTE_OK;
    TRY(object_set_aside(b->objects, key, err));
    b->done->aside++;
    return FOOTNOTE_OK;
}

static enum footnote_rc end_aside(struct key_batch *b, struct str key,
                                  bool unknown, struct footnote_err *err)
{
    if (unknown) {
        TRY(object_purge(b->objects, key, err));
        b->done->removed++;
        return FOOTNOTE_OK;
    }
    TRY(object_put_back(b->objects, key, err));
    b->done->put_back++;
    return FOOTNOTE_OK;
}

/* What is aside comes first: what is set aside now stays for its week. */
enum footnote_rc tidy_unknown(struct store *st, struct objects *o,
                              struct tidied *done, struct footnote_err *err)
{
    int64_t now_ms = clock_wall_ms();
    struct key_batch aside = {.store = st,
                              .objects = o,
                              .done = done,
                              .each = end_aside,
                              .changed_before_ms = now_ms - TIDY_ASIDE_MS};
    struct key_batch all = {.store = st,
                            .objects = o,
                            .done = done,
                            .each = set_aside,
                            .changed_before_ms = now_ms - TIDY_AGE_MS};

    TRY(objects_check_owner(o, err));
    TRY(object_each_aside(o, add_key, &aside, err));
    TRY(ask_store(&aside, err));
    TRY(object_each(o, add_old, &all, err));
    return ask_store(&all, err);
}
