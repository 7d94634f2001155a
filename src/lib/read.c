/* read.c - one read call with a query struct. */
#include <stdlib.h>

#include "lib/convert.h"
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"

enum { CITATIONS_AT_ONCE = STORE_IDS_MAX };

enum footnote_rc lib_result_new(struct lib_result **out,
                                struct footnote_err *err)
{
    struct lib_result *r = *out = calloc(1, sizeof(*r));

    if (!r)
        return err_set(err, FOOTNOTE_NOMEM, "a result");
    r->arena = ARENA(FRONT_ARENA_BYTES);
    return FOOTNOTE_OK;
}

void footnote_result_free(struct footnote_result *r)
{
    struct lib_result *whole = (struct lib_result *)r;

    if (!r)
        return;
    arena_free(&whole->arena);
    free(whole);
}

static enum footnote_rc show_messages(struct lib_result *r,
                                      const struct message *m, size_t n,
                                      struct footnote_err *err)
{
    r->shown.messages_n = n;
    return lib_messages_out(&r->arena, m, n, &r->shown.messages, err);
}

static enum footnote_rc read_history(struct footnote *fn,
                                     const struct footnote_query *q,
                                     struct lib_result *r,
                                     struct footnote_err *err)
{
    struct history op = {.session = str_c(q->session),
                         .before = str_c(q->before),
                         .at = str_c(q->at),
                         .limit = q->limit,
                         .light = q->light,
                         .replaced = q->replaced};

    TRY(store_read(fn->store, lib_who(fn), &r->arena, OP(history), &op, err));
    r->shown.more = op.more;
    return show_messages(r, op.messages, op.messages_n, err);
}

/* Any number of them, some at a time. */
static enum footnote_rc read_ids(struct footnote *fn, const struct str *ids,
                                 size_t n, struct lib_result *r, bool light,
                                 struct footnote_err *err)
{
    struct message *all = arena_many(&r->arena, n + 1, struct message);
    size_t found = 0;

    if (!all)
        return arena_rc(&r->arena, err);
    for (size_t i = 0; i < n; i += STORE_IDS_MAX) {
        struct messages_by_id op = {
            .ids = ids + i,
            .ids_n = n - i < STORE_IDS_MAX ? n - i : STORE_IDS_MAX,
            .light = light};

        TRY(store_read(fn->store, lib_who(fn), &r->arena, OP(messages_by_id),
                       &op, err));
        for (size_t k = 0; k < op.ids_n; k++)
            if (op.messages[k].id.p)
                all[found++] = op.messages[k];
    }
    return show_messages(r, all, found, err);
}

static enum footnote_rc read_by_ids(struct footnote *fn,
                                    const struct footnote_query *q,
                                    struct lib_result *r,
                                    struct footnote_err *err)
{
    struct str *ids;

    if (q->ids_n > STORE_IDS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "ids", "%zu, at most %d",
                         q->ids_n, STORE_IDS_MAX);
    ids = arena_many(&r->arena, q->ids_n + 1, struct str);
    if (!ids)
        return arena_rc(&r->arena, err);
    for (size_t i = 0; i < q->ids_n; i++)
        ids[i] = str_c(q->ids[i]);
    return read_ids(fn, ids, q->ids_n, r, q->light, err);
}

struct ids { /* without repeats */
    struct str *items;
    size_t n;
};

/* An answer that was given the document in several passages comes once. */
static enum footnote_rc add_citing(struct arena *a, struct ids *ids,
                                   const struct document_citations *op,
                                   struct footnote_err *err)
{
    struct str *more = arena_many(a, ids->n + op->citations_n + 1, struct str);

    if (!more)
        return arena_rc(a, err);
    if (ids->n)
        memcpy(more, ids->items, ids->n * sizeof(*more));
    ids->items = more;
    for (size_t i = 0; i < op->citations_n; i++)
        if (ids->n == 0 || !str_eq(more[ids->n - 1], op->citations[i].message))
            more[ids->n++] = op->citations[i].message;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_citing(struct footnote *fn,
                                    const struct footnote_query *q,
                                    struct lib_result *r,
                                    struct footnote_err *err)
{
    struct document_citations op = {.document = str_c(q->document),
                                    .limit = CITATIONS_AT_ONCE};
    struct ids ids = {NULL, 0};

    do {
        op.after_session = op.next_session;
        op.after_seq = op.next_seq;
        op.after_number = op.next_number;
        TRY(store_read(fn->store, lib_who(fn), &r->arena,
                       OP(document_citations), &op, err));
        TRY(add_citing(&r->arena, &ids, &op, err));
    } while (op.citations_n == op.limit && (!q->limit || ids.n <= q->limit));
    r->shown.more = q->limit && ids.n > q->limit;
    return read_ids(fn, ids.items, r->shown.more ? q->limit : ids.n, r,
                    q->light, err);
}

static enum footnote_rc read_sessions(struct footnote *fn,
                                      const struct footnote_query *q,
                                      struct lib_result *r,
                                      struct footnote_err *err)
{
    struct session_list op = {.limit = q->limit ? q->limit + 1 : 0};
    struct footnote_session *s;

    TRY(store_read(fn->store, lib_who(fn), &r->arena, OP(session_list), &op,
                   err));
    r->shown.more = q->limit && op.sessions_n > q->limit;
    r->shown.sessions_n = op.sessions_n - r->shown.more;
    s = arena_many(&r->arena, op.sessions_n + 1, struct footnote_session);
    if (!s)
        return arena_rc(&r->arena, err);
    for (size_t i = 0; i < r->shown.sessions_n; i++) {
        const struct session *from = &op.sessions[i];

        s[i] = (struct footnote_session){.id = from->id.p,
                                         .course = from->course.p,
                                         .title = from->title.p,
                                         .created_ms = from->created_ms,
                                         .active_ms = from->active_ms,
                                         .running = from->running};
    }
    r->shown.sessions = s;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_counts(struct footnote *fn,
                                    const struct footnote_query *q,
                                    struct lib_result *r,
                                    struct footnote_err *err)
{
    struct session_counts op = {.session = str_c(q->session)};
    struct footnote_count *c;

    TRY(store_read(fn->store, lib_who(fn), &r->arena, OP(session_counts), &op,
                   err));
    c = arena_many(&r->arena, op.counts_n + 1, struct footnote_count);
    if (!c)
        return arena_rc(&r->arena, err);
    for (size_t i = 0; i < op.counts_n; i++)
        c[i] = (struct footnote_count){
            .document = arena_str(&r->arena, op.counts[i].document).p,
            .doc_ref = arena_str(&r->arena, op.counts[i].doc_ref).p,
            .title = arena_str(&r->arena, op.counts[i].title).p,
            .given_n = op.counts[i].given_n,
            .cited_n = op.counts[i].cited_n};
    r->shown.counts = c;
    r->shown.counts_n = op.counts_n;
    return arena_rc(&r->arena, err);
}

static enum footnote_rc read_any(struct footnote *fn,
                                 const struct footnote_query *q,
                                 struct lib_result *r, struct footnote_err *err)
{
    int ways = (q->session != NULL) + (q->ids != NULL) + (q->document != NULL);

    if (ways > 1 || ((q->counts || q->before || q->at) && !q->session))
        return err_field(err, FOOTNOTE_INVALID, "query",
                         "one of session, ids or document");
    if (q->counts)
        return read_counts(fn, q, r, err);
    if (q->session)
        return read_history(fn, q, r, err);
    if (q->ids)
        return read_by_ids(fn, q, r, err);
    if (q->document)
        return read_citing(fn, q, r, err);
    return read_sessions(fn, q, r, err);
}

enum footnote_rc footnote_read(struct footnote *fn,
                               const struct footnote_query *q,
                               struct footnote_result **out,
                               struct footnote_err *err)
{
    struct lib_result *r;
    enum footnote_rc rc;

    *out = NULL;
    TRY(lib_result_new(&r, err));
    rc = read_any(fn, q, r, err);
    if (rc == FOOTNOTE_OK)
        *out = &r->shown; /* it is the caller's now */
    else
        footnote_result_free(&r->shown);
    return rc;
}
