/* count.c - how often documents were given to answers, and cited by them. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/mix.h"
#include "base/uuid.h"
#include "store/check.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/list.h"
#include "store/read/history.h"
#include "store/read/loader.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/scope.h"
#include "store/session/session_row.h"
#include "store/source/refs.h"
#include "store/source/verdicts.h"

/* ---- session_counts ----------------------------------------------------- */

struct counting {
    struct session_counts *op;
    size_t *seen; /* by index of count: the message that counted last, + 1 */
    size_t *cited;
    size_t max;
    /* Where a document's count is, + 1; 0: free.  The names are a caller's, who
     * could choose some that meet in one place, but for the secret. */
    uint32_t *slots;
    size_t mask;
    uint64_t secret;
};

/* The slot of the document, or the free one where it belongs. */
static uint32_t *slot_of(const struct counting *c, struct str ref)
{
    size_t i = mix_bytes(c->secret, ~c->secret ^ ref.n, ref) & c->mask;

    while (c->slots[i] && !str_eq(c->op->counts[c->slots[i] - 1].doc_ref, ref))
        i = (i + 1) & c->mask;
    return &c->slots[i];
}

static struct reference_count *count_at(struct counting *c, struct str ref,
                                        size_t *index)
{
    uint32_t *slot = slot_of(c, ref);

    if (!*slot && c->op->counts_n == c->max)
        return NULL;
    if (!*slot) {
        *slot = (uint32_t)++c->op->counts_n;
        c->op->counts[*slot - 1] = (struct reference_count){.doc_ref = ref};
    }
    *index = *slot - 1;
    return &c->op->counts[*index];
}

/* Room for as many documents as there are references. */
static enum footnote_rc make_room(struct tx *tx, struct counting *c,
                                  struct footnote_err *err)
{
    size_t slots = 4;

    while (slots <= 2 * c->max)
        slots *= 2;
    c->mask = slots - 1;
    random_bytes(&c->secret, sizeof(c->secret));
    c->op->counts = arena_many(tx->out, c->max + 1, struct reference_count);
    c->seen = arena_many(tx->scratch, c->max + 1, size_t);
    c->cited = arena_many(tx->scratch, c->max + 1, size_t);
    c->slots = arena_many(tx->scratch, slots, uint32_t);
    if (!c->op->counts || !c->seen || !c->cited || !c->slots)
        return err_set(err, FOOTNOTE_NOMEM, "counting references");
    return FOOTNOTE_OK;
}

/* Counts a document once per answer. */
static struct reference_count *count(struct counting *c, struct str ref,
                                     size_t message, bool cited)
{
    size_t i;
    struct reference_count *n = count_at(c, ref, &i);

    if (!n)
        return NULL;
    n->given_n += c->seen[i] != message + 1;
    c->seen[i] = message + 1;
    if (cited && c->cited[i] != message + 1) {
        n->cited_n++;
        c->cited[i] = message + 1;
    }
    return n;
}

static void count_message(struct tx *tx, struct counting *c,
                          const struct message *m, size_t index)
{
    for (size_t i = 0; i < m->sources_n; i++) {
        const struct reference *r = &m->sources[i];
        struct reference_count *n = NULL;

        if (r->state != FOOTNOTE_WITHDRAWN)
            n = count(c, source_doc_ref(tx->out, &r->source), index, r->cited);
        if (n && !n->document.p) {
            n->document =
                r->source.document.p ? r->source.document : r->source.lecture;
            n->title = r->source.title;
        }
    }
    for (size_t i = 0; i < m->doc_refs_n; i++)
        count(c, m->doc_refs[i], index, false);
}

static int by_count(const void *a, const void *b)
{
    const struct reference_count *x = a, *y = b;

    if (x->given_n != y->given_n)
        return x->given_n < y->given_n ? 1 : -1;
    if (x->cited_n != y->cited_n)
        return x->cited_n < y->cited_n ? 1 : -1;
    return str_cmp(x->doc_ref, y->doc_ref);
}

static enum footnote_rc counts_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct session_counts *op = arg;
    struct history h = {.session = op->session, .light = true};
    struct counting c = {.op = op};

    op->counts_n = 0;
    TRY(history_op.run(tx, &h, err));
    for (size_t i = 0; i < h.messages_n; i++)
        c.max += h.messages[i].sources_n + h.messages[i].doc_refs_n;
    TRY(make_room(tx, &c, err));
    for (size_t i = 0; i < h.messages_n; i++)
        count_message(tx, &c, &h.messages[i], i);
    qsort(op->counts, op->counts_n, sizeof(*op->counts), by_count);
    return arena_rc(tx->out, err);
}

const struct store_op session_counts_op = {NULL, counts_run};

/* ---- document_citations ------------------------------------------------- */

/* Whether the references of a message have it as the way back says. */
static bool is_referred(struct str packed, struct db_cur *cur)
{
    struct refs refs;
    struct ref r = {.number = 0};

    if (refs_begin(&refs, packed, NULL) != FOOTNOTE_OK)
        return false;
    while (refs.n && refs_next(&refs, &r, NULL) == FOOTNOTE_OK)
        if (r.number == db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_NUMBER))
            break;
    return r.number == db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_NUMBER) &&
           r.source == db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_SOURCE) &&
           (r.spans.p != NULL) ==
               (db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_CITED) != 0);
}

/* The statement only finds rows: what is shown of them, and who may see it, is
 * read from each, with its seal. */
static enum footnote_rc read_citation(struct tx *tx, struct db_cur *cur,
                                      struct citation *c,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *refers = NULL;
    AUTO(db_end) struct db_cur *answers = NULL;
    int64_t session = db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_SESSION);
    struct db_value row[SEAL_COLUMNS_MAX];

    TRY(message_read_row(tx, session,
                         db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_SEQ),
                         &refers, row, err));
    if (!is_referred(db_value_str(&row[COL_MESSAGE_SEALED_REFS]), cur))
        return err_set(err, FOOTNOTE_DAMAGED, "the way back leads elsewhere");
    TRY(message_read_row(tx, session,
                         db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_ANSWER),
                         &answers, row, err));
    *c = (struct citation){
        .message =
            arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_ID])),
        .number = (uint32_t)db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_NUMBER),
        .cited = db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_CITED) != 0,
        .created_ms = db_value_i64(&row[COL_MESSAGE_SEALED_CREATED_MS])};
    return session_id_of(tx, session, &c->session, err);
}

static enum footnote_rc citations_rows(struct tx *tx,
                                       struct document_citations *op,
                                       struct db_cur *cur,
                                       struct footnote_err *err)
{
    for (op->rows_n = 0;; op->rows_n++) {
        struct citation *c;
        enum footnote_rc rc;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        op->next_session = db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_SESSION);
        op->next_seq = db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_SEQ);
        op->next_number = db_col_i64(cur, COL_CITATIONS_OF_DOCUMENT_NUMBER);
        c = list_add(tx->out, &op->citations, &op->citations_n, sizeof(*c));
        if (!c)
            return arena_rc(tx->out, err);
        rc = read_citation(tx, cur, c, err);
        if (rc != FOOTNOTE_DAMAGED) /* told of; the others can be shown */
            TRY(rc);
        /* Nor is one in a session outside of the asker's key. */
        if (rc != FOOTNOTE_OK || (!c->session.p && scope_confines(tx->scope)))
            op->citations_n--;
    }
}

static enum footnote_rc citations_run(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_citations *op = arg;
    struct document_name name = {op->document, op->course};
    struct document_row d;

    op->citations = NULL;
    op->citations_n = 0;
    if (!id_can_be(op->document))
        return FOOTNOTE_OK;
    TRY(document_find(tx, &name, &d, err));
    TRY(db_run(tx->db, STMT_CITATIONS_OF_DOCUMENT, &cur, err, db_i64(d.key),
               db_i64(tx->tenant), db_text(op->document), db_i64(tx->account),
               db_i64(op->after_session), db_i64(op->after_seq),
               db_i64(op->after_number),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    return citations_rows(tx, op, cur, err);
}

const struct store_op document_citations_op = {NULL, citations_run};

/* ---- course_counts, course_stats ---------------------------------------- */

static void read_count(struct tx *tx, struct db_cur *cur,
                       struct reference_count *n)
{
    n->document = arena_str(tx->out, db_col_str(cur, COL_DOCUMENT_SEALED_ID));
    n->doc_ref = n->document;
    n->title = arena_str(tx->out, db_col_str(cur, COL_DOCUMENT_SEALED_TITLE));
    n->given_n = (uint64_t)db_col_i64(cur, COL_COUNTS_OF_COURSE_GIVEN_N);
    n->cited_n = (uint64_t)db_col_i64(cur, COL_COUNTS_OF_COURSE_CITED_N);
}

/* Editors see all counts of a course, readers what their own answers cite. */
static int64_t counted_account(const struct tx *tx, const struct course_row *c)
{
    return c->role >= MEMBER_EDITOR ? 0 : tx->account;
}

static enum footnote_rc course_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct course_counts *op = arg;
    struct course_row c;

    op->counts = NULL;
    op->counts_n = 0;
    TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    TRY(db_run(tx->db, STMT_COUNTS_OF_COURSE, &cur, err,
               db_i64(counted_account(tx, &c)), db_i64(tx->tenant),
               db_i64(c.key),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    for (;;) {
        struct reference_count *n;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        if (document_check(tx, cur, 0, NULL) != FOOTNOTE_OK)
            continue; /* told of; the others can be shown */
        n = list_add(tx->out, &op->counts, &op->counts_n, sizeof(*n));
        if (!n)
            return arena_rc(tx->out, err);
        read_count(tx, cur, n);
    }
}

const struct store_op course_counts_op = {NULL, course_run};

enum { STATS_DAYS = 30, STATS_DAYS_MAX = 3660, DAY_MS = 24 * 3600 * 1000 };

/* Most cited first, so those that were never cited are the tail. */
static enum footnote_rc stats_documents(struct tx *tx, struct course_stats *op,
                                        struct footnote_err *err)
{
    struct course_counts all = {.course = op->course};
    size_t cited = 0;

    TRY(course_run(tx, &all, err));
    while (cited < all.counts_n && all.counts[cited].cited_n > 0)
        cited++;
    op->most = all.counts;
    op->most_n = cited;
    op->never = all.counts + cited;
    op->never_n = all.counts_n - cited;
    if (op->limit && op->most_n > op->limit)
        op->most_n = op->limit;
    if (op->limit && op->never_n > op->limit)
        op->never_n = op->limit;
    return FOOTNOTE_OK;
}

static int64_t stats_since(const struct tx *tx, const struct course_stats *op)
{
    int64_t days = op->days > 0 ? op->days : STATS_DAYS;
    int64_t today = tx->now_ms - tx->now_ms % DAY_MS;

    if (days > STATS_DAYS_MAX)
        days = STATS_DAYS_MAX;
    return today - (days - 1) * DAY_MS;
}

static enum footnote_rc stats_verdicts(struct tx *tx, struct course_stats *op,
                                       const struct course_row *c,
                                       struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_VERDICTS_OF_COURSE, &cur, &row, err,
               db_i64(tx->tenant), db_i64(c->key), db_i64(stats_since(tx, op)),
               db_i64(counted_account(tx, c)),
               db_text(STR(VERDICT_JUDGE_TEXT))));
    if (!row)
        return FOOTNOTE_OK;
    op->verdicts.answers = db_col_i64(cur, COL_VERDICTS_OF_COURSE_ANSWERS_N);
    op->verdicts.unsupported =
        db_col_i64(cur, COL_VERDICTS_OF_COURSE_UNSUPPORTED_N);
    op->verdicts.sentences = db_col_i64(cur, COL_VERDICTS_OF_COURSE_JUDGED_N);
    op->verdicts.carried = db_col_i64(cur, COL_VERDICTS_OF_COURSE_CARRIED_N);
    return FOOTNOTE_OK;
}

static enum footnote_rc stats_days(struct tx *tx, struct course_stats *op,
                                   const struct course_row *c,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_DAYS_OF_COURSE, &cur, err, db_i64(tx->tenant),
               db_i64(c->key), db_i64(stats_since(tx, op)),
               db_i64(counted_account(tx, c))));
    for (;;) {
        char text[CLOCK_TEXT + 1];
        struct day_count *d;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        d = list_add(tx->out, &op->per_day, &op->per_day_n, sizeof(*d));
        if (!d)
            return arena_rc(tx->out, err);
        clock_text(db_col_i64(cur, COL_DAYS_OF_COURSE_DAY), text);
        memcpy(d->date, text, sizeof(d->date) - 1);
        d->count = db_col_i64(cur, COL_DAYS_OF_COURSE_CITATIONS_N);
    }
}

static enum footnote_rc stats_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct course_stats *op = arg;
    struct course_row c;

    op->per_day = NULL;
    op->per_day_n = 0;
    TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    TRY(stats_documents(tx, op, err));
    TRY(stats_verdicts(tx, op, &c, err));
    return stats_days(tx, op, &c, err);
}

const struct store_op course_stats_op = {NULL, stats_run};
