/* unavailable_test.c - an answer whose search went on without the embedder or
 * the reranker says so. */
#include "contract.h"
#include "help/chat_site.h"
#include "help/scripted_endpoint.h"

#define EXTRACTIVE ",'model':'extractive'"

static struct scripted *at;

static void adjust(struct config *c)
{
    c->embeddings_url = c->rerank_url = str_c(at->url);
    c->embeddings_model = c->rerank_model = STR("small");
    c->embeddings_ms = c->rerank_ms = 60000;
}

/* What the stream says at its end, of an answer that is whole. */
static const char *told(struct chat_site *r, const char *question,
                        const char *text)
{
    struct str s = chat_site_ask_with(r, "s1", question, text, EXTRACTIVE);
    const char *from = memmem(s.p, s.n, "{\"type\":\"finish\"", 16);
    size_t n;

    CHECK(from != NULL);
    n = str_find((struct str){from, s.n - (size_t)(from - s.p)}, '\n');
    return json_at(&r->site, site_json(&r->site, (struct str){from, n}),
                   "messageMetadata.unavailable");
}

static const char *told_in_events(struct chat_site *r, const char *question,
                                  const char *text)
{
    static const char end[] = "event: end\ndata: ";
    struct ask ask = {.method = "POST",
                      .path = "/api/chat?as=events",
                      .body =
                          chat_site_body(r, "s1", question, text, EXTRACTIVE)};
    struct str s = talk_ask(&r->site, 200, &ask).body;
    const char *from = memmem(s.p, s.n, end, strlen(end));
    size_t n;

    CHECK(from != NULL);
    from += strlen(end);
    n = str_find((struct str){from, s.n - (size_t)(from - s.p)}, '\n');
    return json_at(&r->site, site_json(&r->site, (struct str){from, n}),
                   "unavailable");
}

static const char *search_tells(struct chat_site *r)
{
    return json_at(&r->site,
                   talk(&r->site, 200, "GET",
                        "/api/search?courseId=cats&q=cats+sleep", NULL),
                   "unavailable");
}

CONTRACT(answer_says_which_ranking_was_unavailable)
{
    AUTO(chat_site_close) struct chat_site r = {.site.adjust = adjust};
    struct json *v;

    at = scripted_open();
    chat_site_open(&r);
    CHECK_STR(told(&r, "q1", "How long do cats sleep?"), "absent");
    CHECK_STR(told_in_events(&r, "q2", "Do kittens sleep?"), "absent");
    /* Vectors are made in the background; a failure before the first of them
     * is none of a search. */
    WAIT_UNTIL(at->texts >= 3);
    at->status = 503;
    WAIT_UNTIL(strcmp(search_tells(&r), "['embedder','reranker']") == 0);
    CHECK_STR(told(&r, "q3", "Do old cats sleep?"), "['embedder','reranker']");
    CHECK_STR(told_in_events(&r, "q4", "Do cats see well?"),
              "['embedder','reranker']");
    /* It is of the turn, and not of the answer that is kept. */
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages?as=ui", NULL);
    CHECK_AT(&r.site, v, "messages.5.metadata.status", "'complete'");
    CHECK_AT(&r.site, v, "messages.5.metadata.unavailable", "absent");
    CHECK_STR(told(&r, "q3", "Do old cats sleep?"), "absent");
}
