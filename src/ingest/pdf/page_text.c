/* page_text.c - from the lines of a page to paragraphs and headings. */
#include "ingest/pdf/page_text.h"
#include "base/utf8.h"
#include "ingest/pdf/pdf.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

enum {
    HEADING_WORDS_MAX = 10,
    HEADING_BYTES_MAX = 120,
    PARAGRAPH_BYTES_MAX = 2 * PAGES_BYTES_MAX,
};

/* Appends a line with single spaces: columns are set apart by many. */
static void add_squeezed(struct buf *out, struct str line)
{
    bool gap = false;

    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        if (c == ' ' || c == '\t') {
            gap = true;
            continue;
        }
        if (gap)
            buf_add_c(out, ' ');
        gap = false;
        buf_add_c(out, c);
    }
    buf_add_c(out, '\n');
}

/* pdftotext puts embeddings (U+202A to U+202C) around text from the right.
 * The file does not have them, so they do not count as hidden text. */
static void add_clean(struct clean *clean, struct buf *out, struct str raw)
{
    static const struct str embedding = {"\xe2\x80", 2};

    while (raw.n) {
        const char *at = memmem(raw.p, raw.n, embedding.p, embedding.n);
        size_t n = at ? (size_t)(at - raw.p) : raw.n;
        clean_add(clean, out, (struct str){raw.p, n});
        raw = str_skip(raw, n);
        if (raw.n == 0)
            return;
        unsigned char last = (unsigned char)raw.p[2];
        if (last < 0xaa || last > 0xac)
            clean_add(clean, out, (struct str){raw.p, 3});
        raw = str_skip(raw, 3);
    }
}

bool page_text_clean(struct str raw, struct buf *out, bool *hidden)
{
    AUTO(buf_free) struct buf seen = BUF(PAGES_BYTES_MAX);
    struct clean clean = {0};
    struct str rest, line;
    bool empty = true; /* the line before */

    if (!utf8_valid(raw))
        return false;
    add_clean(&clean, &seen, raw);
    rest = buf_str(&seen);
    while (lines_next(&rest, &line)) {
        line = lines_trim(line);
        if (line.n || !empty)
            add_squeezed(out, line);
        empty = line.n == 0;
    }
    *hidden = *hidden || clean.hidden;
    return true;
}

size_t page_text_chars(struct str text, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n && n < most;)
        if (utf8_next(text, &i) > ' ')
            n++;
    return n;
}

struct str page_text_title(struct str text)
{
    struct str line;

    while (lines_next(&text, &line)) {
        line = lines_trim(line);
        if (page_text_chars(line, 3) == 3 && chunk_words(line) > 0)
            return utf8_cut(line, PDF_TITLE_BYTES_MAX / 4);
    }
    return STR_NONE;
}

/* --- Headings ---------------------------------------------------------------
 */

/* Moves *s behind "3" or "3.1.", and returns how many numbers there are; 0 when
 * there is none. */
static int skip_numbers(struct str *s, int64_t *first)
{
    int depth = 0;
    size_t i = 0;

    *first = 0;
    while (i < s->n && s->p[i] >= '0' && s->p[i] <= '9' && depth < 4) {
        int64_t v = 0;
        size_t digits = 0;
        for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++, digits++)
            v = digits < 3 ? v * 10 + (s->p[i] - '0') : v;
        if (digits > 2)
            return 0; /* a year */
        if (++depth == 1)
            *first = v;
        if (i < s->n && s->p[i] == '.')
            i++;
    }
    if (i >= s->n || s->p[i] != ' ')
        return 0;
    *s = str_skip(*s, i + 1);
    return depth;
}

/* The level of a numbered heading, or 0.  Its number must follow that of the
 * last heading: the items of a list begin with 1 again. */
static int heading_level(struct pdf_prose *p, struct str line)
{
    struct str rest = line;
    int64_t number;

    if (line.n > HEADING_BYTES_MAX)
        return 0;
    int level = skip_numbers(&rest, &number);
    if (level == 0 || rest.n < 3 || strchr(".,;:?!", rest.p[rest.n - 1]) ||
        !((rest.p[0] >= 'A' && rest.p[0] <= 'Z') || rest.p[0] & 0x80) ||
        chunk_words(rest) > HEADING_WORDS_MAX)
        return 0;
    if (level == 1 && p->section && number != p->section + 1)
        return 0;
    if (level > 1 && p->section && number != p->section)
        return 0;
    p->section = number;
    return level;
}

/* --- Paragraphs -------------------------------------------------------------
 */

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Whether the text ends a sentence, or whatever is no sentence. */
static bool is_ended(const struct buf *text)
{
    return text->n == 0 || strchr(".?!:\"')", text->p[text->n - 1]);
}

static enum footnote_rc send_paragraph(struct pdf_prose *p, struct chunker *c,
                                       int64_t number, struct buf *text,
                                       struct footnote_err *err)
{
    struct chunk_piece piece = {
        .text = buf_str(text), .gap = GAP_BLOCK, .page = number};

    TRY(buf_rc(text, err));
    if (text->n == 0)
        return FOOTNOTE_OK;
    if (p->open && is_small(text->p[0]))
        piece.gap = GAP_PAGE;
    p->open = false;
    TRY(chunk_add(c, &piece, err));
    return FOOTNOTE_OK;
}

enum footnote_rc page_text_prose(struct pdf_prose *p, struct chunker *c,
                                 int64_t number, struct str text,
                                 struct footnote_err *err)
{
    AUTO(buf_free) struct buf paragraph = BUF(PARAGRAPH_BYTES_MAX);
    bool gap = false;
    struct str line;

    while (lines_next(&text, &line)) {
        if (line.n == 0) {
            gap = true;
            continue;
        }
        int level = heading_level(p, line);
        /* An empty line within a sentence is the end of a column. */
        bool ended = is_ended(&paragraph) || !is_small(line.p[0]);
        if (level || (gap && ended)) {
            TRY(send_paragraph(p, c, number, &paragraph, err));
            buf_reset(&paragraph);
        }
        gap = false;
        if (level) {
            p->open = false;
            TRY(chunk_heading(c, level, line, err));
            continue;
        }
        if (paragraph.n)
            buf_add_c(&paragraph, ' ');
        buf_add(&paragraph, line);
    }
    TRY(send_paragraph(p, c, number, &paragraph, err));
    p->open = !is_ended(&paragraph);
    return FOOTNOTE_OK;
}
