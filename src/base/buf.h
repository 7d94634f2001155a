/* buf.h - growing text with a limit given at birth.  One thread.
 *
 * Appends return nothing: a buffer that could not grow is broken, ignores
 * further appends, and says so once, in buf_rc() or buf_take(). */
#ifndef BASE_BUF_H
#define BASE_BUF_H
#include "base/err.h"

struct buf {
    char *p;
    size_t n, cap, max;      /* a broken one has no room: cap is n */
    enum footnote_rc broken; /* OK, NOMEM or TOOBIG; sticky */
};

#define BUF(limit) ((struct buf){.max = (limit)})

void buf_add_more(struct buf *b, struct str s); /* buf_add, out of line */
/* Where there is room, this is the copy alone; of text that the compiler
 * knows, a few moves. */
static inline void buf_add(struct buf *b, struct str s)
{
    if (s.n >= b->cap - b->n) {
        buf_add_more(b, s);
        return;
    }
    if (s.n)
        memcpy(b->p + b->n, s.p, s.n);
    b->n += s.n;
}
static inline void buf_add_c(struct buf *b, char c)
{
    if (b->cap - b->n > 1)
        b->p[b->n++] = c;
    else
        buf_add_more(b, (struct str){&c, 1});
}
void buf_add_long(struct buf *b, int64_t v); /* buf_add_i64, out of line */
static inline void buf_add_i64(struct buf *b, int64_t v)
{
    if (v >= 0 && v < 10)
        buf_add_c(b, (char)('0' + v));
    else
        buf_add_long(b, v);
}
/* The shortest decimal that reads back as the same double: 12.345, 1e-7, 0, 5,
 * -0 as "-0", and an exponent from 1e16 on.  NaN and infinities are a bug. */
void buf_add_f64(struct buf *b, double v);
void buf_add_hex(struct buf *b, const void *bytes, size_t n);
void buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Room for so many bytes at the end, NULL when it is broken.  Bytes written
 * there count once the caller has raised `n`. */
char *buf_room_more(struct buf *b, size_t bytes); /* the same, out of line */
static inline char *buf_room(struct buf *b, size_t bytes)
{
    return bytes < b->cap - b->n ? b->p + b->n : buf_room_more(b, bytes);
}

/* Memory for so many bytes in all, and for no more, as long as they are enough:
 * for text that stays.  A refusal is what the next append finds. */
void buf_reserve(struct buf *b, size_t bytes);

/* A view of the text; borrowed until the next append. */
struct str buf_str(const struct buf *b);
enum footnote_rc buf_rc(const struct buf *b, struct footnote_err *err);
/* Moves the text out, NUL-terminated: out->p is yours to free(), and the buffer
 * is fresh again.  On failure *out is absent and the buffer stays broken. */
enum footnote_rc buf_take(struct buf *b, struct str *out,
                          struct footnote_err *err);
void buf_reset(struct buf *b); /* empty, unbroken, memory kept */
void buf_free(struct buf *b);  /* fit for AUTO */

#endif
