/* utf8.c - checking and measuring UTF-8.
 *
 * Lead byte   bytes   second byte      otherwise
 * 00..7F      1       -
 * C2..DF      2       80..BF
 * E0          3       A0..BF           (80..9F is overlong)
 * E1..EC, EE..EF  3   80..BF
 * ED          3       80..9F           (A0..BF is a surrogate)
 * F0          4       90..BF           (80..8F is overlong)
 * F1..F3      4       80..BF
 * F4          4       80..8F           (90..BF is over U+10FFFF) */
#include "base/utf8.h"

#include <assert.h>

/* Bytes of the character that this lead byte begins; 0 when none does. */
static size_t length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

static bool continues(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* The second byte tells overlong forms, surrogates and the end of Unicode. */
static bool second_fits(unsigned char lead, unsigned char second)
{
    switch (lead) {
    case 0xE0: return second >= 0xA0;
    case 0xED: return second < 0xA0;
    case 0xF0: return second >= 0x90;
    case 0xF4: return second < 0x90;
    default: return true;
    }
}

/* Bytes of the valid character at p, of which `left` can be read; 0 if bad. */
static size_t character(const unsigned char *p, size_t left)
{
    size_t n = length(p[0]);

    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if (!continues(p[i]))
            return 0;
    }
    return n == 1 || second_fits(p[0], p[1]) ? n : 0;
}

bool utf8_valid(struct str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0;

    while (i < s.n) {
        uint64_t eight, four[4];
        /* Most text is ASCII: many bytes at a time while it is. */
        while (s.n - i >= sizeof(four)) {
            memcpy(four, p + i, sizeof(four));
            if ((four[0] | four[1] | four[2] | four[3]) & 0x8080808080808080U)
                break;
            i += sizeof(four);
        }
        while (s.n - i >= sizeof(eight)) {
            memcpy(&eight, p + i, sizeof(eight));
            if (eight & 0x8080808080808080U)
                break;
            i += sizeof(eight);
        }
        if (i == s.n)
            return true;
        size_t n = character(p + i, s.n - i);
        if (n == 0)
            return false;
        i += n;
    }
    return true;
}

size_t utf8_whole(struct str s)
{
    for (size_t back = 1; back <= 3 && back <= s.n; back++) {
        unsigned char c = (unsigned char)s.p[s.n - back];
        if (!continues(c))
            return length(c) > back ? s.n - back : s.n;
    }
    return s.n;
}

uint32_t utf8_next(struct str s, size_t *i)
{
    assert(*i < s.n);
    const unsigned char *p = (const unsigned char *)s.p + *i;
    size_t n = length(p[0]);

    assert(n > 0 && n <= s.n - *i);
    *i += n;
    if (n == 1)
        return p[0];
    uint32_t c = p[0] & (0x7FU >> n);
    for (size_t k = 1; k < n; k++)
        c = c << 6 | (p[k] & 0x3FU);
    return c;
}

size_t utf8_utf16(struct str s)
{
    size_t units = 0;

    /* One unit for each character, and one more for each of four bytes. */
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        units += (size_t)!continues(c) + (c >= 0xF0);
    }
    return units;
}

static bool is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

bool utf8_is_name(struct str s)
{
    if (!utf8_valid(s))
        return false;
    for (size_t i = 0; i < s.n;)
        if (is_hidden(utf8_next(s, &i)))
            return false;
    return true;
}

struct str utf8_cut(struct str s, size_t chars)
{
    size_t i = 0;

    for (; i < s.n; i++) {
        if (continues((unsigned char)s.p[i]))
            continue;
        if (chars-- == 0)
            break;
    }
    return (struct str){s.p, i};
}

size_t utf8_put(uint32_t c, char out[4])
{
    assert(c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF));
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    if (n == 1) {
        out[0] = (char)c;
        return 1;
    }
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)((0xF00U >> n & 0xFFU) | c);
    return n;
}
