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
    buf_add_c(&b, '}');
    reply_cached(r, &b);
}

/* What cannot be an id is not found, as if it were one. */
static bool read_scope(struct request *r, const char *name, const char *thing,
                       struct str *out)
{
    *out = request_query(r, str_c(name));
    if (!out->p || (out->n >= 1 && out->n <= STORE_ID_BYTES_MAX))
        return true;
    reply_rc(r, FOOTNOTE_NOTFOUND, &(struct footnote_err){.text = ""}, thing);
    return false;
}

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
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    if (s.query.n == 0 || s.query.n > STORE_QUESTION_BYTES_MAX) {
        reply_invalid(r, STR_NONE, "q is what to search for, up to %d bytes",
                      STORE_QUESTION_BYTES_MAX);
        return;
    }
    if (!read_scope(r, "courseId", "course", &s.course) ||
        !read_scope(r, "documentId", "document", &s.document) ||
        !read_scope(r, "sessionId", "session", &s.session) ||
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
