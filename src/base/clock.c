/* clock.c - the two clocks of the kernel, or those of a test. */
#include "base/clock.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "base/number.h"

static _Atomic(const struct clock_source *) replaced;

static int64_t read_ms(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_wall_ms(void)
{
    const struct clock_source *c = atomic_load(&replaced);
    return c ? c->wall_ms() : read_ms(CLOCK_REALTIME);
}

int64_t clock_mono_ms(void)
{
    const struct clock_source *c = atomic_load(&replaced);
    return c ? c->mono_ms() : read_ms(CLOCK_MONOTONIC);
}

void clock_replace(const struct clock_source *c)
{
    atomic_store(&replaced, c);
}

/* Days since 0000-03-01 become a date.  A year that begins in March ends with
 * its leap day, so every month has a fixed first day: (153 * m + 2) / 5. */
static void date(int64_t days, int *year, int *month, int *day)
{
    int64_t era = days / 146097, of_era = days % 146097;
    int64_t of_era_year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year =
        of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    int64_t m = (5 * of_year + 2) / 153;

    *day = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(era * 400 + of_era_year + (*month <= 2));
}

/* Every message shows its time, and snprintf() would take too long for that. */
static void put_pair(char *out, int v, char after)
{
    number_put_pair(out, (unsigned)v);
    out[2] = after;
}

void clock_text(int64_t wall_ms, char out[CLOCK_TEXT + 1])
{
    const int64_t day_ms = 86400000, march_0000 = 719468;
    /* The format has four digits for the year. */
    const int64_t first = -62135596800000, last = 253402300799999;

    wall_ms = wall_ms < first ? first : wall_ms > last ? last : wall_ms;
    int64_t days = wall_ms / day_ms - (wall_ms % day_ms < 0);
    int ms = (int)(wall_ms - days * day_ms), year, month, day;
    assert(ms >= 0 && ms < day_ms);
    date(days + march_0000, &year, &month, &day);
    put_pair(out, year / 100, '0');
    put_pair(out + 2, year % 100, '-');
    put_pair(out + 5, month, '-');
    put_pair(out + 8, day, 'T');
    put_pair(out + 11, ms / 3600000, ':');
    put_pair(out + 14, ms / 60000 % 60, ':');
    put_pair(out + 17, ms / 1000 % 60, '.');
    out[20] = (char)('0' + ms % 1000 / 100);
    put_pair(out + 21, ms % 100, 'Z');
    out[CLOCK_TEXT] = '\0';
}
