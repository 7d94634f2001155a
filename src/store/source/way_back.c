/* way_back.c - source_reference compared with message.refs, and mended.
 *
 * A page is compared as it is read.  What seems wrong is compared once more
 * with its session locked before anything is changed: others may be writing. */
#include "store/source/way_back.h"

#include "store/list.h"
#include "store/source/refs.h"

enum { PAGE_MESSAGES = 200, PAGE_ROWS = 500, ASKED_MAX = 64 };

struct place { /* of a message */
    int64_t tenant, session, seq;
    struct str refs; /* packed; absent: none */
};

/* ---- From messages to rows ----------------------------------------------- */

static enum footnote_rc read_messages(struct tx *tx,
                                      const struct way_back_messages *op,
                                      struct place **out, size_t *n,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_WAY_BACK_MESSAGES, &cur, err,
               db_i64(op->after.tenant), db_i64(op->after.session),
               db_i64(op->after.seq), db_i64(PAGE_MESSAGES)));
    for (;;) {
        struct place *p;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->scratch, err);
        p = list_add(tx->scratch, out, n, sizeof(*p));
        if (!p)
            return arena_rc(tx->scratch, err);
        *p = (struct place){
            .tenant = db_col_i64(cur, COL_WAY_BACK_MESSAGES_TENANT),
            .session = db_col_i64(cur, COL_WAY_BACK_MESSAGES_SESSION),
            .seq = db_col_i64(cur, COL_WAY_BACK_MESSAGES_SEQ),
            .refs = arena_str(tx->scratch,
                              db_col_str(cur, COL_WAY_BACK_MESSAGES_REFS))};
    }
}

struct asked {
    size_t n;
    struct ref refs[ASKED_MAX];
    struct db_cur *cur[ASKED_MAX];
};

static void asked_end(struct asked *a)
{
    for (size_t i = 0; i < a->n; i++)
        db_end(&a->cur[i]);
    a->n = 0;
}

static enum footnote_rc remove_row(struct tx *tx, const struct place *p,
                                   int64_t source, int64_t number,
                                   struct footnote_err *err)
{
    return db_do(tx->db, STMT_WAY_BACK_REMOVE, err, db_i64(source),
                 db_i64(p->tenant), db_i64(p->session), db_i64(p->seq),
                 db_i64(number));
}

static enum footnote_rc make_row(struct tx *tx, const struct place *p,
                                 const struct ref *r, struct footnote_err *err)
{
    TRY(remove_row(tx, p, r->source, r->number, err));
    return db_do(tx->db, STMT_REF_INSERT, err, db_i64(p->tenant),
                 db_i64(p->session), db_i64(p->seq), db_i64(r->number),
                 db_i64(r->source), db_i64(r->spans.p != NULL));
}

/* Whether there is one row, and it says so. */
static enum footnote_rc is_right(struct db_cur *cur, bool cited, bool *right,
                                 struct footnote_err *err)
{
    bool row;

    TRY(db_next(cur, &row, err));
    *right = row && (db_col_i64(cur, COL_WAY_BACK_GET_CITED) != 0) == cited;
    if (!row)
        return FOOTNOTE_OK;
    TRY(db_next(cur, &row, err));
    *right = *right && !row;
    return FOOTNOTE_OK;
}

/* Reads the answers, which share a round trip. */
static enum footnote_rc answer(struct tx *tx, const struct place *p,
                               struct asked *a, bool mend, int64_t *missing,
                               struct footnote_err *err)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct ref *r = &a->refs[i];
        bool right;

        TRY(is_right(a->cur[i], r->spans.p != NULL, &right, err));
        if (right)
            continue;
        ++*missing;
        if (mend)
            TRY(make_row(tx, p, r, err));
    }
    asked_end(a);
    return FOOTNOTE_OK;
}

/* DAMAGED when the packed references cannot be read. */
static enum footnote_rc compare(struct tx *tx, const struct place *p, bool mend,
                                int64_t *references, int64_t *missing,
                                struct footnote_err *err)
{
    AUTO(asked_end) struct asked a = {.n = 0};
    struct refs refs;

    TRY(refs_begin(&refs, p->refs, err));
    while (refs.n > 0) {
        struct ref *r = &a.refs[a.n];

        TRY(refs_next(&refs, r, err));
        a.cur[a.n] = NULL;
        TRY(db_run(tx->db, STMT_WAY_BACK_GET, &a.cur[a.n++], err,
                   db_i64(r->source), db_i64(p->tenant), db_i64(p->session),
                   db_i64(p->seq), db_i64(r->number)));
        ++*references;
        if (a.n == ASKED_MAX)
            TRY(answer(tx, p, &a, mend, missing, err));
    }
    return answer(tx, p, &a, mend, missing, err);
}

/* Locks the session and reads its message's references anew. */
static enum footnote_rc hold(struct tx *tx, struct place *p,
                             struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t held;
    bool row;

    TRY(db_change(tx->db, STMT_WAY_BACK_HOLD, &held, err, db_i64(p->tenant),
                  db_i64(p->session)));
    TRY(db_one(tx->db, STMT_REFS_GET, &cur, &row, err, db_i64(p->tenant),
               db_i64(p->session), db_i64(p->seq)));
    p->refs = row ? arena_str(tx->scratch, db_col_str(cur, COL_REFS_GET_REFS))
                  : STR_NONE;
    return arena_rc(tx->scratch, err);
}

static enum footnote_rc check_message(struct tx *tx,
                                      struct way_back_messages *op,
                                      struct place *p, struct footnote_err *err)
{
    int64_t missing = 0, again = 0;
    enum footnote_rc rc = compare(tx, p, false, &op->references, &missing, err);

    if (rc == FOOTNOTE_DAMAGED) {
        op->unreadable++;
        return FOOTNOTE_OK;
    }
    TRY(rc);
    if (missing == 0 || !op->mend) {
        op->missing += missing;
        return FOOTNOTE_OK;
    }
    TRY(hold(tx, p, err));
    return p->refs.p ? compare(tx, p, true, &again, &op->missing, err)
                     : FOOTNOTE_OK;
}

static enum footnote_rc messages_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    struct way_back_messages *op = arg;
    struct place *places = NULL;
    size_t n = 0;

    op->references = op->missing = op->unreadable = 0;
    TRY(read_messages(tx, op, &places, &n, err));
    for (size_t i = 0; i < n; i++)
        TRY(check_message(tx, op, &places[i], err));
    op->done = n < PAGE_MESSAGES;
    if (n > 0)
        op->last = (struct way_back_place){.tenant = places[n - 1].tenant,
                                           .session = places[n - 1].session,
                                           .seq = places[n - 1].seq};
    return FOOTNOTE_OK;
}

const struct store_op way_back_messages_op = {NULL, messages_run};

/* ---- From rows to messages ------------------------------------------------
 */

struct way_back_row {
    int64_t source, number;
    struct place place;
};

static enum footnote_rc read_rows(struct tx *tx, const struct way_back_rows *op,
                                  struct way_back_row **out, size_t *n,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_WAY_BACK_ROWS, &cur, err, db_i64(op->after.source),
               db_i64(op->after.tenant), db_i64(op->after.session),
               db_i64(op->after.seq), db_i64(op->after.number),
               db_i64(PAGE_ROWS)));
    for (;;) {
        struct way_back_row *r;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->scratch, err);
        r = list_add(tx->scratch, out, n, sizeof(*r));
        if (!r)
            return arena_rc(tx->scratch, err);
        r->source = db_col_i64(cur, COL_WAY_BACK_ROWS_SOURCE);
        r->number = db_col_i64(cur, COL_WAY_BACK_ROWS_NUMBER);
        r->place = (struct place){
            .tenant = db_col_i64(cur, COL_WAY_BACK_ROWS_TENANT),
            .session = db_col_i64(cur, COL_WAY_BACK_ROWS_SESSION),
            .seq = db_col_i64(cur, COL_WAY_BACK_ROWS_SEQ),
            .refs = arena_str(tx->scratch,
                              db_col_str(cur, COL_WAY_BACK_ROWS_REFS))};
    }
}

/* References that cannot be read may have had it: the row stays. */
static bool is_extra(const struct way_back_row *row)
{
    struct refs refs;
    struct ref r;

    if (!row->place.refs.p)
        return true;
    if (refs_begin(&refs, row->place.refs, NULL) != FOOTNOTE_OK)
        return false;
    while (refs.n > 0) {
        if (refs_next(&refs, &r, NULL) != FOOTNOTE_OK)
            return false;
        if (r.number == row->number && r.source == row->source)
            return false;
    }
    return true;
}

static enum footnote_rc check_row(struct tx *tx, struct way_back_rows *op,
                                  struct way_back_row *r,
                                  struct footnote_err *err)
{
    if (!is_extra(r))
        return FOOTNOTE_OK;
    if (op->mend) {
        TRY(hold(tx, &r->place, err));
        if (!is_extra(r))
            return FOOTNOTE_OK;
        TRY(remove_row(tx, &r->place, r->source, r->number, err));
    }
    op->extra++;
    return FOOTNOTE_OK;
}

static enum footnote_rc rows_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct way_back_rows *op = arg;
    struct way_back_row *rows = NULL;
    size_t n = 0;

    op->rows = op->extra = 0;
    TRY(read_rows(tx, op, &rows, &n, err));
    for (size_t i = 0; i < n; i++)
        TRY(check_row(tx, op, &rows[i], err));
    op->done = n < PAGE_ROWS;
    op->rows = (int64_t)n;
    if (n > 0)
        op->last = (struct way_back_place){
            rows[n - 1].source, rows[n - 1].place.tenant,
            rows[n - 1].place.session, rows[n - 1].place.seq,
            rows[n - 1].number};
    return FOOTNOTE_OK;
}

const struct store_op way_back_rows_op = {NULL, rows_run};
