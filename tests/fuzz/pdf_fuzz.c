/* pdf_fuzz.c - fuzzes what is made of poppler's output, which follows the bytes
 * of the file: words in boxes and marks among them; clean pages and prose.
 *
 * The input is what poppler printed, and behind the first NUL a passage. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/utf8.h"
#include "ingest/pdf/packed_boxes.h"
#include "ingest/pdf/page_picture.h"
#include "ingest/pdf/page_text.h"
#include "ingest/pdf/prose.h"
#include "store/document/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* --- Words and marks --------------------------------------------------------
 */

static void check_words(const struct page_words *page, struct arena *a)
{
    struct buf json = BUF(ARENA_BYTES_MAX);
    struct json *read;

    for (size_t i = 0; i < page->words_n; i++) {
        const struct page_word *w = &page->words[i];
        must(w->text.n > 0 && utf8_valid(w->text));
        must(w->w >= 0 && w->h >= 0);
    }
    must(page->text.p && utf8_valid(page->text));
    page_words_json(page, NULL, 0, &json);
    must(json_read(a, buf_str(&json), &read, NULL) == FOOTNOTE_OK);
    buf_free(&json);
}

/* Every word that was packed comes out again, unless there is no room. */
static void check_boxes(const struct page_words *page,
                        const struct page_marks *m, size_t words)
{
    struct buf packed = BUF(PASSAGE_BOXES_BYTES_MAX);
    struct packed_boxes boxes;
    struct page_box box;
    size_t n = 0;

    boxes_pack(page, m, &packed);
    must(packed.broken == FOOTNOTE_OK);
    boxes = (struct packed_boxes){.rest = buf_str(&packed)};
    while (boxes_next(&boxes, &box))
        n += box.w >= 0 && box.h >= 0;
    must(boxes.rest.n == 0);
    must(n == words || packed.n > PASSAGE_BOXES_BYTES_MAX - 12);
    buf_free(&packed);
}

static void check_marks(const struct page_words *page,
                        const struct page_marks *m)
{
    size_t last = 0, words = 0;

    for (size_t i = 0; i < m->ranges_n; i++) {
        must(m->ranges[i].from < m->ranges[i].to);
        must(i == 0 || m->ranges[i].from > last);
        last = m->ranges[i].to;
        words += last - m->ranges[i].from;
    }
    must(last <= page->words_n);
    check_boxes(page, m, words);
}

static void try_words(struct str printed, struct str passage)
{
    struct arena a = ARENA(ARENA_BYTES_MAX);
    struct page_words page;
    struct page_marks marks;

    if (page_words_read(printed, &a, &page, NULL) == FOOTNOTE_OK) {
        check_words(&page, &a);
        must(page_mark(&page, passage, &a, &marks, NULL) == FOOTNOTE_OK);
        check_marks(&page, &marks);
        /* A page is found on itself whenever it has letters at all. */
        must(page_mark(&page, page.text, &a, &marks, NULL) == FOOTNOTE_OK);
        check_marks(&page, &marks);
    }
    arena_free(&a);
}

/* Bytes of any kind are read to some end. */
static void try_boxes(struct str packed)
{
    struct packed_boxes boxes = {.rest = packed};
    struct page_box box;

    while (boxes_next(&boxes, &box))
        must(isfinite(box.x) && isfinite(box.y) && box.w >= 0 && box.h >= 0);
}

/* --- Pages and prose --------------------------------------------------------
 */

static enum footnote_rc see(void *arg, const struct passage *p,
                            struct footnote_err *err)
{
    int64_t *position = arg;

    (void)err;
    must(p->position == ++*position && p->page == 1);
    must(p->text.n > 0 && utf8_valid(p->text));
    return FOOTNOTE_OK;
}

/* A page of slides, stripped of lines that all pages have. */
static void try_slide(struct str raw)
{
    struct arena a = ARENA(ARENA_BYTES_MAX);
    struct buf clean = BUF(ARENA_BYTES_MAX), own = BUF(ARENA_BYTES_MAX);
    struct running running = {0};
    bool hidden = false;

    if (page_text_clean(raw, &clean, &hidden)) {
        running_strip(&running, buf_str(&clean), &own);
        must(own.n >= clean.n);
        for (int i = 0; i < RUNNING_PAGES_MIN; i++)
            must(running_learn(&running, buf_str(&clean), &a, NULL) ==
                 FOOTNOTE_OK);
        buf_reset(&own);
        running_strip(&running, buf_str(&clean), &own);
        must(own.n <= clean.n + 1);
        struct str title = page_text_title(buf_str(&clean));
        must(!title.p || utf8_valid(title));
    }
    buf_free(&clean);
    buf_free(&own);
    arena_free(&a);
}

/* Its lines, read as the first page of a document of one page, or of several
 * that are alike; `outline` as pdftohtml prints it. */
static void read_lines(struct page_lines *lines, struct str outline, int pages,
                       struct arena *a)
{
    int64_t position = 0;
    const struct passage_sink sink = {.arg = &position, .passage = see};
    struct survey survey = {.pages = pages};
    struct chunker chunker;

    for (int i = 1; i <= pages; i++)
        must(survey_page(&survey, i, lines, a, NULL) == FOOTNOTE_OK);
    survey_end(&survey);
    must(outline_parse(outline, a, &survey.outline, NULL) == FOOTNOTE_OK);
    chunk_init(&chunker, &sink);
    struct prose prose = {.survey = &survey, .chunker = &chunker};
    must(prose_skim(&prose, 1, lines, a, NULL) == FOOTNOTE_OK);
    must(prose_page(&prose, 1, lines, a, NULL) == FOOTNOTE_OK);
    must(chunk_break(&chunker, NULL) == FOOTNOTE_OK);
    chunk_free(&chunker);
}

static void try_prose(struct str printed)
{
    struct arena a = ARENA(ARENA_BYTES_MAX);
    struct page_words words;
    struct page_lines lines;

    if (page_words_read(printed, &a, &words, NULL) == FOOTNOTE_OK &&
        page_lines_of_words(&words, &a, &lines, NULL) == FOOTNOTE_OK) {
        must(lines.n <= words.words_n);
        read_lines(&lines, printed, 1, &a);
        read_lines(&lines, printed, RUNNING_PAGES_MIN, &a);
        (void)graymap_is_picture(printed, &words);
    }
    if (utf8_valid(printed) && !memchr(printed.p, 0, printed.n)) {
        must(page_lines_of_text(printed, &a, &lines, NULL) == FOOTNOTE_OK);
        read_lines(&lines, printed, RUNNING_PAGES_MIN, &a);
    }
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str all = {n ? (const char *)data : "", n};
    size_t nul = str_find(all, '\0');
    struct str printed = {all.p, nul};
    struct str passage = str_skip(all, nul < n ? nul + 1 : nul);

    if (utf8_valid(passage))
        try_words(printed, passage);
    try_slide(printed);
    try_prose(printed);
    try_boxes(all);
    return 0;
}
