/* intake_time.c - RFC 3339 times, as clients write them. */
#include "http/shape/intake.h"

/* Reads `n` digits at *at. */
static bool read_digits(struct str s, size_t *at, size_t n, int64_t *out)
{
    *out = 0;
    for (size_t end = *at + n; *at < end; ++*at) {
        if (*at >= s.n || s.p[*at] < '0' || s.p[*at] > '9')
            return false;
        *out = *out * 10 + (s.p[*at] - '0');
    }
    return true;
}

static bool skip_char(struct str s, size_t *at, char c)
{
    return *at < s.n && s.p[(*at)++] == c;
}

/* Days since 1970, by the calendar that starts its years in March. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month > 2 ? year : year - 1;
    int64_t era = y / 400, of_era = y % 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           719469;
}

static bool is_day(int64_t year, int64_t month, int64_t day)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    if (month < 1 || month > 12 || day < 1)
        return false;
    return day <= days[month - 1] + (month == 2 && leap);
}

static bool read_date(struct str s, size_t *at, int64_t *ms)
{
    int64_t year, month, day;

    if (!read_digits(s, at, 4, &year) || !skip_char(s, at, '-') ||
        !read_digits(s, at, 2, &month) || !skip_char(s, at, '-') ||
        !read_digits(s, at, 2, &day) || !is_day(year, month, day))
        return false;
    *ms = days_of(year, month, day) * 86400000;
    return true;
}

/* Digits after the milliseconds are cut off. */
static bool read_fraction(struct str s, size_t *at, int64_t *ms)
{
    int64_t unit = 100;

    if (*at >= s.n || s.p[*at] != '.')
        return true;
    size_t first = ++*at;
    for (; *at < s.n && s.p[*at] >= '0' && s.p[*at] <= '9'; ++*at) {
        *ms += (s.p[*at] - '0') * unit;
        unit /= 10;
    }
    return *at > first;
}

static bool read_clock(struct str s, size_t *at, int64_t *ms)
{
    int64_t hour, minute, second;

    if (!read_digits(s, at, 2, &hour) || !skip_char(s, at, ':') ||
        !read_digits(s, at, 2, &minute) || !skip_char(s, at, ':') ||
        !read_digits(s, at, 2, &second) || hour > 23 || minute > 59 ||
        second > 60)
        return false;
    *ms += ((hour * 60 + minute) * 60 + second) * 1000;
    return read_fraction(s, at, ms);
}

/* Without one it is UTC: so Python writes it. */
static bool read_offset(struct str s, size_t *at, int64_t *ms)
{
    int64_t hour, minute;
    char sign;

    if (*at >= s.n)
        return true;
    sign = s.p[(*at)++];
    if (sign == 'Z' || sign == 'z')
        return true;
    if ((sign != '+' && sign != '-') || !read_digits(s, at, 2, &hour) ||
        !skip_char(s, at, ':') || !read_digits(s, at, 2, &minute) ||
        hour > 23 || minute > 59)
        return false;
    *ms -= (sign == '+' ? 1 : -1) * (hour * 60 + minute) * 60000;
    return true;
}

bool time_parse(struct str text, int64_t *wall_ms)
{
    int64_t ms = 0;
    size_t at = 0;

    if (!read_date(text, &at, &ms) || at >= text.n ||
        (text.p[at] != 'T' && text.p[at] != 't' && text.p[at] != ' '))
        return false;
    at++;
    if (!read_clock(text, &at, &ms) || !read_offset(text, &at, &ms) ||
        at != text.n || ms < 0)
        return false;
    *wall_ms = ms;
    return true;
}
