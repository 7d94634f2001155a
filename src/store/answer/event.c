/* event.c - retrieval events: what was searched for, and what it found.
 *
 * A caller's own event hangs on the user's message, and so do its sources:
 * they are that message's references, lent to the answer that follows. */
#include <assert.h>

#include "base/json.h"
#include "store/answer/event.h"
#include "store/answer/event_row.h"
#include "store/check.h"
#include "store/list.h"
#include "store/read/loader.h"
#include "store/read/messages.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/session.h"
#include "store/session/session_row.h"
#include "store/source/reference.h"
#include "store/usage.h"

static enum footnote_rc pack_numbers(struct tx *tx,
                                     const struct new_references *fresh,
                                     struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF((size_t)16 * 1024);
    struct json_out w = JSON_OUT(&b);

    json_array(&w);
    for (size_t i = 0; i < fresh->n; i++)
        json_i64(&w, fresh->items[i].number);
    json_end(&w, ']');
    TRY(buf_rc(&b, err));
    *out = arena_str(tx->scratch, buf_str(&b));
    return arena_rc(tx->scratch, err);
}

/* In thousandths, as the shortest decimals. */
static enum footnote_rc pack_coverage(struct tx *tx, const struct event_new *e,
                                      struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF((size_t)16 * 1024);
    struct json_out w = JSON_OUT(&b);

    *out = STR_NONE;
    if (!e->coverage)
        return FOOTNOTE_OK;
    json_array(&w);
    for (size_t i = 0; i < e->fresh->n; i++)
        json_f64(&w, (double)(int)(e->coverage[i] * 1000 + 0.5) / 1000);
    json_end(&w, ']');
    TRY(buf_rc(&b, err));
    *out = arena_str(tx->scratch, buf_str(&b));
    return arena_rc(tx->scratch, err);
}

enum footnote_rc event_insert_packed(struct tx *tx, const struct event_new *e,
                                     struct str numbers, struct str coverage,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *next = NULL;
    enum { SEAL = COL_EVENT_SEALED_SEAL };
    struct db_value values[SEAL + 1];
    int64_t ordinal;
    bool row;

    TRY(db_one(tx->db, STMT_EVENT_NEXT, &next, &row, err, db_i64(tx->tenant),
               db_i64(e->session)));
    ordinal = row ? db_col_i64(next, COL_EVENT_NEXT_EVENT) : 1;
    TRY(usage_add(
        tx, tx->account,
        (struct usage){.bytes = SQL_USAGE_EVENT + (int64_t)e->query.n}, err));
    values[COL_EVENT_SEALED_TENANT] = db_i64(tx->tenant);
    values[COL_EVENT_SEALED_SESSION] = db_i64(e->session);
    values[COL_EVENT_SEALED_EVENT] = db_i64(ordinal);
    values[COL_EVENT_SEALED_SEQ] = db_i64(e->seq);
    values[COL_EVENT_SEALED_ANSWER] = db_opt(e->answer > 0, e->answer);
    values[COL_EVENT_SEALED_CREATED_MS] = db_i64(tx->now_ms);
    values[COL_EVENT_SEALED_KIND] = db_i64(e->web ? 2 : 1);
    values[COL_EVENT_SEALED_LOW_CONFIDENCE] =
        db_opt(e->has_low_confidence, e->low_confidence);
    values[COL_EVENT_SEALED_ID] = db_text(e->id);
    values[COL_EVENT_SEALED_NUMBERS] = db_text(numbers);
    values[COL_EVENT_SEALED_COVERAGE] = db_text(coverage);
    values[COL_EVENT_SEALED_QUERY] = db_text(e->query);
    values[SEAL] = seal_of(SEALED_EVENT, values, SEAL);
    return db_do_n(tx->db, STMT_EVENT_INSERT, values, SEAL + 1, err);
}

enum footnote_rc event_insert(struct tx *tx, const struct event_new *e,
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *found = NULL;
    struct str numbers, coverage;
    bool row = false;

    assert(e->id.p && e->query.p && e->fresh);
    if (tx->again)
        TRY(db_one(tx->db, STMT_EVENT_FIND, &found, &row, err,
                   db_i64(tx->tenant), db_i64(e->session), db_text(e->id)));
    if (row)
        return FOOTNOTE_OK;
    TRY(pack_numbers(tx, e->fresh, &numbers, err));
    TRY(pack_coverage(tx, e, &coverage, err));
    return event_insert_packed(tx, e, numbers, coverage, err);
}

/* ---- event_add ---------------------------------------------------------- */

static enum footnote_rc add_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct event_add *op = arg;
    struct prepared_message *r =
        arena_new(tx->scratch, struct prepared_message);

    if (!r)
        return arena_rc(tx->scratch, err);
    if (!op->session.p || !op->user_message.p || !op->query.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "session, userMessageId or query is missing");
    TRY(check_id(op->id, "id", err));
    TRY(check_id(op->session, "session", err));
    TRY(check_id(op->user_message, "userMessageId", err));
    TRY(check_text(op->query, STORE_QUESTION_BYTES_MAX, "query", err));
    id_or_new(op->id, op->id_text);
    TRY(sha256_open(&c, err));
    TRY(new_references_make(tx, c, op->sources, op->sources_n, &r->fresh, err));
    op->prepared = r;
    return FOOTNOTE_OK;
}

/* An answer that is there already gets its markers. */
static enum footnote_rc mark_answer(struct tx *tx, int64_t session, int64_t seq,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct new_references own;
    struct str content;
    bool row;

    TRY(db_one(tx->db, STMT_MESSAGE_AFTER, &cur, &row, err, db_i64(tx->tenant),
               db_i64(session), db_i64(seq)));
    if (!row || db_col_i64(cur, COL_MESSAGE_AFTER_ROLE) != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    content =
        arena_str(tx->scratch, db_col_str(cur, COL_MESSAGE_AFTER_CONTENT));
    if (!content.p)
        return arena_rc(tx->scratch, err);
    TRY(new_references_load(tx, session, db_col_i64(cur, COL_MESSAGE_AFTER_SEQ),
                            &own, err));
    if (own.n > 0)
        return FOOTNOTE_OK;
    return mark_borrowed(tx, session, db_col_i64(cur, COL_MESSAGE_AFTER_SEQ),
                         content, err);
}

static enum footnote_rc is_there(struct tx *tx, struct str session,
                                 struct str id, bool *out,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct session_row s;

    *out = false;
    if (!id.p)
        return FOOTNOTE_OK;
    TRY(session_find(tx, session, &s, err));
    if (!s.found || s.deleted)
        return FOOTNOTE_OK;
    return db_one(tx->db, STMT_EVENT_FIND, &cur, out, err, db_i64(tx->tenant),
                  db_i64(s.key), db_text(id));
}

static enum footnote_rc add_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct event_add *op = arg;
    struct new_references there, whole;
    struct session_row s;
    struct message_row row;
    bool again;
    struct event_new e = {.id = str_c(op->id_text),
                          .query = op->query,
                          .web = op->web,
                          .has_low_confidence = op->has_low_confidence,
                          .low_confidence = op->low_confidence,
                          .fresh = &op->prepared->fresh};

    TRY(is_there(tx, op->session, op->id, &again, err));
    op->made = !again;
    if (again)
        return FOOTNOTE_OK;
    TRY(message_need(tx, op->session, op->user_message, FOOTNOTE_USER, &s, &row,
                     err));
    e.session = s.key;
    e.seq = row.seq;
    TRY(new_references_load(tx, s.key, row.seq, &there, err));
    TRY(new_references_number(tx, &there, &op->prepared->fresh, 1, &whole,
                              err));
    TRY(new_references_store(tx, s.key, row.seq, s.pool, &whole, err));
    TRY(mark_answer(tx, s.key, row.seq, err));
    return event_insert(tx, &e, err);
}

const struct store_op event_add_op = {add_prepare, add_run};

/* ---- event_list --------------------------------------------------------- */

enum footnote_rc event_read(struct tx *tx, int64_t session, struct db_cur *cur,
                            struct event *out, struct footnote_err *err)
{
    const struct db_value of[] = {db_i64(tx->tenant), db_i64(session)};
    struct db_value row[SEAL_COLUMNS_MAX];
    const struct db_value *low = &row[COL_EVENT_SEALED_LOW_CONFIDENCE];

    TRY(seal_check_row(tx, SEALED_EVENT, cur, of, 2, row, err));
    *out = (struct event){
        .id = db_value_str(&row[COL_EVENT_SEALED_ID]),
        .query = db_value_str(&row[COL_EVENT_SEALED_QUERY]),
        .coverage = db_value_str(&row[COL_EVENT_SEALED_COVERAGE]),
        .numbers = db_value_str(&row[COL_EVENT_SEALED_NUMBERS]),
        .web = db_value_i64(&row[COL_EVENT_SEALED_KIND]) == 2,
        .has_low_confidence = low->type != DB_NULL,
        .low_confidence = db_value_i64(low) != 0,
        .created_ms = db_value_i64(&row[COL_EVENT_SEALED_CREATED_MS]),
        .question_seq = db_value_i64(&row[COL_EVENT_SEALED_SEQ]),
        .answer_seq = db_value_i64(&row[COL_EVENT_SEALED_ANSWER])};
    return FOOTNOTE_OK;
}

static void keep_event(struct arena *a, const struct event *e,
                       struct event *out)
{
    *out = *e;
    out->id = arena_str(a, e->id);
    out->query = arena_str(a, e->query);
    out->coverage = arena_str(a, e->coverage);
    out->numbers = arena_str(a, e->numbers);
}

/* Readers write it as it is into JSON of theirs. */
static enum footnote_rc check_coverage(struct tx *tx, const struct event *e,
                                       struct footnote_err *err)
{
    struct json *list = NULL;
    enum footnote_rc rc = FOOTNOTE_OK;

    if (e->coverage.p)
        rc = json_read(tx->scratch, e->coverage, &list, err);
    if (rc == FOOTNOTE_NOMEM || !e->coverage.p)
        return rc;
    if (rc == FOOTNOTE_OK && list->type == JSON_ARRAY)
        return FOOTNOTE_OK;
    return err_set(err, FOOTNOTE_DAMAGED,
                   "the stored coverage of a search is damaged");
}

static enum footnote_rc list_rows(struct tx *tx, int64_t session,
                                  struct event_list *op,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_EVENTS_OF_SESSION, &cur, err, db_i64(tx->tenant),
               db_i64(session)));
    for (;;) {
        struct event e, *kept;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        if (event_read(tx, session, cur, &e, NULL) != FOOTNOTE_OK ||
            (op->only.p && !str_eq(op->only, e.id)))
            continue;
        kept = list_add(tx->out, &op->events, &op->events_n, sizeof(*kept));
        if (!kept)
            return arena_rc(tx->out, err);
        keep_event(tx->out, &e, kept);
        TRY(check_coverage(tx, kept, err));
    }
}

static const struct reference *numbered(const struct message *m, int64_t number)
{
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].number == number)
            return &m->sources[i];
    return NULL;
}

/* The id of a message, and its references when `refs` is not NULL. */
static enum footnote_rc read_message(struct loader *l, int64_t session,
                                     int64_t seq, struct str *id,
                                     struct message *refs,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_value row[SEAL_COLUMNS_MAX];
    struct tx *tx = l->tx;

    TRY(message_read_row(tx, session, seq, &cur, row, err));
    *id = arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_ID]));
    if (!refs)
        return arena_rc(tx->out, err);
    TRY(refs_read(tx, db_value_str(&row[COL_MESSAGE_SEALED_REFS]), refs, err));
    return message_sources(l, refs, err);
}

/* Picks those of the message's references that the event found. */
static enum footnote_rc pick(struct loader *l, int64_t session, struct event *e,
                             struct footnote_err *err)
{
    bool own = e->answer_seq > 0; /* the answer's, not the question's */
    struct message m = {.sources_n = 0};
    struct reference *list = NULL;
    struct json *numbers;

    TRY(read_message(l, session, e->question_seq, &e->user_message,
                     own ? NULL : &m, err));
    if (own)
        TRY(read_message(l, session, e->answer_seq, &e->answer, &m, err));
    TRY(json_read(l->tx->scratch, e->numbers, &numbers, err));
    list = arena_many(l->tx->out, numbers->n + 1, struct reference);
    if (!list)
        return arena_rc(l->tx->out, err);
    for (const struct json *v = numbers->first; v; v = v->next) {
        const struct reference *r = numbered(&m, v->i);

        if (r)
            list[e->sources_n++] = *r;
    }
    e->sources = list;
    return FOOTNOTE_OK;
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(loader_free) struct loader l = {.tx = NULL};
    struct event_list *op = arg;
    struct session s;

    op->events = NULL;
    op->events_n = 0;
    TRY(session_read(tx, op->session, &s, err));
    TRY(list_rows(tx, s.key, op, err));
    TRY(loader_init(&l, tx, false, err));
    for (size_t i = 0; i < op->events_n; i++)
        TRY(pick(&l, s.key, &op->events[i], err));
    return FOOTNOTE_OK;
}

const struct store_op event_list_op = {NULL, list_run};
