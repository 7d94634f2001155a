/* page.c - words with their boxes, from what pdftotext -bbox prints, and page
 * pictures.
 *
 *     <page width="595.000000" height="842.000000">
 *       <word xMin="183.9" yMin="114.8" xMax="199.9" yMax="125.6">On</word>
 *
 * With -bbox-layout the words stand in <block> and <line>.
 *
 * Poppler always prints this form, one element a line, so no XML parser is
 * needed; lines of another form are skipped. */
#include "ingest/pdf/page.h"
#include "base/json.h"
#include "base/number.h"
#include "base/utf8.h"
#include "ingest/pdf/packed_boxes.h"
#include "ingest/pdf/page_order.h"
#include "ingest/pdf/pdf.h"
#include "ingest/pdf/poppler.h"
#include "ingest/text/clean.h"
#include "ingest/text/entity.h"
#include "ingest/text/lines.h"
#include "store/document/document.h"
#include <assert.h>
#include <math.h>

/* --- Reading ----------------------------------------------------------------
 */

/* The value of `name="..."` in a tag; 0 when it is no plain decimal number,
 * which gives a box without a size. */
static double attribute(struct str tag, struct str name)
{
    const char *at = memmem(tag.p, tag.n, name.p, name.n);
    double v = 0;

    if (!at)
        return 0;
    struct str rest = str_skip(tag, (size_t)(at - tag.p) + name.n);
    rest.n = str_find(rest, '"');
    if (rest.n == 0 || rest.n > NUMBER_BYTES)
        return 0;
    size_t sign = rest.p[0] == '-';
    for (size_t i = sign; i < rest.n; i++)
        if (rest.p[i] != '.' && (rest.p[i] < '0' || rest.p[i] > '9'))
            return 0;
    if (rest.n == sign || rest.p[sign] == '.' || rest.p[rest.n - 1] == '.' ||
        !number_read(rest, &v))
        return 0;
    return v;
}

/* Appends the text between two tags: entities decoded, cleaned, no spaces.
 * True: hidden text was dropped. */
static bool add_text(struct buf *out, struct str s)
{
    struct clean clean = {0};

    for (size_t i = 0; i < s.n;) {
        size_t bytes = 0;
        uint32_t c = s.p[i] == '&' ? entity_at(s, i, &bytes) : 0;
        if (c)
            i += bytes;
        else
            c = utf8_next(s, &i);
        c = clean_char(&clean, c);
        char utf8[4];
        if (c > ' ')
            buf_add(out, (struct str){utf8, utf8_put(c, utf8)});
    }
    return clean.hidden;
}

struct word_reader {
    struct arena *a;
    struct page_words *page;
    struct buf word;
    size_t cap;
    uint32_t line, block; /* the one we are in */
};

static void word_reader_free(struct word_reader *r)
{
    buf_free(&r->word);
}

static bool grow_words(struct word_reader *r)
{
    size_t cap = r->cap ? r->cap * 2 : 256;
    struct page_word *more = arena_many(r->a, cap, struct page_word);

    if (!more)
        return false;
    if (r->cap)
        memcpy(more, r->page->words, r->page->words_n * sizeof(*more));
    r->page->words = more;
    r->cap = cap;
    return true;
}

static enum footnote_rc add_word(struct word_reader *r, struct str tag,
                                 struct str text, struct footnote_err *err)
{
    struct page_words *page = r->page;

    buf_reset(&r->word);
    page->hidden |= add_text(&r->word, text);
    TRY(buf_rc(&r->word, err));
    if (r->word.n == 0)
        return FOOTNOTE_OK;
    if (page->words_n == PAGE_WORDS_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "the page has more than %d words",
                       PAGE_WORDS_MAX);
    if (page->words_n == r->cap && !grow_words(r))
        return arena_rc(r->a, err);
    assert(page->words_n < r->cap);
    struct page_word *w = &page->words[page->words_n++];
    w->text = arena_str(r->a, buf_str(&r->word));
    w->x = attribute(tag, STR("xMin=\""));
    w->y = attribute(tag, STR("yMin=\""));
    w->w = fmax(0, attribute(tag, STR("xMax=\"")) - w->x);
    w->h = fmax(0, attribute(tag, STR("yMax=\"")) - w->y);
    w->line = r->line;
    w->block = r->block;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_line(struct word_reader *r, struct str line,
                                  struct footnote_err *err)
{
    static const struct str end = {"</word>", 7};

    line = lines_trim(line);
    size_t close = str_find(line, '>');
    if (close == line.n)
        return FOOTNOTE_OK;
    struct str tag = {line.p, close};
    if (str_starts(line, STR("<page "))) {
        r->page->width = attribute(tag, STR("width=\""));
        r->page->height = attribute(tag, STR("height=\""));
    }
    r->block += str_starts(line, STR("<block "));
    r->line += str_starts(line, STR("<line "));
    if (!str_starts(line, STR("<word ")) || line.n < close + 1 + end.n)
        return FOOTNOTE_OK;
    struct str text = {line.p + close + 1, line.n - close - 1 - end.n};
    return utf8_valid(text) ? add_word(r, tag, text, err) : FOOTNOTE_OK;
}

/* Makes page->text.  A word that is not beside the last one begins a line. */
static enum footnote_rc make_text(struct page_words *page, struct arena *a,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf text = BUF(PAGE_ARENA_MAX);

    for (size_t i = 0; i < page->words_n; i++) {
        const struct page_word *w = &page->words[i];
        if (i)
            buf_add_c(&text, page_same_line(w - 1, w) ? ' ' : '\n');
        buf_add(&text, w->text);
    }
    TRY(buf_rc(&text, err));
    page->text = text.n ? arena_str(a, buf_str(&text)) : STR("");
    return arena_rc(a, err);
}

enum footnote_rc page_words_read(struct str printed, struct arena *a,
                                 struct page_words *out,
                                 struct footnote_err *err)
{
    AUTO(word_reader_free)
    struct word_reader r = {.a = a, .page = out, .word = BUF(PAGE_ARENA_MAX)};
    struct str line;

    *out = (struct page_words){0};
    while (lines_next(&printed, &line))
        TRY(read_line(&r, line, err));
    page_order(out, a);
    TRY(arena_rc(a, err));
    return make_text(out, a, err);
}

/* No word has a "<": poppler prints it as an entity. */
bool page_printed_next(struct str *printed, struct str *page)
{
    static const struct str tag = {"<page ", 6}, end = {"</page>", 7};
    const char *from = memmem(printed->p, printed->n, tag.p, tag.n), *to;

    if (!from)
        return false;
    *printed = str_skip(*printed, (size_t)(from - printed->p));
    to = memmem(from, printed->n, end.p, end.n);
    if (!to)
        return false;
    *page = (struct str){from, (size_t)(to - from)};
    *printed = str_skip(*printed, page->n + end.n);
    return true;
}

static enum footnote_rc print_words(int file, int64_t first, int64_t last,
                                    struct buf *out, struct footnote_err *err)
{
    char from[POPPLER_NUMBER], to[POPPLER_NUMBER];
    const char *const argv[] = {"pdftotext", "-enc",
                                "UTF-8",     "-bbox",
                                "-f",        poppler_number(first, from),
                                "-l",        poppler_number(last, to),
                                "-",         "-",
                                NULL};

    TRY(poppler_page(first, err));
    return poppler_run(argv, file, poppler_collect, out, err);
}

enum footnote_rc page_words(int file, int64_t n, struct arena *a,
                            struct page_words *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf printed = BUF(POPPLER_OUTPUT_BYTES);

    TRY(print_words(file, n, n, &printed, err));
    return page_words_read(buf_str(&printed), a, out, err);
}

enum footnote_rc pages_words(int file, int64_t first, int64_t last,
                             struct arena *a, struct page_words *out, size_t *n,
                             struct footnote_err *err)
{
    AUTO(buf_free) struct buf printed = BUF(POPPLER_OUTPUT_BYTES);
    struct str rest, page;

    assert(first >= 1 && last >= first);
    *n = 0;
    TRY(print_words(file, first, last, &printed, err));
    rest = buf_str(&printed);
    while ((int64_t)*n <= last - first && page_printed_next(&rest, &page))
        TRY(page_words_read(page, a, &out[(*n)++], err));
    return FOOTNOTE_OK;
}

/* --- Out --------------------------------------------------------------------
 */

/* A hundredth of a point is a tenth of a pixel on any screen. */
static void number_json(struct json_out *w, struct str key, double v)
{
    json_key(w, key);
    json_f64(w, round(v * 100) / 100);
}

static void box_json(struct json_out *w, const struct page_box *box)
{
    number_json(w, STR("x"), box->x);
    number_json(w, STR("y"), box->y);
    number_json(w, STR("w"), box->w);
    number_json(w, STR("h"), box->h);
}

static void words_json(struct json_out *w, const struct page_words *page)
{
    json_array(w);
    for (size_t i = 0; i < page->words_n; i++) {
        const struct page_word *word = &page->words[i];
        json_object(w);
        json_key(w, STR("t"));
        json_str(w, word->text);
        box_json(w, &(struct page_box){word->x, word->y, word->w, word->h});
        json_end(w, '}');
    }
    json_end(w, ']');
}

/* Boxes in points, as those of the words. */
static void boxes_json(struct json_out *w, const struct page_words *page,
                       const struct passage *p)
{
    struct packed_boxes boxes = {.rest = p->boxes};
    struct page_box b;

    json_array(w);
    while (boxes_next(&boxes, &b)) {
        json_object(w);
        box_json(w, &(struct page_box){b.x * page->width, b.y * page->height,
                                       b.w * page->width, b.h * page->height});
        json_end(w, '}');
    }
    json_end(w, ']');
}

void page_words_json(const struct page_words *page,
                     const struct passage *passages, size_t passages_n,
                     struct buf *out)
{
    struct json_out w = JSON_OUT(out);

    json_object(&w);
    json_key(&w, STR("text"));
    json_str(&w, page->text);
    number_json(&w, STR("width"), page->width);
    number_json(&w, STR("height"), page->height);
    json_key(&w, STR("words"));
    words_json(&w, page);
    json_key(&w, STR("passages"));
    json_array(&w);
    for (size_t i = 0; i < passages_n; i++) {
        json_object(&w);
        json_key(&w, STR("text"));
        json_str(&w, passages[i].text);
        json_key(&w, STR("boxes"));
        boxes_json(&w, page, &passages[i]);
        json_end(&w, '}');
    }
    json_end(&w, ']');
    json_end(&w, '}');
}

enum footnote_rc page_picture(int file, int64_t n, int scale, struct buf *png,
                              struct footnote_err *err)
{
    const int dpi = PAGE_DPI * scale;
    AUTO(arena_free) struct arena a = ARENA(65536);
    char page[POPPLER_NUMBER], size[POPPLER_NUMBER];
    struct pdf_facts facts;

    assert(scale >= 1 && scale <= PAGE_SCALE_MAX);
    TRY(pdf_facts(file, n, &a, &facts, err));
    /* The file decides the size of a page: a poster of ten metres must not
     * become a picture of 40 000 pixels. */
    bool poster = fmax(facts.width, facts.height) / 72 * dpi > PAGE_PIXELS_MAX;
    poppler_number(n, page);
    poppler_number(poster ? PAGE_PIXELS_MAX : dpi, size);
    const char *const argv[] = {"pdftoppm", "-png", poster ? "-scale-to" : "-r",
                                size,       "-f",   page,
                                "-l",       page,   "-singlefile",
                                "-",        NULL};
    return poppler_run(argv, file, poppler_collect, png, err);
}
