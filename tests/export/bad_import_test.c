/* bad_import_test.c - files that are no session: a sentence that says where,
 * and nothing of them stays. */
#include <stdlib.h>
#include <string.h>

#include "help/sessions.h"
#include "store/session/session.h"

static struct footnote_err err;
static struct store *st;

#define HEAD                                                                   \
    "{\"footnote\":\"session\",\"version\":1,\"id\":\"s\","                    \
    "\"createdAt\":\"2026-02-26T20:15:00Z\","                                  \
    "\"updatedAt\":\"2026-02-26T20:15:00Z\",\"messages\":["
#define QUESTION(id, more)                                                     \
    "{\"id\":\"" id "\",\"shown\":\"yes\",\"role\":\"user\","                  \
    "\"status\":\"complete\",\"createdAt\":\"2026-02-26T20:15:00Z\","          \
    "\"content\":\"why?\"" more "}"
#define ANSWER(id, more)                                                       \
    "{\"id\":\"" id "\",\"shown\":\"yes\",\"role\":\"assistant\","             \
    "\"status\":\"complete\",\"createdAt\":\"2026-02-26T20:15:00Z\","          \
    "\"content\":\"so [1]\"" more "}"
#define SOURCE(more)                                                           \
    "{\"sourceType\":\"web\",\"url\":\"https://example.org\"" more "}"
#define MARKED                                                                 \
    ",\"chunkNumber\":1,\"cited\":true,\"support\":0.5,\"spans\":[[3,6]]"
#define CITED(more) ANSWER("a", ",\"sources\":[" SOURCE(MARKED) "]" more)
#define TIME        "\"createdAt\":\"2026-02-26T20:15:00Z\""
#define ZEROS                                                                  \
    "sha256:"                                                                  \
    "0000000000000000000000000000000000000000000000000000000000000000"
#define VERDICT(sentences, digest)                                             \
    ",\"verdicts\":[{\"judge\":\"text\"," TIME ",\"digest\":\"" digest         \
    "\",\"sentences\":" sentences "}]"
#define EVENT(more)                                                            \
    "{\"id\":\"e\",\"kind\":\"rag\",\"query\":\"x\","                          \
    "\"createdAt\":\"2026-02-26T20:15:00Z\"" more "}"
#define PAIR                                                                   \
    QUESTION("q", "")                                                          \
    "," ANSWER("a", ",\"parentId\":\"q\",\"sources\":[" SOURCE(MARKED) "]")

static const struct {
    const char *json, *where, *words;
} bad[] = {
    {HEAD QUESTION("q", ""), "", "byte"}, /* cut off */
    {"", "", "byte"},
    {"\"text\"", "/footnote", "no session"},
    {"{\"footnote\":\"session\"}", "/version", "missing"},
    {"{\"footnote\":\"session\",\"version\":2,\"new\":{}}", "/version",
     "newer"},
    {"{\"footnote\":\"course\",\"version\":1}", "/footnote", "no session"},
    {HEAD "],\"new\":1}", "/new", "Unknown"},
    {HEAD "{}]}", "/messages/0/role", "role"},
    {HEAD "7]}", "/messages/0", "object"},
    {HEAD QUESTION("q", ",\"shown\":1") "]}", "", "byte"},
    {HEAD QUESTION("\xFF", "") "]}", "", "byte"},
    {HEAD QUESTION("", "") "]}", "/messages/0/id", "1 to 200"},
    {HEAD QUESTION("q", "") "," QUESTION("q", "") "]}", "messages/1/id",
     "another"},
    /* The tree. */
    {HEAD QUESTION("q", ",\"parentId\":\"none\"") "]}", "messages/0/parentId",
     "no message before"},
    {HEAD QUESTION("q", ",\"parentId\":\"q\"") "]}", "messages/0/parentId",
     "no message before"},
    {HEAD QUESTION("q", ",\"parentId\":\"a\"") "," ANSWER(
         "a", ",\"parentId\":\"q\"") "]}",
     "messages/0/parentId", "no message before"},
    {HEAD QUESTION("q", "") "," QUESTION("r", "") "]}", "messages/1/shown",
     "another version"},
    {HEAD
     "{\"id\":\"q\",\"shown\":\"no\",\"role\":\"user\",\"status\":\"complete\","
     "\"createdAt\":\"2026-02-26T20:15:00Z\",\"content\":\"\"}]}",
     "messages/0/shown", "no message is shown"},
    /* Verdicts. */
    {HEAD ANSWER("a", ",\"verdicts\":{}") "]}", "/messages/0/verdicts", "list"},
    {HEAD ANSWER("a", ",\"verdicts\":[{}]") "]}",
     "/messages/0/verdicts/0/createdAt", "missing"},
    {HEAD ANSWER("a", ",\"verdicts\":[{\"judge\":\"text\"," TIME "}]") "]}",
     "/messages/0/verdicts/0/sentences", "list"},
    {HEAD ANSWER("a", VERDICT("[]", "")) "]}", "/messages/0/verdicts/0/digest",
     "none"},
    {HEAD QUESTION("q", VERDICT("[]", ZEROS)) "]}", "messages/0/verdicts",
     "answer"},
    {HEAD CITED(VERDICT("[[0,2]]", ZEROS)) "]}", "messages/0/verdicts",
     "no list"},
    {HEAD CITED(VERDICT("[7]", ZEROS)) "]}", "messages/0/verdicts", "no list"},
    {HEAD CITED(VERDICT("[[0,2,9,0,1,0,0,0,0,0]]", ZEROS)) "]}",
     "messages/0/verdicts", "no list"},
    {HEAD CITED(VERDICT("[[0,99,1,0,1,0,0,0,0,0]]", ZEROS)) "]}",
     "messages/0/verdicts", "not of this text"},
    {HEAD CITED(VERDICT("[[0,2,1,0,7,0,0,0,0,0]]", ZEROS)) "]}",
     "messages/0/verdicts", "not of this text"},
    {HEAD CITED(VERDICT("[[0,2,1,0,1,0,0,9,0,0]]", ZEROS)) "]}",
     "messages/0/verdicts", "not of this text"},
    {HEAD CITED(VERDICT("[[0,2,1,0,1,1001,0,0,0,0]]", ZEROS)) "]}",
     "messages/0/verdicts", "not of this text"},
    {HEAD CITED(VERDICT("[[0,2,1,9,1,1,0,0,0,0]]", ZEROS)) "]}",
     "messages/0/verdicts", "not of this text"},
    {HEAD CITED(VERDICT("[[0,2,2,0,1,1,0,0,0,0,2,99]]", ZEROS)) "]}",
     "messages/0/verdicts", "not of this text"},
    /* Sources. */
    {HEAD ANSWER("a", ",\"sources\":{}") "]}", "/messages/0/sources", "list"},
    {HEAD ANSWER("a", ",\"sources\":[3]") "]}", "/messages/0/sources/0",
     "object"},
    {HEAD ANSWER("a", ",\"sources\":[" SOURCE("") "]") "]}",
     "messages/0/sources/0/chunkNumber", "missing"},
    {HEAD ANSWER("a",
                 ",\"sources\":[" SOURCE(MARKED) "," SOURCE(MARKED) "]") "]}",
     "messages/0/sources", "twice"},
    {HEAD ANSWER(
         "a",
         ",\"sources\":[" SOURCE(
             ",\"chunkNumber\":1,\"cited\":true,\"spans\":[[3,99]]") "]") "]}",
     "messages/0/sources/0/spans", "places"},
    {HEAD ANSWER("a",
                 ",\"sources\":[" SOURCE(",\"chunkNumber\":1,\"cited\":true,"
                                         "\"spans\":[[3,6],[4,6]]") "]") "]}",
     "messages/0/sources/0/spans", "places"},
    {HEAD ANSWER("a", ",\"sources\":[" SOURCE(
                          ",\"chunkNumber\":1,\"spans\":[[3]]") "]") "]}",
     "/messages/0/sources/0/spans", "pairs"},
    {HEAD ANSWER("a", ",\"sources\":[" SOURCE(
                          ",\"chunkNumber\":1,\"cited\":true") "]") "]}",
     "messages/0/sources/0/cited", "spans"},
    {HEAD ANSWER("a", ",\"sources\":[" SOURCE(
                          ",\"chunkNumber\":1,\"support\":1.5") "]") "]}",
     "/messages/0/sources/0/support", "from 0 to 1"},
    {HEAD ANSWER("a", ",\"sources\":[" SOURCE(
                          ",\"chunkNumber\":1,\"meta\":\"[]\"") "]") "]}",
     "/messages/0/sources/0/meta", "object"},
    {HEAD ANSWER("a", ",\"digest\":\"sha256:00\"") "]}", "/messages/0/digest",
     "none"},
    {HEAD ANSWER("a", ",\"digest\":\"sha256:"
                      "0000000000000000000000000000000000000000000000000000000"
                      "000000000\"") "]}",
     "messages/0/digest", "another"},
    /* Searches. */
    {HEAD PAIR "],\"retrievals\":[" EVENT(
         ",\"userMessageId\":\"none\",\"numbers\":[]") "]}",
     "retrievals/0/userMessageId", "no question"},
    {HEAD PAIR
     "],\"retrievals\":[" EVENT(",\"userMessageId\":\"a\",\"numbers\":[]") "]}",
     "retrievals/0/userMessageId", "no question"},
    {HEAD PAIR "],\"retrievals\":[" EVENT(
         ",\"userMessageId\":\"q\",\"answerId\":\"a\",\"numbers\":[2]") "]}",
     "retrievals/0/numbers", "no source"},
    {HEAD PAIR "],\"retrievals\":[" EVENT(
         ",\"userMessageId\":\"q\",\"answerId\":\"a\",\"numbers\":[1],"
         "\"coverage\":[]") "]}",
     "retrievals/0/coverage", "beside"},
    {HEAD PAIR "],\"retrievals\":[" EVENT(",\"userMessageId\":\"q\"") "]}",
     "/retrievals/0/numbers", "missing"},
};

static int64_t sessions(void)
{
    AUTO(arena_free) struct arena a = ARENA(1024 * 1024);
    struct session_list op = {.limit = 100};

    CHECK_OK(store_read(st, sessions_ann, &a, OP(session_list), &op, &err),
             &err);
    return (int64_t)op.sessions_n;
}

CONTRACT(import_of_what_is_no_session_says_where)
{
    struct footnote_err why;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        why = (struct footnote_err){.text = ""};
        if (session_in(st, sessions_ann, str_c(bad[i].json), &why) ==
                FOOTNOTE_OK ||
            strcmp(why.field, bad[i].where) != 0 ||
            !strstr(why.text, bad[i].words))
            FAIL("%s: \"%s\" at \"%s\", not \"%s\" at \"%s\"", bad[i].json,
                 why.text, why.field, bad[i].words, bad[i].where);
        CHECK_INT(sessions(), 0);
    }
    CHECK_OK(session_in(st, sessions_ann, STR(HEAD PAIR "]}"), &why), &why);
    CHECK_INT(sessions(), 1);
    sessions_sound(st);
    store_close(st);
}

/* Deeper than any file of ours. */
CONTRACT(import_of_a_hundred_thousand_lists_is_refused)
{
    enum { DEEP = 100000 };
    char *json = calloc(2, DEEP);

    CHECK(json);
    memset(json, '[', DEEP);
    memset(json + DEEP, ']', DEEP);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_INT(session_in(st, sessions_ann, (struct str){json, 2 * DEEP}, &err),
              FOOTNOTE_INVALID);
    free(json);
    store_close(st);
}

/* A message's id is taken: what was written before it goes again. */
CONTRACT(import_that_fails_in_its_middle_leaves_nothing)
{
    struct str second =
        STR("{\"footnote\":\"session\",\"version\":1,\"id\":\"t\","
            "\"courseId\":\"new\",\"createdAt\":\"2026-02-26T20:15:00Z\","
            "\"updatedAt\":\"2026-02-26T20:15:00Z\",\"messages\":[" QUESTION(
                "other", "") "," ANSWER("a", ",\"parentId\":\"other\"") "]}");

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_OK(session_in(st, sessions_ann, STR(HEAD PAIR "]}"), &err), &err);
    CHECK_INT(session_in(st, sessions_ann, second, &err), FOOTNOTE_CONFLICT);
    CHECK(strstr(err.text, "a is in another session"));
    CHECK_INT(sessions(), 1);
    sessions_sound(st);
    store_close(st);
}
