/* json_read_test.c - what is accepted, what it becomes, what is refused. */
#include "base/json.h"
#include "test.h"

#include <math.h>

static struct arena arena = {.max_bytes = 64 << 20};

static struct json *must_read(struct str text)
{
    struct footnote_err err;
    struct json *top;
    CHECK_OK(json_read(&arena, text, &top, &err), &err);
    return top;
}

static void must_refuse(struct str text, const char *sentence)
{
    struct footnote_err err;
    struct json *top;
    CHECK_INT(json_read(&arena, text, &top, &err), FOOTNOTE_INVALID);
    CHECK(top == NULL);
    CHECK_STR(err.text, sentence);
}

TEST(json_reads_every_type)
{
    struct json *top =
        must_read(STR(" {\"a\" : [1, -2.5 ,\"x\",true,false,null,{},[]] , "
                      "\"b\":{\"c\":\"\"}}\n"));
    CHECK_INT(top->type, JSON_OBJECT);
    CHECK_INT(top->n, 2);
    struct json *item = json_get(top, STR("a"));
    CHECK_INT(item->n, 8);
    CHECK_TEXT(item->raw, STR("[1, -2.5 ,\"x\",true,false,null,{},[]]"));
    item = item->first;
    static const enum json_type types[] = {JSON_I64,    JSON_F64,   JSON_STR,
                                           JSON_TRUE,   JSON_FALSE, JSON_NULL,
                                           JSON_OBJECT, JSON_ARRAY};
    for (size_t i = 0; i < 8; i++, item = item->next)
        CHECK_INT(item->type, types[i]);
    CHECK(item == NULL);
    struct json *c = json_get(json_get(top, STR("b")), STR("c"));
    CHECK_TEXT(c->s, STR(""));
    CHECK_TEXT(c->key, STR("c"));
    CHECK_TEXT(c->raw, STR("\"\""));
    CHECK(json_get(top, STR("z")) == NULL);
    CHECK(json_get(NULL, STR("z")) == NULL);
    CHECK(json_get(c, STR("z")) == NULL);
}

TEST(json_integers_are_exact_and_other_numbers_are_doubles)
{
    CHECK_INT(must_read(STR("9223372036854775807"))->i, INT64_MAX);
    CHECK_INT(must_read(STR("-9223372036854775808"))->i, INT64_MIN);
    CHECK_INT(must_read(STR("0"))->type, JSON_I64);
    static const struct {
        const char *text;
        double want;
    } doubles[] = {
        {"-0", -0.0},        {"1.0", 1.0},
        {"1e2", 100.0},      {"0.5", 0.5},
        {"-1.5E-2", -0.015}, {"9223372036854775808", 9223372036854775808.0},
        {"1e-999", 0.0}};
    for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); i++) {
        struct json *j = must_read(str_c(doubles[i].text));
        CHECK_INT(j->type, JSON_F64);
        CHECK_F64(j->f, doubles[i].want);
        CHECK_INT(signbit(j->f), signbit(doubles[i].want));
    }
}

TEST(json_strings_without_escapes_are_views)
{
    const struct str text = STR("[\"plain \xC3\xA9\", \"with\\n\"]");
    struct json *top = must_read(text);
    CHECK(top->first->s.p == text.p + 2);
    CHECK_TEXT(top->first->s, STR("plain \xC3\xA9"));
    CHECK_TEXT(top->first->next->s, STR("with\n"));
}

TEST(json_escapes_are_decoded)
{
    CHECK_TEXT(must_read(STR("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""))->s,
               STR("\"\\/\b\f\n\r\t"));
    CHECK_TEXT(must_read(STR("\"\\u0041\\u00e9\\u20AC\\ud83d\\uDE00z\""))->s,
               STR("A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"));
    CHECK_TEXT(must_read(STR("\"a\\u0000b\""))->s, STR("a\0b"));
    CHECK(json_get(must_read(STR("{\"\\u0061\":1}")), STR("a")) != NULL);
}

TEST(json_refusals_name_the_byte)
{
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"", "byte 0: a value is missing"},
        {"  ", "byte 2: a value is missing"},
        {"nul", "byte 0: a value is missing"},
        {"True", "byte 0: a value is missing"},
        {"1 2", "byte 2: text after the end"},
        {"[1,]", "byte 3: a value is missing"},
        {"[1 2]", "byte 3: a comma or ] is missing"},
        {"[1", "byte 2: a comma or ] is missing"},
        {"{\"a\":1,}", "byte 7: a string is missing"},
        {"{\"a\" 1}", "byte 5: a colon is missing"},
        {"{\"a\":1", "byte 6: a comma or } is missing"},
        {"{1:1}", "byte 1: a string is missing"},
        {"-", "byte 1: a digit is missing"},
        {"+1", "byte 0: a value is missing"},
        {".5", "byte 0: a value is missing"},
        {"01", "byte 1: text after the end"},
        {"1.", "byte 2: a digit is missing after the point"},
        {"1e+", "byte 3: a digit is missing in the exponent"},
        {"[1e400]", "byte 1: the number is too large"},
        {"NaN", "byte 0: a value is missing"},
        {"\"abc", "byte 0: the string has no end"},
        {"\"abc\\\"", "byte 0: the string has no end"},
        {"\"abc\\", "byte 0: the string has no end"},
        {"\"a\tb\"", "byte 2: a control character in a string"},
        {"\"\\x\"", "byte 1: no such escape"},
        {"\"\\u12G4\"", "byte 1: \\u needs four hexadecimal digits"},
        {"\"\\u12\"", "byte 1: \\u needs four hexadecimal digits"},
        {"\"\\ud800\"", "byte 1: half of a surrogate pair"},
        {"\"\\ud800\\u0041\"", "byte 1: half of a surrogate pair"},
        {"\"\\udc00\"", "byte 1: half of a surrogate pair"},
        {"\"\xC0\x80\"", "byte 0: the string is not valid UTF-8"},
        {"\"\xED\xA0\x80\"", "byte 0: the string is not valid UTF-8"},
        {"\xEF\xBB\xBF[]", "byte 0: a value is missing"},
        {"// x\n1", "byte 0: a value is missing"},
        {"{\"a\":1,\"b\":2, \"a\":3}", "byte 14: duplicate key \"a\""},
        {"{\"a\\u0022\":1,\"a\\\"\":3}", "byte 13: duplicate key \"a\"\""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        must_refuse(str_c(rows[i].text), rows[i].sentence);
    must_refuse(STR_NONE, "byte 0: a value is missing");
    must_refuse(STR("1\0"), "byte 1: text after the end");
    must_refuse(STR("\0"), "byte 0: a value is missing");
    must_refuse(STR("\"\\\0\""), "byte 1: no such escape");
}

TEST(json_64_levels_are_read_and_65_are_not)
{
    char text[2 * (JSON_DEPTH_MAX + 1)];
    memset(text, '[', JSON_DEPTH_MAX);
    memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    must_read((struct str){text, 2 * (size_t)JSON_DEPTH_MAX});
    memset(text, '[', JSON_DEPTH_MAX + 1);
    memset(text + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    must_refuse((struct str){text, sizeof(text)},
                "byte 64: nested deeper than 64");
    /* Closed levels do not count. */
    AUTO(buf_free) struct buf b = BUF(10000);
    buf_add(&b, STR("[[]"));
    for (int i = 0; i < 1000; i++)
        buf_add(&b, STR(",{}"));
    buf_add(&b, STR("]"));
    CHECK_INT(must_read(buf_str(&b))->n, 1001);
}

/* {"k0":0,"k1":1,...} and, when `twice` is not negative, that key again. */
static struct str big_object(struct buf *b, int n, int twice)
{
    buf_add(b, STR("{"));
    for (int i = 0; i < n; i++)
        buf_printf(b, "%s\"k%d\":%d", i ? "," : "", i, i);
    if (twice >= 0)
        buf_printf(b, ",\"k%d\":0", twice);
    buf_add(b, STR("}"));
    return buf_str(b);
}

TEST(json_duplicates_are_found_in_objects_of_any_size)
{
    static const int sizes[] = {1, 2, 15, 16, 17, 100, 100000};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        AUTO(buf_free) struct buf good = BUF(1 << 24), bad = BUF(1 << 24);
        struct str text = big_object(&good, sizes[i], -1);
        struct json *top = must_read(text);
        CHECK_INT(top->n, sizes[i]);
        char sentence[80];
        snprintf(sentence, sizeof(sentence), "byte %zu: duplicate key \"k%d\"",
                 text.n, sizes[i] / 2);
        must_refuse(big_object(&bad, sizes[i], sizes[i] / 2), sentence);
        arena_reset(&arena);
    }
}

TEST(json_members_keep_their_order)
{
    AUTO(buf_free) struct buf b = BUF(1 << 20);
    int i = 0;
    for (struct json *m = must_read(big_object(&b, 500, -1))->first; m;
         m = m->next)
        CHECK_INT(m->i, i++);
    CHECK_INT(i, 500);
}

TEST(json_that_does_not_fit_the_arena_is_out_of_memory)
{
    const struct str text = STR("{\"a\":[1,\"x\\n\"],\"b\":{\"c\":null}}");
    struct json *top;
    size_t limit = 0;
    enum footnote_rc rc;
    do {
        AUTO(arena_free) struct arena small = ARENA(limit++);
        rc = json_read(&small, text, &top, NULL);
        CHECK(rc == FOOTNOTE_OK || rc == FOOTNOTE_NOMEM);
        CHECK_INT(top != NULL, rc == FOOTNOTE_OK);
    } while (rc != FOOTNOTE_OK);
    CHECK(limit > 6 * sizeof(struct json));
    CHECK_INT(sizeof(struct json), 64);
}
