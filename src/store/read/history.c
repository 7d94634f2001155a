/* history.c - a session's messages, and messages by id. */
#include "store/read/history.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "db/db.h"
#include "store/list.h"
#include "store/read/hint.h"
#include "store/read/loader.h"
#include "store/read/messages.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/session.h"
#include "store/session/session_row.h"
#include "store/state.h"
#include "store/store.h"

enum { ROUGHLY_BYTES = 16 * 1024 };

/* ---- history ------------------------------------------------------------ */

/* How many there will be, or a few less. */
static size_t expected(const struct history *op)
{
    size_t all = (size_t)op->head.last_seq;

    return op->limit && op->limit < all ? op->limit + 1 : all;
}

/* *rows: how many there were, also of those that are not shown. */
static enum footnote_rc add_rows(struct tx *tx, struct db_cur *cur,
                                 bool replaced, struct history *op,
                                 int64_t *rows, struct footnote_err *err)
{
    size_t room =
        list_room(tx->out, &op->messages, expected(op), sizeof(*op->messages));

    op->messages_n = 0;
    for (*rows = 0;; ++*rows) {
        struct message *m;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        m = op->messages_n < room
                ? &op->messages[op->messages_n++]
                : list_add(tx->out, &op->messages, &op->messages_n, sizeof(*m));
        if (!m)
            return arena_rc(tx->out, err);
        TRY(message_read_refs(tx, cur, op->brief, m, err));
        m->session = op->head.id;
        if (m->replaced_seq && !replaced)
            op->messages_n--;
    }
}

static void turn_round(struct message *m, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct message t = m[i];

        m[i] = m[n - 1 - i];
        m[n - 1 - i] = t;
    }
}

static enum footnote_rc read_one(struct tx *tx, int64_t session, int64_t seq,
                                 struct message *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_HISTORY_ONE, &cur, &row, err, db_i64(tx->tenant),
               db_i64(session), db_i64(seq)));
    if (!row)
        return err_set(err, FOOTNOTE_DAMAGED, "a message's row is missing");
    return message_read_refs(tx, cur, false, out, err);
}

/* The message in front of an answer, which may lend it sources. */
static enum footnote_rc read_front(struct tx *tx, int64_t session, int64_t seq,
                                   struct message *out, bool *there,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_one(tx->db, STMT_MESSAGE_IN_FRONT, &cur, there, err,
               db_i64(tx->tenant), db_i64(session), db_i64(seq)));
    if (!*there)
        return FOOTNOTE_OK;
    return read_one(tx, session, db_col_i64(cur, COL_MESSAGE_IN_FRONT_SEQ), out,
                    err);
}

/* One more than asked for: it tells whether there are more.  Its place is then
 * taken by what may lend its sources to the first answer shown. */
static enum footnote_rc read_page(struct tx *tx, struct history *op,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct message_row before = {.seq = INT32_MAX};
    int64_t rows;
    bool there;
    int64_t limit =
        op->limit && op->limit < INT32_MAX ? (int64_t)op->limit + 1 : INT32_MAX;

    if (op->before.p) {
        TRY(message_find(tx, op->before, &before, err));
        if (!before.found || before.session != op->head.key)
            return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    }
    TRY(db_run(tx->db, STMT_HISTORY_PAGE, &cur, err, db_i64(tx->tenant),
               db_i64(op->head.key), db_i64(before.seq), db_i64(op->replaced),
               db_i64(limit)));
    TRY(add_rows(tx, cur, true, op, &rows, err));
    turn_round(op->messages, op->messages_n);
    op->more = op->limit && op->messages_n > op->limit;
    if (!op->more)
        return FOOTNOTE_OK;
    return read_front(tx, op->head.key, op->messages[1].seq, &op->messages[0],
                      &there, err);
}

static bool is_whole(const struct history *op)
{
    return op->limit == 0 && !op->before.p;
}

static struct hint hint_of(const struct tx *tx, const struct history *op)
{
    return (struct hint){.tenant = tx->tenant, .session = op->head.key};
}

/* Everything that a history is made of, asked for at once. */
struct asked {
    bool once;        /* in: all of the rest is probably in the cache */
    struct hint hint; /* what was guessed */
    struct db_cur *messages, *events;
};

static void asked_end(struct asked *a)
{
    db_end(&a->messages);
    db_end(&a->events);
}

static enum footnote_rc ask_all(struct tx *tx, struct hint at, bool brief,
                                struct asked *out, struct footnote_err *err)
{
    TRY(db_run(tx->db, brief ? STMT_HISTORY_BRIEF : STMT_HISTORY_ALL,
               &out->messages, err, db_i64(at.tenant), db_i64(at.session)));
    return events_ask(tx, at, &out->events, err);
}

/* Where the rows are is guessed, so that nothing waits for the session's.  Who
 * was here before needs no more than this: the transaction ends with it. */
static enum footnote_rc open_all(struct tx *tx, struct history *op,
                                 struct asked *out, enum member_role *role,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct hint at = hint_get(tx->store->hints, tx->who, op->session), is;

    out->hint = at;
    arena_expect(tx->out, at.bytes);
    TRY(session_open_ask(tx, op->session, &cur, err));
    if (at.session) {
        TRY(ask_all(tx, at, op->brief, out, err));
        if (out->once && db_is_shared(tx->db))
            db_last(tx->db);
    }
    TRY(session_open_answer(tx, cur, op, role, err));
    is = hint_of(tx, op);
    if (at.session == is.session && at.tenant == is.tenant)
        return FOOTNOTE_OK;
    asked_end(out);
    return ask_all(tx, is, op->brief, out, err);
}

/* What was asked for in brief may be only a part on SQLite: see history_brief.
 */
static enum footnote_rc read_all(struct tx *tx, struct history *op,
                                 struct asked *out, enum member_role *role,
                                 struct footnote_err *err)
{
    int64_t rows;

    TRY(open_all(tx, op, out, role, err));
    TRY(add_rows(tx, out->messages, op->replaced, op, &rows, err));
    if (rows == op->head.last_seq || !op->brief || db_is_shared(tx->db))
        return FOOTNOTE_OK;
    db_end(&out->messages);
    TRY(db_run(tx->db, STMT_HISTORY_ALL, &out->messages, err,
               db_i64(tx->tenant), db_i64(op->head.key)));
    return add_rows(tx, out->messages, op->replaced, op, &rows, err);
}

static enum footnote_rc read_some(struct tx *tx, struct history *op,
                                  struct asked *out, enum member_role *role,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(session_open_ask(tx, op->session, &cur, err));
    TRY(session_open_answer(tx, cur, op, role, err));
    TRY(read_page(tx, op, err));
    return events_ask(tx, hint_of(tx, op), &out->events, err);
}

static enum footnote_rc history_prepare(struct tx *tx, void *arg,
                                        struct footnote_err *err)
{
    (void)arg;
    (void)err;
    tx->by_name = true;
    return FOOTNOTE_OK;
}

/* For the next reader. */
static void remember(struct tx *tx, const struct history *op, struct hint was,
                     size_t bytes)
{
    struct hint is = hint_of(tx, op);

    is.bytes = (bytes / ROUGHLY_BYTES + 1) * ROUGHLY_BYTES;
    if (is.session != was.session || is.tenant != was.tenant ||
        is.bytes != was.bytes)
        hint_put(tx->store->hints, tx->who, op->session, is);
}

static enum footnote_rc read_history(struct tx *tx, struct history *op,
                                     bool once, struct footnote_err *err)
{
    AUTO(loader_free) struct loader l = {.tx = NULL};
    AUTO(asked_end) struct asked asked = {.once = once};
    enum member_role role = MEMBER_NONE;
    size_t before = tx->out->used_bytes;

    op->messages = NULL;
    op->messages_n = 0;
    op->more = false;
    TRY((is_whole(op) ? read_all : read_some)(tx, op, &asked, &role, err));
    TRY(loader_init(&l, tx, op->light, err));
    l.settled = op->settled;
    loader_role(&l, op->head.pool, role);
    TRY(messages_finish(&l, op->head.key, asked.events, op->messages,
                        op->messages_n, err));
    if (is_whole(op))
        remember(tx, op, asked.hint, tx->out->used_bytes - before);
    if (op->more) {
        op->messages++;
        op->messages_n--;
    }
    return arena_rc(tx->out, err);
}

/* A source that is new, or a document of which something is: all of it once
 * more, so that it is of one moment. */
static enum footnote_rc history_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    enum footnote_rc rc = read_history(tx, arg, true, err);

    if (!db_is_late(tx->db))
        return rc;
    db_rollback(tx->db);
    TRY(db_begin(tx->db, err));
    return read_history(tx, arg, false, err);
}

const struct store_op history_op = {history_prepare, history_run};

/* ---- messages_by_id ----------------------------------------------------- */

/* The message with the one in front of it. */
static enum footnote_rc read_pair(struct tx *tx, int64_t session, int64_t seq,
                                  struct message pair[2], size_t *n,
                                  struct footnote_err *err)
{
    bool there;

    TRY(read_front(tx, session, seq, &pair[0], &there, err));
    *n = there ? 2 : 1;
    return read_one(tx, session, seq, &pair[*n - 1], err);
}

static enum footnote_rc session_id(struct tx *tx, int64_t session,
                                   struct str *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_SESSION_PUBLIC, &cur, &row, err, db_i64(tx->tenant),
               db_i64(session)));
    *out = row ? arena_str(tx->out, db_col_str(cur, COL_SESSION_PUBLIC_ID))
               : STR_NONE;
    return arena_rc(tx->out, err);
}

static enum footnote_rc one_by_id(struct loader *l, struct str id,
                                  struct message *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *events = NULL;
    struct tx *tx = l->tx;
    struct message pair[2];
    struct message_row row;
    size_t n;

    TRY(message_find(tx, id, &row, err));
    if (!row.found)
        return FOOTNOTE_OK;
    TRY(read_pair(tx, row.session, row.seq, pair, &n, err));
    TRY(events_ask(tx,
                   (struct hint){.tenant = tx->tenant, .session = row.session},
                   &events, err));
    TRY(messages_finish(l, row.session, events, pair, n, err));
    *out = pair[n - 1];
    return session_id(tx, row.session, &out->session, err);
}

static enum footnote_rc by_id_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(loader_free) struct loader l = {.tx = NULL};
    struct messages_by_id *op = arg;

    if (op->ids_n > STORE_IDS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "ids", "%zu, at most %d",
                         op->ids_n, STORE_IDS_MAX);
    op->messages = arena_many(tx->out, op->ids_n + 1, struct message);
    if (!op->messages)
        return arena_rc(tx->out, err);
    TRY(loader_init(&l, tx, op->light, err));
    for (size_t i = 0; i < op->ids_n; i++)
        TRY(one_by_id(&l, op->ids[i], &op->messages[i], err));
    return FOOTNOTE_OK;
}

const struct store_op messages_by_id_op = {NULL, by_id_run};

/* ---- session_images ----------------------------------------------------- */

static enum footnote_rc images_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct session_images *op = arg;
    struct session s;

    op->messages = NULL;
    op->messages_n = 0;
    TRY(session_read(tx, op->session, &s, err));
    TRY(db_run(tx->db, STMT_SESSION_IMAGES, &cur, err, db_i64(tx->tenant),
               db_i64(s.key)));
    for (;;) {
        struct message *m;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        m = list_add(tx->out, &op->messages, &op->messages_n, sizeof(*m));
        if (!m)
            return arena_rc(tx->out, err);
        TRY(message_read(tx, cur, false, m, err));
        m->session = s.id;
    }
}

const struct store_op session_images_op = {NULL, images_run};
