/* rewrite.c - see rewrite.h. */
#include "import/rewrite.h"

enum { DIGITS_MAX = 9 };

enum footnote_rc rewrite(struct import *im, struct str text, rewrite_fn *mark,
                         void *arg, struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(REWRITTEN_BYTES_MAX);
    AUTO(buf_free) struct buf instead = BUF(STORE_CONTENT_BYTES_MAX);
    size_t from = 0, i = 0;

    *out = text;
    while (i < text.n) {
        size_t n = mark(arg, str_skip(text, i), &instead);

        if (n) {
            buf_add(&b, (struct str){text.p + from, i - from});
            buf_add(&b, buf_str(&instead));
            from = i + n;
        }
        i += n ? n : 1;
        buf_reset(&instead);
    }
    if (from == 0)
        return FOOTNOTE_OK;
    buf_add(&b, str_skip(text, from));
    TRY(buf_rc(&instead, err));
    TRY(buf_rc(&b, err));
    *out = arena_str(im->a, buf_str(&b));
    return arena_rc(im->a, err);
}

int64_t rewrite_number(struct str rest, size_t *at)
{
    int64_t n = 0;
    size_t i = *at;

    while (i < rest.n && rest.p[i] >= '0' && rest.p[i] <= '9' &&
           i - *at < DIGITS_MAX)
        n = n * 10 + (rest.p[i++] - '0');
    if (i == *at)
        return -1;
    *at = i;
    return n;
}

bool rewrite_word(struct str rest, size_t *at, struct str word)
{
    if (*at > rest.n || !str_starts(str_skip(rest, *at), word))
        return false;
    *at += word.n;
    return true;
}
