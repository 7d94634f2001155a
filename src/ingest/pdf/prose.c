/* prose.c - the lines of a page, put together as their writer meant them. */
#include "ingest/pdf/prose.h"
#include "ingest/text/leaders.h"
#include "ingest/text/lines.h"
#include "ingest/text/pages.h"

#include <math.h>
#include <stdlib.h>

enum {
    PARAGRAPH_BYTES_MAX = 2 * PAGES_BYTES_MAX,
    WORDS_OF_CODE = 4 /* lines of one word before one of several */
};

/* The piece that is being put together. */
struct piece {
    struct prose *p;
    int64_t number;
    const struct page_lines *page;
    struct buf text;
    enum chunk_gap gap;
    bool code;
};

static void piece_free(struct piece *piece)
{
    buf_free(&piece->text);
}

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Whether the text ends a sentence, or whatever is no sentence. */
static bool is_ended(const struct buf *text)
{
    return text->n == 0 || strchr(".?!:\"')", text->p[text->n - 1]);
}

static enum footnote_rc send_piece(struct piece *piece,
                                   struct footnote_err *err)
{
    struct prose *p = piece->p;
    struct chunk_piece out = {.text = buf_str(&piece->text),
                              .gap = piece->gap,
                              .whole = piece->code,
                              .page = piece->number};

    TRY(buf_rc(&piece->text, err));
    if (piece->text.n) {
        if (p->open && is_small(piece->text.p[0]) && !piece->code)
            out.gap = GAP_PAGE;
        p->open = false;
        TRY(chunk_add(p->chunker, &out, err));
    }
    buf_reset(&piece->text);
    piece->gap = GAP_BLOCK;
    piece->code = false;
    return FOOTNOTE_OK;
}

/* ---- Headings -------------------------------------------------------------
 */

static void forget_headings(struct prose *p, int64_t before)
{
    for (int i = 0; i < CHUNK_LEVELS; i++)
        if (p->heading_page[i] && p->heading_page[i] < before) {
            chunk_forget(p->chunker, i + 1);
            p->heading_page[i] = 0;
        }
}

/* A section whose title is not on its page ends the one before all the same. */
static enum footnote_rc set_heading(struct prose *p, int64_t number, int level,
                                    struct str text, struct footnote_err *err)
{
    TRY(chunk_heading(p->chunker, level, text, err));
    for (int i = level - 1; i < CHUNK_LEVELS; i++) {
        if (text.n == 0)
            chunk_forget(p->chunker, i + 1);
        p->heading_page[i] = 0;
    }
    if (text.n)
        p->heading_page[level - 1] = number;
    return FOOTNOTE_OK;
}

static enum footnote_rc take_heading(struct prose *p, int64_t number,
                                     const struct page_heading *h,
                                     const struct page_lines *page,
                                     struct footnote_err *err)
{
    AUTO(buf_free) struct buf text = BUF(PARAGRAPH_BYTES_MAX);

    for (size_t i = 0; i < h->n; i++) {
        if (i)
            buf_add_c(&text, ' ');
        leaders_strip_entry(page->lines[h->first + i].text, &text);
    }
    TRY(buf_rc(&text, err));
    p->open = false;
    /* The title of the document is found with each of its passages anyway. */
    bool title = p->survey->title.p && str_eq(buf_str(&text), p->survey->title);
    return set_heading(p, number, h->level, title ? STR("") : buf_str(&text),
                       err);
}

/* ---- Lines ----------------------------------------------------------------
 */

static bool same_print(const struct page_line *a, const struct page_line *b)
{
    return fabs(a->advance - b->advance) < 0.015 * a->advance;
}

/* Whether the line is code: a typewriter's, or a word beside such a line. */
static bool is_code(const struct piece *piece, size_t i)
{
    const struct page_line *l = &piece->page->lines[i];

    if (l->advance <= 0 || piece->p->survey->fixed)
        return false;
    if (!l->one_word || (piece->code && same_print(l, l - 1)))
        return true;
    size_t next = i + 1;
    while (next < piece->page->n && next < i + WORDS_OF_CODE &&
           l[next - i].one_word && same_print(l, &l[next - i]))
        next++;
    return next < piece->page->n && !l[next - i].one_word &&
           same_print(l, &l[next - i]);
}

/* The indentation of code is that from the leftmost line around it. */
static void add_code(struct piece *piece, size_t i)
{
    const struct page_line *all = piece->page->lines, *l = &all[i];
    double left = l->x;

    for (size_t k = i; k > 0 && same_print(l, &all[k - 1]); k--)
        left = fmin(left, all[k - 1].x);
    for (size_t k = i + 1; k < piece->page->n && same_print(l, &all[k]); k++)
        left = fmin(left, all[k].x);
    if (piece->text.n)
        buf_add_c(&piece->text, '\n');
    long indent = lround((l->x - left) / l->advance);
    for (; indent > 0 && indent < 100; indent--)
        buf_add_c(&piece->text, ' ');
    buf_add(&piece->text, l->text);
}

/* "• ", "- ", "1. ", "(a) ": an item of a list. */
static bool is_item(struct str s)
{
    static const struct str marks[] = {{"\xe2\x80\xa2", 3},
                                       {"\xe2\x80\x93", 3},
                                       {"\xe2\x96\xaa", 3},
                                       {"\xe2\x97\x8f", 3},
                                       {"\xe2\x96\xa0", 3},
                                       {"\xe2\x88\x99", 3},
                                       {"\xe2\x97\xa6", 3},
                                       {"-", 1},
                                       {"*", 1},
                                       {"\xe2\x80\x94", 3},
                                       {"\xc2\xb7", 2},
                                       {"\xe2\x88\x97", 3}};
    size_t i = 0;

    for (size_t k = 0; k < sizeof(marks) / sizeof(marks[0]); k++)
        if (str_starts(s, marks[k]) &&
            (s.n == marks[k].n || s.p[marks[k].n] == ' '))
            return true;
    bool open = s.n && s.p[0] == '(';
    i += open;
    size_t from = i;
    while (i < s.n && i < from + 2 && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    if (i == from && i < s.n && (s.p[i] | 0x20) >= 'a' &&
        (s.p[i] | 0x20) <= 'z')
        i++;
    return i > from && i + 1 < s.n &&
           (s.p[i] == ')' || (!open && s.p[i] == '.')) && s.p[i + 1] == ' ';
}

/* A word that is parted at the end of a line is whole again. */
static void add_prose(struct piece *piece, struct str line)
{
    struct buf *t = &piece->text;
    bool parted = t->n > 1 && t->p[t->n - 1] == '-' && t->p[t->n - 2] != ' ' &&
                  t->p[t->n - 2] != '-' &&
                  (is_small(line.p[0]) || line.p[0] & 0x80);

    if (parted)
        t->n--;
    else if (t->n)
        buf_add_c(t, ' ');
    leaders_strip_entry(line, t);
}

/* Whether the line begins a paragraph: in another block, unless a sentence goes
 * on there: an end of a block within a sentence is the end of a column. */
static bool begins_paragraph(const struct piece *piece, size_t i)
{
    const struct page_line *l = &piece->page->lines[i];
    bool ended = is_ended(&piece->text) || !is_small(l->text.p[0]);

    return i > 0 && l->block != l[-1].block && ended;
}

static enum footnote_rc add_line(struct piece *piece, size_t i,
                                 struct footnote_err *err)
{
    const struct page_line *l = &piece->page->lines[i];

    if (is_code(piece, i)) {
        if (!piece->code)
            TRY(send_piece(piece, err));
        piece->code = true;
        add_code(piece, i);
        return FOOTNOTE_OK;
    }
    /* "-" may also be a dash within a sentence. */
    bool item = is_item(l->text) &&
                (is_ended(&piece->text) || is_item(buf_str(&piece->text)) ||
                 (unsigned char)l->text.p[0] >= 0x80);
    if (piece->code || item || begins_paragraph(piece, i)) {
        bool line = item && piece->text.n && !piece->code;
        TRY(send_piece(piece, err));
        piece->gap = line ? GAP_LINE : GAP_BLOCK;
    }
    add_prose(piece, l->text);
    return FOOTNOTE_OK;
}

/* ---- Contents and indexes -------------------------------------------------
 */

static bool is_contents(const struct prose *p, const struct page_lines *page)
{
    AUTO(buf_free) struct buf scratch = BUF(PARAGRAPH_BYTES_MAX);
    size_t lines = 0, entries = 0, dotted = 0;

    for (size_t i = 0; i < page->n; i++) {
        const struct page_line *l = &page->lines[i];
        if (l->running)
            continue;
        buf_reset(&scratch);
        lines++;
        entries += leaders_entry(l->text, p->survey->pages);
        dotted += leaders_strip(l->text, &scratch);
    }
    return leaders_contents(lines, entries, dotted);
}

/* By rows, unless entries stand beside each other: then there are columns. */
static int by_row(const void *x, const void *y)
{
    const struct page_line *a = x, *b = y;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

static int by_y(const void *x, const void *y)
{
    const struct page_line *a = x, *b = y;

    return a->y < b->y ? -1 : a->y > b->y;
}

/* A copy of the lines in rows; those of the page when it has columns. */
static enum footnote_rc in_rows(const struct prose *p,
                                const struct page_lines *page, struct arena *a,
                                struct page_lines *out,
                                struct footnote_err *err)
{
    size_t columns = 0, rows = 0;

    *out = *page;
    out->lines = arena_many(a, page->n + 1, struct page_line);
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < page->n; i++)
        out->lines[i] = page->lines[i];
    qsort(out->lines, out->n, sizeof(out->lines[0]), by_y);
    for (size_t i = 0; i < out->n; i++) {
        struct page_line *l = &out->lines[i];
        bool beside = i > 0 && page_lines_beside(l, l - 1);
        rows += !beside;
        l->row = rows;
        columns += beside && leaders_entry(l->text, p->survey->pages) &&
                   leaders_entry(l[-1].text, p->survey->pages);
    }
    if (4 * columns > rows)
        *out = *page;
    else
        qsort(out->lines, out->n, sizeof(out->lines[0]), by_row);
    return FOOTNOTE_OK;
}

/* A row of the page is a line of the passage. */
static enum footnote_rc send_contents(struct prose *p, int64_t number,
                                      const struct page_lines *page,
                                      struct arena *a, struct footnote_err *err)
{
    struct page_lines rows;
    AUTO(piece_free)
    struct piece piece = {.p = p,
                          .number = number,
                          .page = page,
                          .text = BUF(PARAGRAPH_BYTES_MAX),
                          .gap = GAP_BLOCK};

    TRY(in_rows(p, page, a, &rows, err));
    p->chunker->extra = PASSAGE_CONTENTS;
    for (size_t i = 0; i < rows.n; i++) {
        const struct page_line *l = &rows.lines[i];
        if (l->running)
            continue;
        if (i == 0 || !page_lines_beside(l, l - 1) || l->x < l[-1].x) {
            piece.code = true; /* a whole line */
            TRY(send_piece(&piece, err));
            piece.gap = GAP_LINE;
        }
        if (piece.text.n)
            buf_add_c(&piece.text, ' ');
        leaders_strip(l->text, &piece.text);
    }
    piece.code = true;
    TRY(send_piece(&piece, err));
    TRY(chunk_break(p->chunker, err));
    p->chunker->extra = STR_NONE;
    return FOOTNOTE_OK;
}

/* ---- Pages ----------------------------------------------------------------
 */

static enum footnote_rc begin_page(struct prose *p, int64_t number,
                                   struct page_lines *page, bool *contents,
                                   struct footnote_err *err)
{
    running_mark(&p->survey->running, page);
    forget_headings(p, number - PROSE_HEADING_PAGES);
    *contents = is_contents(p, page);
    if (!*contents)
        return FOOTNOTE_OK;
    /* Headings above the contents are not the ones below, and numbers begin
     * again. */
    p->headings.section = 0;
    p->open = false;
    return set_heading(p, number, 1, STR(""), err);
}

enum footnote_rc prose_skim(struct prose *p, int64_t number,
                            struct page_lines *page, struct arena *a,
                            struct footnote_err *err)
{
    struct page_headings headings;
    bool contents;

    TRY(begin_page(p, number, page, &contents, err));
    if (contents)
        return FOOTNOTE_OK;
    TRY(headings_find(&p->headings, p->survey, number, page, a, &headings,
                      err));
    for (size_t i = 0; i < headings.n; i++)
        TRY(take_heading(p, number, &headings.all[i], page, err));
    return FOOTNOTE_OK;
}

/* The lines between the headings. */
static enum footnote_rc send_lines(struct prose *p, int64_t number,
                                   const struct page_lines *page,
                                   const struct page_headings *headings,
                                   struct footnote_err *err)
{
    AUTO(piece_free)
    struct piece piece = {.p = p,
                          .number = number,
                          .page = page,
                          .text = BUF(PARAGRAPH_BYTES_MAX),
                          .gap = GAP_BLOCK};
    size_t next = 0;

    for (; next < headings->n && headings->all[next].n == 0; next++)
        TRY(take_heading(p, number, &headings->all[next], page, err));
    for (size_t i = 0; i < page->n; i++) {
        if (next < headings->n && headings->all[next].first == i) {
            TRY(send_piece(&piece, err));
            TRY(take_heading(p, number, &headings->all[next], page, err));
            i += headings->all[next++].n - 1;
            continue;
        }
        if (!page->lines[i].running)
            TRY(add_line(&piece, i, err));
    }
    bool open = !piece.code && !is_ended(&piece.text);
    TRY(send_piece(&piece, err));
    p->open = open;
    return FOOTNOTE_OK;
}

enum footnote_rc prose_page(struct prose *p, int64_t number,
                            struct page_lines *page, struct arena *a,
                            struct footnote_err *err)
{
    struct page_headings headings;
    bool contents;

    TRY(begin_page(p, number, page, &contents, err));
    if (contents)
        return send_contents(p, number, page, a, err);
    TRY(headings_find(&p->headings, p->survey, number, page, a, &headings,
                      err));
    return send_lines(p, number, page, &headings, err);
}
