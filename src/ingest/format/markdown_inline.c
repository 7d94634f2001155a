/* markdown_inline.c - takes the signs of Markdown out of a paragraph.
 *
 * The text is read forward only: at each sign, a look ahead of at most
 * AHEAD_BYTES decides whether it is a sign or a character.  Emphasis is not
 * paired as in CommonMark: a star or underscore inside of a word, or between
 * spaces, is a character; any other is a sign. */
#include "ingest/format/markdown_inline.h"
#include "base/utf8.h"
#include "cite/code.h"
#include "ingest/text/entity.h"
#include "ingest/text/lines.h"

#include <assert.h>

enum {
    AHEAD_BYTES = 2048,
    LINKS_MAX = 8,
    /* Looks ahead that find nothing may read so many bytes in all, plus the
     * text so many times: a text cannot cost more than that. */
    FAILED_BYTES = 64 * 1024,
    FAILED_TIMES = 4
};

struct inline_scan {
    struct str s;
    size_t at;
    struct buf *out;
    struct clean *clean;
    size_t failed_left; /* bytes of looks ahead that may still find nothing */
    /* Open links: where the text of each ends, and where the link ends. */
    struct {
        size_t close, end;
    } links[LINKS_MAX];
    size_t links_n;
};

static struct str ahead(const struct inline_scan *x)
{
    struct str rest = str_skip(x->s, x->at);
    size_t most = x->failed_left < AHEAD_BYTES ? x->failed_left : AHEAD_BYTES;

    return (struct str){rest.p, rest.n < most ? rest.n : most};
}

static void copy(struct inline_scan *x, size_t n)
{
    clean_add(x->clean, x->out, (struct str){x->s.p + x->at, n});
    x->at += n;
}

/* Copies n bytes that a look ahead has shown to be no sign. */
static void copy_failed(struct inline_scan *x, struct str looked, size_t n)
{
    assert(looked.n <= x->failed_left);
    x->failed_left -= looked.n;
    copy(x, n);
}

static void put(struct inline_scan *x, uint32_t c)
{
    char bytes[4];
    clean_add(x->clean, x->out, (struct str){bytes, utf8_put(c, bytes)});
}

/* Outside of the text there are spaces; SIZE_MAX is before it. */
static char char_at(const struct inline_scan *x, size_t at)
{
    if (at >= x->s.n)
        return ' ';
    return x->s.p[at];
}

static bool is_word(char c)
{
    char small = (char)(c | 0x20);
    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* ---- Links -------------------------------------------------------------- */

/* Where the bracket or parenthesis at s.p[0] is closed; 0: nowhere. */
static size_t closing(struct str s, char open, char close)
{
    int depth = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\')
            i++;
        else if (s.p[i] == open)
            depth++;
        else if (s.p[i] == close && --depth == 0)
            return i;
    }
    return 0;
}

/* Whether "[" at x->at begins "[text](...)" or "[text][...]". */
static bool open_link(struct inline_scan *x)
{
    struct str rest = ahead(x);
    size_t close = closing(rest, '[', ']'), tail = 0;

    if (close == 0 || x->links_n == LINKS_MAX)
        return false;
    struct str behind = str_skip(rest, close + 1);
    if (behind.n && *behind.p == '(')
        tail = closing(behind, '(', ')');
    else if (behind.n && *behind.p == '[' && close > 1)
        tail = closing(behind, '[', ']');
    if (tail == 0)
        return false;
    x->links[x->links_n].close = x->at + close;
    x->links[x->links_n++].end = x->at + close + 1 + tail + 1;
    x->at++;
    return true;
}

static void bracket(struct inline_scan *x)
{
    struct str rest = ahead(x);
    size_t close = str_find(rest, ']');

    /* [^note] only refers to a note, which is read where it stands. */
    if (str_starts(rest, STR("[^")) && close < rest.n && close < 64 &&
        !str_eq((struct str){rest.p, close}, STR("[^Page")))
        x->at += close + 1;
    else if (!open_link(x))
        copy_failed(x, rest, 1);
}

/* ---- Other signs -------------------------------------------------------- */

static void angle(struct inline_scan *x)
{
    struct str rest = ahead(x);
    size_t end = str_find(rest, '>');
    char c = char_at(x, x->at + 1);
    struct str inner = {rest.p + 1, end ? end - 1 : 0};

    if (str_starts(rest, STR("<!--"))) {
        const char *stop = memmem(rest.p, rest.n, "-->", 3);
        if (!stop)
            x->failed_left -= rest.n;
        x->at += stop ? (size_t)(stop - rest.p) + 3 : 4;
    } else if (end == rest.n) {
        copy_failed(x, rest, 1);
    } else if (!(c == '/' || c == '!' || is_word(c))) {
        copy(x, 1);
    } else if (str_find(inner, ':') < inner.n &&
               str_find(inner, ' ') == inner.n) {
        x->at++; /* <https://...> is shown as it is */
        copy(x, inner.n);
        x->at++;
    } else {
        x->at += end + 1;
        if (lines_begins(inner, STR("br")))
            put(x, ' ');
    }
}

static void code(struct inline_scan *x)
{
    size_t end, run = code_run(x->s, x->at);
    struct str rest = ahead(x);

    if (rest.n == 0 || code_span(x->s, true, x->at, &end) != CERTAIN_YES) {
        copy_failed(x, rest, run);
        return;
    }
    x->at += run;
    copy(x, end - run - x->at);
    x->at = end;
}

static void emphasis(struct inline_scan *x)
{
    size_t run = code_run(x->s, x->at);
    char before = char_at(x, x->at - 1);
    char after = char_at(x, x->at + run);
    bool inside = is_word(before) && is_word(after);
    bool alone = (unsigned char)before <= ' ' && (unsigned char)after <= ' ';

    if (alone || (inside && run == 1))
        copy(x, run);
    else
        x->at += run;
}

static void strike(struct inline_scan *x)
{
    size_t run = code_run(x->s, x->at);

    if (run == 2)
        x->at += 2;
    else
        copy(x, run);
}

/* $x_1 * y$ and $$...$$ are formulas; $5 and $6 are money. */
static void formula(struct inline_scan *x)
{
    size_t run = code_run(x->s, x->at);
    struct str rest = ahead(x);
    char after = char_at(x, x->at + run);

    if (run > 2 || run >= rest.n || (unsigned char)after <= ' ') {
        copy(x, run);
        return;
    }
    size_t close = run + str_find(str_skip(rest, run), '$');
    bool math = close < rest.n && (unsigned char)rest.p[close - 1] > ' ' &&
                !(char_at(x, x->at + close + 1) >= '0' &&
                  char_at(x, x->at + close + 1) <= '9');
    if (math)
        copy(x, close + 1);
    else
        copy_failed(x, rest, run);
}

static void escape(struct inline_scan *x)
{
    char next = char_at(x, x->at + 1);

    if (next > ' ' && !is_word(next)) {
        x->at++;
        copy(x, 1);
    } else {
        copy(x, 1);
    }
}

static void reference(struct inline_scan *x)
{
    size_t n;
    uint32_t c = entity_at(x->s, x->at, &n);

    if (!c) {
        copy(x, 1);
        return;
    }
    put(x, c);
    x->at += n;
}

static void read_sign(struct inline_scan *x)
{
    switch (x->s.p[x->at]) {
    case '\\': escape(x); break;
    case '`': code(x); break;
    case '$': formula(x); break;
    case '*':
    case '_': emphasis(x); break;
    case '~': strike(x); break;
    case '<': angle(x); break;
    case '&': reference(x); break;
    case '[': bracket(x); break;
    case '!':
        if (char_at(x, x->at + 1) != '[') {
            copy(x, 1);
            break;
        }
        x->at++; /* "![text](...)" is its text; "Oh![1]" is no link */
        if (!open_link(x))
            put(x, '!');
        break;
    default: /* "]" */
        if (x->links_n && x->links[x->links_n - 1].close == x->at)
            x->at = x->links[--x->links_n].end;
        else
            copy(x, 1);
    }
}

void markdown_inline(struct clean *k, struct buf *out, struct str s)
{
    struct inline_scan x = {.s = s,
                            .out = out,
                            .clean = k,
                            .failed_left = FAILED_BYTES + FAILED_TIMES * s.n};

    while (x.at < s.n) {
        size_t n = 0;
        while (x.at + n < s.n && !strchr("\\`$*_~<&[]!", s.p[x.at + n]))
            n++;
        copy(&x, n);
        if (x.at < s.n)
            read_sign(&x);
    }
    assert(x.at == s.n);
}
