/* journal_recent.c - the newest journal entries of the courses of a search. */
#include "store/document/search.h"

#include "store/list.h"

enum { COURSES_AT_ONCE = 16 };

/* Puts an entry behind those that are as new, and drops what is over the
 * limit.  Courses are asked one after the other, so an equal day keeps their
 * order. */
static enum footnote_rc add_entry(struct tx *tx, struct journal_recent *op,
                                  struct db_cur *cur, struct footnote_err *err)
{
    struct str date = db_col_str(cur, COL_JOURNAL_RECENT_DATE);
    size_t at = op->hits_n;

    while (at > 0 && str_cmp(op->hits[at - 1].date, date) < 0)
        at--;
    if (at == op->limit)
        return FOOTNOTE_OK;
    if (op->hits_n < op->limit)
        op->hits_n++;
    memmove(&op->hits[at + 1], &op->hits[at],
            (op->hits_n - at - 1) * sizeof(*op->hits));
    op->hits[at] = (struct hit_read){
        .document = db_col_i64(cur, COL_JOURNAL_RECENT_DOCUMENT),
        .version = db_col_i64(cur, COL_JOURNAL_RECENT_SEARCHABLE_VERSION),
        .position = db_col_i64(cur, COL_JOURNAL_RECENT_POSITION),
        .date = arena_str(tx->out, date)};
    return arena_rc(tx->out, err);
}

static enum footnote_rc take_entries(struct tx *tx, struct journal_recent *op,
                                     struct db_cur *cur,
                                     struct footnote_err *err)
{
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(add_entry(tx, op, cur, err));
    }
}

/* All are asked before the first is read, so they share a round trip. */
static enum footnote_rc ask_courses(struct tx *tx, struct journal_recent *op,
                                    const struct scope_course *courses,
                                    size_t n, struct footnote_err *err)
{
    struct db_cur *cursors[COURSES_AT_ONCE] = {NULL};
    enum footnote_rc rc = FOOTNOTE_OK;

    for (size_t i = 0; rc == FOOTNOTE_OK && i < n; i++)
        rc = db_run(tx->db, STMT_JOURNAL_RECENT, &cursors[i], err,
                    db_i64(tx->tenant), db_i64(courses[i].key),
                    db_i64((int64_t)op->limit));
    for (size_t i = 0; rc == FOOTNOTE_OK && i < n; i++)
        rc = take_entries(tx, op, cursors[i], err);
    for (size_t i = 0; i < n; i++)
        db_end(&cursors[i]);
    return rc;
}

static enum footnote_rc recent_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct journal_recent *op = arg;

    op->hits_n = 0;
    op->hits = arena_many(tx->out, op->limit + 1, struct hit_read);
    TRY(arena_rc(tx->out, err));
    for (size_t i = 0; i < op->courses_n; i += COURSES_AT_ONCE) {
        size_t left = op->courses_n - i;

        TRY(ask_courses(tx, op, op->courses + i,
                        left < COURSES_AT_ONCE ? left : COURSES_AT_ONCE, err));
    }
    return FOOTNOTE_OK;
}

const struct store_op journal_recent_op = {NULL, recent_run};
