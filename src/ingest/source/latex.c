/* latex.c - LaTeX: headings, paragraphs, items, code and formulas, with the
 * lines that they stand on.
 *
 * Commands are not run: what a known one is given is text or is not, and of an
 * unknown one it is text.  Formulas keep their letters and signs. */
#include "base/utf8.h"
#include "ingest/format/reader.h"
#include "ingest/source/latex_words.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

#include <stdio.h>

enum { ARGUMENT_BYTES_MAX = 8 * 1024, NAME_BYTES = 40 };

enum place { IN_TEXT, IN_NOTE, IN_HEADING, IN_TITLE };

struct latex {
    struct format_reader *r;
    struct str s;
    size_t at;
    int64_t line, first_line; /* first_line of the open block; 0: none */
    struct buf text, note, name;
    enum place place;
    int depth, place_depth; /* of braces; where `place` began */
    int level, tables;
    enum chunk_gap gap;
    bool in_items;
    bool body; /* behind \begin{document}, or there is none */
};

static struct buf *out_of(struct latex *d)
{
    switch (d->place) {
    case IN_TEXT: return &d->text;
    case IN_NOTE: return &d->note;
    case IN_HEADING:
    case IN_TITLE: break;
    }
    return &d->name;
}

static void add(struct latex *d, struct str s)
{
    if (!d->body && d->place != IN_TITLE)
        return;
    if (d->place == IN_TEXT && !d->first_line && lines_trim(s).n)
        d->first_line = d->line;
    buf_add(out_of(d), s);
}

/* ---- Out ---------------------------------------------------------------- */

static enum footnote_rc send(struct latex *d, struct str text, bool whole,
                             enum chunk_gap gap, struct footnote_err *err)
{
    struct chunk_piece p = {.text = text,
                            .whole = whole,
                            .gap = gap,
                            .line = d->first_line ? d->first_line : d->line,
                            .last_line = d->line};

    if (p.text.n && p.last_line > p.line && d->at < d->s.n && d->at &&
        d->s.p[d->at - 1] == '\n')
        p.last_line--;
    return p.text.n ? chunk_add(&d->r->chunker, &p, err) : FOOTNOTE_OK;
}

/* Ends the open block. */
static enum footnote_rc flush(struct latex *d, struct footnote_err *err)
{
    struct str note;

    TRY(buf_rc(&d->text, err));
    TRY(buf_rc(&d->note, err));
    if (d->tables)
        lines_squeeze(&d->text);
    struct str text = lines_trim(buf_str(&d->text));
    if (!str_eq(text, STR("-")))
        TRY(send(d, text, d->tables > 0, d->gap, err));
    note = lines_trim(buf_str(&d->note));
    TRY(send(d, note, false, GAP_LINE, err));
    buf_reset(&d->text);
    buf_reset(&d->note);
    d->first_line = 0;
    d->gap = GAP_BLOCK;
    return FOOTNOTE_OK;
}

static enum footnote_rc end_place(struct latex *d, struct footnote_err *err)
{
    enum place place = d->place;
    enum footnote_rc rc = FOOTNOTE_OK;

    d->place = IN_TEXT;
    lines_squeeze(&d->name);
    TRY(buf_rc(&d->name, err));
    struct str name = buf_str(&d->name);
    if (place == IN_TITLE && name.n && !d->r->facts->title.p)
        d->r->facts->title = arena_str(d->r->a, name);
    if (place == IN_HEADING && d->body) {
        rc = flush(d, err);
        if (rc == FOOTNOTE_OK)
            rc = chunk_heading(&d->r->chunker, d->level, name, err);
    }
    if (place != IN_NOTE)
        buf_reset(&d->name);
    return rc;
}

/* ---- Reading ------------------------------------------------------------ */

static char here(const struct latex *d)
{
    if (d->at >= d->s.n)
        return '\0';
    return d->s.p[d->at];
}

static void skip_blanks(struct latex *d)
{
    while (here(d) == ' ' || here(d) == '\t')
        d->at++;
}

/* The bytes between brackets of one kind, which begin here; absent when none
 * do.  Moves behind them. */
static struct str argument(struct latex *d, char open, char close)
{
    size_t from, depth = 0;
    int64_t lines = 0;

    skip_blanks(d);
    if (here(d) != open)
        return STR_NONE;
    from = d->at + 1;
    for (size_t i = d->at; i < d->s.n && i - from + 1 < ARGUMENT_BYTES_MAX;
         i++) {
        char c = d->s.p[i];

        if (c == '\\')
            i++;
        lines += c == '\n';
        depth += c == open;
        if (c == close && --depth == 0) {
            d->at = i + 1;
            d->line += lines;
            return (struct str){d->s.p + from, i - from};
        }
    }
    return STR_NONE;
}

static void skip_arguments(struct latex *d, int n)
{
    for (int i = 0; i < n; i++) {
        while (argument(d, '[', ']').p)
            continue;
        if (!argument(d, '{', '}').p)
            return;
    }
}

/* Moves behind \end{name}; the bytes before it. */
static struct str until_end(struct latex *d, struct str name)
{
    char mark[NAME_BYTES + 8];
    struct str rest = str_skip(d->s, d->at);

    snprintf(mark, sizeof(mark), "\\end{%.*s}", STR_ARG(name));
    const char *end =
        rest.n ? memmem(rest.p, rest.n, mark, strlen(mark)) : NULL;
    struct str inside = {rest.p, end ? (size_t)(end - rest.p) : rest.n};

    d->at += inside.n + (end ? strlen(mark) : 0);
    return inside;
}

static enum footnote_rc add_code(struct latex *d, struct str code,
                                 struct footnote_err *err)
{
    struct str line;
    enum chunk_gap gap = GAP_BLOCK;

    TRY(flush(d, err));
    for (; lines_next(&code, &line); d->line++) {
        d->first_line = d->line;
        if (!lines_trim(line).n || !d->body)
            continue;
        TRY(send(d, line, true, gap, err));
        gap = GAP_LINE;
    }
    if (d->line > 1)
        d->line--;
    d->first_line = 0;
    return FOOTNOTE_OK;
}

static void count_lines(struct latex *d, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        d->line += s.p[i] == '\n';
}

static enum footnote_rc begin(struct latex *d, struct footnote_err *err)
{
    struct str name = argument(d, '{', '}');

    d->in_items = false;
    if (!name.p || name.n > NAME_BYTES)
        return FOOTNOTE_OK;
    if (str_eq(name, STR("document"))) {
        d->body = true;
        buf_reset(&d->text);
        return FOOTNOTE_OK;
    }
    while (argument(d, '[', ']').p)
        continue;
    switch (latex_environment(name)) {
    case ENV_CODE:
        if (str_eq(name, STR("minted")))
            (void)argument(d, '{', '}');
        return add_code(d, until_end(d, name), err);
    case ENV_DROPPED: count_lines(d, until_end(d, name)); return FOOTNOTE_OK;
    case ENV_TABLE:
        TRY(flush(d, err));
        skip_arguments(d, lines_begins(name, STR("tabularx")) ? 2 : 1);
        d->tables++;
        return FOOTNOTE_OK;
    case ENV_MATH:
    case ENV_TEXT: break;
    }
    return flush(d, err);
}

static enum footnote_rc end(struct latex *d, struct footnote_err *err)
{
    struct str name = argument(d, '{', '}');

    TRY(flush(d, err));
    d->in_items = false;
    if (latex_environment(name) == ENV_TABLE && d->tables)
        d->tables--;
    if (str_eq(name, STR("document")))
        d->at = d->s.n;
    return FOOTNOTE_OK;
}

static void open_place(struct latex *d, enum place place)
{
    while (argument(d, '[', ']').p)
        continue;
    skip_blanks(d);
    if (here(d) != '{' || d->place != IN_TEXT)
        return;
    d->place = place;
    d->place_depth = d->depth;
    if (place == IN_NOTE)
        add(d, d->note.n ? STR(" ") : STR("Note: "));
    d->depth++;
    d->at++;
}

static void verb(struct latex *d)
{
    char mark = here(d), close = mark;
    struct str rest = str_skip(d->s, d->at);

    if (rest.n < 2 || (unsigned char)mark >= 0x80)
        return;
    rest = str_skip(rest, 1);
    if (mark == '{')
        close = '}';
    size_t n = str_find(rest, close);
    if (n == rest.n || n > str_find(rest, '\n'))
        return;
    add(d, (struct str){rest.p, n});
    d->at += n + 2;
}

/* The "[b]" of an item, which is its number or its word. */
static void add_mark(struct latex *d)
{
    struct str mark = argument(d, '[', ']');

    if (!mark.n || memchr(mark.p, '\\', mark.n))
        return;
    add(d, mark);
    add(d, STR(" "));
}

static enum footnote_rc command(struct latex *d, struct str name,
                                struct footnote_err *err)
{
    int level, arguments;
    const char *sign = latex_sign(name);
    enum latex_role role = latex_role(name, &level, &arguments);

    if (*sign) {
        add(d, str_c(sign));
        skip_blanks(d);
        return FOOTNOTE_OK;
    }
    switch (role) {
    case LATEX_SHOWN:
        while (here(d) == '[' && argument(d, '[', ']').p)
            continue;
        break;
    case LATEX_DROPPED:
    case LATEX_LINK: skip_arguments(d, arguments); break;
    case LATEX_HEADING:
        d->level = level;
        open_place(d, IN_HEADING);
        break;
    case LATEX_TITLE: open_place(d, IN_TITLE); break;
    case LATEX_NOTE: open_place(d, IN_NOTE); break;
    case LATEX_ITEM:
        TRY(flush(d, err));
        d->gap = d->in_items ? GAP_LINE : GAP_BLOCK;
        d->in_items = true;
        add(d, STR("- "));
        add_mark(d);
        skip_arguments(d, arguments);
        break;
    case LATEX_BREAK: return d->place == IN_TEXT ? flush(d, err) : FOOTNOTE_OK;
    case LATEX_BEGIN: return begin(d, err);
    case LATEX_END: return end(d, err);
    case LATEX_VERB: verb(d); break;
    }
    return FOOTNOTE_OK;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '@';
}

/* `\"o`, `\c{c}`; false: it is no accent. */
static bool accent(struct latex *d, char mark, size_t from)
{
    size_t at = from;
    char sign[4];

    while (at < d->s.n && (d->s.p[at] == ' ' || d->s.p[at] == '\\'))
        at++;
    bool brace = at < d->s.n && d->s.p[at] == '{';
    at += brace;
    at += brace && at < d->s.n && d->s.p[at] == '\\';
    if (at >= d->s.n)
        return false;
    uint32_t c = latex_accent(mark, d->s.p[at]);
    if (!c)
        return false;
    at++;
    at += brace && at < d->s.n && d->s.p[at] == '}';
    d->at = at;
    add(d, (struct str){sign, utf8_put(c, sign)});
    return true;
}

/* A command of one sign, as "\\\\" and "\\&", which is passed. */
static enum footnote_rc symbol(struct latex *d, char c,
                               struct footnote_err *err)
{
    size_t from = d->at++;

    if (accent(d, c, d->at))
        return FOOTNOTE_OK;
    if (strchr("&%$#_{}", c)) {
        add(d, (struct str){d->s.p + from, 1});
    } else if (strchr(" ,;:~\n", c)) {
        d->line += c == '\n';
        add(d, STR(" "));
    }
    if (c != '\\')
        return FOOTNOTE_OK;
    while (argument(d, '[', ']').p)
        continue;
    add(d, STR("\n"));
    if (!d->tables || d->place != IN_TEXT)
        return FOOTNOTE_OK;
    TRY(flush(d, err));
    d->gap = GAP_LINE;
    return FOOTNOTE_OK;
}

/* From behind a backslash. */
static enum footnote_rc backslash(struct latex *d, struct footnote_err *err)
{
    size_t from = d->at;
    char c = here(d);

    if (d->at >= d->s.n || c == '\0')
        return FOOTNOTE_OK;
    if ((unsigned char)c >= 0x80)
        return FOOTNOTE_OK; /* of several bytes: it is a letter of the text */
    if (!is_letter(c))
        return symbol(d, c, err);
    while (is_letter(here(d)))
        d->at++;
    struct str name = {d->s.p + from, d->at - from};
    if (name.n == 1 && accent(d, c, d->at))
        return FOOTNOTE_OK;
    if (here(d) == '*')
        d->at++;
    return command(d, name, err);
}

static enum footnote_rc line_end(struct latex *d, struct footnote_err *err)
{
    size_t at = d->at;

    d->line++;
    while (at < d->s.n && (d->s.p[at] == ' ' || d->s.p[at] == '\t'))
        at++;
    if (at < d->s.n && d->s.p[at] == '\n' && d->place == IN_TEXT)
        return flush(d, err);
    add(d, STR(" "));
    return FOOTNOTE_OK;
}

/* Signs that are typed as letters. */
static bool typed(struct latex *d, struct str rest)
{
    static const char *const signs[][2] = {
        {"---", "—"}, {"--", "–"}, {"``", "“"}, {"''", "”"}};

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (!str_starts(rest, str_c(signs[i][0])))
            continue;
        add(d, str_c(signs[i][1]));
        d->at += strlen(signs[i][0]);
        return true;
    }
    return false;
}

static enum footnote_rc read_sign(struct latex *d, struct footnote_err *err)
{
    struct str rest = str_skip(d->s, d->at);
    char c = rest.p[0];

    if (typed(d, rest))
        return FOOTNOTE_OK;
    d->at++;
    switch (c) {
    case '\\': return backslash(d, err);
    case '%':
        d->at +=
            str_find(rest, '\n') < rest.n ? str_find(rest, '\n') : rest.n - 1;
        d->line += d->at <= d->s.n && d->s.p[d->at - 1] == '\n';
        break;
    case '\n': return line_end(d, err);
    case '{': d->depth++; break;
    case '}':
        d->depth -= d->depth > 0;
        if (d->place != IN_TEXT && d->depth <= d->place_depth)
            return end_place(d, err);
        break;
    case '$': break;
    case '~': add(d, STR(" ")); break;
    case '&': add(d, d->tables ? STR(" | ") : STR(" ")); break;
    default: add(d, (struct str){rest.p, 1}); break;
    }
    return FOOTNOTE_OK;
}

/* Letters in a row, which are most of a text. */
static size_t plain_bytes(struct str s)
{
    size_t n = 0;

    while (n < s.n && !strchr("\\%\n{}$~&-`'", s.p[n]))
        n++;
    return n;
}

static enum footnote_rc read_all(struct latex *d, struct footnote_err *err)
{
    while (d->at < d->s.n) {
        struct str rest = str_skip(d->s, d->at);
        size_t n = plain_bytes(rest);

        if (n) {
            add(d, (struct str){rest.p, n});
            d->at += n;
        } else {
            TRY(read_sign(d, err));
        }
    }
    if (d->place != IN_TEXT)
        TRY(end_place(d, err));
    TRY(flush(d, err));
    return chunk_break(&d->r->chunker, err);
}

enum footnote_rc read_latex(struct format_reader *r, struct footnote_err *err)
{
    static const char document[] = "\\begin{document}";
    struct latex d = {.r = r,
                      .line = 1,
                      .gap = GAP_BLOCK,
                      .text = BUF(CHARSET_BYTES_MAX),
                      .note = BUF(CHARSET_BYTES_MAX),
                      .name = BUF(CHARSET_BYTES_MAX)};

    TRY(charset_decode(r->a, r->bytes, r->declared, &d.s,
                       &r->facts->hidden_text, &r->facts->encoding, err));
    d.body = !(d.s.n && memmem(d.s.p, d.s.n, document, sizeof(document) - 1));
    enum footnote_rc rc = read_all(&d, err);
    buf_free(&d.text);
    buf_free(&d.note);
    buf_free(&d.name);
    return rc;
}
