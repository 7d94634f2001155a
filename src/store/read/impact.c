/* impact.c - what becomes of answers when a document goes. */
#include "store/read/impact.h"

#include <stdlib.h>

#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/session/message_row.h"
#include "store/session/session_row.h"

/* A reference to the document, later an answer with all of its references. */
struct impacted {
    int64_t session, seq;
    bool own, cited, deleted, replaced;
};

struct impact {
    struct impacted *items;
    size_t n;
};

/* One more row than is looked at says that there are more. */
static enum footnote_rc read_rows(struct tx *tx, struct document_impact *op,
                                  const struct document_row *d,
                                  struct impact *all, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t searched =
        d->searchable_version ? d->searchable_version : d->version;

    TRY(db_run(tx->db, STMT_DOCUMENT_REFERENCES, &cur, err, db_i64(d->key),
               db_i64(tx->tenant), db_i64(IMPACT_REFERENCES_MAX + 1)));
    for (;;) {
        struct impacted *i = &all->items[all->n];
        bool row;

        TRY(db_next(cur, &row, err));
        op->complete = !row;
        if (!row || all->n == IMPACT_REFERENCES_MAX)
            return FOOTNOTE_OK;
        if (db_col_i64(cur, COL_DOCUMENT_REFERENCES_REDACTED) != 0)
            continue;
        *i = (struct impacted){
            .session = db_col_i64(cur, COL_DOCUMENT_REFERENCES_SESSION),
            .seq = db_col_i64(cur, COL_DOCUMENT_REFERENCES_SEQ),
            .own =
                db_col_i64(cur, COL_DOCUMENT_REFERENCES_OWNER) == tx->account,
            .cited = db_col_i64(cur, COL_DOCUMENT_REFERENCES_CITED) != 0,
            .deleted = true,
            .replaced =
                db_col_i64(cur, COL_DOCUMENT_REFERENCES_VERSION) == searched};
        if (i->own || d->role >= MEMBER_EDITOR)
            all->n++;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct impacted *x = a, *y = b;

    if (x->session != y->session)
        return x->session < y->session ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* What was a row for each reference becomes one for each answer. */
static void join_answers(struct impact *all)
{
    size_t n = 0;

    qsort(all->items, all->n, sizeof(*all->items), by_place);
    for (size_t i = 0; i < all->n; i++) {
        struct impacted *last = n ? &all->items[n - 1] : NULL;

        if (last && by_place(last, &all->items[i]) == 0) {
            last->cited |= all->items[i].cited;
            last->replaced |= all->items[i].replaced;
        } else {
            all->items[n++] = all->items[i];
        }
    }
    all->n = n;
}

static void count(struct document_impact *op, const struct impact *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct impacted *a = &all->items[i];

        op->sessions += i == 0 || a->session != all->items[i - 1].session;
        op->deleted.answers++;
        op->deleted.cited += a->cited;
        op->replaced.answers += a->replaced;
        op->replaced.cited += a->replaced && a->cited;
    }
}

/* The answer that shows it: what was retrieved for a question is shown by the
 * answer that follows.  *out is absent when none does. */
static enum footnote_rc answer_id(struct tx *tx, const struct impacted *a,
                                  struct str *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *shown = NULL;
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_value row[SEAL_COLUMNS_MAX];
    bool found;

    *out = STR_NONE;
    TRY(db_one(tx->db, STMT_ANSWER_THAT_SHOWS, &shown, &found, err,
               db_i64(tx->tenant), db_i64(a->session), db_i64(a->seq)));
    if (!found)
        return FOOTNOTE_OK;
    TRY(message_read_row(tx, a->session,
                         db_col_i64(shown, COL_ANSWER_THAT_SHOWS_SEQ), &cur,
                         row, err));
    *out = arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_ID]));
    return arena_rc(tx->out, err);
}

/* Newest sessions first. */
static enum footnote_rc list_own(struct tx *tx, struct document_impact *op,
                                 const struct impact *all,
                                 struct footnote_err *err)
{
    op->list = arena_many(tx->out, op->limit + 1, struct impact_answer);
    TRY(arena_rc(tx->out, err));
    for (size_t i = all->n; i-- > 0 && !op->list_more;) {
        const struct impacted *a = &all->items[i];
        struct impact_answer *to = &op->list[op->list_n];
        enum footnote_rc rc = FOOTNOTE_OK;

        if (!a->own)
            continue;
        op->list_more = op->list_n == op->limit;
        if (op->list_more)
            break;
        *to = (struct impact_answer){
            .cited = a->cited, .deleted = a->deleted, .replaced = a->replaced};
        rc = answer_id(tx, a, &to->message, err);
        if (rc == FOOTNOTE_OK && to->message.p)
            rc = session_id_of(tx, a->session, &to->session, err);
        if (rc != FOOTNOTE_DAMAGED) /* told of; the others can be shown */
            TRY(rc);
        op->list_n += rc == FOOTNOTE_OK && to->session.p;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc impact_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct document_impact *op = arg;
    struct document_name name = {op->document, op->course};
    struct impact all = {.items =
                             arena_many(tx->scratch, IMPACT_REFERENCES_MAX + 1,
                                        struct impacted)};
    struct document_row d;
    struct document doc;
    bool found;

    TRY(arena_rc(tx->scratch, err));
    op->sessions = op->list_n = 0;
    op->deleted = op->replaced = (struct impact_counts){0, 0};
    op->list_more = false;
    TRY(document_need(tx, &name, MEMBER_READER, &d, err));
    op->version = d.searchable_version ? d.searchable_version : d.version;
    TRY(document_load(tx, tx->out, d.key, op->version, &doc, &found, err));
    op->title = found ? doc.title : STR_NONE;
    op->course = found ? doc.course : op->course;
    TRY(read_rows(tx, op, &d, &all, err));
    join_answers(&all);
    count(op, &all);
    return list_own(tx, op, &all, err);
}

const struct store_op document_impact_op = {NULL, impact_run};
