/* read_passages.c - reads a file or a text, and keeps what came out. */
#include "read_passages.h"
#include "base/utf8.h"
#include "store/document/document.h"

#include <stdlib.h>
#include <string.h>

void *read_need(void *p)
{
    if (!p)
        FAIL("out of memory");
    return p;
}

struct str read_bytes(struct arena *a, const char *name)
{
    enum { BYTES_MAX = 4 * 1024 * 1024 };
    char path[256];
    snprintf(path, sizeof(path), "tests/ingest/files/%s", name);
    FILE *f = fopen(path, "rb");
    char *bytes = arena_alloc(a, BYTES_MAX);
    size_t n = f && bytes ? fread(bytes, 1, BYTES_MAX, f) : 0;

    if (f)
        fclose(f);
    if (n == 0 || n == BYTES_MAX)
        FAIL("%s cannot be read", path);
    return (struct str){bytes, n};
}

struct str read_repeated(struct arena *a, const char *start, const char *unit,
                         size_t n)
{
    struct str first = str_c(start), s = str_c(unit);
    char *p = read_need(arena_alloc(a, first.n + n * s.n + 1));

    memcpy(p, first.p, first.n);
    for (size_t i = 0; i < n; i++)
        memcpy(p + first.n + i * s.n, s.p, s.n);
    return (struct str){p, first.n + n * s.n};
}

static enum footnote_rc keep(void *arg, const struct passage *p,
                             struct footnote_err *err)
{
    struct read *r = arg;
    struct passage *copy = &r->passages[r->n];

    (void)err;
    CHECK(r->n < READ_PASSAGES_MAX);
    CHECK_INT(p->position, ++r->n);
    CHECK(p->text.n > 0 && p->text.n <= SOURCE_TEXT_BYTES_MAX);
    CHECK(utf8_valid(p->text) && utf8_valid(p->heading));
    CHECK(p->heading.n <= SOURCE_LABEL_BYTES_MAX);
    CHECK(!p->has_seconds || (p->start >= 0 && p->end >= p->start));
    CHECK(p->page >= 0);
    *copy = *p;
    copy->heading = arena_str(&r->a, p->heading);
    copy->text = arena_str(&r->a, p->text);
    copy->extra = arena_str(&r->a, p->extra);
    copy->locator = arena_str(&r->a, p->locator);
    CHECK(p->locator.n <= SOURCE_ID_BYTES_MAX && utf8_valid(p->locator));
    return FOOTNOTE_OK;
}

static enum footnote_rc progress(void *arg, int64_t done, int64_t total,
                                 struct footnote_err *err)
{
    struct read *r = arg;

    (void)err;
    CHECK(done >= r->done && done <= total);
    r->done = done;
    r->total = total;
    return FOOTNOTE_OK;
}

static struct read *new_read(void)
{
    struct read *r = read_need(calloc(1, sizeof(*r)));

    r->a = ARENA((size_t)EXTRACT_ARENA_MAX * 2);
    return r;
}

static enum footnote_rc run(struct read *r, enum extract_format f,
                            struct str bytes, const char *name)
{
    struct passage_sink sink = {r, keep, progress};
    struct arena a = ARENA(EXTRACT_ARENA_MAX);
    struct extract_file file = {.bytes = bytes, .filename = str_c(name)};
    enum footnote_rc rc = extract_run(f, &file, &a, &sink, &r->facts, &r->err);

    r->facts.title = arena_str(&r->a, r->facts.title);
    r->facts.language = arena_str(&r->a, r->facts.language);
    r->facts.date = arena_str(&r->a, r->facts.date);
    arena_free(&a);
    return rc;
}

struct read *read_file(const char *name)
{
    struct read *r = new_read();
    struct str bytes = read_bytes(&r->a, name);

    CHECK_OK(run(r, format_detect(bytes, str_c(name)), bytes, name), &r->err);
    return r;
}

struct read *read_as_bytes(enum extract_format f, struct str bytes)
{
    struct read *r = new_read();

    CHECK_OK(run(r, f, bytes, ""), &r->err);
    return r;
}

struct read *read_as_text(enum extract_format f, const char *text)
{
    return read_as_bytes(f, str_c(text));
}

void read_refused_when_cut(enum extract_format f, struct str bytes)
{
    enum { PLACES = 50 };

    for (size_t i = 0; i < PLACES; i++) {
        struct read *r = new_read();
        enum footnote_rc rc =
            run(r, f, (struct str){bytes.p, bytes.n * i / PLACES}, "");

        if (rc != FOOTNOTE_INVALID || !r->err.text[0])
            FAIL("cut at %zu of %zu bytes it is read", bytes.n * i / PLACES,
                 bytes.n);
        read_free(r);
    }
}

void read_refused(enum extract_format f, struct str bytes, enum footnote_rc rc,
                  const char *word)
{
    struct read *r = new_read();

    CHECK_INT(run(r, f, bytes, ""), rc);
    if (!strstr(r->err.text, word))
        FAIL("\"%s\" does not say \"%s\"", r->err.text, word);
    read_free(r);
}

const struct passage *read_passage(const struct read *r, size_t i)
{
    if (i >= r->n)
        FAIL("there are only %zu passages", r->n);
    return &r->passages[i];
}

bool read_has(const struct read *r, const char *word)
{
    for (size_t i = 0; i < r->n; i++) {
        if (memmem(r->passages[i].text.p, r->passages[i].text.n, word,
                   strlen(word)))
            return true;
    }
    return false;
}

void read_free(struct read *r)
{
    arena_free(&r->a);
    free(r);
}
