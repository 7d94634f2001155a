/* whole.c - reads a session with all that it has. */
#include "store/session/whole.h"

#include "cite/source.h"
#include "store/list.h"
#include "store/read/history.h"
#include "store/read/messages.h"
#include "store/session/course.h"
#include "store/source/digest.h"
#include "store/source/verdict_form.h"

static void *ours(const void *result)
{
    return (void *)(uintptr_t)result;
}

/* ---- Digests ------------------------------------------------------------ */

static bool is_whole(const struct reference *r)
{
    return r->state != FOOTNOTE_REDACTED && r->state != FOOTNOTE_WITHDRAWN;
}

/* The digest of a source of which the reader does not see everything. */
static enum footnote_rc digest_of_rest(struct tx *tx, struct sha256_ctx *c,
                                       struct reference *r,
                                       struct footnote_err *err)
{
    struct str key;

    if (is_whole(r))
        return FOOTNOTE_OK;
    TRY(source_key(tx->scratch, &r->source, &key, err));
    source_digest(c, &r->source, key, &r->digest);
    return FOOTNOTE_OK;
}

/* Its stored digest has been checked, and is over all of it. */
static enum footnote_rc digest(struct tx *tx, struct sha256_ctx *c,
                               struct message *m, struct footnote_err *err)
{
    size_t n = m->role == FOOTNOTE_ASSISTANT ? m->sources_n : 0;
    struct reference *list = ours(m->sources);
    struct digest_line *lines;

    m->has_digest = m->content.p != NULL;
    if (!m->has_digest)
        return FOOTNOTE_OK;
    lines = arena_many(tx->scratch, n + 1, struct digest_line);
    if (!lines)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < n; i++) {
        TRY(digest_of_rest(tx, c, &list[i], err));
        lines[i] = digest_line(list[i].number, &list[i].digest,
                               list[i].has_score, list[i].score);
    }
    message_digest(c, m->role, m->content, &m->digest, lines, n);
    return FOOTNOTE_OK;
}

/* ---- Verdicts ------------------------------------------------------------ */

static bool has_words(const struct message *m, const struct message *front,
                      uint32_t number)
{
    const struct message *of = m->sources_n || !front ? m : front;

    for (size_t i = 0; i < of->sources_n; i++)
        if (of->sources[i].number == number)
            return of->sources[i].source.preview.p;
    return false;
}

/* Nobody is told where the words are of a source that is not shown. */
static enum footnote_rc hide_spans(struct tx *tx, const struct message *m,
                                   const struct message *front,
                                   struct verdict_record *v,
                                   struct footnote_err *err)
{
    struct sentence_verdict *list = ours(v->sentences);

    for (size_t i = 0; i < v->n; i++)
        if (list[i].to && !has_words(m, front, list[i].number))
            list[i].from = list[i].to = 0;
    return verdicts_pack(tx->out, list, v->n, &v->packed, err);
}

/* They name the digest that the message has on its way out. */
static enum footnote_rc finish_verdicts(struct tx *tx, struct sha256_ctx *c,
                                        const struct history *h,
                                        struct message *m,
                                        struct footnote_err *err)
{
    const struct message *front = message_front(h->messages, h->messages_n, m);
    struct verdict_record *list = ours(m->verdicts);

    if (m->role == FOOTNOTE_ASSISTANT && m->content.p && !list)
        m->verdicts = arena_new(tx->out, struct verdict_record); /* none */
    for (size_t i = 0; i < m->verdicts_n; i++) {
        TRY(hide_spans(tx, m, front, &list[i], err));
        verdicts_digest(c, &m->digest, list[i].judge, list[i].packed,
                        &list[i].digest);
        list[i].has_digest = true;
    }
    return arena_rc(tx->out, err);
}

static enum footnote_rc finish_message(struct tx *tx, struct sha256_ctx *c,
                                       const struct history *h,
                                       struct message *m,
                                       struct footnote_err *err)
{
    if (m->status == FOOTNOTE_STREAMING) {
        m->status = FOOTNOTE_INTERRUPTED;
        if (!m->content.p)
            m->content = STR("");
    }
    TRY(digest(tx, c, m, err));
    return finish_verdicts(tx, c, h, m, err);
}

/* ---- What was searched --------------------------------------------------- */

static struct str id_of(const struct history *h, int64_t seq)
{
    const struct message *m = message_at(h->messages, h->messages_n, seq);

    return m ? m->id : STR_NONE;
}

static enum footnote_rc read_events(struct tx *tx, const struct history *h,
                                    struct whole *w, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct event *events = NULL;

    TRY(events_ask(tx, h->head.key, &cur, err));
    for (;;) {
        struct event *e;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            break;
        e = list_add(tx->out, &events, &w->events_n, sizeof(*e));
        if (!e)
            return arena_rc(tx->out, err);
        TRY(event_read(tx, h->head.key, cur, e, err));
        e->id = arena_str(tx->out, e->id);
        e->query = arena_str(tx->out, e->query);
        e->coverage = arena_str(tx->out, e->coverage);
        e->numbers = arena_str(tx->out, e->numbers);
        e->user_message = id_of(h, e->question_seq);
        e->answer = id_of(h, e->answer_seq);
    }
    w->events = events;
    return arena_rc(tx->out, err);
}

/* ---- All of it ----------------------------------------------------------- */

/* A course that the asker may not read any more has no title for them. */
static enum footnote_rc read_course(struct tx *tx, struct whole *w,
                                    struct footnote_err *err)
{
    struct course_get get = {.id = w->course};
    struct footnote_err why;
    enum footnote_rc rc;

    if (!w->course.p)
        return FOOTNOTE_OK;
    rc = OP(course_get)->run(tx, &get, &why);
    if (rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    if (rc != FOOTNOTE_OK && err)
        *err = why;
    w->course_title = get.course.title;
    return rc;
}

static enum footnote_rc prepare(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    (void)arg;
    (void)err;
    tx->by_name = true;
    return FOOTNOTE_OK;
}

static enum footnote_rc run(struct tx *tx, void *arg, struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct whole_read *op = arg;
    struct history h = {
        .session = op->session, .replaced = true, .stored = true};

    TRY(OP(history)->run(tx, &h, err));
    op->whole = (struct whole){.id = h.head.id,
                               .title = h.head.title,
                               .course = h.head.course,
                               .created_ms = h.head.created_ms,
                               .active_ms = h.head.active_ms,
                               .messages = h.messages,
                               .messages_n = h.messages_n};
    TRY(sha256_open(&c, err));
    for (size_t i = 0; i < h.messages_n; i++)
        TRY(finish_message(tx, c, &h, &h.messages[i], err));
    TRY(read_events(tx, &h, &op->whole, err));
    return read_course(tx, &op->whole, err);
}

const struct store_op whole_read_op = {prepare, run};
