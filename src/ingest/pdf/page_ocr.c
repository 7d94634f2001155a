/* page_ocr.c - draws a page, and has its words recognised. */
#include "ingest/pdf/page_ocr.h"
#include "base/clock.h"
#include "base/fd.h"
#include "ingest/pdf/page.h"
#include "ingest/pdf/page_lines.h"
#include "ingest/pdf/page_picture.h"
#include "ingest/pdf/poppler.h"
#include "ingest/text/chunk.h"
#include "store/document/reason.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void page_ocr_free(struct page_ocr *o)
{
    for (size_t i = 0; i < PAGE_OCR_KEPT; i++)
        buf_free(&o->kept[i].printed);
}

bool page_ocr_wants(struct str printed)
{
    static const char word[] = "<word ";
    const char *at;

    for (int n = 0; n < PAGE_OCR_WORDS_MIN; n++) {
        at = printed.n ? memmem(printed.p, printed.n, word, sizeof(word) - 1)
                       : NULL;
        if (!at)
            return true;
        printed = str_skip(printed, (size_t)(at - printed.p) + 1);
    }
    return false;
}

/* The picture goes to a file in memory: tesseract reads it from there. */
static enum footnote_rc to_file(struct str bytes, void *arg,
                                struct footnote_err *err)
{
    const int *fd = arg;

    while (bytes.n) {
        ssize_t n = write(*fd, bytes.p, bytes.n);
        if (n <= 0)
            return err_set(err, FOOTNOTE_INTERNAL, "no room for a page");
        bytes = str_skip(bytes, (size_t)n);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc draw(int file, int64_t page, int fd,
                             struct footnote_err *err)
{
    char number[POPPLER_NUMBER], dpi[POPPLER_NUMBER];
    const char *const argv[] = {"pdftoppm",    "-gray",
                                "-r",          poppler_number(OCR_DPI, dpi),
                                "-f",          poppler_number(page, number),
                                "-l",          number,
                                "-singlefile", "-",
                                NULL};

    return poppler_run(argv, file, to_file, &fd, err);
}

static bool is_fault(enum footnote_rc rc)
{
    return rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG ||
           rc == FOOTNOTE_NOTFOUND;
}

static enum footnote_rc recognise(struct page_ocr *o, int file, int64_t page,
                                  struct buf *printed, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = memfd_create("page", MFD_CLOEXEC);
    bool picture = false;

    if (fd < 0)
        return err_set(err, FOOTNOTE_INTERNAL, "no memory for a page");
    TRY(page_is_picture(file, page, NULL, &picture, err));
    if (!picture)
        return FOOTNOTE_OK; /* an empty page */
    enum footnote_rc rc = draw(file, page, fd, err);
    if (rc == FOOTNOTE_OK)
        rc = ocr_read(fd, OCR_DPI, o->languages, printed, &o->sure, err);
    o->failed += is_fault(rc);
    o->pages += rc == FOOTNOTE_OK && !page_ocr_wants(buf_str(printed));
    return is_fault(rc) ? FOOTNOTE_OK : rc;
}

enum footnote_rc page_ocr_add(struct page_ocr *o, int file, int64_t page,
                              struct buf *out, bool *found,
                              struct footnote_err *err)
{
    size_t i = 0;

    *found = false;
    if (!o->languages)
        return FOOTNOTE_OK;
    while (i < PAGE_OCR_KEPT && o->kept[i].page != page)
        i++;
    if (i == PAGE_OCR_KEPT) {
        int64_t began = clock_mono_ms();

        i = o->kept_n++ % PAGE_OCR_KEPT;
        buf_free(&o->kept[i].printed);
        o->kept[i].printed = BUF(OCR_OUTPUT_BYTES);
        o->kept[i].page = page;
        TRY(recognise(o, file, page, &o->kept[i].printed, err));
        o->spent_ms += clock_mono_ms() - began;
    }
    *found = o->kept[i].printed.n > 0;
    buf_add(out, buf_str(&o->kept[i].printed));
    return FOOTNOTE_OK;
}

/* ---- Pictures as documents ---------------------------------------------- */

static enum footnote_rc send_page(struct chunker *c, struct str printed,
                                  int64_t page, struct arena *a,
                                  struct footnote_err *err)
{
    struct page_words words;
    struct page_lines lines;
    uint32_t block = 0;

    TRY(page_words_read(printed, a, &words, err));
    TRY(page_lines_of_words(&words, a, &lines, err));
    for (size_t i = 0; i < lines.n; i++) {
        struct chunk_piece p = {
            .text = lines.lines[i].text,
            .page = page,
            .gap = lines.lines[i].block == block ? GAP_PAGE : GAP_BLOCK};

        block = lines.lines[i].block;
        TRY(chunk_add(c, &p, err));
    }
    return chunk_break(c, err);
}

static enum footnote_rc send_pages(struct chunker *c, struct str printed,
                                   struct extract_facts *facts,
                                   struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct str page;

    for (facts->pages = 0; page_printed_next(&printed, &page);
         arena_reset(&a)) {
        facts->pages++;
        TRY(send_page(c, page, facts->pages, &a, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc picture_run(int file, const char *languages, struct arena *a,
                             const struct passage_sink *sink,
                             struct extract_facts *facts,
                             struct footnote_err *err)
{
    AUTO(buf_free) struct buf printed = BUF(OCR_OUTPUT_BYTES);
    AUTO(chunk_free) struct chunker c;
    struct ocr_sure sure = {0, 0};

    (void)a;
    chunk_init(&c, sink);
    *facts = (struct extract_facts){.warning = ""};
    if (!languages)
        return refuse(err, SCANNED,
                      "this is a picture, and reading text from pictures is "
                      "switched off on this server (--ocr-languages)");
    if (!ocr_is_there())
        return refuse(err, SCANNED, "this is a picture, and " OCR_MISSING);
    TRY(ocr_read(file, 0, languages, &printed, &sure, err));
    TRY(send_pages(&c, buf_str(&printed), facts, err));
    if (c.position == 0)
        return refuse(err, NO_TEXT, "there is no text in the picture");
    snprintf(facts->warning, sizeof(facts->warning),
             "Its text was recognised in a picture (OCR), %lld %% sure.",
             (long long)(sure.words ? sure.sum / sure.words : 0));
    return FOOTNOTE_OK;
}
