/* markup.c - one pass over the bytes that knows tags, and nothing else. */
#include "ingest/format/markup.h"
#include "ingest/text/lines.h"
#include "store/document/reason.h"

/* libxml2 cuts longer names of HTML into several. */
enum { NAME_BYTES_MAX = 100 };

struct scan {
    struct str s;
    size_t at;
    enum markup_kind kind;
    size_t elements, attributes; /* so far */
};

/* The character here; 0 at the end.  Zero bytes are passed over: in UTF-16
 * there is one beside each character that matters. */
static char here(struct scan *x)
{
    for (; x->at < x->s.n; x->at++)
        if (x->s.p[x->at])
            return x->s.p[x->at];
    return '\0';
}

static char next(struct scan *x)
{
    x->at++;
    return here(x);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* In XML, names may begin with letters of all languages. */
static bool begins_name(const struct scan *x, char c)
{
    return is_letter(c) || c == '_' || c == ':' ||
           (x->kind == MARKUP_XML && (c & 0x80));
}

static void skip_blanks(struct scan *x)
{
    while (is_blank(here(x)))
        x->at++;
}

/* Moves behind `end`, or to the end of the bytes. */
static void skip_behind(struct scan *x, const char *end)
{
    size_t matched = 0;

    for (char c = here(x); c; c = next(x)) {
        /* Fit for "-->" and "]]>", whose signs before the last are the same. */
        if (c == end[matched])
            matched++;
        else if (matched && c != end[matched - 1])
            matched = c == end[0];
        if (!end[matched]) {
            x->at++;
            return;
        }
    }
}

/* Scripts and styles end at the next end tag, whichever it is. */
static void skip_raw_text(struct scan *x)
{
    for (char c = here(x); c; c = next(x)) {
        size_t from = x->at;

        if (c == '<' && next(x) == '/' && is_letter(next(x))) {
            x->at = from;
            return;
        }
        x->at = from;
    }
}

/* ---- Tags ---------------------------------------------------------------- */

/* The value behind a name, if there is one. */
static void skip_value(struct scan *x)
{
    skip_blanks(x);
    if (here(x) != '=')
        return;
    x->at++;
    skip_blanks(x);
    char quote = here(x);
    if (quote == '"' || quote == '\'') {
        x->at++;
        while (here(x) && here(x) != quote)
            x->at++;
        x->at++;
        return;
    }
    for (char c = quote; c && c != '>' && !is_blank(c); c = next(x))
        continue;
}

static enum footnote_rc count_attribute(struct scan *x, size_t *n,
                                        struct footnote_err *err)
{
    size_t from = x->at;

    for (char c = here(x); c && c != '=' && c != '>' && c != '/' && c != '"' &&
                           c != '\'' && !is_blank(c);
         c = next(x))
        continue;
    size_t some = 1 + (x->at - from) / NAME_BYTES_MAX;
    *n += some;
    x->attributes += some;
    if (*n > MARKUP_ATTRIBUTES_MAX)
        return refuse(err, HARMFUL,
                      "an element of it has more than %d attributes; the file "
                      "is broken, or made to harm",
                      MARKUP_ATTRIBUTES_MAX);
    if (x->attributes > MARKUP_ATTRIBUTES_TOTAL_MAX)
        return refuse(err, TOO_MANY_PARTS,
                      "its elements have more than %d attributes",
                      MARKUP_ATTRIBUTES_TOTAL_MAX);
    skip_value(x);
    return FOOTNOTE_OK;
}

/* From behind "<" to behind ">". */
static enum footnote_rc count_tag(struct scan *x, struct footnote_err *err)
{
    char name[8];
    size_t name_n = 0, n = 0;

    if (++x->elements > MARKUP_ELEMENTS_MAX)
        return refuse(err, TOO_MANY_PARTS, "it has more than %d elements",
                      MARKUP_ELEMENTS_MAX);
    for (char c = here(x); c && c != '>' && c != '/' && !is_blank(c);
         c = next(x))
        if (name_n < sizeof(name))
            name[name_n++] = c;
    for (char c = here(x); c && c != '>'; c = here(x)) {
        if (is_blank(c) || c == '/' || c == '"' || c == '\'' || c == '=')
            x->at++;
        else
            TRY(count_attribute(x, &n, err));
    }
    x->at++;
    if (x->kind == MARKUP_HTML &&
        (lines_same((struct str){name, name_n}, STR("script")) ||
         lines_same((struct str){name, name_n}, STR("style"))))
        skip_raw_text(x);
    return FOOTNOTE_OK;
}

/* From behind "<!". */
static void skip_declaration(struct scan *x)
{
    if (here(x) == '-' && next(x) == '-') {
        x->at++;
        skip_behind(x, "-->");
    } else if (x->kind == MARKUP_XML && here(x) == '[') {
        skip_behind(x, "]]>");
    } else {
        skip_behind(x, ">");
    }
}

enum footnote_rc markup_check(struct str bytes, enum markup_kind kind,
                              struct footnote_err *err)
{
    struct scan x = {.s = bytes, .kind = kind};

    for (char c = here(&x); c; c = here(&x)) {
        x.at++;
        if (c != '<')
            continue;
        c = here(&x);
        if (begins_name(&x, c)) {
            TRY(count_tag(&x, err));
        } else if (c == '!') {
            x.at++;
            skip_declaration(&x);
        }
    }
    return FOOTNOTE_OK;
}
