/* habits_test.c - what servers that speak OpenAI's API really do.
 *
 * Each row plays a script of tests/upstream/scripts through libcurl. */
#include "scripted_model.h"

#define CATS  "{\"query\":\"cats\"}"
#define DOGS  "{\"query\":\"dogs\"}"
#define NONE  (-1)
#define STOP  MODEL_FINISH_STOP
#define TOOLS MODEL_FINISH_TOOLS
#define OTHER MODEL_FINISH_OTHER

struct habit { /* NOLINT(clang-analyzer-optin.performance.Padding): a row */
    const char *script;
    const char *text;
    int finish;        /* of an answer that is well */
    const char *code;  /* of one that is not */
    const char *calls; /* id:arguments; */
    int64_t in, out;   /* tokens */
    int tries;         /* 0: one */
};

static void play(const struct habit *h)
{
    AUTO(scripted_model_close) struct scripted_model l;
    AUTO(answer_free) struct answer a = {.on_text = NULL};
    struct str calls = str_c(h->calls ? h->calls : "");

    scripted_model_open(&l);
    ask(&l, &a, h->script);
    wait_end(&a);
    if (h->code && !a.end.ok)
        CHECK_STR(a.end.code, h->code);
    if (a.end.ok != !h->code)
        FAIL("%s: ok is %d: %s (%s)", h->script, a.end.ok, a.end.text,
             a.end.detail);
    CHECK_TEXT(a.text.n ? buf_str(&a.text) : STR(""), str_c(h->text));
    if (!h->code)
        CHECK_INT(a.end.finish, h->finish);
    else
        CHECK(a.end.text[0] != '\0' && a.end.detail[0] != '\0');
    CHECK_TEXT(a.calls.n ? buf_str(&a.calls) : STR(""), calls);
    CHECK_INT(a.end.tokens_in, h->in ? h->in : -1);
    CHECK_INT(a.end.tokens_out, h->out ? h->out : -1);
    CHECK_INT(upstream_asked(l.u), h->tries ? h->tries : 1);
}

static void play_all(const struct habit *h, size_t n)
{
    for (size_t i = 0; i < n; i++)
        play(&h[i]);
}
#define PLAY(habits) play_all((habits), sizeof(habits) / sizeof((habits)[0]))

TEST(rows_1_to_5_framing_and_the_end_of_a_stream)
{
    static const struct habit habits[] = {
        {"plain", "Cats sleep 13 hours [1] and kittens more [2].", STOP, NULL,
         NULL, 20, 19, 0},
        {"q01_comments", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q02_blank_before_json", "Cats sleep.", STOP, NULL, NULL, 3, 2, 0},
        {"q03_framing", "Caf\xC3\xA9 \xF0\x9F\x90\x88.", STOP, NULL, NULL, 0, 0,
         0},
        {"q04_no_last_newline", "Cats sleep. Much.", STOP, NULL, NULL, 0, 0, 0},
        {"q04_done_no_newline", "Cats sleep.", OTHER, NULL, NULL, 0, 0, 0},
        {"q05_no_done", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q05_done_after_error", "Cats", NONE, "model_error", NULL, 0, 0, 0},
        {"q05_double_done", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
    };

    PLAY(habits);
}

TEST(rows_6_to_10_chunks_and_usage)
{
    static const struct habit habits[] = {
        {"q06_no_choices", "Cats sleep.", STOP, NULL, NULL, 7, 8, 0},
        {"q07_usage_at_finish", "Cats sleep.", STOP, NULL, NULL, 5, 4, 0},
        {"q07_usage_always", "Cats sleep.", STOP, NULL, NULL, 5, 2, 0},
        {"q08_no_stream_options", "Cats sleep.", STOP, NULL, NULL, 0, 0, 2},
        {"q09_role_and_null", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q10_reasoning", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
    };

    PLAY(habits);
}

TEST(rows_11_to_17_tool_calls_whole_and_in_pieces)
{
    static const struct habit habits[] = {
        {"q11_whole_call", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q11_call_in_pieces", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q12_no_index", "", TOOLS, NULL, "call_a:" CATS ";call_b:" DOGS ";", 0,
         0, 0},
        {"q13_all_index_zero", "", TOOLS, NULL,
         "call_a:" CATS ";call_b:" DOGS ";", 0, 0, 0},
        {"q13_index_zero_no_ids", "", TOOLS, NULL,
         "call_1:" CATS ";call_2:" DOGS ";", 0, 0, 0},
        {"q14_index_from_one", "", TOOLS, NULL,
         "call_a:" CATS ";call_b:" DOGS ";", 0, 0, 0},
        {"q15_empty_ids", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q15_no_id", "", TOOLS, NULL, "call_1:" CATS ";", 0, 0, 0},
        {"q15_id_repeated", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q16_name_late", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q17_object", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q17_empty", "", TOOLS, NULL, "call_a:{};call_b:{};", 0, 0, 0},
        {"q17_bad_json", "", TOOLS, NULL, "call_a:{query: cats;", 0, 0, 0},
    };

    PLAY(habits);
}

TEST(rows_18_to_20_how_an_answer_ends)
{
    static const struct habit habits[] = {
        {"q18_stop_with_calls", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q18_function_call", "", TOOLS, NULL, "call_1:" CATS ";", 0, 0, 0},
        {"q18_other_word", "Cats sleep.", OTHER, NULL, NULL, 0, 0, 0},
        {"q18_length", "Cats sle", MODEL_FINISH_LENGTH, NULL, NULL, 0, 0, 0},
        {"q18_error_word", "Cats", NONE, "model_error", NULL, 0, 0, 0},
        {"q18_missing", "Cats sleep.", OTHER, NULL, NULL, 0, 0, 0},
        {"q19_error_object", "Cats", NONE, "model_unavailable", NULL, 0, 0, 0},
        {"q19_error_beside_choices", "Cats", NONE, "model_unavailable", NULL, 0,
         0, 0},
        {"q19_object_error", "Cats", NONE, "model_unavailable", NULL, 0, 0, 0},
        {"q19_event_error", "Cats", NONE, "model_error", NULL, 0, 0, 0},
        {"q19_error_field", "Cats", NONE, "model_unavailable", NULL, 0, 0, 0},
        {"q19_error_null", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q20_early_end", "Cats", NONE, "model_error", NULL, 0, 0, 0},
        {"q20_cut", "Cats", NONE, "model_error", NULL, 0, 0, 0},
        {"q20_half_event", "Cats", NONE, "model_error", NULL, 0, 0, 0},
    };

    PLAY(habits);
}

TEST(rows_21_to_24_errors_of_every_shape)
{
    static const struct habit habits[] = {
        {"q21_context_400", "", NONE, "context_too_long", NULL, 0, 0, 0},
        {"q21_context_in_200", "", NONE, "context_too_long", NULL, 0, 0, 0},
        {"q22_loading", "Cats sleep.", STOP, NULL, NULL, 0, 0, 3},
        {"q23_busy_seconds", "Cats sleep.", STOP, NULL, NULL, 0, 0, 2},
        {"q23_busy_ms", "Cats sleep.", STOP, NULL, NULL, 0, 0, 2},
        {"q23_busy_date", "Cats sleep.", STOP, NULL, NULL, 0, 0, 2},
        {"q23_busy_long", "", NONE, "model_unavailable", NULL, 0, 0, 1},
        {"q23_busy_html", "Cats sleep.", STOP, NULL, NULL, 0, 0, 2},
        {"q23_busy_always", "", NONE, "model_unavailable", NULL, 0, 0, 3},
        {"q24_html_502", "", NONE, "model_unavailable", NULL, 0, 0, 3},
        {"q24_error_text", "", NONE, "model_refused", NULL, 0, 0, 0},
        {"q24_detail", "", NONE, "model_refused", NULL, 0, 0, 0},
        {"q24_flat", "", NONE, "model_refused", NULL, 0, 0, 0},
        {"q24_array", "", NONE, "model_refused", NULL, 0, 0, 0},
        {"q24_empty", "", NONE, "model_refused", NULL, 0, 0, 0},
    };

    PLAY(habits);
}

TEST(rows_25_to_32_the_rest)
{
    static const struct habit habits[] = {
        {"q25_json_answer", "Cats sleep.", STOP, NULL, NULL, 3, 2, 0},
        {"q25_json_calls", "", TOOLS, NULL, "call_a:" CATS ";", 0, 0, 0},
        {"q25_json_error", "", NONE, "model_refused", NULL, 0, 0, 0},
        {"q25_html", "", NONE, "model_error", NULL, 0, 0, 0},
        {"q26_unknown_keys", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q26_extra_content", "", TOOLS, NULL,
         "call_a:" CATS "+{\"google\":{\"thought_signature\":\"c2ln\"}};", 0, 0,
         0},
        {"q27_placeholders", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q28_plain_request", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q29_no_tools", "Cats sleep.", STOP, NULL, NULL, 0, 0, 2},
        {"q30_silence", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q31_refusal", "I cannot help with that.", MODEL_FINISH_FILTER, NULL,
         NULL, 0, 0, 0},
        {"q31_refusal_false", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q32_other_choices", "Cats sleep.", STOP, NULL, NULL, 0, 0, 0},
        {"q32_no_message", "", STOP, NULL, NULL, 0, 0, 0},
    };

    PLAY(habits);
}

TEST(what_is_no_answer_has_a_defined_result)
{
    static const struct habit habits[] = {
        {"garbage", "", NONE, "model_error", NULL, 0, 0, 0},
        {"deep", "", NONE, "model_error", NULL, 0, 0, 0},
        {"duplicate_keys", "", NONE, "model_error", NULL, 0, 0, 0},
        {"huge_index", "Cats", TOOLS, NULL, "call_a:{};", 0, 0, 0},
        {"bad_utf8", "Ca\xEF\xBF\xBD\xEF\xBF\xBDts\xEF\xBF\xBD.", STOP, NULL,
         NULL, 0, 0, 0},
        {"many_calls", "", NONE, "model_limit", NULL, 0, 0, 0},
        {"long_line", "", NONE, "model_limit", NULL, 0, 0, 0},
        {"long_event", "", NONE, "model_limit", NULL, 0, 0, 0},
        {"reset_first", "Cats sleep.", STOP, NULL, NULL, 0, 0, 2},
        {"redirect", "", NONE, "model_refused", NULL, 0, 0, 1},
    };

    PLAY(habits);
}
