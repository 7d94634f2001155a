/* session_op.c - a session goes in by the store's own operations, in one
 * transaction.
 *
 * What is there already is compared by the store: the same is a repeat, which
 * writes nothing, and anything else a conflict, which takes the whole session
 * back.  Each operation runs at the time that its message has in the source, so
 * what the store makes of the time is as old as it was there. */
#include "import/session_op.h"

#include "import/staged.h"
#include "store/session/message_row.h"
#include "store/session/session.h"
#include "store/session/session_row.h"

/* ---- What it comes to ---------------------------------------------------- */

/* A line of what the session's digest is over: docs/moving.md. */
static void add_line(struct sha256_ctx *c, struct str kind, struct str id,
                     const struct sha256 *digest)
{
    char hex[SHA256_HEX + 1] = "";

    if (digest)
        sha256_hex(digest, hex);
    sha256_add(c, kind);
    sha256_add(c, id);
    sha256_add(c, STR(" "));
    sha256_add(c, str_c(hex));
    sha256_add(c, STR("\n"));
}

static enum footnote_rc add_sources(struct session_import *op,
                                    struct sha256_ctx *c,
                                    const struct new_references *list,
                                    struct footnote_err *err)
{
    if (op->sources_n + list->n > op->sources_max) {
        size_t max = (op->sources_n + list->n) * 2;
        struct sha256 *more = arena_many(op->a, max, struct sha256);

        if (!more)
            return arena_rc(op->a, err);
        if (op->sources_n)
            memcpy(more, op->sources, op->sources_n * sizeof(*more));
        op->sources = more;
        op->sources_max = max;
    }
    for (size_t i = 0; i < list->n; i++) {
        op->sources[op->sources_n++] = list->items[i].digest;
        if (c)
            add_line(c, STR("s "), STR(""), &list->items[i].digest);
    }
    return FOOTNOTE_OK;
}

/* ---- Preparing ----------------------------------------------------------- */

static enum footnote_rc prepare_text(struct tx *tx, struct session_import *op,
                                     size_t i, struct sha256_ctx *c,
                                     struct footnote_err *err)
{
    struct message_save *save = &op->saves[i];

    TRY(OP(message_save)->prepare(tx, save, err));
    add_line(c, STR("m "), save->message.id, &save->prepared->digest);
    return add_sources(op, NULL, &save->prepared->whole, err);
}

static enum footnote_rc prepare_sources(struct tx *tx,
                                        struct session_import *op, size_t i,
                                        struct sha256_ctx *c,
                                        struct footnote_err *err)
{
    struct message_cite *cite = &op->cites[i];

    TRY(OP(message_cite)->prepare(tx, cite, err));
    add_line(c, STR("m "), cite->message, NULL);
    return add_sources(op, c, &cite->prepared->fresh, err);
}

static enum footnote_rc prepare_message(struct tx *tx,
                                        struct session_import *op, size_t i,
                                        struct sha256_ctx *c,
                                        struct footnote_err *err)
{
    const struct import_message *m = &op->s->messages[i];

    TRY(m->m.content.p ? prepare_text(tx, op, i, c, err)
                       : prepare_sources(tx, op, i, c, err));
    for (size_t e = 0; e < m->events_n; e++) {
        TRY(OP(event_add)->prepare(tx, &m->events[e], err));
        add_line(c, STR("e "), m->events[e].id, NULL);
        TRY(add_sources(op, c, &m->events[e].prepared->fresh, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc import_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct session_import *op = arg;
    struct session_put head = {
        .id = op->s->id, .course = op->s->course, .title = op->s->title};

    TRY(OP(session_put)->prepare(tx, &head, err));
    TRY(sha256_open(&c, err));
    sha256_begin(c);
    add_line(c, STR("footnote-import-1 "), op->s->id, NULL);
    for (size_t i = 0; i < op->s->messages_n; i++) {
        enum footnote_rc rc = prepare_message(tx, op, i, c, err);

        if (rc != FOOTNOTE_OK) {
            err_prefix(err, "message %.*s", STR_ARG(op->s->messages[i].m.id));
            return rc;
        }
    }
    sha256_end(c, &op->digest);
    op->show = (struct session_put){.id = op->s->id, .shown = op->s->shown};
    TRY(OP(session_put)->prepare(tx, &op->show, err));
    op->prepared(op->arg);
    return FOOTNOTE_OK;
}

/* ---- Writing ------------------------------------------------------------- */

static void go_to(struct tx *tx, int64_t ms)
{
    if (ms > 0)
        tx->now_ms = ms;
}

static enum footnote_rc run_events(struct tx *tx, struct session_import *op,
                                   const struct import_message *m,
                                   struct footnote_err *err)
{
    for (size_t i = 0; i < m->events_n; i++) {
        go_to(tx, m->events_ms[i]);
        TRY(OP(event_add)->run(tx, &m->events[i], err));
        op->made |= m->events[i].made;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc run_message(struct tx *tx, struct session_import *op,
                                    size_t i, struct footnote_err *err)
{
    const struct import_message *m = &op->s->messages[i];

    go_to(tx, m->m.created_ms);
    if (m->m.content.p) {
        TRY(OP(message_save)->run(tx, &op->saves[i], err));
        op->made |= op->saves[i].made;
    } else {
        struct message_row row;

        TRY(message_find(tx, m->m.id, &row, err));
        if (row.found)
            return FOOTNOTE_OK;
        TRY(OP(message_cite)->run(tx, &op->cites[i], err));
        op->made = true;
    }
    return run_events(tx, op, m, err);
}

static enum footnote_rc run_all(struct tx *tx, struct session_import *op,
                                struct footnote_err *err)
{
    const struct import_session *s = op->s;
    struct session_row row;

    TRY(session_find(tx, s->id, &row, err));
    if (row.deleted)
        return err_set(err, FOOTNOTE_NOTFOUND, "it was deleted here");
    op->made = !row.found;
    go_to(tx, s->created_ms);
    if (!row.found)
        TRY(session_make(tx,
                         &(struct session_new){.id = s->id,
                                               .title = s->title,
                                               .course = {.id = s->course}},
                         &row, err));
    for (size_t i = 0; i < s->messages_n; i++)
        TRY(run_message(tx, op, i, err));
    if (!op->made)
        return FOOTNOTE_OK;
    if (s->shown.p)
        TRY(OP(session_put)->run(tx, &op->show, err));
    go_to(tx, s->active_ms);
    return session_touch(tx, row.key, err);
}

static enum footnote_rc import_op_run(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    struct session_import *op = arg;
    int64_t now_ms = tx->now_ms;
    enum footnote_rc rc = run_all(tx, op, err);

    tx->now_ms = now_ms;
    if (rc != FOOTNOTE_OK || !op->dry)
        return rc;
    op->taken_back = true;
    return err_set(err, FOOTNOTE_CONFLICT, "a dry run");
}

const struct store_op session_import_op = {import_prepare, import_op_run};

/* ---- Courses ------------------------------------------------------------- */

/* A course belongs to whoever names it first.  The next user reads it, which is
 * what their citations need. */
static enum footnote_rc let_in(struct import *im, struct str course,
                               struct who who, struct course_entry *out,
                               struct footnote_err *err)
{
    struct str owner;

    TRY(staged_course(im->staged, im->a, course, &owner, err));
    out->who = who;
    if (owner.p) {
        out->kind = OP(member_put);
        out->who.user = owner;
        out->member = (struct member_put){
            .course = course, .user = who.user, .role = MEMBER_READER};
        return FOOTNOTE_OK;
    }
    out->kind = OP(course_put);
    out->make = (struct course_put){.id = course};
    return staged_course_put(im->staged, course, who.user, err);
}

enum footnote_rc session_enter_course(struct import *im, struct str course,
                                      struct who who, struct course_entry *out,
                                      struct footnote_err *err)
{
    struct course_get get = {.id = course};
    enum footnote_rc rc;
    bool is_new;

    out->kind = NULL;
    if (!course.p || im->o->dry)
        return FOOTNOTE_OK;
    TRY(staged_member_put(im->staged, course, who.user, &is_new, err));
    if (!is_new)
        return FOOTNOTE_OK;
    rc = store_read(im->o->store, who, im->a, OP(course_get), &get, err);
    if (rc == FOOTNOTE_NOTFOUND)
        return let_in(im, course, who, out, err);
    return rc == FOOTNOTE_OK
               ? staged_course_put(im->staged, course, get.course.owner, err)
               : rc;
}

/* ---- The session --------------------------------------------------------- */

enum footnote_rc session_op_fill(struct import *im, struct import_session *s,
                                 struct session_import *op,
                                 struct footnote_err *err)
{
    *op = (struct session_import){.a = im->a, .dry = im->o->dry, .s = s};
    op->saves = arena_many(im->a, s->messages_n + 1, struct message_save);
    op->cites = arena_many(im->a, s->messages_n + 1, struct message_cite);
    if (!op->saves || !op->cites)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < s->messages_n; i++) {
        struct import_message *m = &s->messages[i];

        m->m.session = s->id;
        op->saves[i].message = m->m;
        op->cites[i] = (struct message_cite){.message = m->m.id,
                                             .session = s->id,
                                             .sources = m->m.sources,
                                             .sources_n = m->m.sources_n};
        for (size_t e = 0; e < m->events_n; e++) {
            m->events[e].session = s->id;
            m->events[e].user_message = m->m.id;
        }
    }
    return FOOTNOTE_OK;
}
