/* search.c - GET /api/search: passages that can be cited, best first.
 *
 * A hit is a source as it would be in a message, with its score: it can be
 * posted back as it is, and gets its number there. */
#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/call/services.h"
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
                            .state = FOOTNOTE_LIVE};

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

static void search_work(struct request *r)
{
    struct search s = {.who = caller(r)->who,
                       .query = request_query(r, STR("q"))};
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
    if (rc == FOOTNOTE_OK)
        reply_hits(r, &s);
    else
        call_failed(r, rc, &err, "course");
}

void api_search(struct request *r)
{
    if (services(r)->retriever)
        request_work(r, search_work);
    else
        reply_problem(r, &(struct problem){.status = 503,
                                           .code = STR("store_busy"),
                                           .text = STR("Nothing can be "
                                                       "searched here")});
}
