/* word_log.c - the newest words of all answers that this process writes.
 *
 *     a part --> word log: one row per commit --> answer_text: a strip each
 *                                         \-> message, at the end
 *
 * A row of the word log holds the parts that one transaction brought, of all
 * answers; it is written last (word_log_write).  The lease of an answer counts
 * its parts in answer_text; the word log has those behind them.
 *
 * The writer keeps the same in memory, a strip for each answer, to know how
 * many parts there are and what moves on.  After a rollback it reads this
 * again. */
#include <assert.h>
#include <stdlib.h>

#include "base/mix.h"
#include "base/varint.h"
#include "store/answer/answer.h"
#include "store/answer/lease.h"
#include "store/answer/word_log.h"
#include "store/state.h"
#include "store/strings.h"

enum {
    BUCKETS = 4096,
    ROW_BYTES_MAX = 64 * 1024 * 1024,
    SUM_BYTES = 8,     /* in front of a row's pieces */
    SWEEPS_OLD = 6,    /* older words move on */
    MOVES_MAX = 256,   /* at once, of idle answers */
    CLAIMS_MAX = 1024, /* in a transaction; further leases are read */
    CLAIMS_BYTES_MAX = 1024 * 1024
};

/* Odd, with as many ones as zeroes. */
static const uint64_t SECRET = 0x9E3779B97F4A7C15u;

/* Leases that a transaction takes for ours, where others may end an answer. */
struct claims {
    int64_t tenants[CLAIMS_MAX], sessions[CLAIMS_MAX], epochs[CLAIMS_MAX];
    size_t n;
};

/* It is cut at its old end only: before the oldest row that a strip needs. */
struct word_log {
    struct strip *strips[BUCKETS]; /* by epoch */
    bool loaded;                   /* strips are what is stored */
    bool stored;                   /* rows of ours may be stored */
    struct buf row;                /* pieces of this transaction */
    struct claims claims;          /* of this transaction */
    int64_t transaction;           /* number of this transaction */
    int64_t noticed_in;            /* transaction that last asked for... */
    int64_t others;                /* ...the count of other writers' changes */
    int64_t at;                    /* number of the newest row */
    int64_t first;                 /* rows before it are cut */
    int64_t sweep;                 /* sweeps so far */
};

/* ---- Strips ------------------------------------------------------------- */

static struct strip **place_of(struct word_log *t, int64_t epoch)
{
    struct strip **at = &t->strips[(uint64_t)epoch % BUCKETS];

    while (*at && (*at)->epoch != epoch)
        at = &(*at)->next;
    return at;
}

static enum footnote_rc strip_of(struct word_log *t, const struct answer *a,
                                 int64_t moved, struct strip **out,
                                 struct footnote_err *err)
{
    struct strip **at = place_of(t, a->epoch);

    if (!*at) {
        *at = malloc(sizeof(**at));
        if (!*at)
            return err_set(err, FOOTNOTE_NOMEM, "a running answer");
        (*at)->next = NULL;
        (*at)->tenant = a->tenant;
        (*at)->session = a->session;
        (*at)->seq = a->seq;
        (*at)->epoch = a->epoch;
        (*at)->parts = (*at)->moved = moved;
        (*at)->first_row = t->at + 1;
        (*at)->sweep = t->sweep;
        (*at)->n = 0;
    }
    *out = *at;
    return FOOTNOTE_OK;
}

/* Adds a part that is in `row` of the word log. */
static void put_part(const struct word_log *t, struct strip *s, int64_t row,
                     int64_t part, struct str text)
{
    assert(part > s->parts && s->n + text.n <= STRIP_BYTES);
    if (s->parts == s->moved) {
        s->first_row = row;
        s->sweep = t->sweep;
    }
    s->parts = part;
    if (text.n)
        memcpy(s->text + s->n, text.p, text.n);
    s->n += text.n;
}

static bool is_idle(const struct word_log *t, const struct strip *s)
{
    return t->sweep - s->sweep > SWEEPS_OLD;
}

bool word_log_is_old(const struct word_log *t, const struct strip *s)
{
    return s->parts > s->moved && is_idle(t, s);
}

static void drop_at(struct strip **at)
{
    struct strip *s = *at;

    assert(s);
    *at = s->next;
    free(s);
}

static void drop_all(struct word_log *t)
{
    for (size_t i = 0; i < BUCKETS; i++)
        while (t->strips[i])
            drop_at(&t->strips[i]);
}

/* ---- Pieces ------------------------------------------------------------- */

struct log_piece {
    int64_t epoch, part;
    struct str text;
};

static void put_number(struct buf *b, int64_t v)
{
    unsigned char bytes[VARINT_BYTES_MAX];
    size_t n = varint_put((uint64_t)v, bytes);

    buf_add(b, (struct str){(const char *)bytes, n});
}

static void put_piece(struct buf *b, struct log_piece p)
{
    put_number(b, p.epoch);
    put_number(b, p.part);
    put_number(b, (int64_t)p.text.n);
    buf_add(b, p.text);
}

static void sum_of(struct str pieces, char sum[SUM_BYTES])
{
    uint64_t v = htole64(mix_bytes(SECRET, pieces.n, pieces));

    memcpy(sum, &v, SUM_BYTES);
}

/* The pieces of a stored row; a damaged row has none. */
static struct str pieces_of(struct str row)
{
    char sum[SUM_BYTES];

    if (row.n < SUM_BYTES)
        return STR("");
    sum_of(str_skip(row, SUM_BYTES), sum);
    return memcmp(row.p, sum, SUM_BYTES) == 0 ? str_skip(row, SUM_BYTES)
                                              : STR("");
}

/* Takes the next piece off a row. */
static bool take_piece(struct str *row, struct log_piece *out)
{
    uint64_t epoch, part, n;

    if (!varint_take(row, &epoch) || !varint_take(row, &part) ||
        !varint_take(row, &n) || n > row->n)
        return false;
    *out =
        (struct log_piece){(int64_t)epoch, (int64_t)part, {row->p, (size_t)n}};
    *row = str_skip(*row, (size_t)n);
    return true;
}

/* The row of this transaction, emptied when it has just begun. */
static struct buf *row_now(struct word_log *t, struct db *db)
{
    if (t->transaction != db_transaction(db)) {
        buf_reset(&t->row);
        t->claims.n = 0;
        t->transaction = db_transaction(db);
    }
    return &t->row;
}

enum footnote_rc word_log_write(struct store *st, struct db *db,
                                struct footnote_err *err)
{
    struct buf *row = row_now(st->word_log, db);

    TRY(buf_rc(row, err));
    if (row->n == 0)
        return FOOTNOTE_OK;
    sum_of(str_skip(buf_str(row), SUM_BYTES), row->p);
    st->word_log->stored = true;
    st->word_log->at++;
    TRY(db_do(db, STMT_WORD_LOG_ADD, err, db_text(str_c(st->node)),
              db_i64(st->word_log->at), db_blob(buf_str(row))));
    buf_reset(row);
    return FOOTNOTE_OK;
}

/* ---- What is stored ----------------------------------------------------- */

static enum footnote_rc load_leases(struct tx *tx, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct strip *s;

    TRY(db_run_n(tx->db, STMT_LEASE_ALL, NULL, 0, &cur, err));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (str_eq(db_col_str(cur, COL_LEASE_ALL_NODE), str_c(tx->store->node)))
            TRY(strip_of(tx->store->word_log,
                         &(struct answer){
                             .tenant = db_col_i64(cur, COL_LEASE_ALL_TENANT),
                             .session = db_col_i64(cur, COL_LEASE_ALL_SESSION),
                             .seq = db_col_i64(cur, COL_LEASE_ALL_SEQ),
                             .epoch = db_col_i64(cur, COL_LEASE_ALL_EPOCH)},
                         db_col_i64(cur, COL_LEASE_ALL_PARTS), &s, err));
    }
}

/* A full strip moves on before the next part: a part that does not fit is not
 * ours. */
static void load_row(struct word_log *t, int64_t at, struct str row)
{
    struct log_piece p;

    while (take_piece(&row, &p)) {
        struct strip *s = *place_of(t, p.epoch);

        if (!s || p.part <= s->parts || s->n + p.text.n > STRIP_BYTES)
            continue;
        put_part(t, s, at, p.part, p.text);
    }
}

static enum footnote_rc load_rows(struct tx *tx, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct word_log *t = tx->store->word_log;

    TRY(db_run_n(tx->db, STMT_WORD_LOG_ALL, NULL, 0, &cur, err));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (str_eq(db_col_str(cur, COL_WORD_LOG_ALL_NODE),
                   str_c(tx->store->node)))
            load_row(t, db_col_i64(cur, COL_WORD_LOG_ALL_AT),
                     pieces_of(db_col_str(cur, COL_WORD_LOG_ALL_PIECES)));
        if (db_col_i64(cur, COL_WORD_LOG_ALL_AT) > t->at)
            t->at = db_col_i64(cur, COL_WORD_LOG_ALL_AT);
    }
}

/* All that is loaded counts as new, and as not cut. */
static enum footnote_rc load(struct tx *tx, struct footnote_err *err)
{
    struct word_log *t = tx->store->word_log;

    if (t->loaded)
        return FOOTNOTE_OK;
    TRY(word_log_write(tx->store, tx->db, err));
    drop_all(t);
    t->first = 0;
    TRY(load_leases(tx, err));
    TRY(load_rows(tx, err));
    t->loaded = true;
    return FOOTNOTE_OK;
}

/* Asked once a transaction: nobody else writes during it. */
static enum footnote_rc notice_other_writers(struct tx *tx,
                                             struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct word_log *t = tx->store->word_log;
    int64_t others;
    bool row;

    if (t->noticed_in == db_transaction(tx->db))
        return FOOTNOTE_OK;
    TRY(db_one_n(tx->db, STMT_OTHERS_WROTE, NULL, 0, &cur, &row, err));
    others = row ? db_col_i64(cur, COL_OTHERS_WROTE_DATA_VERSION) : 0;
    if (others != t->others)
        word_log_forget(t);
    t->others = others;
    t->noticed_in = db_transaction(tx->db);
    return FOOTNOTE_OK;
}

/* The leases of a transaction are checked together at its end: a check for
 * every word would be a round trip each. */
static bool claim(struct tx *tx, const struct strip *s)
{
    struct claims *c = &tx->store->word_log->claims;

    (void)row_now(tx->store->word_log, tx->db);
    if (c->n == CLAIMS_MAX)
        return false;
    c->tenants[c->n] = s->tenant;
    c->sessions[c->n] = s->session;
    c->epochs[c->n++] = s->epoch;
    return true;
}

/* A strip is there as long as nobody in this process has ended its answer. */
enum footnote_rc word_log_strip_if_ours(struct tx *tx, int64_t epoch,
                                        struct strip **out,
                                        struct footnote_err *err)
{
    struct word_log *t = tx->store->word_log;
    bool rivals = db_has_rival_writers(tx->db);

    *out = NULL;
    if (!rivals)
        TRY(notice_other_writers(tx, err));
    if (t->loaded)
        *out = *place_of(t, epoch);
    if (*out && rivals && !claim(tx, *out))
        *out = NULL;
    return FOOTNOTE_OK;
}

enum footnote_rc word_log_check_leases(struct store *st, struct db *db,
                                       struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(CLAIMS_BYTES_MAX);
    AUTO(db_end) struct db_cur *cur = NULL;
    struct claims *c = &st->word_log->claims;
    struct str tenants, sessions, epochs;
    bool row;

    (void)row_now(st->word_log, db);
    if (c->n == 0)
        return FOOTNOTE_OK;
    TRY(keys_pack(&a, c->tenants, c->n, &tenants, err));
    TRY(keys_pack(&a, c->sessions, c->n, &sessions, err));
    TRY(keys_pack(&a, c->epochs, c->n, &epochs, err));
    TRY(db_one(db, STMT_LEASES_CHECK, &cur, &row, err, db_text(tenants),
               db_text(sessions), db_text(epochs)));
    if (row && db_col_i64(cur, COL_LEASES_CHECK_HELD_N) == (int64_t)c->n)
        return FOOTNOTE_OK;
    return answer_ended(err);
}

enum footnote_rc word_log_strip(struct tx *tx, const struct answer *a,
                                int64_t moved, struct strip **out,
                                struct footnote_err *err)
{
    TRY(load(tx, err));
    return strip_of(tx->store->word_log, a, moved, out, err);
}

enum footnote_rc word_log_add(struct tx *tx, struct strip *s, struct str text,
                              struct footnote_err *err)
{
    struct buf *row = row_now(tx->store->word_log, tx->db);

    if (row->n == 0)
        buf_add(row, (struct str){(const char[SUM_BYTES]){0}, SUM_BYTES});
    put_piece(row, (struct log_piece){s->epoch, s->parts + 1, text});
    TRY(buf_rc(row, err));
    put_part(tx->store->word_log, s, tx->store->word_log->at + 1, s->parts + 1,
             text);
    return FOOTNOTE_OK;
}

enum footnote_rc word_log_read(struct tx *tx, int64_t epoch, int64_t after,
                               struct buf *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run_n(tx->db, STMT_WORD_LOG_ALL, NULL, 0, &cur, err));
    for (;;) {
        struct log_piece p;
        struct str pieces;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return buf_rc(out, err);
        pieces = pieces_of(db_col_str(cur, COL_WORD_LOG_ALL_PIECES));
        while (take_piece(&pieces, &p))
            if (p.epoch == epoch && p.part > after)
                buf_add(out, p.text);
    }
}

/* Strips are loaded by lease, and this lease is gone: if none are loaded, the
 * rows are read. */
enum footnote_rc word_log_take(struct tx *tx, int64_t epoch, int64_t after,
                               struct buf *out, struct footnote_err *err)
{
    struct strip **at = place_of(tx->store->word_log, epoch);

    if (!tx->store->word_log->loaded) {
        TRY(word_log_write(tx->store, tx->db, err));
        return word_log_read(tx, epoch, after, out, err);
    }
    if (*at) {
        buf_add(out, (struct str){(*at)->text, (*at)->n});
        drop_at(at);
    }
    return buf_rc(out, err);
}

/* ---- Keeping it short --------------------------------------------------- */

/* An answer that gets words moves its old words on itself.  This drops the
 * strips of idle answers, some at a time: there may be many, and all writes
 * wait. */
static enum footnote_rc move_old(struct tx *tx, struct footnote_err *err)
{
    struct word_log *t = tx->store->word_log;
    int left = MOVES_MAX;

    for (size_t i = 0; i < BUCKETS && left > 0; i++) {
        struct strip **at = &t->strips[i];

        while (*at && left > 0) {
            if (!is_idle(t, *at)) {
                at = &(*at)->next;
                continue;
            }
            left--;
            if (word_log_is_old(t, *at))
                TRY(answer_move_on(tx, *at, err));
            drop_at(at);
        }
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc cut(struct tx *tx, struct footnote_err *err)
{
    struct word_log *t = tx->store->word_log;
    int64_t first = t->at + 1;

    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct strip *s = t->strips[i]; s; s = s->next)
            if (s->parts > s->moved && s->first_row < first)
                first = s->first_row;
    if (first <= t->first) /* less: a damaged row has a number below all */
        return FOOTNOTE_OK;
    t->first = first;
    return db_do(tx->db, STMT_WORD_LOG_CUT, err,
                 db_text(str_c(tx->store->node)), db_i64(first - 1));
}

enum footnote_rc word_log_trim(struct tx *tx, bool runs,
                               struct footnote_err *err)
{
    struct word_log *t = tx->store->word_log;

    if (!runs) {
        drop_all(t);
        if (!t->stored)
            return FOOTNOTE_OK;
        t->stored = false;
        return db_do(tx->db, STMT_WORD_LOG_CUT, err,
                     db_text(str_c(tx->store->node)), db_i64(INT64_MAX));
    }
    if (!db_has_rival_writers(tx->db))
        TRY(notice_other_writers(tx, err));
    TRY(load(tx, err));
    TRY(move_old(tx, err));
    TRY(cut(tx, err));
    t->sweep++;
    return FOOTNOTE_OK;
}

/* ---- Opening and closing ------------------------------------------------ */

enum footnote_rc word_log_open(struct word_log **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    (*out)->row = BUF(ROW_BYTES_MAX);
    return FOOTNOTE_OK;
}

void word_log_close(struct word_log *t)
{
    if (!t)
        return;
    drop_all(t);
    buf_free(&t->row);
    free(t);
}

/* Rows that were cut may be there again. */
void word_log_forget(struct word_log *t)
{
    t->loaded = false;
    t->stored = true;
}
