/* buf_test.c - growing text, its limit, and numbers in it. */
#include "base/buf.h"
#include "base/number.h"
#include "test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

TEST(buf_collects_what_is_added)
{
    AUTO(buf_free) struct buf b = BUF(1000);
    CHECK_TEXT(buf_str(&b), STR(""));
    buf_add(&b, STR("a\0b"));
    buf_add(&b, STR(""));
    buf_add(&b, STR_NONE);
    buf_add_c(&b, ' ');
    buf_add_hex(&b, "\x00\x7f\xff", 3);
    buf_printf(&b, " %s=%d", "n", 7);
    CHECK_TEXT(buf_str(&b), STR("a\0b 007fff n=7"));
    CHECK_OK(buf_rc(&b, NULL), NULL);
}

TEST(buf_takes_no_more_memory_than_is_reserved)
{
    AUTO(buf_free) struct buf b = BUF(1000);

    buf_reserve(&b, 300);
    CHECK_INT(b.cap, 301);
    for (int i = 0; i < 300; i++)
        buf_add_c(&b, 'x');
    CHECK_INT(b.cap, 301);
    buf_reserve(&b, 10); /* there is more already */
    CHECK_INT(b.cap, 301);
    buf_add(&b, STR("yz"));
    CHECK_INT(b.n, 302);
    buf_reserve(&b, 5000);
    CHECK_INT(b.cap, 1001);
    CHECK_OK(buf_rc(&b, NULL), NULL);
}

TEST(buf_integers_of_the_whole_range)
{
    static const int64_t v[] = {0, 7, -7, 10, -100, INT64_MAX, INT64_MIN};
    char want[32];
    for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
        AUTO(buf_free) struct buf b = BUF(100);
        buf_add_i64(&b, v[i]);
        snprintf(want, sizeof(want), "%lld", (long long)v[i]);
        CHECK_TEXT(buf_str(&b), str_c(want));
    }
}

TEST(buf_the_limit_is_exact_and_breaks_for_good)
{
    AUTO(buf_free) struct buf b = BUF(5);
    struct footnote_err err;
    buf_add(&b, STR("abc"));
    buf_add(&b, STR("de"));
    CHECK_OK(buf_rc(&b, &err), &err);
    buf_add_c(&b, 'f');
    CHECK_INT(buf_rc(&b, &err), FOOTNOTE_TOOBIG);
    CHECK_STR(err.text, "more than 5 bytes of text");
    CHECK_TEXT(buf_str(&b), STR("abcde"));
    struct str taken;
    CHECK_INT(buf_take(&b, &taken, &err), FOOTNOTE_TOOBIG);
    CHECK(taken.p == NULL);
    buf_reset(&b);
    buf_add(&b, STR("12345"));
    CHECK_OK(buf_rc(&b, &err), &err);
}

TEST(buf_nothing_is_added_behind_what_is_missing)
{
    AUTO(buf_free) struct buf b = BUF(5);

    buf_add(&b, STR("abc"));
    buf_add(&b, STR("def")); /* does not fit */
    buf_add(&b, STR("g"));   /* would */
    buf_add_c(&b, 'h');
    CHECK_TEXT(buf_str(&b), STR("abc"));
    CHECK_INT(buf_rc(&b, NULL), FOOTNOTE_TOOBIG);
}

TEST(buf_every_way_to_add_keeps_the_limit)
{
    for (int way = 0; way < 5; way++) {
        AUTO(buf_free) struct buf b = BUF(3);
        if (way == 0)
            buf_add(&b, STR("abcd"));
        if (way == 1)
            buf_add_i64(&b, -123);
        if (way == 2)
            buf_add_f64(&b, 0.25);
        if (way == 3)
            buf_add_hex(&b, "ab", 2);
        if (way == 4)
            buf_printf(&b, "%d", 1234);
        CHECK_INT(buf_rc(&b, NULL), FOOTNOTE_TOOBIG);
        CHECK_INT(b.n, 0);
    }
}

TEST(buf_take_gives_text_away_and_leaves_a_fresh_buffer)
{
    AUTO(buf_free) struct buf b = BUF(10000);
    struct str s;
    for (int i = 0; i < 5000; i++)
        buf_add_c(&b, 'x');
    CHECK_OK(buf_take(&b, &s, NULL), NULL);
    CHECK_INT(s.n, 5000);
    CHECK_INT(strlen(s.p), 5000);
    free((void *)(uintptr_t)s.p);
    CHECK_INT(b.n, 0);
    CHECK_OK(buf_take(&b, &s, NULL), NULL);
    CHECK_STR(s.p, "");
    free((void *)(uintptr_t)s.p);
}

static void check_number(double v, const char *want)
{
    char got[NUMBER_BYTES];
    struct str s = {got, number_print(v, got)};
    CHECK_TEXT(s, str_c(want));
}

static void check_whole(int64_t v, const char *want)
{
    char got[NUMBER_BYTES];
    struct str s = {got, number_print_i64(v, got)};
    CHECK_TEXT(s, str_c(want));
}

TEST(number_prints_whole_numbers)
{
    check_whole(0, "0");
    check_whole(-1, "-1");
    check_whole(10, "10");
    check_whole(INT64_MAX, "9223372036854775807");
    check_whole(INT64_MIN, "-9223372036854775808");
}

TEST(number_prints_the_shortest)
{
    check_number(0, "0");
    check_number(-0.0, "-0");
    check_number(5, "5");
    check_number(-5, "-5");
    check_number(12.345, "12.345");
    check_number(0.1, "0.1");
    check_number(0.1 + 0.2, "0.30000000000000004");
    check_number(1e-6, "0.000001");
    check_number(1e-7, "1e-7");
    check_number(1.5e-7, "1.5e-7");
    check_number(123456.789, "123456.789");
    check_number(1e15, "1000000000000000");
    check_number(9007199254740993.0, "9007199254740992");
    check_number(1e16, "1e16");
    check_number(1.2345678901234567e18, "1.2345678901234568e18");
    check_number(1e22, "1e22");
    check_number(1e23, "1e23");
    check_number(DBL_MAX, "1.7976931348623157e308");
    check_number(DBL_MIN, "2.2250738585072014e-308");
    check_number(5e-324, "5e-324");
    check_number(-1.5e-323, "-1.5e-323");
    /* The nearest of 16 digits reads back as a neighbour; the next one up
     * reads back right. */
    check_number(0x1p-44, "5.684341886080802e-14");
}

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15U;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static void check_round_trip(double v)
{
    char text[NUMBER_BYTES + 1];
    double again;
    struct str s = {text, number_print(v, text)};
    text[s.n] = '\0';
    CHECK(number_read(s, &again));
    if (again != v || signbit(again) != signbit(v) || strtod(text, NULL) != v)
        FAIL("%a became %s", v, text);
}

TEST(number_random_doubles_read_back_bit_for_bit)
{
    uint64_t state = 1;
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = next_random(&state);
        double v;
        memcpy(&v, &bits, sizeof(v));
        if (isfinite(v))
            check_round_trip(v);
        check_round_trip((double)(int64_t)(bits % 100000000) / 1000);
        check_round_trip((double)(bits >> 11) * 0x1p-53);
    }
    for (int power = -1074; power <= 1023; power++)
        check_round_trip(ldexp(1, power));
}

TEST(number_reading_is_correctly_rounded)
{
    static const struct {
        const char *text;
        double want;
    } rows[] = {
        {"0", 0.0},
        {"0e999999999999999999999", 0.0},
        {"1e-400", 0.0},
        {"-1.50E+3", -1500},
        {"100000000000000000000000", 1e23},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.00000000000000000000000001", 9007199254740994.0},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"0.000000000000000000000000000000000000000000000001e48", 1},
        {"1.7976931348623158e308", DBL_MAX},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double got;
        CHECK(number_read(str_c(rows[i].text), &got));
        CHECK_F64(got, rows[i].want);
    }
    double got;
    CHECK(!number_read(STR("1e400"), &got));
    CHECK(!number_read(STR("-1.7976931348623159e308"), &got));
    CHECK(!number_read(STR("1e99999999999999999999999"), &got));
}

TEST(number_a_thousand_digits_still_decide)
{
    /* Half-way between 1 and the next double, then zeros, then maybe a 1. */
    AUTO(buf_free) struct buf b = BUF(10000);
    double got;
    buf_add(&b, STR("1.00000000000000011102230246251565404236316680908203125"));
    for (int i = 0; i < 2000; i++)
        buf_add_c(&b, '0');
    CHECK(number_read(buf_str(&b), &got));
    CHECK_F64(got, 1.0);
    buf_add_c(&b, '1');
    CHECK(number_read(buf_str(&b), &got));
    CHECK_F64(got, nextafter(1.0, 2.0));
    buf_reset(&b);
    buf_add_c(&b, '1');
    for (int i = 0; i < 3000; i++)
        buf_add_c(&b, '0');
    buf_add(&b, STR("e-3000"));
    CHECK(number_read(buf_str(&b), &got));
    CHECK_F64(got, 1.0);
}

TEST(number_the_locale_changes_nothing)
{
    /* Where no such locale is installed this repeats what other tests say. */
    (void)(setlocale(LC_ALL, "de_DE.UTF-8") ||
           setlocale(LC_ALL, "fr_FR.UTF-8"));
    check_number(12.345, "12.345");
    check_number(1.2345678901234568e-300, "1.2345678901234568e-300");
    double got;
    CHECK(number_read(STR("1.2345678901234568e-300"), &got));
    CHECK_F64(got, 1.2345678901234568e-300);
}
