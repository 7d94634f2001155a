/* tape.c - the newest words of all answers that this process writes.
 *
 *     a part --> tape: one row per commit --> answer_text: a strip each
 *                                         \-> message, at the end
 *
 * A row of the tape holds what one transaction brought, for whichever answers;
 * it is written last (tape_write).  Of an answer it has the parts behind those
 * that its lease counts, which are in answer_text.
 *
 * The writer keeps the same in memory, a strip for each answer, to know how
 * many parts there are and what moves on.  Like all that it remembers this is
 * read again after a rollback. */
#include <stdlib.h>

#include "base/varint.h"
#include "store/inner.h"

enum {
    BUCKETS = 4096,
    ROW_BYTES = 32 * 1024, /* of one that is written again */
    ROW_BYTES_MAX = 64 * 1024 * 1024,
    TRIM_ROWS = 64, /* so many are worth writing what still counts once more, */
    TRIM_TIMES = 2  /* if that is less than half of what is there */
};

struct tape {
    struct strip *strips[BUCKETS]; /* by epoch */
    bool known;                    /* they are what is stored */
    struct buf row;                /* of this transaction */
    int64_t transaction;           /* which that is */
    int64_t looked, others;        /* in which transaction, and what it was */
    size_t rows, bytes;            /* of ours that are stored, or more */
};

/* ---- Strips ------------------------------------------------------------- */

static struct strip **place_of(struct tape *t, int64_t epoch)
{
    struct strip **at = &t->strips[(uint64_t)epoch % BUCKETS];

    while (*at && (*at)->epoch != epoch)
        at = &(*at)->next;
    return at;
}

static enum footnote_rc strip_of(struct tape *t, int64_t epoch, int64_t parts,
                                 struct strip **out, struct footnote_err *err)
{
    struct strip **at = place_of(t, epoch);

    if (!*at) {
        *at = malloc(sizeof(**at));
        if (!*at)
            return err_set(err, FOOTNOTE_NOMEM, "a running answer");
        (*at)->next = NULL;
        (*at)->epoch = epoch;
        (*at)->parts = parts;
        (*at)->n = 0;
    }
    *out = *at;
    return FOOTNOTE_OK;
}

static void drop_at(struct strip **at)
{
    struct strip *s = *at;

    *at = s->next;
    free(s);
}

static void drop_all(struct tape *t)
{
    for (size_t i = 0; i < BUCKETS; i++)
        while (t->strips[i])
            drop_at(&t->strips[i]);
}

/* ---- Pieces ------------------------------------------------------------- */

struct piece {
    int64_t epoch, part;
    struct str text;
};

static void put_number(struct buf *b, int64_t v)
{
    unsigned char bytes[VARINT_BYTES_MAX];
    size_t n = varint_put((uint64_t)v, bytes);

    buf_add(b, (struct str){(const char *)bytes, n});
}

static void put_piece(struct buf *b, struct piece p)
{
    put_number(b, p.epoch);
    put_number(b, p.part);
    put_number(b, (int64_t)p.text.n);
    buf_add(b, p.text);
}

/* Takes the next one off a row.  Of a row that is damaged, what comes before is
 * there. */
static bool take_piece(struct str *row, struct piece *out)
{
    uint64_t epoch, part, n;

    if (!varint_take(row, &epoch) || !varint_take(row, &part) ||
        !varint_take(row, &n) || n > row->n)
        return false;
    *out = (struct piece){(int64_t)epoch, (int64_t)part, {row->p, (size_t)n}};
    *row = str_skip(*row, (size_t)n);
    return true;
}

/* Room for this transaction's pieces. */
static struct buf *row_now(struct tape *t, struct db *db)
{
    if (t->transaction != db_transaction(db)) {
        buf_reset(&t->row);
        t->transaction = db_transaction(db);
    }
    return &t->row;
}

enum footnote_rc tape_write(struct store *st, struct db *db,
                            struct footnote_err *err)
{
    struct buf *row = row_now(st->tape, db);

    TRY(buf_rc(row, err));
    if (row->n == 0)
        return FOOTNOTE_OK;
    TRY(db_do(db, STMT_TAPE_ADD, err, db_text(str_c(st->node)),
              db_blob(buf_str(row))));
    st->tape->rows++;
    st->tape->bytes += row->n;
    buf_reset(row);
    return FOOTNOTE_OK;
}

/* ---- What is stored ----------------------------------------------------- */

static enum footnote_rc know_leases(struct tx *tx, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct strip *s;

    TRY(db_run_n(tx->db, STMT_LEASE_ALL, NULL, 0, &cur, err));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (str_eq(db_col_str(cur, 4), str_c(tx->store->node)))
            TRY(strip_of(tx->store->tape, db_col_i64(cur, 3),
                         db_col_i64(cur, 6), &s, err));
    }
}

/* A strip that is full had moved on before another part came, so what does not
 * fit was not put there by us. */
static void know_row(struct tape *t, struct str row)
{
    struct piece p;

    while (take_piece(&row, &p)) {
        struct strip *s = *place_of(t, p.epoch);

        if (!s || p.part <= s->parts || s->n + p.text.n > STRIP_BYTES)
            continue;
        memcpy(s->text + s->n, p.text.p, p.text.n);
        s->n += p.text.n;
        s->parts = p.part;
    }
}

static enum footnote_rc know_rows(struct tx *tx, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run_n(tx->db, STMT_TAPE_ALL, NULL, 0, &cur, err));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (str_eq(db_col_str(cur, 0), str_c(tx->store->node)))
            know_row(tx->store->tape, db_col_str(cur, 1));
    }
}

static enum footnote_rc know(struct tx *tx, struct footnote_err *err)
{
    struct tape *t = tx->store->tape;

    if (t->known)
        return FOOTNOTE_OK;
    TRY(tape_write(tx->store, tx->db, err));
    drop_all(t);
    TRY(know_leases(tx, err));
    TRY(know_rows(tx, err));
    t->known = true;
    return FOOTNOTE_OK;
}

/* Whether somebody else has written: once, as nobody does during a transaction.
 */
static enum footnote_rc look_around(struct tx *tx, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct tape *t = tx->store->tape;
    int64_t others;
    bool row;

    if (t->looked == db_transaction(tx->db))
        return FOOTNOTE_OK;
    TRY(db_one_n(tx->db, STMT_OTHERS_WROTE, NULL, 0, &cur, &row, err));
    others = row ? db_col_i64(cur, 0) : 0;
    if (others != t->others)
        tape_forget(t);
    t->others = others;
    t->looked = db_transaction(tx->db);
    return FOOTNOTE_OK;
}

/* Whoever of us ends an answer takes its strip away. */
enum footnote_rc tape_held(struct tx *tx, int64_t epoch, struct strip **out,
                           struct footnote_err *err)
{
    struct tape *t = tx->store->tape;

    *out = NULL;
    if (db_is_shared(tx->db))
        return FOOTNOTE_OK;
    TRY(look_around(tx, err));
    if (t->known)
        *out = *place_of(t, epoch);
    return FOOTNOTE_OK;
}

enum footnote_rc tape_find(struct tx *tx, int64_t epoch, int64_t parts,
                           struct strip **out, struct footnote_err *err)
{
    TRY(know(tx, err));
    return strip_of(tx->store->tape, epoch, parts, out, err);
}

enum footnote_rc tape_add(struct tx *tx, struct strip *s, struct str text,
                          struct footnote_err *err)
{
    struct buf *row = row_now(tx->store->tape, tx->db);

    put_piece(row, (struct piece){s->epoch, s->parts + 1, text});
    TRY(buf_rc(row, err));
    if (text.n)
        memcpy(s->text + s->n, text.p, text.n);
    s->n += text.n;
    s->parts++;
    return FOOTNOTE_OK;
}

enum footnote_rc tape_read(struct tx *tx, int64_t epoch, int64_t after,
                           struct buf *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run_n(tx->db, STMT_TAPE_ALL, NULL, 0, &cur, err));
    for (;;) {
        struct piece p;
        struct str pieces;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return buf_rc(out, err);
        pieces = db_col_str(cur, 1);
        while (take_piece(&pieces, &p))
            if (p.epoch == epoch && p.part > after)
                buf_add(out, p.text);
    }
}

/* Once the lease is gone the strips cannot be read again: then it is what is
 * stored that tells. */
enum footnote_rc tape_take(struct tx *tx, int64_t epoch, int64_t after,
                           struct buf *out, struct footnote_err *err)
{
    struct strip **at = place_of(tx->store->tape, epoch);

    if (!tx->store->tape->known) {
        TRY(tape_write(tx->store, tx->db, err));
        return tape_read(tx, epoch, after, out, err);
    }
    if (*at) {
        buf_add(out, (struct str){(*at)->text, (*at)->n});
        drop_at(at);
    }
    return buf_rc(out, err);
}

/* ---- Keeping it short --------------------------------------------------- */

static enum footnote_rc write_strip(struct tx *tx, const struct strip *s,
                                    struct footnote_err *err)
{
    struct buf *row = row_now(tx->store->tape, tx->db);

    if (row->n + s->n > ROW_BYTES)
        TRY(tape_write(tx->store, tx->db, err));
    if (s->n)
        put_piece(row, (struct piece){s->epoch, s->parts, {s->text, s->n}});
    return FOOTNOTE_OK;
}

static bool is_long(const struct tape *t)
{
    size_t counts = 0;

    if (t->rows < TRIM_ROWS)
        return false;
    if (!t->known)
        return true;
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct strip *s = t->strips[i]; s; s = s->next)
            counts += s->n;
    return t->bytes >= TRIM_TIMES * counts;
}

enum footnote_rc tape_trim(struct tx *tx, bool runs, struct footnote_err *err)
{
    struct tape *t = tx->store->tape;

    if (t->rows == 0 || (runs && !is_long(t)))
        return FOOTNOTE_OK;
    if (db_is_shared(tx->db))
        t->known = false; /* so that what others have ended is left out */
    else
        TRY(look_around(tx, err));
    TRY(know(tx, err));
    TRY(db_do(tx->db, STMT_TAPE_CLEAR, err, db_text(str_c(tx->store->node))));
    buf_reset(row_now(t, tx->db)); /* strips have it */
    t->rows = t->bytes = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct strip *s = t->strips[i]; s; s = s->next)
            TRY(write_strip(tx, s, err));
    return tape_write(tx->store, tx->db, err);
}

/* ---- Opening and closing ------------------------------------------------ */

enum footnote_rc tape_open(struct tape **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    (*out)->row = BUF(ROW_BYTES_MAX);
    return FOOTNOTE_OK;
}

void tape_close(struct tape *t)
{
    if (!t)
        return;
    drop_all(t);
    buf_free(&t->row);
    free(t);
}

/* What was trimmed may be there again. */
void tape_forget(struct tape *t)
{
    t->known = false;
    t->rows = TRIM_ROWS;
}
