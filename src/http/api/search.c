/* search.c - GET /api/search: passages that can be cited, best first.
 *
 * A hit is a source as it would be in a message, with its score: it can be
 * posted back as it is, and gets its number there.
 *
 * While documents that are ready are still being indexed, the request is parked
 * for a moment, which holds no worker; then what is there is searched. */
#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/call/wait.h"
#include "http/shape/scope.h"
#include "http/shape/shape.h"
#include "retrieve/retrieve.h"
#include "store/session/message.h"

/* Its id is the key under which it would be stored. */
static struct reference hit_of(struct request *r, const struct hit *h)
{
    struct reference out = {.source = h->source,
                            .has_score = true,
                            .score = h->score,
                            .support = -1,
                            .state = FOOTNOTE_LIVE,
                            .version = h->version};

    if (!out.source.id.p)
        (void)source_key(&r->arena, &h->source, &out.source.id, NULL);
    return out;
}

/* [{"typed": ..., "used": ...}] */
static void add_repaired(struct buf *b, const struct search *s)
{
    struct json_out w = JSON_OUT(b);

    json_array(&w);
    for (size_t i = 0; i < s->repaired_n; i++) {
        json_object(&w);
        json_key(&w, STR("typed"));
        json_str(&w, s->repaired[i].typed);
        json_key(&w, STR("used"));
        json_str(&w, s->repaired[i].used);
        json_end(&w, '}');
    }
    json_end(&w, ']');
}

static void reply_hits(struct request *r, const struct search *s)
{
    struct buf b = BUF(REPLY_BYTES_MAX);

    buf_add(&b, STR("{\"hits\":["));
    for (size_t i = 0; i < s->hits_n; i++) {
        struct reference hit = hit_of(r, &s->hits[i]);

        if (i)
            buf_add_c(&b, ',');
        shape_source(&b, &hit, SOURCE_CAMEL);
    }
    buf_add(&b, STR("],\"lowConfidence\":"));
    shape_flag(&b, true, s->low_confidence);
    buf_add(&b, STR(",\"indexing\":"));
    shape_flag(&b, true, s->indexing);
    buf_add(&b, STR(",\"scopeEmpty\":"));
    shape_flag(&b, true, s->scope_empty);
    shape_unavailable(&b, s->words_alone, s->not_reranked);
    buf_add(&b, STR(",\"repaired\":"));
    add_repaired(&b, s);
    buf_add_c(&b, '}');
    reply_cached(r, &b);
}

static bool not_found(struct request *r, const char *thing)
{
    reply_rc(r, FOOTNOTE_NOTFOUND, &(struct footnote_err){.text = ""}, thing);
    return false;
}

/* What cannot be an id is not found, as if it were one. */
static bool read_id(struct request *r, const char *name, const char *thing,
                    struct str *out)
{
    *out = request_query(r, str_c(name));
    return !out->p || (out->n >= 1 && out->n <= STORE_ID_BYTES_MAX) ||
           not_found(r, thing);
}

/* ---- What it is limited to ---------------------------------------------- */

static bool read_documents(struct request *r, struct search_filter *f)
{
    struct str *ids = arena_many(&r->arena, FILTER_DOCUMENTS_MAX, struct str);
    struct str rest = r->query, id;

    f->documents = ids;
    if (!ids) {
        call_no_memory(r);
        return false;
    }
    while (request_query_next(r, STR("documentId"), &rest, &id)) {
        if (f->documents_n == FILTER_DOCUMENTS_MAX) {
            reply_invalid(r, STR_NONE, "documentId: at most %d times",
                          (int)FILTER_DOCUMENTS_MAX);
            return false;
        }
        if (!id.p || id.n < 1 || id.n > STORE_ID_BYTES_MAX)
            return not_found(r, "document");
        ids[f->documents_n++] = id;
    }
    return true;
}

static bool read_filter(struct request *r, struct search_filter *f)
{
    struct str changed = request_query(r, STR("changedSince"));
    struct footnote_err err = {.text = ""};
    struct str rest = r->query, kind;

    while (request_query_next(r, STR("kind"), &rest, &kind))
        if (!scope_add_kind(f, kind)) {
            reply_invalid(r, STR_NONE,
                          "kind is slides, lecture, journal, page or text");
            return false;
        }
    if (changed.p && !scope_set_changed(f, changed)) {
        reply_invalid(r, STR_NONE,
                      "changedSince is a day, or a time like "
                      "2026-02-26T20:15:00Z");
        return false;
    }
    f->from = request_query(r, STR("dateFrom"));
    f->to = request_query(r, STR("dateTo"));
    if (!read_documents(r, f))
        return false;
    if (filter_check(f, &err) == FOOTNOTE_OK)
        return true;
    reply_invalid(r, STR_NONE, "%s", err.text);
    return false;
}

/* ---- The search --------------------------------------------------------- */

struct search_wait {
    bool last; /* time is up */
};

/* Does not answer when documents must be indexed first. */
static void search_work(struct request *r)
{
    const struct search_wait *w = r->state;
    struct search s = {.who = caller(r)->who,
                       .query = request_query(r, STR("q")),
                       .patience = w->last ? SEARCH_NOW : SEARCH_LATER};
    struct search_filter filter = {.kinds = 0};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    s.filter = &filter;
    if (s.query.n == 0 || s.query.n > STORE_QUESTION_BYTES_MAX) {
        reply_invalid(r, STR_NONE, "q is what to search for, up to %d bytes",
                      STORE_QUESTION_BYTES_MAX);
        return;
    }
    if (!read_id(r, "courseId", "course", &s.course) ||
        !read_id(r, "sessionId", "session", &s.session) ||
        !read_filter(r, &filter) ||
        !request_limit(r, RETRIEVE_HITS, RETRIEVE_HITS_MAX, &s.limit))
        return;
    rc = retriever_search(services(r)->retriever, &r->arena, &s, &err);
    if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "course");
    else if (w->last || !s.indexing)
        reply_hits(r, &s);
}

static void wait_for_index(struct request *r);

static void search_again(struct request *r)
{
    struct search_wait *w = r->state;

    w->last = wait_is_over(r);
    wait_note(r);
    request_work_then(r, search_work, wait_for_index);
}

static void wait_for_index(struct request *r)
{
    request_wait(r, services(r)->config->index_wait_ms, search_again);
}

static void begin_search(struct request *r)
{
    struct search_wait *w = call_state(r, sizeof(*w));
    struct str course = request_query(r, STR("courseId"));

    if (!w)
        return;
    w->last = services(r)->config->index_wait_ms == 0;
    if (wait_start(r, course.p ? course : STR("")))
        request_work_then(r, search_work, wait_for_index);
    else
        call_no_memory(r);
}

void api_search(struct request *r)
{
    if (services(r)->retriever)
        begin_search(r);
    else
        reply_problem(r, &(struct problem){.status = 503,
                                           .code = STR("store_busy"),
                                           .text = STR("Nothing can be "
                                                       "searched here")});
}
