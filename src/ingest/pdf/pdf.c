/* pdf.c - reads a PDF in batches of pages, each by a child of its own.
 *
 * A child has a few seconds of processor time.  When it has used them up after
 * some pages, another child goes on at the next page; a document fails only
 * when one page takes too long for a child of its own. */
#include "ingest/pdf/pdf.h"
#include "base/clock.h"
#include "ingest/pdf/batch_boxes.h"
#include "ingest/pdf/labels.h"
#include "ingest/pdf/page_picture.h"
#include "ingest/pdf/page_text.h"
#include "ingest/pdf/poppler.h"
#include "ingest/pdf/prose.h"
#include "ingest/text/lines.h"
#include "ingest/text/pages.h"
#include "store/document/document.h"
#include "store/document/reason.h"
#include <assert.h>
#include <stdio.h>

enum {
    RUN_MS_MAX = PDF_RUN_S_MAX * 1000,
    OCR_BATCH = 4,     /* pages of a scan: each takes seconds */
    PICTURES_MAX = 16, /* are looked for; then no page is blank */
    SLIDE_WORDS = 250,
    UPRIGHT_SLIDE_WORDS = 60,
    HEADING_WORDS_MAX = 14,
    BLANK_BYTES = 8 * PDF_BLANK_CHARS,    /* have so many characters at least */
    LINES_ARENA_MAX = 2 * PAGE_ARENA_MAX, /* of a page's lines */
    TEXT_BYTES_MAX = 2 * PAGES_BYTES_MAX, /* of a page that was cleaned */
};

/* --- Pages from a child's output --------------------------------------------
 */

typedef enum footnote_rc page_fn(void *arg, int64_t number, struct str raw,
                                 struct footnote_err *err);

/* Cuts what pdftotext prints at its form feeds. */
struct splitter {
    struct buf text; /* of the page that is not complete yet */
    int64_t number;  /* of that page */
    page_fn *page;
    void *arg;
};

static void splitter_free(struct splitter *s)
{
    buf_free(&s->text);
}

static enum footnote_rc split(struct str bytes, void *arg,
                              struct footnote_err *err)
{
    struct splitter *s = arg;

    while (bytes.n) {
        size_t n = str_find(bytes, '\f');
        buf_add(&s->text, (struct str){bytes.p, n});
        if (s->text.broken == FOOTNOTE_TOOBIG)
            return refuse(
                err, TOO_MUCH_TEXT, "page %lld has over %d MB of text",
                (long long)s->number, PAGES_BYTES_MAX / (1024 * 1024));
        TRY(buf_rc(&s->text, err));
        if (n == bytes.n)
            break;
        TRY(s->page(s->arg, s->number, buf_str(&s->text), err));
        s->number++;
        buf_reset(&s->text);
        bytes = str_skip(bytes, n + 1);
    }
    return FOOTNOTE_OK;
}

/* A page that poppler does not find, although the file claims to have it, is
 * the fault of the file. */
static enum footnote_rc blame_file(enum footnote_rc rc,
                                   struct footnote_err *err)
{
    return rc == FOOTNOTE_NOTFOUND
               ? refuse(err, DAMAGED,
                        "the PDF does not have the pages that it says it has; "
                        "it is damaged, or made to be")
               : rc;
}

/* Gives the text of pages *first to last to fn; *first becomes the next page,
 * also on failure.  pdftotext undoes columns and hyphens, which is right for
 * prose; with -layout it keeps what is side by side on a slide. */
static enum footnote_rc read_pages(int file, bool layout, int64_t *first,
                                   int64_t last, page_fn *fn, void *arg,
                                   struct footnote_err *err)
{
    AUTO(splitter_free)
    struct splitter s = {BUF(PAGES_BYTES_MAX), *first, fn, arg};
    char from[POPPLER_NUMBER], to[POPPLER_NUMBER];
    const char *argv[] = {"pdftotext",
                          "-enc",
                          "UTF-8",
                          "-eol",
                          "unix",
                          "-f",
                          poppler_number(*first, from),
                          "-l",
                          poppler_number(last, to),
                          layout ? "-layout" : "-",
                          "-",
                          layout ? "-" : NULL,
                          NULL};

    enum footnote_rc rc = poppler_run(argv, file, split, &s, err);
    *first = s.number;
    return blame_file(rc, err);
}

/* --- A run ------------------------------------------------------------------
 */

struct pdf_reader {
    const struct pdf_job *job;
    struct arena *a; /* lives as long as the run */
    struct pdf_facts facts;
    struct pdf_place at;
    struct survey survey;
    bool tall, hidden;
    int64_t deadline_ms;
    struct arena page; /* scratch, of one page */
    /* For the batch: */
    struct passage_sink marking;
    struct chunker chunker;
    struct pages pages;
    struct prose prose;
    struct batch_boxes boxes;
    struct page_ocr ocr;
};

static void batch_free(struct pdf_reader *r)
{
    chunk_free(&r->chunker);
    pages_free(&r->pages);
    batch_boxes_free(&r->boxes);
}

static void pdf_reader_free(struct pdf_reader *r)
{
    batch_free(r);
    page_ocr_free(&r->ocr);
    arena_free(&r->page);
}

/* Adds the boxes to a passage, and hands it on. */
static enum footnote_rc mark_passage(void *arg, const struct passage *p,
                                     struct footnote_err *err)
{
    struct pdf_reader *r = arg;
    struct passage marked = *p;

    if (r->tall)
        marked.extra = p->extra.p ? PASSAGE_TALL_CONTENTS : PASSAGE_TALL;
    TRY(batch_boxes_find(&r->boxes, &marked, err));
    return r->job->sink->passage(r->job->sink->arg, &marked, err);
}

static enum footnote_rc look_around(const struct pdf_reader *r,
                                    struct footnote_err *err)
{
    const struct passage_sink *sink = r->job->sink;

    if (clock_mono_ms() > r->deadline_ms + r->ocr.spent_ms)
        return refuse(err, TOO_SLOW,
                      "reading the PDF takes more than %d minutes; page %lld "
                      "was reached",
                      PDF_RUN_S_MAX / 60, (long long)r->at.pages);
    return sink->progress
               ? sink->progress(sink->arg, r->at.pages, r->facts.pages, err)
               : FOOTNOTE_OK;
}

/* --- What kind of document it is --------------------------------------------
 */

/* The file, or the limits of the jail: whoever reads the page is told. */
static bool is_fault(enum footnote_rc rc)
{
    return rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG ||
           rc == FOOTNOTE_NOTFOUND;
}

static enum footnote_rc survey_slide(void *arg, int64_t number, struct str raw,
                                     struct footnote_err *err)
{
    AUTO(buf_free) struct buf text = BUF(TEXT_BYTES_MAX);
    struct pdf_reader *r = arg;
    bool hidden = false;

    if (!page_text_clean(raw, &text, &hidden))
        return FOOTNOTE_OK;
    TRY(buf_rc(&text, err));
    size_t words = chunk_words(buf_str(&text));
    r->survey.words += words;
    r->survey.pages_n += words > 0;
    if (number == 1)
        r->survey.title = arena_str(r->a, page_text_title(buf_str(&text)));
    return running_learn(&r->survey.running, buf_str(&text), r->a, err);
}

static enum footnote_rc survey_slides(struct pdf_reader *r,
                                      struct footnote_err *err)
{
    for (int64_t next = 1; next <= r->facts.pages;) {
        int64_t first = next, last = first + PDF_BATCH - 1;
        enum footnote_rc rc =
            read_pages(r->job->file, true, &next,
                       last < r->facts.pages ? last : r->facts.pages,
                       survey_slide, r, err);

        if (rc != FOOTNOTE_OK && (!is_fault(rc) || next == first))
            return is_fault(rc) ? FOOTNOTE_OK : rc;
        if (rc == FOOTNOTE_OK)
            next = last + 1;
        TRY(look_around(r, err));
    }
    return FOOTNOTE_OK;
}

/* The lines of a page of the batch; false when they are not known. */
static enum footnote_rc lines_of_page(struct pdf_reader *r, int64_t number,
                                      struct page_lines *out, bool *known,
                                      struct footnote_err *err)
{
    const struct page_words *words;

    arena_reset(&r->page);
    TRY(batch_boxes_page(&r->boxes, number, &words, err));
    *known = words != NULL;
    if (!words)
        return FOOTNOTE_OK;
    r->hidden |= words->hidden;
    return page_lines_of_words(words, &r->page, out, err);
}

static enum footnote_rc survey_prose(struct pdf_reader *r,
                                     struct footnote_err *err)
{
    struct survey *s = &r->survey;

    for (int64_t next = 1; next <= r->facts.pages;) {
        int64_t last = next + PDF_BATCH - 1;
        struct page_lines lines;
        bool known = false;

        TRY(batch_boxes_read(&r->boxes, r->job->file, true, next,
                             last < r->facts.pages ? last : r->facts.pages,
                             err));
        for (int64_t i = 0; i < r->boxes.pages_n; i++, next++) {
            TRY(lines_of_page(r, next, &lines, &known, err));
            if (known)
                TRY(survey_page(s, next, &lines, r->a, err));
            if (known && next == 1 && lines.n)
                s->title =
                    arena_str(r->a, page_text_title(lines.lines[0].text));
        }
        if (r->boxes.pages_n == 0)
            break;
        TRY(look_around(r, err));
    }
    survey_end(s);
    return outline_read(r->job->file, r->a, &s->outline, err);
}

/* Slides are wide and have few words.  Papers are upright or full.  Each kind
 * is looked at in its own way, and again when it was the wrong one. */
static enum footnote_rc survey(struct pdf_reader *r, bool wide,
                               struct footnote_err *err)
{
    const size_t most = wide ? SLIDE_WORDS : UPRIGHT_SLIDE_WORDS;
    struct survey *s = &r->survey;

    batch_boxes_init(&r->boxes);
    TRY(wide ? survey_slides(r, err) : survey_prose(r, err));
    s->slides = (s->pages_n ? s->words / (size_t)s->pages_n : 0) < most;
    if (s->pages_n == 0 && r->ocr.languages)
        s->slides = wide; /* scanned: only its shape is known */
    if (s->slides != wide) {
        bool slides = s->slides;
        *s = (struct survey){.title = s->title};
        TRY(slides ? survey_slides(r, err) : survey_prose(r, err));
        s->slides = slides;
    }
    s->pages = r->facts.pages;
    if (r->facts.title.p)
        s->title = r->facts.title;
    return FOOTNOTE_OK;
}

/* --- Pages ------------------------------------------------------------------
 */

/* A page with no text to speak of may be a picture of some. */
static enum footnote_rc count_page(struct pdf_reader *r, int64_t number,
                                   struct str text, struct footnote_err *err)
{
    const struct page_words *words;
    bool picture = true;

    if (page_text_chars(text, PDF_BLANK_CHARS) < PDF_BLANK_CHARS) {
        if (r->at.blank < PICTURES_MAX) {
            TRY(batch_boxes_page(&r->boxes, number, &words, err));
            TRY(page_is_picture(r->job->file, number, words, &picture, err));
        }
        r->at.blank += picture;
    }
    r->at.pages++;
    return look_around(r, err);
}

static enum footnote_rc read_slide(void *arg, int64_t number, struct str raw,
                                   struct footnote_err *err)
{
    AUTO(buf_free) struct buf clean = BUF(TEXT_BYTES_MAX);
    AUTO(buf_free) struct buf own = BUF(TEXT_BYTES_MAX);
    struct pdf_reader *r = arg;
    const struct page_words *words = NULL;

    if (r->ocr.languages &&
        page_text_chars(raw, PDF_BLANK_CHARS) < PDF_BLANK_CHARS)
        TRY(batch_boxes_page(&r->boxes, number, &words, err));
    if (words && words->words_n)
        raw = words->text; /* recognised */
    if (page_text_clean(raw, &clean, &r->hidden))
        running_strip(&r->survey.running, buf_str(&clean), &own);
    TRY(buf_rc(&clean, err));
    TRY(buf_rc(&own, err));
    struct str text = buf_str(&own);
    struct page_content page = {number, page_text_title(text), text, STR_NONE};
    if (chunk_words(page.heading) > HEADING_WORDS_MAX)
        page.heading = STR_NONE;
    TRY(pages_push(&r->pages, &page, err));
    return count_page(r, number, text, err);
}

static enum footnote_rc send_page(struct pdf_reader *r, int64_t number,
                                  struct page_lines *lines,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf text = BUF(TEXT_BYTES_MAX);

    TRY(prose_page(&r->prose, number, lines, &r->page, err));
    for (size_t i = 0; i < lines->n && text.n < BLANK_BYTES; i++)
        if (!lines->lines[i].running)
            buf_add(&text, lines->lines[i].text);
    TRY(buf_rc(&text, err));
    return count_page(r, number, buf_str(&text), err);
}

/* A page whose print is not known: too much of it, or poppler fails on it. */
static enum footnote_rc read_plain(void *arg, int64_t number, struct str raw,
                                   struct footnote_err *err)
{
    AUTO(buf_free) struct buf clean = BUF(TEXT_BYTES_MAX);
    struct pdf_reader *r = arg;
    struct page_lines lines;

    arena_reset(&r->page);
    (void)page_text_clean(raw, &clean, &r->hidden);
    TRY(buf_rc(&clean, err));
    TRY(page_lines_of_text(buf_str(&clean), &r->page, &lines, err));
    return send_page(r, number, &lines, err);
}

/* --- Batches ----------------------------------------------------------------
 */

/* Forgets the pages before, so that a run which begins here gives the same
 * passages. */
static void begin_batch(struct pdf_reader *r)
{
    batch_free(r);
    batch_boxes_init(&r->boxes);
    r->boxes.ocr = r->ocr.languages ? &r->ocr : NULL;
    r->marking = (struct passage_sink){.arg = r, .passage = mark_passage};
    chunk_init(&r->chunker, &r->marking);
    r->chunker.position = r->at.position;
    pages_init(&r->pages, &r->chunker);
    r->prose = (struct prose){.survey = &r->survey, .chunker = &r->chunker};
}

/* Reads pages *next to last, with as many children as it takes.  A child that
 * failed after some pages is followed by another from the next page on. */
static enum footnote_rc read_with(struct pdf_reader *r, page_fn *fn,
                                  int64_t *next, int64_t last,
                                  struct footnote_err *err)
{
    struct footnote_err own;
    enum footnote_rc rc;
    int64_t first;

    do {
        first = *next;
        rc =
            read_pages(r->job->file, r->survey.slides, next, last, fn, r, &own);
    } while (rc == FOOTNOTE_TOOBIG && first < *next && *next <= last &&
             clock_mono_ms() < r->deadline_ms);
    if (rc != FOOTNOTE_OK && err)
        *err = own;
    return rc;
}

/* The headings of the pages before the batch. */
static enum footnote_rc skim_pages(struct pdf_reader *r, int64_t first,
                                   struct footnote_err *err)
{
    struct page_lines lines;
    bool known = false;

    for (; first <= r->at.pages; first++) {
        TRY(lines_of_page(r, first, &lines, &known, err));
        if (known)
            TRY(prose_skim(&r->prose, first, &lines, &r->page, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_prose(struct pdf_reader *r, int64_t *next,
                                   int64_t last, struct footnote_err *err)
{
    int64_t from = *next - PROSE_HEADING_PAGES;

    from = from < 1 ? 1 : from;
    TRY(batch_boxes_read(&r->boxes, r->job->file, true, from, last, err));
    TRY(skim_pages(r, from, err));
    while (*next <= last) {
        struct page_lines lines;
        bool known = false;

        TRY(lines_of_page(r, *next, &lines, &known, err));
        if (known) {
            TRY(send_page(r, *next, &lines, err));
            ++*next;
            continue;
        }
        int64_t only = *next;
        TRY(read_with(r, read_plain, next, only, err));
        if (*next == only) /* poppler skips it: a page without text */
            TRY(read_plain(r, (*next)++, STR(""), err));
        if (*next <= last)
            TRY(batch_boxes_read(&r->boxes, r->job->file, true, *next, last,
                                 err));
    }
    return FOOTNOTE_OK;
}

/* A page that poppler skips is a page without text. */
static enum footnote_rc read_slides(struct pdf_reader *r, int64_t *next,
                                    int64_t last, struct footnote_err *err)
{
    TRY(batch_boxes_read(&r->boxes, r->job->file, false, *next, last, err));
    TRY(read_with(r, read_slide, next, last, err));
    for (; *next <= last; ++*next)
        TRY(read_slide(r, *next, STR(""), err));
    return FOOTNOTE_OK;
}

/* Reads pages up to `last`. */
static enum footnote_rc read_batch(struct pdf_reader *r, int64_t last,
                                   struct footnote_err *err)
{
    int64_t next = r->at.pages + 1;

    begin_batch(r);
    TRY(r->survey.slides ? read_slides(r, &next, last, err)
                         : read_prose(r, &next, last, err));
    TRY(pages_end(&r->pages, err));
    TRY(chunk_break(&r->chunker, err));
    assert(r->chunker.position >= r->at.position);
    r->at.position = r->chunker.position;
    return r->job->reached ? r->job->reached(r->job->sink->arg, &r->at, err)
                           : FOOTNOTE_OK;
}

static enum footnote_rc pdf_reader_start(struct pdf_reader *r, struct arena *a,
                                         struct extract_facts *out,
                                         struct footnote_err *err)
{
    TRY(blame_file(pdf_facts(r->job->file, 1, a, &r->facts, err), err));
    if (r->facts.pages < 1)
        return refuse(err, NO_TEXT, "the PDF has no pages");
    if (r->facts.pages > PDF_PAGES_MAX)
        return refuse(err, TOO_MANY_PAGES,
                      "the PDF has %lld pages and at most %d can be read; "
                      "split it into parts",
                      (long long)r->facts.pages, PDF_PAGES_MAX);
    bool wide = r->facts.width > r->facts.height;
    r->tall = !wide;
    TRY(survey(r, wide, err));
    out->title = r->survey.title;
    out->pages = r->facts.pages;
    out->layout = wide ? LAYOUT_WIDE : LAYOUT_TALL;
    TRY(pdf_labels(r->job->file, out->pages, a, &out->page_labels, err));
    return arena_rc(a, err);
}

static void warn_of_blank_pages(const struct pdf_reader *r,
                                struct extract_facts *out)
{
    long long blank = r->at.blank, pages = r->facts.pages;

    out->hidden_text = r->hidden;
    if (blank == 1)
        snprintf(out->warning, sizeof(out->warning),
                 "1 of %lld pages has no text that can be read: it is a "
                 "picture. It can be looked at, but not found by search.",
                 pages);
    else if (blank > 1)
        snprintf(out->warning, sizeof(out->warning),
                 "%lld of %lld pages have no text that can be read: they are "
                 "pictures. They can be looked at, but not found by search.",
                 blank, pages);
}

/* Said of the pages since the run began; the first reason to doubt a text is
 * more useful than that some pages have none. */
static void warn_of_ocr(const struct page_ocr *o, struct extract_facts *out)
{
    if (o->pages)
        snprintf(out->warning, sizeof(out->warning),
                 "The text of %lld page%s was recognised in pictures (OCR), "
                 "%lld %% sure.%s",
                 (long long)o->pages, o->pages == 1 ? "" : "s",
                 (long long)(o->sure.words ? o->sure.sum / o->sure.words : 0),
                 o->failed ? " Some pages could not be read." : "");
}

enum footnote_rc pdf_run(const struct pdf_job *job, struct arena *a,
                         struct extract_facts *facts, struct footnote_err *err)
{
    AUTO(pdf_reader_free)
    struct pdf_reader r = {.job = job,
                           .a = a,
                           .at = job->from,
                           .page = ARENA(LINES_ARENA_MAX),
                           .deadline_ms = clock_mono_ms() + RUN_MS_MAX};

    r.ocr.languages = ocr_is_there() ? job->ocr_languages : NULL;

    assert(job->sink && job->from.pages >= 0 && job->from.position >= 0);
    *facts = (struct extract_facts){0};
    TRY(pdf_reader_start(&r, a, facts, err));
    while (r.at.pages < r.facts.pages) {
        bool scan = r.ocr.languages && 2 * r.survey.pages_n < r.facts.pages;
        int64_t last = r.at.pages + (scan ? OCR_BATCH : PDF_BATCH);
        TRY(read_batch(&r, last < r.facts.pages ? last : r.facts.pages, err));
    }
    if (r.at.position == 0)
        return refuse(err, SCANNED,
                      "no page of the PDF has text that can be read%s",
                      r.ocr.languages      ? ", nor that can be recognised"
                      : job->ocr_languages ? "; " OCR_MISSING
                                           : "; if it was scanned, have its "
                                             "text recognised (OCR) first");
    warn_of_blank_pages(&r, facts);
    warn_of_ocr(&r.ocr, facts);
    return FOOTNOTE_OK;
}
