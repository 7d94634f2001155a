/* rerank_test.c - another order from a scripted reranker, and what happens when
 * it fails or lies. */
#include <stdlib.h>

#include "base/clock.h"
#include "help/scripted_endpoint.h"
#include "retrieve/remote/rerank.h"
#include "retrieve/search/search.h"
#include "retrieve_help.h"

#define QUESTION "heat engine"

static struct scripted *at;
static int64_t later_ms;

static int64_t later(void)
{
    return later_ms;
}
static const struct clock_source shifted = {later, later};

/* Words rank "a" first, letters rank "b". */
static void begin(int64_t wait_ms)
{
    struct retriever_options o = {.rerank_model = "small", .rerank_key = "key"};

    at = scripted_open();
    o.rerank_url = at->url;
    o.rerank_ms = wait_ms;
    retriever_close(re);
    CHECK_OK(retriever_open(st, &o, &re, &err), &err);
    course(ANN, "c");
    text(ANN, "c", "a", "heat heat heat heat");
    text(ANN, "c", "b",
         "Of the heat engine, which Carnot wrote about at great length, and "
         "of much else that was said in his days by other people, too.");
    text(ANN, "c", "other", "engine");
}

static struct search ask_again(void)
{
    later_ms += 1000 * 1000; /* no pause is longer */
    return search(ANN, "c", QUESTION);
}

RETRIEVED(a_reranker_puts_hits_into_another_order)
{
    struct search s;

    clock_replace(&shifted);
    begin(60000);
    at->status = 503;
    s = ask_again();
    CHECK_INT(s.hits_n, 3);
    CHECK(s.not_reranked);
    at->status = 0;
    at->instead = "{\"results\":[{\"index\":2,\"relevance_score\":-1.5},"
                  "{\"index\":0,\"relevance_score\":-9},"
                  "{\"index\":1,\"relevance_score\":-8.5}]}";
    {
        const char *last = hit_id(&s, 2);

        s = ask_again();
        CHECK(!s.not_reranked);
        CHECK_INT(s.hits_n, 3);
        CHECK_STR(hit_id(&s, 0), last);
        CHECK(s.hits[0].score > 0.999 && s.hits[0].score < 1.001);
        CHECK(s.hits[1].score >= s.hits[2].score && s.hits[2].score >= 0);
    }
    at->instead = NULL;
    s = ask_again();
    CHECK_STR(hit_id(&s, 0), "b");
    CHECK(strstr(at->last, "\"model\":\"small\""));
    CHECK(strstr(at->last, "\"query\":\"" QUESTION "\""));
    clock_replace(NULL);
}

RETRIEVED(a_reranker_that_lies_changes_nothing)
{
    static const char *const answers[] = {
        "", "not JSON", "[]", "{\"results\":{}}",
        /* one is missing */
        "{\"results\":[{\"index\":1,\"relevance_score\":1},"
        "{\"index\":0,\"relevance_score\":2}]}",
        /* out of range */
        "{\"results\":[{\"index\":3,\"relevance_score\":1},"
        "{\"index\":0,\"relevance_score\":2},"
        "{\"index\":1,\"relevance_score\":2}]}",
        "{\"results\":[{\"index\":-1,\"relevance_score\":1},"
        "{\"index\":0,\"relevance_score\":2},"
        "{\"index\":1,\"relevance_score\":2}]}",
        /* twice */
        "{\"results\":[{\"index\":1,\"relevance_score\":1},"
        "{\"index\":1,\"relevance_score\":2},"
        "{\"index\":0,\"relevance_score\":2}]}",
        /* no number */
        "{\"results\":[{\"index\":0,\"relevance_score\":NaN},"
        "{\"index\":1,\"relevance_score\":2},"
        "{\"index\":2,\"relevance_score\":2}]}",
        "{\"results\":[{\"index\":0,\"relevance_score\":\"1\"},"
        "{\"index\":1,\"relevance_score\":2},"
        "{\"index\":2,\"relevance_score\":2}]}",
        "{\"results\":[{\"index\":0,\"relevance_score\":1e999},"
        "{\"index\":1,\"relevance_score\":2},"
        "{\"index\":2,\"relevance_score\":2}]}"};
    struct endpoint_state state;
    struct search first, s;
    char *huge = malloc((size_t)ENDPOINT_BYTES_MAX + 100);

    clock_replace(&shifted);
    begin(60000);
    at->status = 429;
    at->retry_after = 30;
    first = ask_again();
    CHECK(first.hits_n == 3 && first.not_reranked);
    CHECK_INT(endpoint_pause_ms(retriever_reranker(re), ENDPOINT_QUESTIONS),
              30000);
    s = search(ANN, "c", QUESTION); /* it is not asked meanwhile */
    CHECK_INT(at->requests, 1);
    CHECK(s.not_reranked);
    at->status = at->retry_after = 0;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        at->instead = answers[i];
        s = ask_again();
        CHECK(s.not_reranked);
        CHECK_INT(s.hits_n, 3);
        for (size_t k = 0; k < 3; k++)
            CHECK_STR(hit_id(&s, k), hit_id(&first, k));
    }
    memset(huge, ' ', (size_t)ENDPOINT_BYTES_MAX + 99);
    huge[(size_t)ENDPOINT_BYTES_MAX + 99] = '\0';
    at->instead = huge;
    CHECK(ask_again().not_reranked);
    at->instead = NULL;
    CHECK(!ask_again().not_reranked);
    endpoint_look(retriever_reranker(re), &state);
    CHECK(!state.failing);
    CHECK_INT(state.lanes[ENDPOINT_QUESTIONS].failures,
              sizeof(answers) / sizeof(answers[0]) + 2);
    free(huge);
    clock_replace(NULL);
}

RETRIEVED(a_slow_reranker_holds_no_search_up)
{
    struct search s;

    begin(20);
    at->slow_ms = 3000;
    s = search(ANN, "c", QUESTION);
    CHECK(s.hits_n == 3 && s.not_reranked);
    at->slow_ms = 0;
}
