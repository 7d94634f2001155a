/* json_write_test.c - commas, escapes, numbers. */
#include "base/json.h"
#include "test.h"

TEST(json_writer_puts_the_commas)
{
    AUTO(buf_free) struct buf b = BUF(1000);
    struct json_out w = JSON_OUT(&b);
    json_object(&w);
    json_key(&w, STR("a"));
    json_array(&w);
    json_i64(&w, -1);
    json_f64(&w, 12.345);
    json_str(&w, STR("x"));
    json_str(&w, STR_NONE);
    json_object(&w);
    json_end(&w, '}');
    json_array(&w);
    json_end(&w, ']');
    json_end(&w, ']');
    json_key(&w, STR("b"));
    json_bool(&w, true);
    json_key(&w, STR("c"));
    json_bool(&w, false);
    json_key(&w, STR("d"));
    json_null(&w);
    json_key(&w, STR("e"));
    json_raw(&w, STR("[1, 2]"));
    json_end(&w, '}');
    CHECK_TEXT(buf_str(&b),
               STR("{\"a\":[-1,12.345,\"x\",null,{},[]],\"b\":true,\"c\":false,"
                   "\"d\":null,\"e\":[1, 2]}"));
    CHECK_INT(w.depth, 0);
}

TEST(json_writer_writes_64_levels)
{
    AUTO(buf_free) struct buf b = BUF(1000);
    AUTO(arena_free) struct arena a = ARENA(100000);
    struct json_out w = JSON_OUT(&b);
    struct json *top;
    for (int i = 0; i < JSON_DEPTH_MAX; i++) {
        if (i)
            json_i64(&w, i);
        json_array(&w);
    }
    for (int i = 0; i < JSON_DEPTH_MAX; i++)
        json_end(&w, ']');
    struct footnote_err err;
    CHECK_OK(json_read(&a, buf_str(&b), &top, &err), &err);
}

TEST(json_a_full_buffer_says_so_once_at_the_end)
{
    AUTO(buf_free) struct buf b = BUF(10);
    struct json_out w = JSON_OUT(&b);
    json_array(&w);
    for (int i = 0; i < 100; i++)
        json_str(&w, STR("text"));
    json_end(&w, ']');
    CHECK_INT(buf_rc(&b, NULL), FOOTNOTE_TOOBIG);
}

static void check_json(struct str s, struct str want)
{
    AUTO(buf_free) struct buf b = BUF(1000);
    buf_add_json(&b, s);
    CHECK_TEXT(buf_str(&b), want);
}

TEST(json_only_what_must_be_is_escaped)
{
    check_json(STR(""), STR("\"\""));
    check_json(STR_NONE, STR("\"\""));
    check_json(STR("\"\\\b\f\n\r\t"), STR("\"\\\"\\\\\\b\\f\\n\\r\\t\""));
    check_json(STR("\0\x01\x1F"), STR("\"\\u0000\\u0001\\u001f\""));
    check_json(STR("/ \x7F \xC3\xA9 \xE2\x80\xA8"),
               STR("\"/ \x7F \xC3\xA9 \xE2\x80\xA8\""));
}

static void check_byte(unsigned c, char *text, size_t n, size_t at)
{
    AUTO(buf_free) struct buf b = BUF(1000);
    AUTO(arena_free) struct arena a = ARENA(10000);
    bool escaped = c < 0x20 || c == '"' || c == '\\';
    struct json *j;

    memset(text, 'x', n);
    text[at] = (char)c;
    buf_add_json(&b, (struct str){text, n});
    CHECK_INT(b.n > n + 2, escaped);
    CHECK_OK(json_read(&a, buf_str(&b), &j, NULL), NULL);
    CHECK_TEXT(j->s, ((struct str){text, n}));
}

/* Short text is copied by bytes, longer by eight or sixteen of them, and the
 * last of these overlap: each byte must be seen at each place, in texts of any
 * length. */
TEST(json_every_byte_is_escaped_or_not_wherever_it_is)
{
    char text[40];

    for (unsigned c = 0; c < 0x80; c++)
        for (size_t n = 1; n <= sizeof(text); n++)
            for (size_t at = 0; at < n; at++)
                check_byte(c, text, n, at);
    check_json(
        STR("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
            "\xC3\xA9"),
        STR("\"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
            "\xC3\xA9\""));
}
