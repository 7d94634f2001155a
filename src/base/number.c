/* number.c - doubles as decimal text, whatever the locale.
 *
 * Both directions meet in "digits times a power of ten".  When the digits are
 * below 2^53 and the power is at most 10^22, both are exact as doubles, so one
 * multiplication or division is correctly rounded (Clinger, 1990).  Nearly all
 * numbers in practice take that way, at a few nanoseconds.  The rest goes
 * through printf and strtod, with texts that have no decimal point, because
 * that is what a locale changes. */
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct decimal { /* digits * 10^power */
    uint64_t digits;
    int power;
};

enum { POWER_EXACT = 22, DIGITS_MAX = 17 };

static const double powers[POWER_EXACT + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Fifteen digits name at most one decimal for each double, so the first power
 * that gives the number back is the shortest. */
static bool shortest_exact(double v, struct decimal *d)
{
    for (int k = 0; k <= POWER_EXACT; k++) {
        double scaled = v * powers[k];
        if (scaled >= 1e15)
            return false;
        double rounded = nearbyint(scaled);
        if (rounded / powers[k] == v) {
            *d = (struct decimal){(uint64_t)rounded, -k};
            return true;
        }
    }
    return false;
}

/* v to so many digits; the point in the middle, whatever it is, is skipped. */
static struct decimal rounded_to(double v, int digits)
{
    struct decimal d = {0, 0};
    char text[NUMBER_BYTES * 2];
    char *p = text;

    snprintf(text, sizeof(text), "%.*e", digits - 1, v);
    for (; *p != 'e'; p++) {
        if (*p >= '0' && *p <= '9')
            d.digits = d.digits * 10 + (uint64_t)(*p - '0');
    }
    d.power = (int)strtol(p + 1, NULL, 10) - (digits - 1);
    return d;
}

static bool reads_back(struct decimal d, double v)
{
    char text[NUMBER_BYTES * 2];

    snprintf(text, sizeof(text), "%llue%d", (unsigned long long)d.digits,
             d.power);
    return strtod(text, NULL) == v;
}

/* The fewest digits that shortest_exact() has not ruled out.  Subnormals have
 * lost precision, so that one digit may do. */
static int digits_from(double v)
{
    return v < DBL_MIN ? 1 : v < 1e-7 || v >= 1e15 ? 15 : 16;
}

static struct decimal shortest(double v)
{
    struct decimal d;
    int unused;

    if (shortest_exact(v, &d))
        return d;
    bool power_of_two = frexp(v, &unused) == 0.5;
    for (int n = digits_from(v); n < DIGITS_MAX; n++) {
        d = rounded_to(v, n);
        if (reads_back(d, v))
            return d;
        /* Above a power of two the doubles are wider apart than below, so
         * the next decimal up may read back where the nearest does not. */
        d.digits++;
        if (power_of_two && reads_back(d, v))
            return d;
    }
    return rounded_to(v, DIGITS_MAX);
}

static struct decimal without_zeros(struct decimal d)
{
    while (d.digits && d.digits % 10 == 0) {
        d.digits /= 10;
        d.power++;
    }
    return d;
}

static size_t put_zeros(char *out, int n)
{
    memset(out, '0', (size_t)n);
    return (size_t)n;
}

/* point: how many of the n digits stand before the decimal point. */
static size_t print_plain(char *out, const char *digits, int n, int point)
{
    size_t at = 0;

    if (point <= 0) {
        out[at++] = '0';
        out[at++] = '.';
        at += put_zeros(out + at, -point);
        memcpy(out + at, digits, (size_t)n);
        return at + (size_t)n;
    }
    int before = point < n ? point : n;
    memcpy(out, digits, (size_t)before);
    at = (size_t)before + put_zeros(out + before, point - before);
    if (n > point) {
        out[at++] = '.';
        memcpy(out + at, digits + point, (size_t)(n - point));
        at += (size_t)(n - point);
    }
    return at;
}

static size_t print_exponent(char *out, const char *digits, int n, int point)
{
    size_t at = 0;

    out[at++] = digits[0];
    if (n > 1) {
        out[at++] = '.';
        memcpy(out + at, digits + 1, (size_t)(n - 1));
        at += (size_t)(n - 1);
    }
    int wrote = snprintf(out + at, NUMBER_BYTES - 1 - at, "e%d", point - 1);
    return at + (size_t)wrote;
}

size_t number_print(double v, char out[NUMBER_BYTES])
{
    char digits[DIGITS_MAX + 4];
    size_t sign = signbit(v) ? 1 : 0;

    assert(isfinite(v));
    out[0] = '-';
    struct decimal d = without_zeros(shortest(fabs(v)));
    int n =
        snprintf(digits, sizeof(digits), "%llu", (unsigned long long)d.digits);
    int point = n + d.power;
    if (d.digits == 0)
        point = 1;
    /* From 1e16 on an integer form could not be told from an exact int64. */
    if (point > -6 && point <= 16)
        return sign + print_plain(out + sign, digits, n, point);
    return sign + print_exponent(out + sign, digits, n, point);
}

/* 770 digits decide how any double is rounded; of those that follow only one
 * thing matters, whether they are all zero. */
enum { READ_DIGITS = 780, POWER_MAX = 100000 };

struct decimal_reader {
    char text[READ_DIGITS + NUMBER_BYTES];
    size_t n;        /* digits in text, without leading zeros */
    int64_t power;   /* of the last of them */
    uint64_t digits; /* their value, when n <= 19 */
};

static void add_digit(struct decimal_reader *r, char c)
{
    if (r->n == 0 && c == '0')
        return;
    if (r->n < READ_DIGITS) {
        r->text[r->n++] = c;
        r->digits = r->digits * 10 + (uint64_t)(c - '0');
        return;
    }
    r->power++;
    if (c != '0' && r->text[READ_DIGITS - 1] == '0')
        r->text[READ_DIGITS - 1] = '1';
}

static size_t add_digits(struct decimal_reader *r, struct str s, size_t i)
{
    for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
        add_digit(r, s.p[i]);
    return i;
}

/* What stands behind the e: far out, only the direction still matters. */
static int64_t exponent(struct str s)
{
    const int64_t far = INT64_C(1) << 60;
    bool negative = s.p[0] == '-';
    int64_t v = 0;

    for (size_t i = negative || s.p[0] == '+'; i < s.n && v < far / 16; i++)
        v = v * 10 + (s.p[i] - '0');
    return negative ? -v : v;
}

static double value(struct decimal_reader *r)
{
    const uint64_t exact = UINT64_C(1) << 53;

    if (r->n == 0)
        return 0;
    if (r->n <= 19 && r->digits <= exact && llabs(r->power) <= POWER_EXACT)
        return r->power < 0 ? (double)r->digits / powers[-r->power]
                            : (double)r->digits * powers[r->power];
    int power = r->power > POWER_MAX    ? POWER_MAX
                : r->power < -POWER_MAX ? -POWER_MAX
                                        : (int)r->power;
    snprintf(r->text + r->n, NUMBER_BYTES, "e%d", power);
    return strtod(r->text, NULL);
}

bool number_read(struct str s, double *out)
{
    struct decimal_reader r;
    bool negative = s.p[0] == '-';

    r.n = 0;
    r.power = 0;
    r.digits = 0;
    size_t i = add_digits(&r, s, negative);
    if (i < s.n && s.p[i] == '.') {
        size_t fraction = i + 1;
        i = add_digits(&r, s, fraction);
        r.power -= (int64_t)(i - fraction);
    }
    if (i < s.n)
        r.power += exponent(str_skip(s, i + 1));
    double v = value(&r);
    *out = negative ? -v : v;
    return isfinite(v);
}

const char number_pairs[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

/* How many digits it has. */
static size_t width(uint64_t v)
{
    for (size_t n = 1;; n += 4, v /= 10000) {
        if (v < 10)
            return n;
        if (v < 100)
            return n + 1;
        if (v < 1000)
            return n + 2;
        if (v < 10000)
            return n + 3;
    }
}

/* Two digits a division: a history is a thousand numbers, most of them short.
 */
static size_t print_u64(uint64_t v, char *out)
{
    size_t n = width(v), at = n;

    for (; v >= 10; v /= 100)
        number_put_pair(out + (at -= 2), (unsigned)(v % 100));
    if (at > 0)
        out[0] = (char)('0' + v);
    return n;
}

size_t number_print_i64(int64_t v, char out[NUMBER_BYTES])
{
    if (v >= 0)
        return print_u64((uint64_t)v, out);
    out[0] = '-';
    return 1 + print_u64(0 - (uint64_t)v, out + 1);
}
