/* chat_test.c - a turn over real sockets, with a model that plays scripts. */
#include "contract.h"
#include "help/chat_site.h"

#define PLAIN "text Cats sleep [1\ntext ].\nfinish stop\nusage 20 19\ndone\n"
#define SOURCES3                                                               \
    "data-rag-source source-document data-rag-source source-document "         \
    "data-rag-source source-document"

/* What is read back is what was streamed. */
static void check_history(struct chat_site *r, const char *session,
                          struct str body)
{
    char path[256];
    struct json *v;
    const char *last;

    snprintf(path, sizeof(path), "/api/sessions/%s/messages?as=ui", session);
    v = talk(&r->site, 200, "GET", path, NULL);
    last = arena_printf(&r->site.arena, "messages.%u.parts",
                        json_get(v, STR("messages"))->n - 1)
               .p;
    CHECK_STR(json_at(&r->site, v, last), stream_parts(r, body));
}

CONTRACT(chat_streams_sources_then_text_then_the_end)
{
    CHAT_SITE(r);
    struct str body;

    chat_site_script(&r, "plain", PLAIN);
    body =
        chat_site_ask(&r, "s1", "q1", "How long do cats sleep? script:plain");
    CHECK_STR(stream_types(&r, body),
              "start " SOURCES3 " text-start text-delta text-delta text-end "
              "data-citations finish");
    CHECK_STR(stream_text(&r, body), "Cats sleep [1].");
    check_history(&r, "s1", body);
}

CONTRACT(chat_without_a_model_says_what_the_sources_say)
{
    AUTO(chat_site_close) struct chat_site r = {.up = NULL};
    struct str body;
    struct json *v;

    chat_site_open(&r);
    body = chat_site_ask_with(&r, "s1", "q1", "How long do kittens sleep?",
                              ",'model':'extractive'");
    CHECK(strncmp(stream_text(&r, body),
                  "Kittens sleep more than grown cats: up to twenty hours a "
                  "day. [1]",
                  65) == 0);
    check_history(&r, "s1", body);
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/retrievals", NULL);
    CHECK_AT(&r.site, v, "retrievals.0.coverage.0", "0.411");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1", NULL);
    CHECK_AT(&r.site, v, "history.1.lowConfidence", "false");
    CHECK_AT(&r.site, v, "history.1.citations.0.documentId", "'book'");
}

CONTRACT(chat_says_what_it_searched_for_instead)
{
    CHAT_SITE(r);
    struct str body = chat_site_ask_with(
        &r, "s1", "q1", "How long do kittenns sleep?", ",'model':'extractive'");
    const char *want = "With \"Kittens\" for \"kittenns\": Kittens sleep more "
                       "than grown cats: up to twenty hours a day. [1]";
    struct json *v;

    CHECK(strstr(stream_text(&r, body), want));
    v = talk(&r.site, 200, "GET", "/api/search?q=kittenns+sleep", NULL);
    CHECK_AT(&r.site, v, "repaired.0.typed", "'kittenns'");
    CHECK_AT(&r.site, v, "repaired.0.used", "'Kittens'");
}

CONTRACT(chat_finds_nothing_and_says_so)
{
    CHAT_SITE(r);
    struct str body = chat_site_ask_with(
        &r, "s1", "q1", "Zymurgy quux frobnication?", ",'model':'extractive'");
    struct json *v;

    CHECK_STR(stream_text(&r, body), "I found nothing on this in On cats.");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1", NULL);
    CHECK_AT(&r.site, v, "history.1.lowConfidence", "true");
    CHECK_AT(&r.site, v, "history.1.citations", "[]");
}

CONTRACT(chat_says_that_it_found_nothing_in_the_readers_language)
{
    static const struct {
        const char *header, *says;
    } cases[] = {
        {"Accept-Language: fr-CH, es-MX;q=0.9, en;q=0.8",
         "No he encontrado nada sobre esto en On cats."},
        {"Accept-Language: es", "No he encontrado nada sobre esto en On cats."},
        {"Accept-Language: en-GB,es;q=0.5",
         "I found nothing on this in On cats."},
        {"Accept-Language: ,;q=1, - estonian",
         "I found nothing on this in On cats."},
    };
    CHAT_SITE(r);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct ask ask = {
            .method = "POST",
            .path = "/api/chat",
            .header = cases[i].header,
            .body =
                arena_printf(&r.site.arena,
                             "{\"id\":\"s%zu\",\"courseId\":\"cats\",\"model\":"
                             "\"extractive\",\"messages\":[{\"role\":\"user\","
                             "\"content\":\"Zymurgy quux frobnication?\"}]}",
                             i)};

        CHECK_STR(stream_text(&r, site_ask(&r.site, &ask).body), cases[i].says);
    }
}

/* With what was found, the model gets all that it was told before. */
static void check_told_again(struct chat_site *r)
{
    struct str first = upstream_request(r->up, 0).body;
    struct str second = upstream_request(r->up, 1).body;
    const char *lines = memmem(first.p, first.n, "\"messages\":", 11);
    const char *end = memmem(first.p, first.n, "old hours script:twice", 22);

    CHECK(lines && end && end > lines);
    if (!lines || !end)
        return; /* for analysers, which do not know CHECK */
    CHECK(memmem(second.p, second.n, lines, (size_t)(end - lines)));
}

CONTRACT(chat_numbers_go_on_over_searches_that_the_model_asks_for)
{
    CHAT_SITE(r);
    struct str body;

    chat_site_script(
        &r, "twice",
        "text Let me see.\n"
        "data {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{"
        "\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":"
        "{\"name\":\"search_course_materials\",\"arguments\":"
        "\"{\\\"query\\\":\\\"retina layer in the dark\\\"}\"}}]}}]}\n"
        "finish tool_calls\ndone\n"
        "on tool\ntext  They see [2].\nfinish stop\ndone\n");
    body = chat_site_ask_with(&r, "s1", "q1", "old hours script:twice",
                              ",'limit':1");
    CHECK_STR(stream_types(&r, body),
              "start data-rag-source source-document text-start text-delta "
              "data-rag-source source-document text-delta text-end "
              "data-citations finish");
    check_history(&r, "s1", body);
    CHECK_INT(upstream_asked(r.up), 2);
    check_told_again(&r);
}

CONTRACT(chat_the_same_message_again_is_the_same_answer)
{
    CHAT_SITE(r);
    struct str first, again;

    chat_site_script(&r, "plain", PLAIN);
    first = chat_site_ask(&r, "s1", "q1", "cats script:plain");
    again = chat_site_ask(&r, "s1", "q1", "cats script:plain");
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    CHECK_STR(stream_answer_id(&r, again), stream_answer_id(&r, first));
    CHECK_STR(stream_parts(&r, again), stream_parts(&r, first));
    CHECK_INT(upstream_asked(r.up), 1);
}

CONTRACT(chat_attaches_a_repeat_to_the_running_turn)
{
    CHAT_SITE(r);
    struct viewer a, b;
    struct str body;

    chat_site_script(&r, "gated",
                     "text One [1].\ngate g\ntext  Two.\nfinish stop\ndone\n");
    body = chat_site_body(&r, "s1", "q1", "cats script:gated", NULL);
    viewer_ask(&a, &r, body);
    viewer_await(&a, "[1]");
    viewer_ask(&b, &r, body);
    viewer_await(&b, "[1]");
    talk_refused(&r.site, 409, "turn_running", NULL, "POST", "/api/chat",
                 "{'id':'s1','messages':[{'id':'q2','role':'user','parts':[{"
                 "'type':'text','text':'other'}]}]}");
    CHECK_TEXT(talk_header("x-should-retry"), STR("false"));
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&a) && viewer_end(&b));
    CHECK_TEXT(buf_str(&b.seen), buf_str(&a.seen));
    CHECK_INT(upstream_asked(r.up), 1);
    viewer_close(&a);
    viewer_close(&b);
}

CONTRACT(chat_goes_on_when_its_client_leaves)
{
    CHAT_SITE(r);
    struct viewer a, b;

    chat_site_script(&r, "gated",
                     "text One [1].\ngate g\ntext  Two.\nfinish stop\ndone\n");
    viewer_ask(&a, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&a, "[1]");
    client_reset(&a.client);
    viewer_watch(&b, &r, "s1");
    viewer_await(&b, "[1]");
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&b));
    CHECK_STR(stream_text(&r, buf_str(&b.seen)), "One [1]. Two.");
    check_history(&r, "s1", buf_str(&b.seen));
    talk(&r.site, 204, "GET", "/api/chat/s1/stream", NULL);
    buf_free(&a.seen);
    viewer_close(&b);
}

CONTRACT(chat_stopped_keeps_what_was_said)
{
    CHAT_SITE(r);
    struct viewer a;
    struct json *v;

    chat_site_script(&r, "gated", "text One [1].\ngate g\ntext  Two.\ndone\n");
    viewer_ask(&a, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&a, "[1]");
    v = talk(&r.site, 200, "POST", "/api/chat/s1/stop", NULL);
    CHECK_AT(&r.site, v, "success", "true");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.status", "'stopped'");
    CHECK_AT(&r.site, v, "messages.1.content", "'One [1].'");
    CHECK_EACH(&r.site, v, "messages.1.sources", "cited", "true false false");
    talk(&r.site, 204, "GET", "/api/chat/s1/stream", NULL);
    CHECK(viewer_end(&a));
    CHECK(memmem(a.seen.p, a.seen.n, "\"finish\"", 8) != NULL);
    chat_site_await_left(&r, 1);
    viewer_close(&a);
}

CONTRACT(chat_deleted_session_ends_its_turn)
{
    CHAT_SITE(r);
    struct viewer a;

    chat_site_script(&r, "gated", "text One.\ngate g\ntext  Two.\ndone\n");
    viewer_ask(&a, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&a, "One");
    talk(&r.site, 204, "DELETE", "/api/sessions/s1", NULL);
    CHECK(viewer_end(&a));
    CHECK(memmem(a.seen.p, a.seen.n, "session was deleted", 19) != NULL);
    chat_site_await_left(&r, 1);
    talk_refused(&r.site, 404, "session_not_found", NULL, "GET",
                 "/api/sessions/s1", NULL);
    viewer_close(&a);
}

CONTRACT(chat_failure_of_the_model_keeps_what_there_was)
{
    CHAT_SITE(r);
    struct str body;
    struct json *v;

    chat_site_script(&r, "cut", "text One [1]\ncut\n");
    body = chat_site_ask(&r, "s1", "q1", "cats script:cut");
    CHECK_STR(stream_types(&r, body),
              "start " SOURCES3 " text-start text-delta text-delta text-end "
              "data-citations error");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.status", "'failed'");
    CHECK_AT(&r.site, v, "messages.1.failure", "'model_error'");
    CHECK_AT(&r.site, v, "messages.1.content", "'One [1]'");
    check_history(&r, "s1", body);
}

CONTRACT(chat_regenerate_and_edit_keep_the_replaced)
{
    CHAT_SITE(r);
    struct str first, second;
    struct json *v;

    chat_site_script(&r, "plain", PLAIN);
    first = chat_site_ask(&r, "s1", "q1", "cats script:plain");
    second = chat_site_ask_with(&r, "s1", "q1", "cats script:plain",
                                ",'trigger':'regenerate-message'");
    CHECK(strcmp(stream_answer_id(&r, first), stream_answer_id(&r, second)) !=
          0);
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_INT(json_get(v, STR("messages"))->n, 2);
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages?versions=all",
             NULL);
    CHECK_INT(json_get(v, STR("messages"))->n, 3);
    chat_site_ask_with(&r, "s1", "q1", "old cats script:plain",
                       ",'messageId':'q1'");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_INT(json_get(v, STR("messages"))->n, 2);
    CHECK_AT(&r.site, v, "messages.0.content", "'old cats script:plain'");
}

CONTRACT(chat_key_makes_a_repeat_the_same_turn)
{
    CHAT_SITE(r);
    struct ask ask = {
        .method = "POST", .path = "/api/chat", .header = "Idempotency-Key: k1"};
    struct answer_to a, b;

    chat_site_script(&r, "plain", PLAIN);
    ask.body = chat_site_body(&r, "s1", "q1", "cats script:plain", NULL);
    a = talk_ask(&r.site, 200, &ask);
    ask.body = chat_site_body(&r, "s1", "q1", "cats script:plain", NULL);
    b = talk_ask(&r.site, 200, &ask);
    CHECK_STR(stream_answer_id(&r, b.body), stream_answer_id(&r, a.body));
    ask.body = chat_site_body(&r, "s1", "q2", "other", NULL);
    talk_ask(&r.site, 422, &ask);
    CHECK_INT(upstream_asked(r.up), 1);
}

CONTRACT(chat_relaxed_text_is_stored_as_well)
{
    AUTO(chat_site_close) struct chat_site r = {.up = NULL, .relaxed = true};
    struct str body;

    chat_site_open(&r);
    chat_site_script(&r, "plain", PLAIN);
    body = chat_site_ask(&r, "s1", "q1", "cats script:plain");
    CHECK_STR(stream_text(&r, body), "Cats sleep [1].");
    check_history(&r, "s1", body);
}

/* What is read is what is stored: it comes while the model is silent. */
CONTRACT(chat_relaxed_text_is_stored_soon)
{
    AUTO(chat_site_close) struct chat_site r = {.up = NULL, .relaxed = true};
    struct viewer v;
    const char *text;

    chat_site_open(&r);
    chat_site_script(&r, "gated", "text One. \\e\ngate g\ntext Two.\ndone\n");
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&v, "One.");
    do {
        struct json *m =
            talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);

        text = json_at(&r.site, m, "messages.1.content");
    } while (!strstr(text, "One."));
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    viewer_close(&v);
}

/* A web page that is found is told of beside the documents, in every shape. */
CONTRACT(chat_tells_web_pages_apart)
{
    CHAT_SITE(r);
    struct json *v, *found;
    struct str body;

    chat_site_page(&r, "site", "https://example.com/cats",
                   "Cats sleep in boxes,\n  baskets and\nsinks.");
    body = chat_site_ask_with(&r, "s1", "q1", "Do cats sleep in sinks?",
                              ",'model':'extractive'");
    CHECK(strstr(stream_text(&r, body),
                 "Cats sleep in boxes, baskets and sinks. ["));
    found = talk(&r.site, 200, "GET", "/api/sessions/s1/retrievals", NULL);
    CHECK_EACH(&r.site, found, "retrievals", "kind", "'rag' 'web'");
    CHECK_EACH(&r.site, found, "retrievals.1.sources", "url",
               "'https://example.com/cats'");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.ragSourceIds.0",
             json_at(&r.site, found, "retrievals.0.id"));
    CHECK_AT(&r.site, v, "messages.1.webSourceIds.0",
             json_at(&r.site, found, "retrievals.1.id"));
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages?as=state", NULL);
    CHECK_AT(&r.site, v, "messages.1.web_source_ids.0",
             json_at(&r.site, found, "retrievals.1.id"));
    CHECK_AT(&r.site, v, "messages.1.web_source_ids.1", "absent");
}

CONTRACT(chat_in_a_deleted_course_is_refused_before_any_stream)
{
    CHAT_SITE(r);
    struct json *v;

    chat_site_ask_with(&r, "s1", "q1", "Where do cats sleep?",
                       ",'model':'extractive'");
    talk(&r.site, 200, "PATCH", "/api/sessions/s1", "{'courseId':'cats'}");
    talk(&r.site, 204, "DELETE", "/api/courses/cats", NULL);
    talk_refused(&r.site, 404, "course_not_found", NULL, "POST", "/api/chat",
                 "{'id':'s1','messages':[{'id':'q2','role':'user','parts':"
                 "[{'type':'text','text':'And now?'}]}]}");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_EACH(&r.site, v, "messages", "role", "'user' 'assistant'");
    talk(&r.site, 201, "POST", "/api/courses", "{'id':'new','title':'New'}");
    talk_ask(&r.site, 200,
             &(struct ask){
                 .method = "POST",
                 .path = "/api/chat",
                 .body = STR("{\"id\":\"s1\",\"courseId\":\"new\",\"message\":"
                             "{\"id\":\"q2\",\"role\":\"user\",\"parts\":[{"
                             "\"type\":\"text\",\"text\":\"And now?\"}]}}")});
}

CONTRACT(chat_bad_questions_are_refused_before_any_stream)
{
    CHAT_SITE(r);
    struct site *s = &r.site;

    talk_refused(s, 400, "invalid_field", "/id", "POST", "/api/chat",
                 "{'messages':[{'role':'user','parts':[]}]}");
    talk_refused(s, 400, "invalid_field", "/messages", "POST", "/api/chat",
                 "{'id':'s1'}");
    talk_refused(s, 400, "invalid_field", "/messages", "POST", "/api/chat",
                 "{'id':'s1','messages':[{'role':'assistant','parts':[]}]}");
    talk_refused(s, 400, "invalid_field", "/messages/0/parts", "POST",
                 "/api/chat",
                 "{'id':'s1','messages':[{'role':'user','parts':[{'type':"
                 "'text','text':'  '}]}]}");
    talk_refused(s, 404, "course_not_found", NULL, "POST", "/api/chat",
                 "{'id':'s1','courseId':'dogs','messages':[{'role':'user',"
                 "'content':'x'}]}");
    talk_refused(s, 404, "document_not_found", NULL, "POST", "/api/chat",
                 "{'id':'s1','documentId':'dogs','messages':[{'role':'user',"
                 "'content':'x'}]}");
    talk_refused(s, 422, "impossible", "/model", "POST", "/api/chat",
                 "{'id':'s1','model':'gpt','messages':[{'role':'user',"
                 "'content':'x'}]}");
    talk_refused(s, 404, "session_not_found", NULL, "GET", "/api/sessions/s1",
                 NULL);
}
