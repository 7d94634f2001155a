/* body.c - a body's bytes, out of their framing.
 *
 *     LENGTH                                          Content-Length
 *     SIZE -> [EXTENSION ->] SIZE_LF -> DATA -> DATA_CR -> DATA_LF -> SIZE
 *                               \ 0
 *                                LINE -> NAME -> VALUE -> VALUE_LF -> LINE
 *                                   \ CR
 *                                    END_LF                      trailers
 *
 * Every line ends in CR LF, sizes are hexadecimal digits alone, and a chunk
 * is followed by exactly CR LF: there is one reading or none.  Extensions
 * and trailers are checked and dropped. */
#include <assert.h>

#include "http/core/parse.h"

enum body_step {
    STEP_LENGTH,
    STEP_SIZE,
    STEP_EXTENSION,
    STEP_SIZE_LF,
    STEP_DATA,
    STEP_DATA_CR,
    STEP_DATA_LF,
    STEP_LINE,
    STEP_NAME,
    STEP_VALUE,
    STEP_VALUE_LF,
    STEP_END_LF,
    STEP_DONE
};

enum {
    SIZE_DIGITS_MAX = 15, /* so that no sum overflows */
    LINE_BYTES_MAX = 256,
    TRAIL_BYTES_MAX = 8 * 1024
};

void parse_body_start(struct parser *p, const struct head *h)
{
    *p = (struct parser){.left = h->length,
                         .step = !h->has_body ? STEP_DONE
                                 : h->chunked ? STEP_SIZE
                                              : STEP_LENGTH};
}

/* ---- Bytes that are the body -------------------------------------------- */

static int add_data(struct parser *p, struct str *s, struct buf *body)
{
    size_t n = p->left < s->n ? (size_t)p->left : s->n;

    buf_add(body, (struct str){s->p, n});
    if (body->broken != FOOTNOTE_OK)
        return body->broken == FOOTNOTE_NOMEM ? 503 : 413;
    *s = str_skip(*s, n);
    p->left -= n;
    if (p->left == 0)
        p->step = p->step == STEP_DATA ? STEP_DATA_CR : STEP_DONE;
    return 0;
}

/* ---- Bytes around it ---------------------------------------------------- */

static int hex(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int expect(struct parser *p, unsigned char c, char want,
                  enum body_step next)
{
    if (c != (unsigned char)want)
        return 400;
    p->step = next;
    return 0;
}

static int size_step(struct parser *p, unsigned char c)
{
    int digit = hex(c);

    if (digit >= 0) {
        p->left = p->left * 16 + (unsigned)digit;
        return ++p->line_bytes > SIZE_DIGITS_MAX ? 400 : 0;
    }
    if (p->line_bytes == 0)
        return 400;
    if (c == ';') {
        p->step = STEP_EXTENSION;
        return 0;
    }
    return expect(p, c, '\r', STEP_SIZE_LF);
}

static bool is_text(unsigned char c)
{
    return c == '\t' || (c >= 0x20 && c != 0x7f);
}

static int extension_step(struct parser *p, unsigned char c)
{
    if (!is_text(c))
        return expect(p, c, '\r', STEP_SIZE_LF);
    return ++p->line_bytes > LINE_BYTES_MAX ? 400 : 0;
}

static int trailer_step(struct parser *p, unsigned char c)
{
    if (++p->trail_bytes > TRAIL_BYTES_MAX)
        return 431;
    if (p->step == STEP_LINE && c == '\r') {
        p->step = STEP_END_LF;
        return 0;
    }
    if (p->step == STEP_VALUE)
        return is_text(c) ? 0 : expect(p, c, '\r', STEP_VALUE_LF);
    if (head_is_token(c)) {
        p->step = STEP_NAME;
        return 0;
    }
    return p->step == STEP_NAME ? expect(p, c, ':', STEP_VALUE) : 400;
}

static int framing_step(struct parser *p, unsigned char c)
{
    switch ((enum body_step)p->step) {
    case STEP_SIZE: return size_step(p, c);
    case STEP_EXTENSION: return extension_step(p, c);
    case STEP_SIZE_LF:
        return expect(p, c, '\n', p->left ? STEP_DATA : STEP_LINE);
    case STEP_DATA_CR: return expect(p, c, '\r', STEP_DATA_LF);
    case STEP_DATA_LF: p->line_bytes = 0; return expect(p, c, '\n', STEP_SIZE);
    case STEP_LINE:
    case STEP_NAME:
    case STEP_VALUE: return trailer_step(p, c);
    case STEP_VALUE_LF: return expect(p, c, '\n', STEP_LINE);
    case STEP_END_LF: return expect(p, c, '\n', STEP_DONE);
    case STEP_LENGTH:
    case STEP_DATA:
    case STEP_DONE: break;
    }
    return 400;
}

/* ---- Both --------------------------------------------------------------- */

int parse_body(struct parser *p, struct str bytes, struct buf *body,
               size_t *used, bool *done)
{
    struct str rest = bytes;
    int status = 0;

    assert(body->n <= body->max);

    while (!status && rest.n && p->step != STEP_DONE) {
        if (p->step == STEP_LENGTH || p->step == STEP_DATA) {
            status = add_data(p, &rest, body);
            continue;
        }
        status = framing_step(p, (unsigned char)*rest.p);
        rest = str_skip(rest, 1);
        if (!status && p->step == STEP_DATA && p->left > body->max - body->n)
            status = 413; /* the chunk that begins here is too large */
    }
    *used = bytes.n - rest.n;
    *done = p->step == STEP_DONE && !status;
    return status;
}
