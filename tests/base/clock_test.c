/* clock_test.c - dates, and clocks that tests replace. */
#include "base/clock.h"
#include "test.h"

#include <time.h>

static int64_t fixed(void)
{
    return 1234567890123;
}

TEST(clock_can_be_replaced_and_given_back)
{
    static const struct clock_source source = {fixed, fixed};
    clock_replace(&source);
    CHECK_INT(clock_wall_ms(), 1234567890123);
    CHECK_INT(clock_mono_ms(), 1234567890123);
    clock_replace(NULL);
    CHECK(clock_wall_ms() > 1234567890123);
    int64_t before = clock_mono_ms();
    CHECK(clock_mono_ms() >= before);
}

static void check_text(int64_t ms, const char *want)
{
    char got[CLOCK_TEXT + 1];
    clock_text(ms, got);
    CHECK_STR(got, want);
}

TEST(clock_text_of_known_times)
{
    check_text(0, "1970-01-01T00:00:00.000Z");
    check_text(-1, "1969-12-31T23:59:59.999Z");
    check_text(1772136900123, "2026-02-26T20:15:00.123Z");
    check_text(951782400000, "2000-02-29T00:00:00.000Z");
    check_text(4107542399999, "2100-02-28T23:59:59.999Z");
    check_text(4107542400000, "2100-03-01T00:00:00.000Z");
    check_text(INT64_MAX, "9999-12-31T23:59:59.999Z");
    check_text(INT64_MIN, "0001-01-01T00:00:00.000Z");
}

TEST(clock_text_agrees_with_libc_on_every_day)
{
    for (int64_t day = -200000; day < 200000; day++) {
        time_t s = (time_t)(day * 86400 + day % 86400);
        char want[40];
        struct tm tm;
        CHECK(gmtime_r(&s, &tm) != NULL);
        strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S.000Z", &tm);
        check_text((int64_t)s * 1000, want);
    }
}
