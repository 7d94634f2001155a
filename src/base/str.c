/* str.c - comparing and searching borrowed text. */
#include "base/str.h"

#include <assert.h>

bool str_eq(struct str a, struct str b)
{
    if (!a.p || !b.p)
        return !a.p && !b.p;
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

int str_cmp(struct str a, struct str b)
{
    if (!a.p || !b.p)
        return (a.p != NULL) - (b.p != NULL);
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

bool str_starts(struct str s, struct str prefix)
{
    if (prefix.n == 0)
        return true;
    return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0;
}

struct str str_skip(struct str s, size_t n)
{
    assert(n <= s.n);
    return n ? (struct str){s.p + n, s.n - n} : s;
}

size_t str_find(struct str s, char c)
{
    const char *at = s.n ? memchr(s.p, c, s.n) : NULL;
    return at ? (size_t)(at - s.p) : s.n;
}

uint64_t str_hash(struct str s)
{
    uint64_t h = 0xcbf29ce484222325U;
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3U;
    return h;
}

bool str_i64(struct str s, int64_t *out)
{
    bool negative = s.n && s.p[0] == '-';
    int64_t v = 0;

    if (s.n == negative)
        return false;
    /* Counted downwards, because INT64_MIN has no positive twin. */
    for (size_t i = negative; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_sub_overflow(v, s.p[i] - '0', &v))
            return false;
    }
    if (!negative && v == INT64_MIN)
        return false;
    *out = negative ? v : -v;
    return true;
}
