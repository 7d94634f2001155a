/* buf.c - growing text with a limit.
 *
 * The memory always has room for a NUL behind the text, which the limit does
 * not count, so that buf_take() cannot fail once the text is there. */
#include "base/buf.h"
#include "base/number.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { CAP_FIRST = 256 };

static bool fail(struct buf *b, enum footnote_rc why)
{
    b->broken = why;
    b->cap = b->n;
    return false;
}

static bool grow(struct buf *b, size_t bytes)
{
    if (bytes > b->max - b->n || b->max == SIZE_MAX)
        return fail(b, FOOTNOTE_TOOBIG);
    size_t least = b->n + bytes + 1;
    size_t cap = b->cap < CAP_FIRST / 2 ? CAP_FIRST : b->cap * 2;
    if (cap > b->max + 1)
        cap = b->max + 1;
    if (cap < least)
        cap = least;
    char *p = realloc(b->p, cap);
    if (!p)
        return fail(b, FOOTNOTE_NOMEM);
    b->p = p;
    b->cap = cap;
    return true;
}

/* Whether `bytes` more, and a NUL, can be written at b->p + b->n. */
static inline bool reserve(struct buf *b, size_t bytes)
{
    if (b->broken != FOOTNOTE_OK)
        return false;
    return bytes < b->cap - b->n || grow(b, bytes);
}

void buf_reserve(struct buf *b, size_t bytes)
{
    size_t cap = (bytes < b->max ? bytes : b->max) + 1;
    char *p = cap > b->cap ? realloc(b->p, cap) : NULL;

    if (!p)
        return;
    b->p = p;
    b->cap = cap;
}

char *buf_room_more(struct buf *b, size_t bytes)
{
    return reserve(b, bytes) ? b->p + b->n : NULL;
}

void buf_add_more(struct buf *b, struct str s)
{
    if (s.n == 0 || !reserve(b, s.n))
        return;
    memcpy(b->p + b->n, s.p, s.n);
    b->n += s.n;
}

/* Straight into the text, unless the limit is near. */
void buf_add_long(struct buf *b, int64_t v)
{
    char text[NUMBER_BYTES];

    if (b->cap - b->n > NUMBER_BYTES)
        b->n += number_print_i64(v, b->p + b->n);
    else
        buf_add(b, (struct str){text, number_print_i64(v, text)});
}

void buf_add_f64(struct buf *b, double v)
{
    char text[NUMBER_BYTES];
    buf_add(b, (struct str){text, number_print(v, text)});
}

void buf_add_hex(struct buf *b, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;

    if (n > b->max / 2 && b->broken == FOOTNOTE_OK)
        (void)fail(b, FOOTNOTE_TOOBIG);
    if (!reserve(b, 2 * n))
        return;
    for (size_t i = 0; i < n; i++) {
        b->p[b->n++] = "0123456789abcdef"[from[i] >> 4];
        b->p[b->n++] = "0123456789abcdef"[from[i] & 15];
    }
}

void buf_printf(struct buf *b, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    assert(n >= 0);
    if (reserve(b, (size_t)n)) {
        vsnprintf(b->p + b->n, (size_t)n + 1, format, again);
        b->n += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

struct str buf_str(const struct buf *b)
{
    return (struct str){b->p ? b->p : "", b->n};
}

enum footnote_rc buf_rc(const struct buf *b, struct footnote_err *err)
{
    if (b->broken == FOOTNOTE_TOOBIG)
        return err_set(err, FOOTNOTE_TOOBIG, "more than %zu bytes of text",
                       b->max);
    if (b->broken == FOOTNOTE_NOMEM)
        return err_set(err, FOOTNOTE_NOMEM, "no memory for %zu bytes of text",
                       b->n);
    return FOOTNOTE_OK;
}

enum footnote_rc buf_take(struct buf *b, struct str *out,
                          struct footnote_err *err)
{
    *out = STR_NONE;
    if (!b->p)
        reserve(b, 0); /* "" is text too, and must be free()-able */
    TRY(buf_rc(b, err));
    assert(b->p);
    b->p[b->n] = '\0';
    *out = (struct str){b->p, b->n};
    *b = BUF(b->max);
    return FOOTNOTE_OK;
}

void buf_reset(struct buf *b)
{
    b->n = 0;
    b->broken = FOOTNOTE_OK;
}

void buf_free(struct buf *b)
{
    free(b->p);
    *b = BUF(b->max);
}
