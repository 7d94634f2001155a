/* utf8_test.c - every code point, and the forms that are none. */
#include "base/utf8.h"
#include "test.h"

static bool is_surrogate(uint32_t c)
{
    return c >= 0xD800 && c <= 0xDFFF;
}

TEST(utf8_every_code_point_survives)
{
    char bytes[4] = {0};
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        if (is_surrogate(c))
            continue;
        struct str s = {bytes, utf8_put(c, bytes)};
        size_t i = 0;
        if (!utf8_valid(s) || utf8_next(s, &i) != c || i != s.n)
            FAIL("U+%04X does not survive", c);
        if (utf8_utf16(s) != (c > 0xFFFF ? 2U : 1U))
            FAIL("U+%04X has another length in UTF-16", c);
    }
}

/* Every sequence of two bytes, and of three and four at the borders, judged
 * by decoding it naively and encoding that again. */
static bool naive_valid(const unsigned char *p, size_t n)
{
    static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const unsigned char lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    uint32_t c = p[0] & mask[n];
    char again[4];
    if ((p[0] & (unsigned char)~mask[n]) != lead[n])
        return false;
    for (size_t i = 1; i < n; i++) {
        if (p[i] >> 6 != 2)
            return false;
        c = c << 6 | (p[i] & 0x3FU);
    }
    if (c > 0x10FFFF || is_surrogate(c))
        return false;
    return utf8_put(c, again) == n && memcmp(again, p, n) == 0;
}

TEST(utf8_overlong_surrogate_and_huge_are_refused)
{
    static const unsigned char edges[] = {0x00, 0x7F, 0x80, 0x8F, 0x90,
                                          0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    const size_t edges_n = sizeof(edges);
    unsigned char p[4];
    for (unsigned first = 0x80; first < 0x100; first++) {
        for (size_t i = 0; i < edges_n * edges_n * edges_n; i++) {
            p[0] = (unsigned char)first;
            p[1] = edges[i % edges_n];
            p[2] = edges[i / edges_n % edges_n];
            p[3] = edges[i / edges_n / edges_n];
            for (size_t n = 2; n <= 4; n++) {
                bool want =
                    naive_valid(p, n) ||
                    (n == 3 && naive_valid(p, 2) && p[2] < 0x80) ||
                    (n == 4 && naive_valid(p, 3) && p[3] < 0x80) ||
                    (n == 4 && naive_valid(p, 2) && p[2] < 0x80 &&
                     p[3] < 0x80) ||
                    (n == 4 && naive_valid(p, 2) && naive_valid(p + 2, 2));
                if (utf8_valid((struct str){(char *)p, n}) != want)
                    FAIL("%02X %02X %02X %02X, %zu bytes", p[0], p[1], p[2],
                         p[3], n);
            }
        }
    }
}

TEST(utf8_a_bad_byte_is_found_wherever_it_is)
{
    char text[40];
    for (size_t at = 0; at < sizeof(text); at++) {
        memset(text, 'a', sizeof(text));
        CHECK(utf8_valid((struct str){text, sizeof(text)}));
        text[at] = '\x80';
        CHECK(!utf8_valid((struct str){text, sizeof(text)}));
    }
    CHECK(utf8_valid(STR("")));
    CHECK(utf8_valid(STR_NONE));
    CHECK(utf8_valid(STR("a\0b")));
}

TEST(utf8_whole_cuts_a_character_that_has_not_ended)
{
    CHECK_INT(utf8_whole(STR("ab")), 2);
    CHECK_INT(utf8_whole(STR("")), 0);
    CHECK_INT(utf8_whole(STR_NONE), 0);
    CHECK_INT(utf8_whole(STR("a\xC3")), 1);
    CHECK_INT(utf8_whole(STR("a\xC3\xA9")), 3);
    CHECK_INT(utf8_whole(STR("a\xE2\x82")), 1);
    CHECK_INT(utf8_whole(STR("a\xE2\x82\xAC")), 4);
    CHECK_INT(utf8_whole(STR("a\xF0\x9F\x98")), 1);
    CHECK_INT(utf8_whole(STR("a\xF0\x9F\x98\x80")), 5);
    CHECK_INT(utf8_whole(STR("\x80\x80\x80\x80")), 4);
    CHECK_INT(utf8_whole(STR("a\xFF")), 2);
}

TEST(utf8_cut_counts_characters)
{
    const struct str s = STR("a\xC3\xA9\xF0\x9F\x98\x80z");
    CHECK_TEXT(utf8_cut(s, 0), STR(""));
    CHECK_TEXT(utf8_cut(s, 2), STR("a\xC3\xA9"));
    CHECK_TEXT(utf8_cut(s, 3), STR("a\xC3\xA9\xF0\x9F\x98\x80"));
    CHECK_TEXT(utf8_cut(s, 4), s);
    CHECK_TEXT(utf8_cut(s, 99), s);
    CHECK_INT(utf8_utf16(s), 5);
}

TEST(utf8_a_name_stays_on_its_line_and_turns_nothing)
{
    static const char *const good[] = {
        "",
        "Heat and work",
        "Größe",
        "熱力学",
        "חום ועבודה",
        "\u05D0\u200F!", /* with the mark that such text is typed with */
        "\u0646\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
        "a\u00A0b"};
    static const char *const bad[] = {
        "a\nb",     "a\rb",     "a\tb",      "\x7F",           "\xC2\x85",
        "a\u2028b", "a\u2029b", "\u202Agnp", "x\u202Efdp.exe", "\u2066a",
        "a\u2069",  "\xC3",     "\x1B[2J"};

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        if (!utf8_is_name(str_c(good[i])))
            FAIL("%s is a name", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (utf8_is_name(str_c(bad[i])))
            FAIL("the bad name %zu is taken", i);
    CHECK(!utf8_is_name((struct str){"a\0b", 3}));
}
