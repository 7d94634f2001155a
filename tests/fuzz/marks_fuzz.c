/* marks_fuzz.c - fuzzes the markers of a text: whole, cut, and streamed.
 *
 * No crash on any bytes; on valid UTF-8 every marker lies in the text, on
 * character borders and in order, and what a stream shows only ever grows and
 * has the markers of the whole. */
#include "base/utf8.h"
#include "cite/marks.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum {
    TEXT_BYTES_MAX = 16 * 1024,
    ARENA_BYTES_MAX = 256 * 1024 * 1024,
    CUTS = 32
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

static bool on_border(struct str text, size_t at)
{
    return at == text.n || ((unsigned char)text.p[at] & 0xC0) != 0x80;
}

static void check_mark(struct str text, const struct mark *m, size_t before)
{
    must(m->start < m->end && m->end <= text.n);
    must(m->end - m->start <= MARK_BYTES_MAX);
    must(m->start >= before);
    must(on_border(text, m->start) && on_border(text, m->end));
    must(m->start_utf16 == utf8_utf16((struct str){text.p, m->start}));
    must(m->end_utf16 == utf8_utf16((struct str){text.p, m->end}));
    must(m->from <= m->to && m->to - m->from < MARK_RANGE_MAX);
    must(!m->page || m->to == 0);
}

static size_t find(struct arena *a, struct str text, struct mark **marks)
{
    size_t n;
    must(marks_find(a, text, marks, &n, NULL) == FOOTNOTE_OK);
    return n;
}

/* The markers of the shown bytes are the first of the whole text's. */
static void check_shown(struct arena *a, struct str shown,
                        const struct mark *whole, size_t whole_n)
{
    struct mark *marks;
    size_t n = find(a, shown, &marks);

    must(n <= whole_n);
    for (size_t i = 0; i < n; i++)
        must(marks[i].start == whole[i].start && marks[i].end == whole[i].end &&
             marks[i].from == whole[i].from && marks[i].to == whole[i].to);
    must(n == whole_n || whole[n].start >= shown.n);
}

/* Cuts near the end are looked at one by one, those before with a stride. */
static void check_stream(struct arena *a, struct str text,
                         const struct mark *whole, size_t whole_n)
{
    size_t stride = text.n / CUTS + 1, before = 0, from = 0;

    for (size_t cut = 0; cut <= text.n;
         cut += text.n - cut <= CUTS ? 1 : stride) {
        struct str part = {text.p, cut};
        size_t shown = marks_settled(part);
        must(marks_settled_from(part, &from) == shown);
        must(shown >= before && shown <= cut);
        must(cut - shown < MARK_HELD_BYTES_MAX);
        must(on_border(text, shown));
        check_shown(a, (struct str){text.p, shown}, whole, whole_n);
        before = shown;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = {(const char *)data, n};
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct mark *marks;

    if (n == 0 || n > TEXT_BYTES_MAX)
        return 0;
    must(marks_settled(text) <= n);
    if (!utf8_valid(text))
        return 0;
    size_t marks_n = find(&a, text, &marks);
    for (size_t i = 0; i < marks_n; i++)
        check_mark(text, &marks[i], i ? marks[i - 1].start : 0);
    check_stream(&a, text, marks, marks_n);
    return 0;
}
