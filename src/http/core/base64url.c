/* base64url.c - three bytes are four characters, and back. */
#include "http/core/base64url.h"

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '-')
        return 62;
    return c == '_' ? 63 : -1;
}

enum footnote_rc base64url_read(struct arena *a, struct str text,
                                struct str *out, struct footnote_err *err)
{
    char *bytes = arena_alloc(a, text.n / 4 * 3 + 3);
    uint32_t bits = 0;
    unsigned held = 0;
    size_t n = 0;

    *out = STR_NONE;
    if (!bytes)
        return arena_rc(a, err);
    for (size_t i = 0; i < text.n; i++) {
        int v = value_of(text.p[i]);

        if (v < 0)
            return err_set(err, FOOTNOTE_INVALID, "not base64url");
        bits = bits << 6 | (uint32_t)v;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[n++] = (char)(bits >> held & 0xFF);
        }
    }
    if (held >= 6 || (bits & ((1U << held) - 1)))
        return err_set(err, FOOTNOTE_INVALID, "base64url with a loose end");
    *out = (struct str){bytes, n};
    return FOOTNOTE_OK;
}

void base64url_write(struct buf *b, struct str bytes)
{
    uint32_t bits = 0;
    unsigned held = 0;

    for (size_t i = 0; i < bytes.n; i++) {
        bits = bits << 8 | (uint8_t)bytes.p[i];
        held += 8;
        while (held >= 6) {
            held -= 6;
            buf_add_c(b, digits[bits >> held & 63]);
        }
    }
    if (held)
        buf_add_c(b, digits[bits << (6 - held) & 63]);
}
