/* cursor.c - cursors and pages. */
#include "http/shape/cursor.h"

#include <assert.h>
#include <inttypes.h>

#include "http/core/base64url.h"

enum {
    CURSOR_BYTES_MAX = 1024, /* encoded: 200 bytes of id, and some */
    MADE_BYTES_MAX = 2048
};

struct str cursor_text(struct request *r, char list, struct str text)
{
    AUTO(buf_free) struct buf b = BUF(MADE_BYTES_MAX);
    struct str plain = arena_printf(&r->arena, "%c%.*s", list, STR_ARG(text));

    if (!plain.p)
        return STR_NONE;
    base64url_write(&b, plain);
    if (buf_rc(&b, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    return arena_str(&r->arena, buf_str(&b));
}

struct str cursor_pair(struct request *r, char list, int64_t a, int64_t b)
{
    struct str text = arena_printf(&r->arena, "%" PRId64 ".%" PRId64, a, b);

    assert(a >= 0 && b >= 0); /* cursor_read_pair() refuses others */
    return text.p ? cursor_text(r, list, text) : STR_NONE;
}

void cursor_refuse(struct request *r)
{
    reply_problem(r, &(struct problem){.status = 400,
                                       .code = STR("bad_cursor"),
                                       .text = STR("The cursor is not one of "
                                                   "this list")});
}

bool cursor_read_text(struct request *r, char list, struct str *out)
{
    struct str given = request_query(r, STR("cursor")), plain;

    *out = STR_NONE;
    if (!given.p)
        return true;
    if (given.n > CURSOR_BYTES_MAX ||
        base64url_read(&r->arena, given, &plain, NULL) != FOOTNOTE_OK ||
        plain.n < 2 || plain.p[0] != list) {
        cursor_refuse(r);
        return false;
    }
    *out = str_skip(plain, 1);
    return true;
}

bool cursor_read_pair(struct request *r, char list, int64_t *a, int64_t *b)
{
    struct str text;
    size_t point;

    *a = *b = 0;
    if (!cursor_read_text(r, list, &text))
        return false;
    if (!text.p)
        return true;
    point = str_find(text, '.');
    if (point < text.n && str_i64((struct str){text.p, point}, a) &&
        str_i64(str_skip(text, point + 1), b) && *a >= 0 && *b >= 0)
        return true;
    cursor_refuse(r);
    return false;
}

bool page_read(struct request *r, struct page *out)
{
    int64_t from, other;

    if (!request_limit(r, PAGE_PRESET, PAGE_MAX, &out->limit) ||
        !cursor_read_pair(r, 'o', &from, &other))
        return false;
    out->from = (size_t)from;
    return true;
}

size_t page_cut(struct request *r, struct page *p, size_t n, struct str *next)
{
    *next = STR_NONE;
    if (p->from > n)
        p->from = n;
    if (n - p->from <= p->limit)
        return n - p->from;
    *next = cursor_pair(r, 'o', (int64_t)(p->from + p->limit), 0);
    return p->limit;
}
