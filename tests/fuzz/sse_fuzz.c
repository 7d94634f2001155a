/* sse_fuzz.c - fuzzes what a model's server sends.
 *
 * The first byte says into how large pieces the rest is cut.  However it is
 * cut, the same events and the same answer come out, in UTF-8 without a NUL. */
#include <stdlib.h>

#include "base/utf8.h"
#include "model/completion.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { TEXT_BYTES_MAX = 64 * 1024, OUT_BYTES_MAX = 64 * 1024 * 1024 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void note(struct buf *out, struct completion *r,
                 const struct sse_event *e)
{
    struct arena scratch = ARENA(OUT_BYTES_MAX);
    struct str text;

    must(utf8_valid(e->data));
    buf_printf(out, "%d %zu ", e->is_error, e->data.n);
    buf_add(out, e->data);
    completion_event(r, &scratch, e, &text);
    must(utf8_valid(text) && str_find(text, '\0') == text.n);
    must(r->calls.n <= CALLS_MAX);
    buf_add(out, text);
    buf_add_c(out, '\n');
    arena_free(&scratch);
}

/* The end that a caller would be told. */
static void note_end(struct buf *out, struct completion *r)
{
    struct arena a = ARENA(OUT_BYTES_MAX);
    const struct model_tool_call *calls;
    size_t n = 0;

    completion_close(r);
    must(r->failure.kind == FAILURE_NONE || failure_text(r->failure.kind)[0]);
    must(utf8_valid(str_c(r->failure.detail)));
    must(calls_list(&r->calls, &a, &calls, &n, NULL) == FOOTNOTE_OK);
    for (size_t i = 0; i < n; i++) {
        must(calls[i].id.n > 0 && calls[i].name.p && calls[i].arguments.n > 0);
        buf_add(out, calls[i].id);
        buf_add(out, calls[i].arguments);
    }
    buf_printf(out, "%d %d %s", r->finish, r->failure.kind, r->failure.detail);
    arena_free(&a);
}

static void read_in(struct str text, size_t piece, struct buf *out)
{
    struct sse s = SSE_INIT;
    struct completion r = COMPLETION(TEXT_BYTES_MAX);
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
                note(out, &r, &e);
        }
    }
    must(sse_end(&s, &got, &e, NULL) == FOOTNOTE_OK);
    if (got)
        note(out, &r, &e);
    note_end(out, &r);
    sse_free(&s);
    completion_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct buf whole = BUF(OUT_BYTES_MAX), cut = BUF(OUT_BYTES_MAX);
    struct str text;

    if (n == 0 || n > TEXT_BYTES_MAX)
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
