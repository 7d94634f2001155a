/* requests_test.c - what a model's server gets to see. */
#include "scripted_model.h"

#define TOOL_PART                                                              \
    ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":"               \
    "\"search_course_materials\""

static bool has(struct str s, struct str part)
{
    return memmem(s.p, s.n, part.p, part.n) != NULL;
}

static struct str asked(struct scripted_model *l, size_t i)
{
    return upstream_request(l->u, i).body;
}

TEST(a_question_is_asked_with_what_every_server_knows)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};
    struct model_line line = {.role = MODEL_USER,
                              .text = STR("\"Caf\xC3\xA9\"\nscript:plain")};
    struct str head;

    scripted_model_open(&l);
    l.model.usage = false;
    ask_this(&l, &a, &(struct model_ask){.lines = &line, .lines_n = 1});
    wait_end(&a);
    CHECK_TEXT(asked(&l, 0),
               STR("{\"model\":\"test-model\",\"messages\":[{\"role\":\"user\","
                   "\"content\":\"\\\"Caf\xC3\xA9\\\"\\nscript:plain\"}],"
                   "\"stream\":true}"));
    head = upstream_request(l.u, 0).head;
    CHECK(str_starts(head, STR("POST /v1/chat/completions HTTP/1.1\r\n")));
    CHECK(has(head, STR("\r\nContent-Type: application/json\r\n")));
    CHECK(
        has(head, STR("\r\nAuthorization: Bearer " SCRIPTED_MODEL_KEY "\r\n")));
    CHECK(!has(head, STR("Expect")));
}

TEST(a_thread_with_tools_and_a_picture_is_asked_whole)
{
    static const struct model_tool_call calls[] = {
        {.id = {"call_a", 6},
         .name = {MODEL_SEARCH_TOOL, sizeof(MODEL_SEARCH_TOOL) - 1},
         .arguments = {"{\"query\":\"x\"}", 13},
         .extra = {"{\"google\":{}}", 13}}};
    const struct model_line lines[] = {
        {.role = MODEL_SYSTEM, .text = STR("Be brief.")},
        {.role = MODEL_USER,
         .text = STR("script:plain"),
         .image_url = STR("data:image/png;base64,AA==")},
        {.role = MODEL_ASSISTANT, .calls = calls, .calls_n = 1},
        {.role = MODEL_TOOL, .text = STR("[1] x"), .call_id = STR("call_a")},
    };
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    ask_this(&l, &a,
             &(struct model_ask){.lines = lines, .lines_n = 4, .tools = true});
    wait_end(&a);
    CHECK(str_starts(
        asked(&l, 0),
        STR("{\"model\":\"test-model\",\"messages\":["
            "{\"role\":\"system\",\"content\":\"Be brief.\"},"
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
            "\"script:plain\"},{\"type\":\"image_url\",\"image_url\":{\"url\":"
            "\"data:image/png;base64,AA==\"}}]},"
            "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":"
            "\"call_a\",\"type\":\"function\",\"function\":{\"name\":"
            "\"search_course_materials\",\"arguments\":\"{\\\"query\\\":"
            "\\\"x\\\"}\"},\"extra_content\":{\"google\":{}}}]},"
            "{\"role\":\"tool\",\"tool_call_id\":\"call_a\",\"content\":"
            "\"[1] x\"}],\"stream\":true" TOOL_PART)));
    CHECK(has(asked(&l, 0),
              STR("],\"stream_options\":{\"include_usage\":true}}")));
}

TEST(a_model_is_not_given_what_it_does_not_take)
{
    const struct model_line line = {.role = MODEL_USER,
                                    .text = STR("script:plain"),
                                    .image_url = STR("data:,x")};
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    l.model.tools = l.model.images = false;
    ask_this(&l, &a,
             &(struct model_ask){.lines = &line, .lines_n = 1, .tools = true});
    wait_end(&a);
    CHECK(!has(asked(&l, 0), STR("\"tools\"")));
    CHECK(!has(asked(&l, 0), STR("image_url")));
}

TEST(what_was_refused_is_left_out_in_the_second_try)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};
    AUTO(answer_free) struct answer b = {.on_text = NULL};

    scripted_model_open(&l);
    ask(&l, &a, "q08_no_stream_options");
    wait_end(&a);
    CHECK(has(asked(&l, 0), STR("\"stream_options\"")));
    CHECK(!has(asked(&l, 1), STR("\"stream_options\"")));
    CHECK(has(asked(&l, 1), STR(TOOL_PART)));
    ask(&l, &b, "q29_no_tools");
    wait_end(&b);
    CHECK(has(asked(&l, 2), STR(TOOL_PART)));
    CHECK(!has(asked(&l, 3), STR("\"tools\"")));
    CHECK(has(asked(&l, 3), STR("\"stream_options\"")));
}

TEST(the_key_does_not_follow_a_redirect)
{
    AUTO(scripted_model_close) struct scripted_model l, other;
    AUTO(answer_free) struct answer a = {.on_text = NULL};
    char script[200];

    scripted_model_open(&l);
    scripted_model_open(&other);
    snprintf(script, sizeof(script),
             "status 307\nheader location: %s/v1/chat/completions\n",
             upstream_url(other.u));
    upstream_add(l.u, "away", script);
    ask(&l, &a, "away");
    wait_end(&a);
    CHECK_STR(a.end.code, "model_refused");
    CHECK_INT(upstream_connections(other.u), 0);
}

TEST(a_key_that_a_server_repeats_is_hidden)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    upstream_add(l.u, "bad_key",
                 "status 401\njson {\"error\":{\"message\":\"Incorrect API key "
                 "provided: " SCRIPTED_MODEL_KEY ".\"}}\n");
    ask(&l, &a, "bad_key");
    wait_end(&a);
    CHECK_STR(a.end.code, "model_refused");
    CHECK_STR(a.end.detail,
              "401: Incorrect API key provided: ******************.");
}

TEST(a_connection_serves_one_call_after_another)
{
    AUTO(scripted_model_close) struct scripted_model l;

    scripted_model_open(&l);
    for (int i = 0; i < 5; i++) {
        AUTO(answer_free) struct answer a = {.on_text = NULL};

        ask(&l, &a, "plain");
        wait_end(&a);
        CHECK(a.end.ok);
        for (int j = 0; j < 5; j++)
            scripted_model_run(
                &l); /* the end of the body may come a packet later */
    }
    CHECK_INT(upstream_connections(l.u), 1);
}

TEST(a_second_question_goes_on_after_a_tool)
{
    static const struct model_tool_call call = {
        .id = {"call_a", 6}, .name = {"x", 1}, .arguments = {"{}", 2}};
    const struct model_line lines[] = {
        {.role = MODEL_USER, .text = STR("script:q11_whole_call")},
        {.role = MODEL_ASSISTANT, .calls = &call, .calls_n = 1},
        {.role = MODEL_TOOL, .text = STR("[1]"), .call_id = STR("call_a")}};
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};

    scripted_model_open(&l);
    ask_this(&l, &a, &(struct model_ask){.lines = lines, .lines_n = 3});
    wait_end(&a);
    CHECK_TEXT(buf_str(&a.text), STR("Cats sleep."));
}
