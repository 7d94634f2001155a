/* history.c - a session's messages, and messages by id.
 *
 * There is one way to read a history:
 *
 *     its versions ---> bytes kept at these versions (api/history_cache.c)
 *          | else
 *     rows by names, one round trip      (here, messages.c)
 *          |--> the path that is asked for, of all of them  (branches.c)
 *          |--> each source: the source cache, else its row   (loader.c)
 *          `--> each message is compared with its digest      (verified.c)
 */
#include "store/read/history.h"
#include "store/damage.h"
#include "store/list.h"
#include "store/read/branches.h"
#include "store/read/loader.h"
#include "store/read/messages.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/scope.h"
#include "store/session/session.h"
#include "store/session/session_row.h"

/* ---- history ------------------------------------------------------------ */

/* How many there will be, or a few less. */
static size_t expected(const struct history *op)
{
    size_t all = (size_t)op->head.last_seq;

    return op->limit && op->limit < all ? op->limit + 1 : all;
}

static enum footnote_rc add_rows(struct tx *tx, struct db_cur *cur,
                                 struct history *op, struct footnote_err *err)
{
    size_t room =
        list_room(tx->out, &op->messages, expected(op), sizeof(*op->messages));

    op->messages_n = 0;
    for (;;) {
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
        TRY(message_read_refs(tx, cur, op->head.key, op->brief, m, err));
        m->session = op->head.id;
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
    return message_read_refs(tx, cur, session, false, out, err);
}

/* The message in front of an answer, which may lend it sources. */
static enum footnote_rc read_front(struct tx *tx, int64_t session, int64_t seq,
                                   struct message *out, bool *there,
                                   struct footnote_err *err)
{
    enum footnote_role role;
    int64_t front;

    TRY(message_above(tx, session, seq,
                      ROLE_BIT(FOOTNOTE_USER) | ROLE_BIT(FOOTNOTE_ASSISTANT),
                      &front, &role, err));
    *there = front > 0;
    return *there ? read_one(tx, session, front, out, err) : FOOTNOTE_OK;
}

/* NOTFOUND when it is not in this session. */
static enum footnote_rc find_in(struct tx *tx, const struct history *op,
                                struct str id, struct message_row *out,
                                struct footnote_err *err)
{
    TRY(message_find(tx, id, out, err));
    if (!out->found || out->session != op->head.key)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    return FOOTNOTE_OK;
}

/* One more than asked for: it tells whether there are more.  Its place is then
 * taken by what may lend its sources to the first answer shown. */
static enum footnote_rc read_page(struct tx *tx, struct history *op,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct message_row before = {.seq = INT32_MAX};
    bool there;
    int64_t limit =
        op->limit && op->limit < INT32_MAX ? (int64_t)op->limit + 1 : INT32_MAX;

    if (op->before.p)
        TRY(find_in(tx, op, op->before, &before, err));
    TRY(db_run(tx->db, STMT_HISTORY_PAGE, &cur, err, db_i64(tx->tenant),
               db_i64(op->head.key), db_i64(before.seq), db_i64(limit)));
    TRY(add_rows(tx, cur, op, err));
    for (size_t i = 0, k = op->messages_n; i + 1 < k; i++) {
        struct message m = op->messages[i];

        op->messages[i] = op->messages[--k];
        op->messages[k] = m;
    }
    op->more = op->limit && op->messages_n > op->limit;
    if (!op->more)
        return FOOTNOTE_OK;
    TRY(read_front(tx, op->head.key, op->messages[1].seq, &op->messages[0],
                   &there, err));
    op->messages[1].front_seq = op->messages[0].seq;
    return FOOTNOTE_OK;
}

/* ---- A whole history ---------------------------------------------------- */

/* All statements go by names, so that none waits for the key of the session:
 * on PostgreSQL they share a round trip. */
static enum footnote_rc ask_all(struct tx *tx, const struct history *op,
                                enum stmt_id stmt, struct db_cur **out,
                                struct footnote_err *err)
{
    return db_run(tx->db, stmt, out, err, db_text(tx->who.user),
                  db_text(op->session), db_text(tx->who.tenant));
}

/* On SQLite STMT_HISTORY_BRIEF may miss rows, see there. */
static enum footnote_rc read_all(struct tx *tx, struct history *op,
                                 struct beside_messages *beside,
                                 enum member_role *role,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *session = NULL;
    AUTO(db_end) struct db_cur *messages = NULL;
    struct db_value of[2];

    TRY(session_open_ask(tx, op->session, &session, err));
    TRY(ask_all(tx, op, op->brief ? STMT_HISTORY_BRIEF : STMT_HISTORY_ALL,
                &messages, err));
    TRY(ask_all(tx, op, STMT_HISTORY_EVENTS, &beside->events, err));
    TRY(ask_all(tx, op, STMT_HISTORY_VERDICTS, &beside->verdicts, err));
    TRY(session_open_answer(tx, session, op, role, err));
    of[0] = db_i64(tx->tenant);
    of[1] = db_i64(op->head.key);
    TRY(add_rows(tx, messages, op, err));
    if ((int64_t)op->messages_n != op->head.last_seq && op->brief) {
        db_end(&messages);
        TRY(ask_all(tx, op, STMT_HISTORY_ALL, &messages, err));
        TRY(add_rows(tx, messages, op, err));
    }
    if ((int64_t)op->messages_n == op->head.last_seq)
        return FOOTNOTE_OK;
    /* A message is missing: each ordinal has one. */
    return damage_found(tx->store, SEALED_SESSION, of, err);
}

/* A page of a session in which there is but one path; *done: it is one. */
static enum footnote_rc read_some(struct tx *tx, struct history *op,
                                  struct beside_messages *beside,
                                  enum member_role *role, bool *done,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    AUTO(db_end) struct db_cur *hidden = NULL;
    bool branched;

    TRY(session_open_ask(tx, op->session, &cur, err));
    TRY(session_open_answer(tx, cur, op, role, err));
    TRY(db_one(tx->db, STMT_MESSAGE_HIDDEN, &hidden, &branched, err,
               db_i64(op->head.key), db_i64(tx->tenant)));
    *done = !branched;
    if (branched)
        return FOOTNOTE_OK;
    TRY(read_page(tx, op, err));
    return beside_ask(tx, op->head.key, beside, err);
}

/* All messages of the session, of which those that were asked for are left. */
static enum footnote_rc read_branches(struct tx *tx, struct history *op,
                                      struct beside_messages *beside,
                                      enum member_role *role,
                                      struct footnote_err *err)
{
    struct message_row at = {.seq = 0}, before = {.seq = INT64_MAX};

    TRY(read_all(tx, op, beside, role, err));
    if (op->at.p)
        TRY(find_in(tx, op, op->at, &at, err));
    if (op->before.p)
        TRY(find_in(tx, op, op->before, &before, err));
    TRY(branches_choose(tx, op, at.seq, err));
    branches_cut(op, before.seq);
    return FOOTNOTE_OK;
}

static enum footnote_rc history_prepare(struct tx *tx, void *arg,
                                        struct footnote_err *err)
{
    (void)arg;
    (void)err;
    tx->by_name = true;
    return FOOTNOTE_OK;
}

static enum footnote_rc history_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    AUTO(loader_free) struct loader l = {.tx = NULL};
    AUTO(beside_end) struct beside_messages beside = {.events = NULL};
    struct history *op = arg;
    bool whole = op->limit == 0 && !op->before.p, done = false;
    enum member_role role = MEMBER_NONE;

    op->messages = NULL;
    op->messages_n = 0;
    op->more = false;
    if (!whole && !op->at.p && !op->replaced)
        TRY(read_some(tx, op, &beside, &role, &done, err));
    if (!done)
        TRY(read_branches(tx, op, &beside, &role, err));
    TRY(loader_init(&l, tx, op->light, err));
    l.unlinked = op->brief;
    l.settled = op->settled;
    l.stored = op->stored;
    loader_role(&l, op->head.pool, role);
    TRY(messages_finish(&l, op->head.key, &beside, op->messages, op->messages_n,
                        err));
    if (op->more) {
        op->messages++;
        op->messages_n--;
    }
    return arena_rc(tx->out, err);
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
    TRY(read_one(tx, session, seq, &pair[*n - 1], err));
    if (there)
        pair[1].front_seq = pair[0].seq;
    return FOOTNOTE_OK;
}

static enum footnote_rc one_by_id(struct loader *l, struct str id,
                                  struct message *out, struct footnote_err *err)
{
    AUTO(beside_end) struct beside_messages beside = {.events = NULL};
    struct tx *tx = l->tx;
    struct message pair[2];
    struct str session = STR_NONE;
    struct message_row row;
    size_t n;

    TRY(message_find(tx, id, &row, err));
    if (row.found)
        TRY(session_id_of(tx, row.session, &session, err));
    if (!row.found || (!session.p && scope_confines(tx->scope)))
        return FOOTNOTE_OK;
    TRY(read_pair(tx, row.session, row.seq, pair, &n, err));
    TRY(branches_link_one(tx, row.session, &pair[n - 1], err));
    TRY(beside_ask(tx, row.session, &beside, err));
    TRY(messages_finish(l, row.session, &beside, pair, n, err));
    *out = pair[n - 1];
    out->session = session;
    return FOOTNOTE_OK;
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
        TRY(message_read(tx, cur, s.key, false, m, err));
        m->session = s.id;
    }
}

const struct store_op session_images_op = {NULL, images_run};
