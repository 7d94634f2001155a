/* walk.c - objects and rows, one by one. */
#include "object/walk.h"

#include <assert.h>

#include "base/clock.h"
#include "base/fd.h"
#include "object/tidy.h"
#include "store/document/job.h"
#include "store/document/snapshot.h"

enum { PAGE_ROWS = 100, ARENA_BYTES_MAX = 1024 * 1024 };

enum footnote_rc object_verify(struct objects *objects, const struct object *o,
                               struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;

    TRY(object_get(objects, o, &fd, err));
    return object_check(fd, o, err);
}

enum footnote_rc object_each_row(struct store *st, object_row_fn *fn, void *arg,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct object_list list = {.after = STR(""), .limit = PAGE_ROWS};
    char after[OBJECT_KEY_BYTES + 1];

    do {
        struct object o = {.bytes = 0};

        arena_reset(&a);
        TRY(store_own_read(st, &a, OP(object_list), &list, err));
        assert(list.rows_n <= PAGE_ROWS);
        for (size_t i = 0; i < list.rows_n; i++) {
            const struct object_row *row = &list.rows[i];

            TRY(object_of(row->key, row->bytes, &row->digest, &o, err));
            TRY(fn(arg, &o, err));
        }
        memcpy(after, o.key, sizeof(after));
        list.after = str_c(after);
    } while (list.rows_n == PAGE_ROWS);
    return FOOTNOTE_OK;
}

/* ---- Without a row ------------------------------------------------------- */

struct unknown_walk { /* keys to ask the store about */
    struct store *store;
    int64_t now_ms, unknown;
    char text[OBJECTS_MAX][OBJECT_KEY_BYTES];
    struct str keys[OBJECTS_MAX];
    size_t n;
};

static enum footnote_rc ask(struct unknown_walk *w, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct object_unknown u = {.keys = w->keys, .keys_n = w->n};

    w->n = 0;
    TRY(store_own_read(w->store, &a, OP(object_unknown), &u, err));
    for (size_t i = 0; i < u.keys_n; i++)
        w->unknown += u.unknown[i];
    return FOOTNOTE_OK;
}

static enum footnote_rc add_key(void *arg, struct str key, int64_t changed_ms,
                                struct footnote_err *err)
{
    struct unknown_walk *w = arg;

    if (key.n != OBJECT_KEY_BYTES || w->now_ms - changed_ms < TIDY_AGE_MS)
        return FOOTNOTE_OK;
    memcpy(w->text[w->n], key.p, key.n);
    w->keys[w->n] = (struct str){w->text[w->n], key.n};
    return ++w->n == OBJECTS_MAX ? ask(w, err) : FOOTNOTE_OK;
}

enum footnote_rc object_count_unknown(struct store *st, struct objects *o,
                                      int64_t *unknown,
                                      struct footnote_err *err)
{
    struct unknown_walk w = {.store = st, .now_ms = clock_wall_ms()};

    TRY(object_each(o, add_key, &w, err));
    TRY(ask(&w, err));
    *unknown = w.unknown;
    return FOOTNOTE_OK;
}
