/* marks.c - finds the markers of a text, whole or while it grows.
 *
 * One scanner serves both.  It walks the text as markdown that is
 *
 *     at a line's start --> fenced code      skipped
 *     in text           --> code span        skipped
 *                       --> "\" + character  skipped
 *                       --> bracket          a marker, or text
 *
 * and stops at the first bracket that more text could make a marker or stop
 * from being one.  Of a whole text that is never the case.  What was decided
 * stays decided, so the place where it stops is what a stream may show. */
#include "base/utf8.h"
#include "cite/code.h"
#include "cite/marker.h"

#include <assert.h>

struct mark_scan {
    struct str text;
    bool whole;       /* no more text will come */
    bool plain;       /* the last step was over letters that stay letters */
    struct mark *out; /* NULL: only count */
    size_t out_n;
};

/* Behind so many bytes of a line it is known whether it begins a fence. */
enum { FENCE_BYTES_MAX = 3 + 3 };

/* After a step: go on, or stop, because more text may change what is here. */
enum scan_next { SCAN_ON, SCAN_HOLD };

static void emit(struct mark_scan *s, const struct marker *m)
{
    assert(m->items_n > 0 && m->start < m->end && m->end <= s->text.n);
    for (size_t i = 0; i < m->items_n && s->out_n < MARKS_MAX;
         i++, s->out_n++) {
        if (!s->out)
            continue;
        s->out[s->out_n] = (struct mark){.start = m->start,
                                         .end = m->end,
                                         .from = m->items[i].from,
                                         .to = m->items[i].to,
                                         .page = m->page};
    }
}

static bool starts_line(struct str text, size_t at)
{
    return at == 0 || text.p[at - 1] == '\n';
}

/* Whether a marker at `at` stands where a link is defined: at a line's start,
 * behind at most three spaces. */
static bool is_definition(struct str text, size_t at)
{
    for (int n = 0; n < 3 && at > 0 && text.p[at - 1] == ' '; n++)
        at--;
    return starts_line(text, at);
}

/* Whether the bracket at `at`, directly behind a marker, is no label of a link.
 * A label ends before a third bracket; cut off there, or by the end of the
 * text, it is none.  So the shown part of a stream, which may end before the
 * third bracket, has the same markers as the whole text. */
static enum certain is_no_label(const struct mark_scan *s, size_t at)
{
    struct marker m;
    struct str part = s->text;

    for (size_t i = at + 1; i < part.n && i - at < MARK_BYTES_MAX; i++) {
        if (marker_bracket(part, i))
            part.n = i;
    }
    switch (marker_match(part, at, &m)) {
    case MARKER_NO: return CERTAIN_NO;
    case MARKER_YES: return CERTAIN_YES;
    case MARKER_PART: break;
    }
    return s->whole || part.n < s->text.n ? CERTAIN_YES : UNCERTAIN;
}

/* Whether the text behind a marker leaves it a marker. */
static enum certain stays_marker(const struct mark_scan *s,
                                 const struct marker *m)
{
    if (!m->ascii)
        return CERTAIN_YES;
    if (m->end == s->text.n)
        return s->whole ? CERTAIN_YES : UNCERTAIN;
    switch (s->text.p[m->end]) {
    case '(': return CERTAIN_NO;
    case ':':
        return is_definition(s->text, m->start) ? CERTAIN_NO : CERTAIN_YES;
    case '[': return is_no_label(s, m->end);
    default: return CERTAIN_YES;
    }
}

static enum scan_next at_bracket(struct mark_scan *s, size_t *i)
{
    struct marker m;
    enum marker_shape shape = marker_match(s->text, *i, &m);

    if (shape == MARKER_PART && !s->whole)
        return SCAN_HOLD;
    if (shape != MARKER_YES) {
        *i += marker_bracket(s->text, *i);
        return SCAN_ON;
    }
    enum certain sure = stays_marker(s, &m);
    if (sure == UNCERTAIN)
        return SCAN_HOLD;
    if (sure == CERTAIN_YES)
        emit(s, &m);
    *i = m.end;
    return SCAN_ON;
}

/* Behind an opening that may or may not be code: goes to the first place that
 * could be a marker; the text before it can be shown. */
static enum scan_next hold_at_marker(const struct mark_scan *s, size_t *i)
{
    struct marker m;

    while (*i < s->text.n && marker_match(s->text, *i, &m) == MARKER_NO)
        ++*i;
    return SCAN_HOLD;
}

/* Bytes of the backslash at `at` and what it escapes: ASCII punctuation, as in
 * markdown, and wide brackets.  Before anything else it is a character. */
static size_t escape_bytes(struct str text, size_t at)
{
    if (at + 1 == text.n)
        return 1;
    unsigned char c = (unsigned char)text.p[at + 1];
    bool punctuation = (c > ' ' && c < '0') || (c > '9' && c < 'A') ||
                       (c > 'Z' && c < 'a') || (c > 'z' && c < 0x7f);
    return punctuation ? 2 : 1 + marker_bracket(text, at + 1);
}

/* Behind the character at `at` and those that follow without a meaning. */
static size_t skip_plain(struct str text, size_t at)
{
    for (size_t i = at + 1; i < text.n; i++) {
        switch ((unsigned char)text.p[i]) {
        case '`':
        case '\\':
        case '[':
        case 0xe3: /* may begin a wide bracket */
        case 0xef: return i;
        default:
            if (text.p[i - 1] == '\n')
                return i;
        }
    }
    return text.n;
}

static enum scan_next scan_once(struct mark_scan *s, size_t *i)
{
    size_t end = *i;

    s->plain = false;
    if (starts_line(s->text, *i)) {
        enum certain fence = code_fence(s->text, s->whole, *i, &end);
        if (fence == UNCERTAIN)
            return hold_at_marker(s, i);
        if (fence == CERTAIN_YES) {
            *i = end;
            return SCAN_ON;
        }
    }
    if (s->text.p[*i] == '`') {
        enum certain span = code_span(s->text, s->whole, *i, &end);
        *i = end;
        return span == UNCERTAIN ? hold_at_marker(s, i) : SCAN_ON;
    }
    if (marker_bracket(s->text, *i))
        return at_bracket(s, i);
    s->plain = s->text.p[*i] != '\\';
    *i = s->plain ? skip_plain(s->text, *i) : *i + escape_bytes(s->text, *i);
    return SCAN_ON;
}

/* How far the text is decided. */
static size_t scan(struct mark_scan *s)
{
    size_t i = 0;
    while (i < s->text.n && scan_once(s, &i) == SCAN_ON)
        ;
    return i;
}

/* Markers come in order, so one walk measures all. */
static void measure(struct str text, struct mark *marks, size_t n)
{
    size_t bytes = 0, units = 0;

    for (size_t i = 0; i < n; i++) {
        struct mark *m = &marks[i];
        if (i && m->start == m[-1].start) {
            m->start_utf16 = m[-1].start_utf16;
            m->end_utf16 = m[-1].end_utf16;
            continue;
        }
        units += utf8_utf16((struct str){text.p + bytes, m->start - bytes});
        m->start_utf16 = units;
        units += utf8_utf16((struct str){text.p + m->start, m->end - m->start});
        m->end_utf16 = units;
        bytes = m->end;
    }
}

enum footnote_rc marks_find(struct arena *a, struct str text, struct mark **out,
                            size_t *n, struct footnote_err *err)
{
    struct mark_scan counted = {.text = text, .whole = true};
    struct mark_scan filled = counted;

    *out = NULL;
    *n = 0;
    scan(&counted);
    if (!counted.out_n)
        return FOOTNOTE_OK;
    filled.out = arena_many(a, counted.out_n, struct mark);
    if (!filled.out)
        return arena_rc(a, err);
    scan(&filled);
    measure(text, filled.out, filled.out_n);
    *out = filled.out;
    *n = filled.out_n;
    return FOOTNOTE_OK;
}

/* Where the last line begins, when so little of it is there that it may still
 * become a fence; else the text's end. */
static size_t line_in_doubt(struct str text)
{
    for (size_t n = 0; n <= FENCE_BYTES_MAX && n <= text.n; n++)
        if (starts_line(text, text.n - n))
            return text.n - n;
    return text.n;
}

/* Between two steps nothing is open, so the next call may go on there.  At the
 * text's end the last step may have been cut short: then the next call goes on
 * where that step began, or at its last letter when all were plain. */
size_t marks_settled_from(struct str text, size_t *from)
{
    struct mark_scan s = {.text = {text.p, utf8_whole(text)}};
    size_t i = *from, last = line_in_doubt(s.text);

    assert(*from <= text.n);
    while (i < s.text.n && scan_once(&s, &i) == SCAN_ON) {
        size_t next = i < s.text.n ? i : i - 1;

        if (next <= last && (i < s.text.n || s.plain))
            *from = next;
    }
    return i;
}

size_t marks_settled(struct str text)
{
    size_t from = 0;

    return marks_settled_from(text, &from);
}
