/* markdown.c - Markdown: headings, paragraphs, lists, tables, code.
 *
 * It is read line by line.  The rules for what makes one block are those of
 * CommonMark; the rules that only change how a block looks are simpler. */
#include "cite/code.h"
#include "ingest/format/front_matter.h"
#include "ingest/format/journal.h"
#include "ingest/format/markdown_inline.h"
#include "ingest/format/markdown_part.h"
#include "ingest/format/reader.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

#include <assert.h>

enum { INDENT_CODE = 4 };

struct markdown {
    struct format_reader *r;
    struct str text;
    size_t at;
    size_t comment_end; /* of the next comment; text.n + 1: there is none */
    struct buf raw;     /* the paragraph so far, with its signs */
    struct buf plain;   /* a text without signs */
    struct clean clean;
    enum chunk_gap gap; /* before the paragraph */
    bool in_list, in_table;
};

/* ---- Out ---------------------------------------------------------------- */

static struct str plain_text(struct markdown *m, struct str s)
{
    buf_reset(&m->plain);
    markdown_inline(&m->clean, &m->plain, s);
    return buf_str(&m->plain);
}

static enum footnote_rc send_text(struct markdown *m, struct str text,
                                  enum chunk_gap gap, bool whole,
                                  struct footnote_err *err)
{
    struct chunk_piece p = {.text = text, .gap = gap, .whole = whole};

    TRY(buf_rc(&m->plain, err));
    return chunk_add(&m->r->chunker, &p, err);
}

static enum footnote_rc flush(struct markdown *m, struct footnote_err *err)
{
    enum chunk_gap gap = m->gap;

    TRY(buf_rc(&m->raw, err));
    m->gap = GAP_BLOCK;
    if (m->raw.n == 0)
        return FOOTNOTE_OK;
    enum footnote_rc rc =
        send_text(m, plain_text(m, buf_str(&m->raw)), gap, false, err);
    buf_reset(&m->raw);
    return rc;
}

static enum footnote_rc add_heading(struct markdown *m, int level,
                                    struct str raw, struct footnote_err *err)
{
    struct str text = lines_trim(plain_text(m, raw));

    TRY(buf_rc(&m->plain, err));
    if (!m->r->facts->title.p && text.n)
        m->r->facts->title = arena_str(m->r->a, text);
    m->in_list = false;
    return chunk_heading(&m->r->chunker, level, text, err);
}

/* ---- What a line is ----------------------------------------------------- */

static size_t indent_of(struct str line)
{
    size_t n = 0;

    for (size_t i = 0; i < line.n && (line.p[i] == ' ' || line.p[i] == '\t');
         i++)
        n += line.p[i] == '\t' ? INDENT_CODE : 1;
    return n;
}

/* The level of "## Text", and its text; 0 when it is no heading. */
static int atx_level(struct str line, struct str *text)
{
    size_t n = line.n && *line.p == '#' ? code_run(line, 0) : 0;

    if (n == 0 || n > 6 ||
        (n < line.n && line.p[n] != ' ' && line.p[n] != '\t'))
        return 0;
    *text = lines_trim(str_skip(line, n));
    size_t end = text->n;
    while (end && text->p[end - 1] == '#')
        end--;
    if (end == 0 || text->p[end - 1] == ' ')
        text->n = end;
    return (int)n;
}

/* How often a line has `c`; 0 when it has anything else but spaces. */
static size_t count_only(struct str line, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == c)
            n++;
        else if (line.p[i] != ' ')
            return 0;
    }
    return n;
}

static bool is_rule(struct str line)
{
    return count_only(line, '-') >= 3 || count_only(line, '*') >= 3 ||
           count_only(line, '_') >= 3;
}

/* Bytes of "- ", "* ", "+ ", "12. " or "3) "; 0 when it is no list item. */
static size_t item_mark(struct str line)
{
    size_t n = 0;

    if (line.n >= 2 && strchr("-*+", line.p[0]))
        return line.p[1] == ' ' || line.p[1] == '\t' ? 2 : 0;
    while (n < line.n && n < 9 && line.p[n] >= '0' && line.p[n] <= '9')
        n++;
    if (n == 0 || n + 1 >= line.n || (line.p[n] != '.' && line.p[n] != ')'))
        return 0;
    return line.p[n + 1] == ' ' ? n + 2 : 0;
}

static bool is_delimiter(struct str line)
{
    bool dash = false, bar = false;

    for (size_t i = 0; i < line.n; i++) {
        dash |= line.p[i] == '-';
        bar |= line.p[i] == '|';
        if (!strchr("-|: \t", line.p[i]))
            return false;
    }
    return dash && bar;
}

/* ---- Blocks ------------------------------------------------------------- */

static enum footnote_rc add_table_row(struct markdown *m, struct str line,
                                      struct footnote_err *err)
{
    enum chunk_gap gap = m->in_table ? GAP_LINE : GAP_BLOCK;

    m->in_table = true;
    if (is_delimiter(line))
        return FOOTNOTE_OK;
    if (*line.p == '|')
        line = str_skip(line, 1);
    if (line.n && line.p[line.n - 1] == '|')
        line.n--;
    buf_reset(&m->plain);
    for (bool first = true; line.n || first; first = false) {
        size_t n = str_find(line, '|');
        while (n < line.n && n > 0 && line.p[n - 1] == '\\')
            n += 1 + str_find(str_skip(line, n + 1), '|');
        if (!first)
            buf_add(&m->plain, STR(" | "));
        markdown_inline(&m->clean, &m->plain,
                        lines_trim((struct str){line.p, n}));
        line = str_skip(line, n < line.n ? n + 1 : n);
    }
    return send_text(m, buf_str(&m->plain), gap, true, err);
}

static enum footnote_rc add_list_item(struct markdown *m, struct str line,
                                      size_t mark, struct footnote_err *err)
{
    bool first = !m->in_list;

    TRY(flush(m, err));
    m->in_list = true;
    m->gap = first ? GAP_BLOCK : GAP_LINE;
    struct str rest = lines_trim(str_skip(line, mark));
    /* All bullets become "- "; numbers are part of the text. */
    buf_add(&m->raw, mark == 2 && line.p[1] != '.' && line.p[1] != ')'
                         ? STR("- ")
                         : (struct str){line.p, mark});
    if (str_starts(rest, STR("[ ] ")) || lines_begins(rest, STR("[x] ")))
        rest = str_skip(rest, 4);
    buf_add(&m->raw, rest);
    return FOOTNOTE_OK;
}

/* "[name]: https://..." says where a link leads, and is not text. */
static bool is_definition(struct str line)
{
    size_t close = str_find(line, ']');

    return line.n > 3 && line.p[0] == '[' && line.p[1] != '^' &&
           close + 1 < line.n && line.p[close + 1] == ':';
}

/* "===" or "---" below a paragraph makes it a heading of this level; else 0. */
static int setext_level(const struct markdown *m, struct str line)
{
    if (m->raw.n == 0)
        return 0;
    if (count_only(line, '=') == line.n)
        return 1;
    return count_only(line, '-') == line.n && line.n >= 2 && !m->in_list ? 2
                                                                         : 0;
}

static enum footnote_rc add_paragraph_line(struct markdown *m, struct str line,
                                           struct footnote_err *err)
{
    int level = setext_level(m, line);

    if (level) {
        TRY(add_heading(m, level, buf_str(&m->raw), err));
        buf_reset(&m->raw);
        return FOOTNOTE_OK;
    }
    if (is_rule(line)) {
        m->in_list = false;
        return flush(m, err);
    }
    if (m->raw.n == 0 && is_definition(line))
        return FOOTNOTE_OK;
    if (m->raw.n)
        buf_add_c(&m->raw, ' ');
    size_t close = str_find(line, ']');
    if (str_starts(line, STR("[^")) && close + 1 < line.n &&
        line.p[close + 1] == ':') /* the mark of a footnote */
        line = lines_trim(str_skip(line, close + 2));
    buf_add(&m->raw, line);
    return FOOTNOTE_OK;
}

static bool is_row(const struct markdown *m, struct str line)
{
    struct str rest = str_skip(m->text, m->at), next = STR("");

    if (str_find(line, '|') == line.n)
        return false;
    (void)lines_next(&rest, &next);
    return m->in_table || *line.p == '|' ||
           (m->raw.n == 0 && is_delimiter(lines_trim(next)));
}

static enum footnote_rc read_line(struct markdown *m, struct str whole,
                                  struct footnote_err *err)
{
    struct str line = lines_trim(whole), text;
    size_t indent = indent_of(whole), mark;
    int level;

    while (line.n && *line.p == '>')
        line = lines_trim(str_skip(line, 1));
    if (line.n == 0) {
        m->in_table = false;
        return flush(m, err);
    }
    if (indent < INDENT_CODE && (level = atx_level(line, &text)) > 0) {
        TRY(flush(m, err));
        return add_heading(m, level, text, err);
    }
    if (is_row(m, line)) {
        TRY(flush(m, err));
        return add_table_row(m, line, err);
    }
    m->in_table = false;
    if (!is_rule(line) && (mark = item_mark(line)) > 0)
        return add_list_item(m, line, mark, err);
    if (indent == 0 && m->raw.n == 0)
        m->in_list = false;
    if (indent >= INDENT_CODE && m->raw.n == 0 && !m->in_list) {
        TRY(send_text(m, whole, m->gap, true, err));
        m->gap = GAP_LINE;
        return FOOTNOTE_OK;
    }
    return add_paragraph_line(m, line, err);
}

/* The end of the comment that begins at m->at; 0 when none begins there.  The
 * end is looked for once, not at every "<!--". */
static size_t comment_end(struct markdown *m)
{
    struct str rest = str_skip(m->text, m->at);

    if (!str_starts(rest, STR("<!--")))
        return 0;
    if (m->comment_end < m->at + 4) {
        const char *end = memmem(rest.p + 4, rest.n - 4, "-->", 3);
        m->comment_end = end ? (size_t)(end - m->text.p) + 3 : m->text.n + 1;
    }
    return m->comment_end <= m->text.n ? m->comment_end : 0;
}

static enum footnote_rc read_blocks(struct markdown *m,
                                    struct footnote_err *err)
{
    while (m->at < m->text.n) {
        struct str rest = str_skip(m->text, m->at), line;
        size_t end;

        if (code_fence(m->text, true, m->at, &end) == CERTAIN_YES) {
            struct str code = {m->text.p + m->at, end - m->at};
            TRY(flush(m, err));
            m->at = end;
            m->in_table = false;
            TRY(send_text(m, code, GAP_BLOCK, true, err));
            continue;
        }
        if ((end = comment_end(m)) > 0) {
            m->at = end;
            continue;
        }
        (void)lines_next(&rest, &line);
        m->at = m->text.n - rest.n;
        TRY(read_line(m, line, err));
    }
    assert(m->at == m->text.n);
    return flush(m, err);
}

static void read_front_matter(struct markdown *m)
{
    struct extract_facts *facts = m->r->facts;
    struct front_matter front;
    char day[11];
    size_t n;

    front_matter_take(&m->text, &front);
    if (front.title.p)
        facts->title = arena_str(m->r->a, front.title);
    if (front.language.p)
        facts->language = arena_str(m->r->a, front.language);
    if (front.date.p && journal_date(front.date, day, &n))
        facts->date = arena_str(m->r->a, str_c(day));
}

static enum footnote_rc read_text_of(struct format_reader *r, struct str text,
                                     bool front, struct footnote_err *err)
{
    struct markdown m = {.r = r,
                         .text = text,
                         .raw = BUF(EXTRACT_BYTES_MAX),
                         .plain = BUF(EXTRACT_BYTES_MAX),
                         .gap = GAP_BLOCK};

    if (front)
        read_front_matter(&m);
    enum footnote_rc rc = read_blocks(&m, err);
    r->facts->hidden_text |= m.clean.hidden;
    buf_free(&m.raw);
    buf_free(&m.plain);
    TRY(rc);
    return chunk_break(&r->chunker, err);
}

enum footnote_rc markdown_part(struct format_reader *r, struct str text,
                               struct footnote_err *err)
{
    return read_text_of(r, text, false, err);
}

enum footnote_rc read_markdown(struct format_reader *r,
                               struct footnote_err *err)
{
    struct str text;

    TRY(charset_decode(r->a, r->bytes, r->declared, &text,
                       &r->facts->hidden_text, &r->facts->encoding, err));
    return read_text_of(r, text, true, err);
}
