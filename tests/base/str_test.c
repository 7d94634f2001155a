/* str_test.c - borrowed text. */
#include "test.h"

TEST(str_absent_is_not_empty)
{
    CHECK(str_eq(STR_NONE, STR_NONE));
    CHECK(str_eq(STR(""), STR("")));
    CHECK(!str_eq(STR_NONE, STR("")));
    CHECK(!str_eq(STR(""), STR_NONE));
    CHECK(str_c(NULL).p == NULL);
    CHECK(str_c("").p != NULL);
}

TEST(str_equal_means_every_byte)
{
    CHECK(str_eq(STR("a\0b"), STR("a\0b")));
    CHECK(!str_eq(STR("a\0b"), STR("a\0c")));
    CHECK(!str_eq(STR("a"), STR("ab")));
}

TEST(str_order_is_by_bytes_and_absent_is_first)
{
    static const struct str sorted[] = {{NULL, 0}, {"", 0},    {"\0", 1},
                                        {"a", 1},  {"a\0", 2}, {"ab", 2},
                                        {"b", 1},  {"\xC3", 1}};
    const int n = sizeof(sorted) / sizeof(sorted[0]);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            int order = str_cmp(sorted[i], sorted[k]);
            CHECK_INT((order > 0) - (order < 0), (i > k) - (i < k));
        }
    }
}

TEST(str_starts_skip_and_find)
{
    CHECK(str_starts(STR("sqlite:x"), STR("sqlite:")));
    CHECK(str_starts(STR("x"), STR("")));
    CHECK(str_starts(STR_NONE, STR("")));
    CHECK(!str_starts(STR("sql"), STR("sqlite:")));
    CHECK(!str_starts(STR_NONE, STR("s")));
    CHECK_TEXT(str_skip(STR("abc"), 1), STR("bc"));
    CHECK_TEXT(str_skip(STR("abc"), 3), STR(""));
    CHECK(str_skip(STR_NONE, 0).p == NULL);
    CHECK_INT(str_find(STR("abc"), 'c'), 2);
    CHECK_INT(str_find(STR("abc"), 'x'), 3);
    CHECK_INT(str_find(STR_NONE, 'x'), 0);
}

TEST(str_hash_is_fnv_1a)
{
    CHECK(str_hash(STR("")) == 0xcbf29ce484222325U);
    CHECK(str_hash(STR("a")) == 0xaf63dc4c8601ec8cU);
    CHECK(str_hash(STR("foobar")) == 0x85944171f73967e8U);
}

TEST(str_i64_reads_all_of_the_range_and_nothing_else)
{
    static const struct {
        struct str text;
        int64_t want;
    } good[] = {{{"0", 1}, 0},
                {{"-1", 2}, -1},
                {{"007", 3}, 7},
                {{"9223372036854775807", 19}, INT64_MAX},
                {{"-9223372036854775808", 20}, INT64_MIN}};
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "1e3",
                                      "0x1",
                                      "--1",
                                      "1-",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "18446744073709551616",
                                      "99999999999999999999999999"};
    int64_t got;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        CHECK(str_i64(good[i].text, &got));
        CHECK_INT(got, good[i].want);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (str_i64(str_c(bad[i]), &got))
            FAIL("\"%s\" was read as a number", bad[i]);
    }
    CHECK(!str_i64(STR_NONE, &got));
    CHECK(!str_i64(STR("1\0"), &got));
}
