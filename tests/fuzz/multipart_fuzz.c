/* multipart_fuzz.c - fuzzes forms: no crash on any bytes, names are text, and
 * whatever the pieces in which a body comes, it says the same.
 *
 * The first line of an input is the Content-Type, the rest the body. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "http/core/multipart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { SEEN_BYTES_MAX = 4 * 1024 * 1024 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static enum footnote_rc begin(void *arg, const struct form_part *p,
                              struct footnote_err *err)
{
    (void)err;
    must(p->name.n > 0 && utf8_valid(p->name));
    must(p->filename.n <= MULTIPART_FILENAME_BYTES_MAX);
    must(utf8_valid(p->filename));
    must(str_find(p->filename, '/') == p->filename.n);
    buf_printf(arg, "[%.*s|%.*s|%.*s:", STR_ARG(p->name), STR_ARG(p->filename),
               STR_ARG(p->type));
    return FOOTNOTE_OK;
}

static enum footnote_rc take(void *arg, struct str bytes,
                             struct footnote_err *err)
{
    (void)err;
    must(bytes.n > 0);
    buf_add(arg, bytes);
    return FOOTNOTE_OK;
}

static enum footnote_rc end(void *arg, struct footnote_err *err)
{
    (void)err;
    buf_add_c(arg, ']');
    return FOOTNOTE_OK;
}

/* Reads it in pieces of `step`; the outcome ends what was seen. */
static void read_in(struct str type, struct str body, size_t step,
                    struct buf *seen)
{
    struct multipart m;
    struct multipart_to to = {seen, begin, take, end};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = multipart_init(&m, type, &err);

    while (rc == FOOTNOTE_OK && body.n) {
        size_t n = step < body.n ? step : body.n;

        rc = multipart_feed(&m, (struct str){body.p, n}, &to, &err);
        body = str_skip(body, n);
    }
    if (rc == FOOTNOTE_OK)
        rc = multipart_finish(&m, &err);
    must(rc == FOOTNOTE_OK || (err.rc == rc && err.text[0]));
    buf_printf(seen, "%d %s", (int)rc, rc == FOOTNOTE_OK ? "" : err.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const size_t steps[] = {1, 2, 3, 7, 64, 1000};
    struct str all = {(const char *)data, n};
    struct str type = {all.p, str_find(all, '\n')};
    struct str body = str_skip(all, type.n < n ? type.n + 1 : n);
    AUTO(buf_free) struct buf whole = BUF(SEEN_BYTES_MAX);

    if (!data)
        return 0;
    read_in(type, body, SIZE_MAX, &whole);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        AUTO(buf_free) struct buf seen = BUF(SEEN_BYTES_MAX);

        read_in(type, body, steps[i], &seen);
        must(str_eq(buf_str(&seen), buf_str(&whole)));
    }
    return 0;
}
