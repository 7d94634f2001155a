/* whole_check.c - refuses what no session can be.
 *
 * A client may say here what else only we set: marks, ends, times.  So all is
 * looked at that others rely on: the tree, the path that is shown, numbers,
 * spans.  The failure's field is the place in the file. */
#include "store/session/whole_check.h"

#include <assert.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/utf8.h"
#include "store/check.h"
#include "store/session/feedback.h"
#include "store/session/whole_verdicts.h"
#include "store/source/digest.h"
#include "store/source/spans.h"

/* What one check goes through. */
struct checking {
    struct tx *tx;
    const struct whole *w;
    bool trusted;
    struct prepared_whole *out;
    struct sha256_ctx *hasher;
    const struct message **by_id;
};

static enum footnote_rc refuse(struct footnote_err *err, const char *list,
                               size_t i, const char *field, const char *why)
{
    enum footnote_rc rc =
        err_set(err, FOOTNOTE_INVALID, "%s/%zu: %s %s", list, i, field, why);

    err_about(err, "%s/%zu/%s", list, i, field);
    return rc;
}

/* Puts the place before what a check says of one of its fields. */
static enum footnote_rc placed(struct footnote_err *err, enum footnote_rc rc,
                               const char *list, size_t i)
{
    struct footnote_err why;

    if (rc == FOOTNOTE_OK || rc == FOOTNOTE_NOMEM || !err)
        return rc;
    why = *err;
    err_prefix(err, "%s/%zu", list, i);
    if (why.field[0])
        err_about(err, "%s/%zu/%s", list, i, why.field);
    else
        err_about(err, "%s/%zu", list, i);
    return rc;
}

/* ---- By id --------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const struct message *x = *(const struct message *const *)a;
    const struct message *y = *(const struct message *const *)b;
    int order = str_cmp(x->id, y->id);

    return order ? order : (x > y) - (x < y);
}

static enum footnote_rc sort_ids(struct checking *c, struct footnote_err *err)
{
    size_t n = c->w->messages_n;

    c->by_id = arena_many(c->tx->scratch, n + 1, const struct message *);
    if (!c->by_id)
        return arena_rc(c->tx->scratch, err);
    for (size_t i = 0; i < n; i++) {
        c->by_id[i] = &c->w->messages[i];
        if (!c->by_id[i]->id.p)
            return refuse(err, "messages", i, "id", "is missing");
    }
    if (n)
        qsort(c->by_id, n, sizeof(const struct message *), by_id);
    for (size_t i = 1; i < n; i++)
        if (str_eq(c->by_id[i - 1]->id, c->by_id[i]->id))
            return refuse(err, "messages",
                          (size_t)(c->by_id[i] - c->w->messages), "id",
                          "is that of another message");
    return FOOTNOTE_OK;
}

/* Its ordinal; 0: there is none. */
static int64_t find(const struct checking *c, struct str id)
{
    size_t from = 0, to = c->w->messages_n;

    while (from < to) {
        size_t middle = (from + to) / 2;
        int order = str_cmp(c->by_id[middle]->id, id);

        if (order == 0)
            return c->by_id[middle] - c->w->messages + 1;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return 0;
}

/* ---- The tree ------------------------------------------------------------ */

static enum footnote_rc check_parent(struct checking *c, size_t i,
                                     struct footnote_err *err)
{
    const struct message *m = &c->w->messages[i];
    int64_t parent = m->parent.p ? find(c, m->parent) : 0;

    if (m->parent.p && (parent == 0 || parent > (int64_t)i))
        return refuse(err, "messages", i, "parentId",
                      "names no message before this one");
    c->out->messages[i].parent = parent;
    return FOOTNOTE_OK;
}

/* At most one of a message's versions is on the path, or was when its branch
 * was left; what is shown follows what is shown. */
static enum footnote_rc check_path(struct checking *c, struct footnote_err *err)
{
    const struct message *m = c->w->messages;
    bool *taken = arena_many(c->tx->scratch, c->w->messages_n + 1, bool);
    bool any = false;

    if (!taken)
        return arena_rc(c->tx->scratch, err);
    for (size_t i = 0; i < c->w->messages_n; i++) {
        int64_t parent = c->out->messages[i].parent;

        any = any || m[i].shown == SHOWN_ON;
        if (m[i].shown == SHOWN_OFF)
            continue;
        if (taken[parent])
            return refuse(err, "messages", i, "shown",
                          "cannot be: another version is");
        if (m[i].shown == SHOWN_ON && parent && m[parent - 1].shown != SHOWN_ON)
            return refuse(err, "messages", i, "shown",
                          "cannot be: the message before it is not");
        taken[parent] = true;
    }
    if (c->w->messages_n && !any)
        return refuse(err, "messages", c->w->messages_n - 1, "shown",
                      "is wanted: no message is shown");
    return FOOTNOTE_OK;
}

/* ---- Sources ------------------------------------------------------------- */

/* Ascending, none in another, and in the text; those that a question lends are
 * of its answer's text. */
static bool spans_fit(const struct message *m, const struct reference *r)
{
    size_t max = m->role == FOOTNOTE_ASSISTANT ? utf8_utf16(m->content)
                                               : STORE_CONTENT_BYTES_MAX;
    uint32_t at = 0;

    if (r->spans_n > WHOLE_SPANS_MAX)
        return false;
    for (size_t i = 0; i < r->spans_n; i++) {
        if (r->spans[2 * i] < at || r->spans[2 * i + 1] <= r->spans[2 * i])
            return false;
        at = r->spans[2 * i + 1];
    }
    return at <= max;
}

static enum footnote_rc check_marks(struct tx *tx, const struct message *m,
                                    struct new_references *list,
                                    struct footnote_err *err)
{
    for (size_t i = 0; i < list->n; i++) {
        struct new_reference *r = &list->items[i];

        if (r->number == 0)
            return refuse(err, "sources", i, "chunkNumber", "is missing");
        if (!spans_fit(m, r->ref))
            return refuse(err, "sources", i, "spans",
                          "are not places of the text");
        if (r->ref->cited != (r->ref->spans_n > 0))
            return refuse(err, "sources", i, "cited", "is not what spans say");
        if (r->ref->support < -1 || r->ref->support > 1000)
            return refuse(err, "sources", i, "support", "is not from 0 to 1");
        r->support = r->ref->support;
        r->spans = spans_pack(tx->scratch, r->ref->spans, r->ref->spans_n);
    }
    return arena_rc(tx->scratch, err);
}

static enum footnote_rc check_sources(struct checking *c,
                                      const struct message *m,
                                      struct new_references *out,
                                      struct footnote_err *err)
{
    const struct new_references none = {.n = 0};
    struct new_references fresh;

    if (m->sources_n && m->role == FOOTNOTE_SYSTEM)
        return err_field(err, FOOTNOTE_INVALID, "sources",
                         "a system's message has none");
    TRY(new_references_make(c->tx, c->hasher, m->sources, m->sources_n, &fresh,
                            err));
    TRY(check_marks(c->tx, m, &fresh, err));
    TRY(new_references_number(c->tx, &none, &fresh, 1, out, err));
    if (out->n != fresh.n)
        return err_field(err, FOOTNOTE_INVALID, "sources",
                         "one stands there twice");
    return FOOTNOTE_OK;
}

/* ---- Messages ------------------------------------------------------------ */

/* The store's own check, and what it leaves to its callers. */
static enum footnote_rc check_fields(const struct message *m,
                                     struct footnote_err *err)
{
    struct message alone = *m;

    if (!alone.content.p && m->role != FOOTNOTE_SYSTEM)
        alone.content = STR(""); /* its sources came first */
    alone.sources_n = 0;
    TRY(check_message(&alone, err));
    if (!status_is_end(m->status))
        return err_field(err, FOOTNOTE_INVALID, "status", "is no end");
    TRY(check_text(m->model, STORE_ID_BYTES_MAX, "model", err));
    TRY(check_text(m->failure, STORE_ID_BYTES_MAX, "failure", err));
    TRY(check_text(m->scope, STORE_CONTENT_BYTES_MAX, "scope", err));
    if (m->tokens_in < -1 || m->tokens_out < -1)
        return err_field(err, FOOTNOTE_INVALID, "tokens", "are less than 0");
    if (m->late_from < 0 || m->late_from > STORE_NUMBER_MAX)
        return err_field(err, FOOTNOTE_INVALID, "lateFrom", "is no number");
    TRY(feedback_check(m->feedback, m->feedback_n, err));
    if (m->feedback_n && m->role != FOOTNOTE_ASSISTANT)
        return err_field(err, FOOTNOTE_INVALID, "feedback",
                         "is said of answers alone");
    if (m->shown < SHOWN_OFF || m->shown > SHOWN_LEFT)
        return err_field(err, FOOTNOTE_INVALID, "shown", "is none of ours");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_digest(struct checking *c,
                                     const struct message *m,
                                     struct whole_message *out,
                                     struct footnote_err *err)
{
    const struct new_references none = {.n = 0};
    struct message asked = *m;

    if (!m->content.p)
        return FOOTNOTE_OK;
    TRY(new_references_digest(
        c->tx, c->hasher, m->role, m->content,
        m->role == FOOTNOTE_ASSISTANT ? &out->refs : &none, &out->digest, err));
    if (m->has_digest && !sha256_eq(&m->digest, &out->digest))
        return err_field(err, FOOTNOTE_INVALID, "digest",
                         "is that of another message");
    asked.session = c->w->id;
    request_digest(c->hasher, &asked,
                   m->role == FOOTNOTE_ASSISTANT ? &out->refs : &none,
                   &out->saved);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_one(struct checking *c, size_t i,
                                  struct footnote_err *err)
{
    const struct message *m = &c->w->messages[i];
    struct whole_message *out = &c->out->messages[i];

    TRY(check_fields(m, err));
    TRY(check_sources(c, m, &out->refs, err));
    return check_digest(c, m, out, err);
}

/* ---- Searches ------------------------------------------------------------ */

static bool has_number(const struct new_references *list, int64_t number)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].number == number)
            return true;
    return false;
}

/* Both lists come as JSON, which readers write as it is. */
static enum footnote_rc check_lists(struct checking *c, const struct event *e,
                                    const struct new_references *sources,
                                    struct footnote_err *err)
{
    struct json *numbers = NULL, *coverage = NULL;

    TRY(json_read(c->tx->scratch, e->numbers, &numbers, err));
    if (e->coverage.p)
        TRY(json_read(c->tx->scratch, e->coverage, &coverage, err));
    if (numbers->type != JSON_ARRAY || numbers->n > STORE_SOURCES_MAX)
        return err_field(err, FOOTNOTE_INVALID, "numbers", "is no list");
    for (const struct json *v = numbers->first; v; v = v->next)
        if (v->type != JSON_I64 || !has_number(sources, v->i))
            return err_field(err, FOOTNOTE_INVALID, "numbers",
                             "%.*s is no source of its message",
                             v->raw.n < 20 ? (int)v->raw.n : 20, v->raw.p);
    if (coverage && (coverage->type != JSON_ARRAY || coverage->n != numbers->n))
        return err_field(err, FOOTNOTE_INVALID, "coverage",
                         "is no list beside numbers");
    for (const struct json *v = coverage ? coverage->first : NULL; v;
         v = v->next)
        if (v->type != JSON_I64 && v->type != JSON_F64)
            return err_field(err, FOOTNOTE_INVALID, "coverage",
                             "is no list of numbers");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_event(struct checking *c, size_t i,
                                    struct footnote_err *err)
{
    const struct event *e = &c->w->events[i];
    struct whole_event *out = &c->out->events[i];
    const struct message *m = c->w->messages;

    TRY(check_id(e->id, "id", err));
    if (!e->id.p)
        return err_field(err, FOOTNOTE_INVALID, "id", "is missing");
    TRY(check_text(e->query, STORE_QUESTION_BYTES_MAX, "query", err));
    if (!e->query.p || e->created_ms < 0)
        return err_field(err, FOOTNOTE_INVALID, "query", "is missing");
    out->question = e->user_message.p ? find(c, e->user_message) : 0;
    if (out->question == 0 || m[out->question - 1].role != FOOTNOTE_USER)
        return err_field(err, FOOTNOTE_INVALID, "userMessageId",
                         "names no question of the session");
    out->answer = e->answer.p ? find(c, e->answer) : 0;
    if (e->answer.p &&
        (out->answer == 0 || m[out->answer - 1].role != FOOTNOTE_ASSISTANT))
        return err_field(err, FOOTNOTE_INVALID, "answerId",
                         "names no answer of the session");
    return check_lists(
        c, e,
        &c->out->messages[(out->answer ? out->answer : out->question) - 1].refs,
        err);
}

/* ---- Verdicts ------------------------------------------------------------ */

/* An answer without sources shows those of the question before it. */
static const struct new_references *sources_of(const struct checking *c,
                                               size_t i)
{
    const struct whole_message *list = c->out->messages;
    int64_t above = list[i].parent;

    while (above && c->w->messages[above - 1].role == FOOTNOTE_SYSTEM)
        above = list[above - 1].parent;
    return !list[i].refs.n && above &&
                   c->w->messages[above - 1].role == FOOTNOTE_USER
               ? &list[above - 1].refs
               : &list[i].refs;
}

static enum footnote_rc check_verdicts(struct checking *c, size_t i,
                                       struct footnote_err *err)
{
    return whole_verdicts(c->tx, c->hasher, &c->w->messages[i], c->trusted,
                          sources_of(c, i), &c->out->messages[i], err);
}

/* ---- All of it ----------------------------------------------------------- */

static enum footnote_rc check_head(const struct whole *w,
                                   struct footnote_err *err)
{
    TRY(check_id(w->id, "id", err));
    if (!w->id.p)
        return err_field(err, FOOTNOTE_INVALID, "id", "is missing");
    TRY(check_text(w->title, STORE_TITLE_BYTES_MAX, "title", err));
    TRY(check_id(w->course, "courseId", err));
    TRY(check_text(w->course_title, STORE_TITLE_BYTES_MAX, "courseTitle", err));
    if (w->created_ms < 0 || w->active_ms < 0)
        return err_field(err, FOOTNOTE_INVALID, "createdAt", "before 1970");
    if (w->messages_n > WHOLE_MESSAGES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "messages",
                         "%zu of them, at most %d", w->messages_n,
                         WHOLE_MESSAGES_MAX);
    if (w->events_n > WHOLE_EVENTS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "retrievals",
                         "%zu of them, at most %d", w->events_n,
                         WHOLE_EVENTS_MAX);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_all(struct checking *c, struct footnote_err *err)
{
    const struct whole *w = c->w;

    TRY(sort_ids(c, err));
    for (size_t i = 0; i < w->messages_n; i++) {
        TRY(placed(err, check_one(c, i, err), "messages", i));
        TRY(check_parent(c, i, err));
    }
    TRY(check_path(c, err));
    for (size_t i = 0; i < w->messages_n; i++)
        TRY(placed(err, check_verdicts(c, i, err), "messages", i));
    for (size_t i = 0; i < w->events_n; i++)
        TRY(placed(err, check_event(c, i, err), "retrievals", i));
    return FOOTNOTE_OK;
}

enum footnote_rc whole_check(struct tx *tx, const struct whole *w, bool trusted,
                             struct prepared_whole **out,
                             struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *hasher = NULL;
    struct checking c = {.tx = tx, .w = w, .trusted = trusted};

    TRY(check_head(w, err));
    c.out = arena_new(tx->scratch, struct prepared_whole);
    if (!c.out)
        return arena_rc(tx->scratch, err);
    c.out->messages =
        arena_many(tx->scratch, w->messages_n + 1, struct whole_message);
    c.out->events =
        arena_many(tx->scratch, w->events_n + 1, struct whole_event);
    TRY(arena_rc(tx->scratch, err));
    TRY(sha256_open(&hasher, err));
    c.hasher = hasher;
    TRY(check_all(&c, err));
    *out = c.out;
    return FOOTNOTE_OK;
}
