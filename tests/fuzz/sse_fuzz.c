/* sse_fuzz.c - fuzzes what a model's server sends.
 *
 * The first byte says into how large pieces the rest is cut.  However it is
 * cut, the same events come out, and each is UTF-8. */
#include <stdlib.h>

#include "base/utf8.h"
#include "model/sse_in.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { OUT_BYTES_MAX = 64 * 1024 * 1024 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void note(struct buf *out, const struct sse_event *e)
{
    must(utf8_valid(e->data));
    buf_printf(out, "%d %zu ", e->is_error, e->data.n);
    buf_add(out, e->data);
    buf_add_c(out, '\n');
}

static void read_in(struct str text, size_t piece, struct buf *out)
{
    struct sse s = SSE_INIT;
    struct sse_event e;
    bool got = false;

    while (text.n) {
        struct str in = {text.p, piece < text.n ? piece : text.n};

        text = str_skip(text, in.n);
        while (in.n) {
            size_t before = in.n;

            must(sse_next(&s, &in, &got, &e, NULL) == FOOTNOTE_OK);
            must(in.n < before);
            if (got)
                note(out, &e);
        }
    }
    must(sse_end(&s, &got, &e, NULL) == FOOTNOTE_OK);
    if (got)
        note(out, &e);
    sse_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct buf whole = BUF(OUT_BYTES_MAX), cut = BUF(OUT_BYTES_MAX);
    struct str text;

    if (n == 0 || n > 64 * 1024)
        return 0;
    text = (struct str){(const char *)data + 1, n - 1};
    read_in(text, text.n + 1, &whole);
    read_in(text, (size_t)data[0] + 1, &cut);
    must(!whole.broken && !cut.broken);
    must(str_eq(buf_str(&whole), buf_str(&cut)) || whole.n + cut.n == 0);
    buf_free(&whole);
    buf_free(&cut);
    return 0;
}
