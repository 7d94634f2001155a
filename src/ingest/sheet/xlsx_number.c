/* xlsx_number.c - a date is a number of days, and its format says so. */
#include "ingest/sheet/xlsx_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NUMBER_BYTES = 64,
    DAY_S = 24 * 3600,
    DAYS_1970 = 25569,  /* from 30 December 1899 */
    DAYS_1904 = 1462,   /* between the two ways to count */
    DAYS_MAX = 2958465, /* the last day of the year 9999 */
    LEAP_1900 = 60      /* the day that did not exist */
};

enum number_kind number_kind_of(int64_t id)
{
    if (id == 9 || id == 10)
        return NUMBER_SHARE;
    return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) ||
                   (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
               ? NUMBER_DATE
               : NUMBER_PLAIN;
}

enum number_kind number_kind_of_code(struct str code)
{
    bool quoted = false, bracket = false, date = false, share = false;

    for (size_t i = 0; i < code.n; i++) {
        char c = code.p[i];

        if (c == '\\') {
            i++;
            continue;
        }
        quoted ^= c == '"';
        if (quoted)
            continue;
        bracket = c == '[' || (bracket && c != ']');
        if (bracket)
            continue;
        if (c == ';') /* of negative numbers */
            break;
        date |= c && strchr("ymdhsYMDHS", c) != NULL;
        share |= c == '%';
    }
    return share ? NUMBER_SHARE : date ? NUMBER_DATE : NUMBER_PLAIN;
}

/* Year, month and day of a day since 1970. */
static void civil(int64_t days, int64_t *y, int64_t *m, int64_t *d)
{
    int64_t z = days + 719468, era = z / 146097, doe = z % 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp;

    mp = (5 * doy + 2) / 153;
    *d = doy - (153 * mp + 2) / 5 + 1;
    *m = mp < 10 ? mp + 3 : mp - 9;
    *y = yoe + era * 400 + (*m <= 2);
}

static void show_date(struct buf *out, double v, bool late)
{
    int64_t days, y, m, d;

    v += late ? DAYS_1904 : v < LEAP_1900 && v >= 1 ? 1 : 0;
    days = (int64_t)floor(v);
    int64_t seconds = llround((v - (double)days) * DAY_S);
    if (seconds >= DAY_S) {
        days++;
        seconds = 0;
    }
    if (days > 0) {
        civil(days - DAYS_1970, &y, &m, &d);
        buf_printf(out, "%04d-%02d-%02d", (int)y, (int)m, (int)d);
    }
    if (seconds || days == 0)
        buf_printf(out, "%s%02d:%02d", days ? " " : "", (int)(seconds / 3600),
                   (int)(seconds / 60 % 60));
    if (seconds % 60)
        buf_printf(out, ":%02d", (int)(seconds % 60));
}

void number_show(struct buf *out, struct str value, enum number_kind kind,
                 bool late)
{
    char text[NUMBER_BYTES], *end;

    if (value.n == 0 || value.n >= sizeof(text)) {
        buf_add(out, value);
        return;
    }
    memcpy(text, value.p, value.n);
    text[value.n] = '\0';
    double v = strtod(text, &end);
    if (*end || !isfinite(v))
        buf_add(out, value);
    else if (kind == NUMBER_DATE && v >= 0 && v <= DAYS_MAX)
        show_date(out, v, late);
    else if (kind == NUMBER_SHARE)
        buf_printf(out, "%.10g%%", v * 100);
    else
        buf_printf(out, "%.15g", v);
}
