/* json_string.c - a string of a JSON text.
 *
 * It is scanned once for its end, and copied only when it has escapes. */
#include "base/json_reader.h"
#include "base/utf8.h"

/* Four hex digits at `at`; false when there are not four. */
static bool hex4(const struct json_reader *r, size_t at, uint32_t *out)
{
    *out = 0;
    for (size_t i = at; i < at + 4; i++) {
        int c = i < r->text.n ? r->text.p[i] : '\0';
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16)
            return false;
        *out = *out << 4 | digit;
    }
    return true;
}

static bool is_high(uint32_t c)
{
    return c >= 0xD800 && c <= 0xDBFF;
}

static bool is_low(uint32_t c)
{
    return c >= 0xDC00 && c <= 0xDFFF;
}

/* XXXX, or XXXX\uXXXX for a surrogate pair.  r->at is behind the u. */
static enum footnote_rc read_unicode(struct json_reader *r, uint32_t *out)
{
    uint32_t low;
    size_t escape = r->at - 2;

    if (!hex4(r, r->at, out))
        return JSON_REFUSE(r, escape, "\\u needs four hexadecimal digits");
    r->at += 4;
    if (is_low(*out))
        return JSON_REFUSE(r, escape, "half of a surrogate pair");
    if (!is_high(*out))
        return FOOTNOTE_OK;
    if (!json_accept(r, '\\') || !json_accept(r, 'u') ||
        !hex4(r, r->at, &low) || !is_low(low))
        return JSON_REFUSE(r, escape, "half of a surrogate pair");
    r->at += 4;
    *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
    return FOOTNOTE_OK;
}

/* One escape; r->at is at its backslash.  Writes at most four bytes, which is
 * never more than the escape has. */
static enum footnote_rc read_escape(struct json_reader *r, char *out, size_t *n)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    uint32_t c;

    r->at++;
    if (json_accept(r, 'u')) {
        TRY(read_unicode(r, &c));
        *n += utf8_put(c, out + *n);
        return FOOTNOTE_OK;
    }
    const char *name = json_peek(r) ? strchr(names, json_peek(r)) : NULL;
    if (!name)
        return JSON_REFUSE(r, r->at - 1, "no such escape");
    r->at++;
    out[(*n)++] = meant[name - names];
    return FOOTNOTE_OK;
}

/* Copies the text between two quotes into the arena, with escapes decoded. */
static enum footnote_rc decode(struct json_reader *r, size_t end,
                               struct str *out)
{
    size_t n = 0;
    char *p = arena_many(r->a, end - r->at + 1, char);

    if (!p)
        return arena_rc(r->a, r->err);
    while (r->at < end) {
        struct str left = {r->text.p + r->at, end - r->at};
        size_t plain = str_find(left, '\\');
        memcpy(p + n, left.p, plain);
        n += plain;
        r->at += plain;
        if (plain < left.n)
            TRY(read_escape(r, p, &n));
    }
    *out = (struct str){p, n};
    return FOOTNOTE_OK;
}

/* The index of the closing quote; sees to it that every byte may be there. */
static enum footnote_rc scan_string(struct json_reader *r, size_t *end,
                                    bool *escapes)
{
    const unsigned char *p = (const unsigned char *)r->text.p;
    unsigned char seen = 0;
    size_t i = r->at;

    for (; i < r->text.n && p[i] != '"'; i++) {
        if (p[i] < 0x20)
            return JSON_REFUSE(r, i, "a control character in a string");
        seen |= p[i];
        if (p[i] == '\\') {
            *escapes = true;
            i++;
        }
    }
    if (i >= r->text.n)
        return JSON_REFUSE(r, r->at - 1, "the string has no end");
    if (seen & 0x80 && !utf8_valid((struct str){r->text.p + r->at, i - r->at}))
        return JSON_REFUSE(r, r->at - 1, "the string is not valid UTF-8");
    *end = i;
    return FOOTNOTE_OK;
}

enum footnote_rc json_read_string(struct json_reader *r, struct str *out)
{
    size_t end;
    bool escapes = false;

    if (!json_accept(r, '"'))
        return JSON_REFUSE(r, r->at, "a string is missing");
    TRY(scan_string(r, &end, &escapes));
    if (escapes)
        TRY(decode(r, end, out));
    else
        *out = (struct str){r->text.p + r->at, end - r->at};
    r->at = end + 1;
    return FOOTNOTE_OK;
}
