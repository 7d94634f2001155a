/* json_reader.h - what json_read.c and json_string.c share. */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H
#include "base/json.h"

struct json_reader {
    struct arena *a;
    struct str text;
    size_t at;
    unsigned depth;
    struct footnote_err *err;
};

#define JSON_REFUSE(r, byte, what)                                             \
    err_set((r)->err, FOOTNOTE_INVALID, "byte %zu: %s", (size_t)(byte), what)

/* The next byte; 0 at the end, which no rule accepts. */
static inline char json_peek(const struct json_reader *r)
{
    if (r->at >= r->text.n)
        return '\0';
    return r->text.p[r->at];
}

static inline bool json_accept(struct json_reader *r, char c)
{
    if (json_peek(r) != c)
        return false;
    r->at++;
    return true;
}

/* The string at r->at, with its quotes; r->at moves behind it. */
enum footnote_rc json_read_string(struct json_reader *r, struct str *out);

#endif
