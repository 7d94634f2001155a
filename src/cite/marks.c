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

struct scan {
    struct str text;
    bool whole;       /* no more text will come */
    struct mark *out; /* NULL: only count */
    size_t out_n;
    bool plain; /* the last step went over characters without meaning */
};

/* What stands at a place: nothing to wait for, or a place to stop at. */
enum step { STEP_ON, STEP_HOLD };

static void emit(struct scan *s, const struct marker *m)
{
    for (size_t i = 0; i < m->items_n; i++, s->out_n++) {
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

/* A definition may be indented by three spaces. */
static bool defines(struct str text, size_t at)
{
    for (int n = 0; n < 3 && at > 0 && text.p[at - 1] == ' '; n++)
        at--;
    return starts_line(text, at);
}

/* Whether the bracket at `at`, directly behind a marker, leaves it one: it does
 * unless it is a label.  It ends where a third one begins; a label that is cut
 * off there, or by the end of the text, is none.  So the shown part of a
 * stream, which may end before the third, has the same markers as the whole. */
static enum code no_label(const struct scan *s, size_t at)
{
    struct marker m;
    struct str part = s->text;

    for (size_t i = at + 1; i < part.n && i - at < MARK_BYTES_MAX; i++) {
        if (marker_bracket(part, i))
            part.n = i;
    }
    switch (marker_match(part, at, &m)) {
    case MARKER_NO: return CODE_NO;
    case MARKER_YES: return CODE_YES;
    case MARKER_PART: break;
    }
    return s->whole || part.n < s->text.n ? CODE_YES : CODE_UNSURE;
}

/* Whether what follows leaves a marker a marker. */
static enum code stands(const struct scan *s, const struct marker *m)
{
    if (!m->ascii)
        return CODE_YES;
    if (m->end == s->text.n)
        return s->whole ? CODE_YES : CODE_UNSURE;
    switch (s->text.p[m->end]) {
    case '(': return CODE_NO;
    case ':': return defines(s->text, m->start) ? CODE_NO : CODE_YES;
    case '[': return no_label(s, m->end);
    default: return CODE_YES;
    }
}

static enum step at_bracket(struct scan *s, size_t *i)
{
    struct marker m;
    enum marker_shape shape = marker_match(s->text, *i, &m);

    if (shape == MARKER_PART && !s->whole)
        return STEP_HOLD;
    if (shape != MARKER_YES) {
        *i += marker_bracket(s->text, *i);
        return STEP_ON;
    }
    enum code sure = stands(s, &m);
    if (sure == CODE_UNSURE)
        return STEP_HOLD;
    if (sure == CODE_YES)
        emit(s, &m);
    *i = m.end;
    return STEP_ON;
}

/* Behind an opening that may or may not be code: what could be a marker there
 * waits; all else can be shown. */
static enum step in_doubt(const struct scan *s, size_t *i)
{
    struct marker m;

    while (*i < s->text.n && marker_match(s->text, *i, &m) == MARKER_NO)
        ++*i;
    return STEP_HOLD;
}

/* As in markdown a backslash stands before ASCII punctuation; we add the wide
 * brackets.  Before anything else it is an ordinary character. */
static size_t escaped(struct str text, size_t at)
{
    if (at + 1 == text.n)
        return 1;
    unsigned char c = (unsigned char)text.p[at + 1];
    bool punctuation = (c > ' ' && c < '0') || (c > '9' && c < 'A') ||
                       (c > 'Z' && c < 'a') || (c > 'z' && c < 0x7f);
    return punctuation ? 2 : 1 + marker_bracket(text, at + 1);
}

/* Behind the character at `at` and all that follow it without meaning: most of
 * a text. */
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

static enum step scan_step(struct scan *s, size_t *i)
{
    size_t end = *i;

    s->plain = false;
    if (starts_line(s->text, *i)) {
        enum code fence = code_fence(s->text, s->whole, *i, &end);
        if (fence == CODE_UNSURE)
            return in_doubt(s, i);
        if (fence == CODE_YES) {
            *i = end;
            return STEP_ON;
        }
    }
    if (s->text.p[*i] == '`') {
        enum code span = code_span(s->text, s->whole, *i, &end);
        *i = end;
        return span == CODE_UNSURE ? in_doubt(s, i) : STEP_ON;
    }
    if (marker_bracket(s->text, *i))
        return at_bracket(s, i);
    s->plain = s->text.p[*i] != '\\';
    if (s->plain)
        *i = skip_plain(s->text, *i);
    else
        *i += escaped(s->text, *i);
    return STEP_ON;
}

/* How far the text is decided. */
static size_t scan(struct scan *s)
{
    size_t i = 0;
    while (i < s->text.n && scan_step(s, &i) == STEP_ON)
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
    struct scan counted = {.text = text, .whole = true};
    struct scan filled = counted;

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

/* Where the last line begins, if so little of it is there that it may become a
 * fence: it has to be looked at from there again.  Else the text's end. */
static size_t young_line(struct str text)
{
    enum { SHORTER_THAN_A_FENCE = 3 + 2 }; /* the indent, and two of three */
    size_t at = text.n;

    while (at > 0 && text.n - at <= SHORTER_THAN_A_FENCE &&
           (text.p[at - 1] == ' ' || text.p[at - 1] == '`' ||
            text.p[at - 1] == '~'))
        at--;
    return starts_line(text, at) ? at : text.n;
}

/* Between two steps nothing is open, so the next call may go on there; not at
 * the text's end, where the last step may have been cut short.  One over plain
 * characters may go on at the last of them: else a long line is read again and
 * again. */
size_t marks_settled_from(struct str text, size_t *from)
{
    struct scan s = {.text = {text.p, utf8_whole(text)}};
    size_t i = *from, young = young_line(s.text);

    while (i < s.text.n && scan_step(&s, &i) == STEP_ON)
        if (i < s.text.n || s.plain)
            *from = i < s.text.n ? i : i - 1;
    if (*from > young)
        *from = young;
    return i;
}

size_t marks_settled(struct str text)
{
    size_t from = 0;

    return marks_settled_from(text, &from);
}
