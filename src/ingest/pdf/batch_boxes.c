/* batch_boxes.c - finds where the passages of a batch of pages stand. */
#include "ingest/pdf/batch_boxes.h"
#include "ingest/pdf/packed_boxes.h"
#include "ingest/pdf/poppler.h"
#include "store/document/document.h"
#include <assert.h>

void batch_boxes_init(struct batch_boxes *b)
{
    *b = (struct batch_boxes){.printed = BUF(BATCH_BOXES_BYTES_MAX),
                              .held = ARENA(PAGE_ARENA_MAX),
                              .scratch = ARENA(PAGE_ARENA_MAX),
                              .packed = BUF(PASSAGE_BOXES_BYTES_MAX)};
}

void batch_boxes_free(struct batch_boxes *b)
{
    buf_free(&b->printed);
    buf_free(&b->packed);
    arena_free(&b->held);
    arena_free(&b->scratch);
}

/* Finds where pages begin. */
static void find_pages(struct batch_boxes *b)
{
    struct str rest = buf_str(&b->printed), page;

    b->pages_n = 0;
    while (b->pages_n < BATCH_BOXES_PAGES && page_printed_next(&rest, &page)) {
        b->at[b->pages_n++] = (size_t)(page.p - b->printed.p);
        b->at[b->pages_n] = (size_t)(page.p + page.n - b->printed.p);
    }
}

/* Puts the words of pages that are pictures in the place of those that poppler
 * did not find. */
static enum footnote_rc recognise_pages(struct batch_boxes *b, int file,
                                        struct footnote_err *err)
{
    struct buf all = BUF((size_t)BATCH_BOXES_BYTES_MAX * 2);
    enum footnote_rc rc = FOOTNOTE_OK;

    for (int64_t i = 0; rc == FOOTNOTE_OK && i < b->pages_n; i++) {
        struct str page = {b->printed.p + b->at[i], b->at[i + 1] - b->at[i]};
        bool found = false;

        if (page_ocr_wants(page))
            rc = page_ocr_add(b->ocr, file, b->first + i, &all, &found, err);
        if (!found) {
            buf_add(&all, page);
            buf_add(&all, STR("</page>\n"));
        }
    }
    if (rc == FOOTNOTE_OK)
        rc = buf_rc(&all, err);
    if (rc != FOOTNOTE_OK) {
        buf_free(&all);
        return rc;
    }
    buf_free(&b->printed);
    b->printed = all;
    find_pages(b);
    return FOOTNOTE_OK;
}

enum footnote_rc batch_boxes_read(struct batch_boxes *b, int file, bool lines,
                                  int64_t first, int64_t last,
                                  struct footnote_err *err)
{
    char from[POPPLER_NUMBER], to[POPPLER_NUMBER];
    const char *const argv[] = {"pdftotext", "-enc",
                                "UTF-8",     lines ? "-bbox-layout" : "-bbox",
                                "-f",        poppler_number(first, from),
                                "-l",        poppler_number(last, to),
                                "-",         "-",
                                NULL};
    assert(first >= 1 && last >= first && last - first < BATCH_BOXES_PAGES);
    buf_free(&b->printed);
    b->printed = BUF(BATCH_BOXES_BYTES_MAX);
    b->pages_n = 0;
    enum footnote_rc rc =
        poppler_run(argv, file, poppler_collect, &b->printed, err);

    b->first = first;
    b->page = 0;
    /* The file, or the limits of the jail, may be the reason: no boxes then. */
    if (rc != FOOTNOTE_OK && rc != FOOTNOTE_INVALID && rc != FOOTNOTE_TOOBIG &&
        rc != FOOTNOTE_NOTFOUND)
        return rc;
    find_pages(b);
    return b->ocr ? recognise_pages(b, file, err) : FOOTNOTE_OK;
}

/* Makes b->words the words of a page, or empty when they are not known. */
static enum footnote_rc load_page(struct batch_boxes *b, int64_t page,
                                  struct footnote_err *err)
{
    int64_t i = page - b->first;
    enum footnote_rc rc;

    if (b->page == page)
        return FOOTNOTE_OK;
    arena_reset(&b->held);
    b->words = (struct page_words){0};
    b->page = page;
    b->known = false;
    if (i < 0 || i >= b->pages_n)
        return FOOTNOTE_OK;
    rc = page_words_read(
        (struct str){b->printed.p + b->at[i], b->at[i + 1] - b->at[i]},
        &b->held, &b->words, err);
    b->known = rc == FOOTNOTE_OK;
    if (rc != FOOTNOTE_TOOBIG)
        return rc;
    b->words = (struct page_words){0};
    return FOOTNOTE_OK;
}

enum footnote_rc batch_boxes_page(struct batch_boxes *b, int64_t page,
                                  const struct page_words **out,
                                  struct footnote_err *err)
{
    TRY(load_page(b, page, err));
    *out = b->known ? &b->words : NULL;
    return FOOTNOTE_OK;
}

enum footnote_rc batch_boxes_find(struct batch_boxes *b, struct passage *p,
                                  struct footnote_err *err)
{
    struct page_marks marks;

    p->boxes = STR_NONE;
    TRY(load_page(b, p->page, err));
    if (b->words.words_n > BATCH_BOXES_WORDS_MAX)
        return FOOTNOTE_OK;
    arena_reset(&b->scratch);
    TRY(page_mark(&b->words, p->on_page.p ? p->on_page : p->text, &b->scratch,
                  &marks, err));
    buf_reset(&b->packed);
    boxes_pack(&b->words, &marks, &b->packed);
    TRY(buf_rc(&b->packed, err));
    if (b->packed.n)
        p->boxes = buf_str(&b->packed);
    return FOOTNOTE_OK;
}
