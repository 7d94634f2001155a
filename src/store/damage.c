/* damage.c - counts of found damage, and who is told. */
#include "store/damage.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/state.h"

/* Rows that were told of; an older one makes room, and may be told of again. */
enum { TOLD = 256 };

struct damages {
    _Atomic uint64_t counts[SEALED_N];
    pthread_mutex_t lock; /* of the rest */
    uint64_t told[TOLD];  /* sums of rows; 0: none */
    damage_fn *fn;
    void *arg;
};

enum footnote_rc damages_open(struct damages **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    pthread_mutex_init(&(*out)->lock, NULL);
    return FOOTNOTE_OK;
}

void damages_close(struct damages *d)
{
    if (!d)
        return;
    pthread_mutex_destroy(&d->lock);
    free(d);
}

void damage_watch(struct store *st, damage_fn *fn, void *arg)
{
    struct damages *d = st->damages;

    pthread_mutex_lock(&d->lock);
    d->fn = fn;
    d->arg = arg;
    pthread_mutex_unlock(&d->lock);
}

uint64_t damage_count(const struct store *st, enum sealed t)
{
    return atomic_load(&st->damages->counts[t]);
}

const char *damage_mend(enum sealed t)
{
    return t == SEALED_PASSAGE ? "footnote doctor --repair"
                               : "footnote restore BACKUP --data NEW";
}

static void describe(enum sealed t, const struct db_value *key,
                     struct damage *out)
{
    size_t n = 0;

    *out = (struct damage){.table = t, .mend = damage_mend(t)};
    n += (size_t)snprintf(out->row, sizeof(out->row), "%s",
                          sealed_tables[t].name);
    for (size_t i = 0; i < sealed_tables[t].keys_n; i++) {
        char *at = out->row + n;
        size_t room = sizeof(out->row) - n;
        char between = i ? '/' : ' ';

        if (t == SEALED_SNAPSHOT && key[i].type == DB_TEXT)
            continue; /* people named it: that is not for the log */
        if (key[i].type == DB_TEXT) {
            (void)snprintf(at, room, "%c%.32s", between, key[i].s.p);
        } else {
            out->key[i] = key[i].i;
            (void)snprintf(at, room, "%c%" PRId64, between, key[i].i);
        }
        n += strlen(at);
    }
}

static bool is_first(struct damages *d, const struct damage *of)
{
    uint64_t sum = str_hash(str_c(of->row)) | 1;
    uint64_t *told = &d->told[sum / 2 % TOLD];
    bool first = *told != sum;

    *told = sum;
    return first;
}

enum footnote_rc damage_found(struct store *st, enum sealed t,
                              const struct db_value *key,
                              struct footnote_err *err)
{
    struct damages *d = st->damages;
    struct damage found;

    describe(t, key, &found);
    atomic_fetch_add(&d->counts[t], 1);
    pthread_mutex_lock(&d->lock);
    if (d->fn)
        d->fn(d->arg, &found, is_first(d, &found));
    pthread_mutex_unlock(&d->lock);
    return err_set(err, FOOTNOTE_DAMAGED, "%s is not as it was stored",
                   found.row);
}

void damage_describe(enum sealed t, struct db_cur *cur, int first,
                     struct damage *out)
{
    struct db_value key[SEAL_KEYS_MAX];

    db_col_values(cur, first, sealed_tables[t].keys_n, key);
    describe(t, key, out);
}

enum footnote_rc damage_in_row(struct store *st, enum sealed t,
                               struct db_cur *cur, int first,
                               struct footnote_err *err)
{
    struct db_value key[SEAL_KEYS_MAX];

    db_col_values(cur, first, sealed_tables[t].keys_n, key);
    return damage_found(st, t, key, err);
}
