/* pages.c - one slide, one passage; build-ups once.
 *
 * A page is held, so that a slide which builds up on it can take its place. */
#include "ingest/text/pages.h"
#include "base/utf8.h"
#include "ingest/text/lines.h"
#include "store/document/document.h"
#include "store/document/reason.h"
#include <assert.h>

void pages_init(struct pages *p, struct chunker *c)
{
    *p = (struct pages){.chunker = c,
                        .heading = BUF(CHUNK_HEADING_BYTES),
                        .text = BUF(PAGES_HELD_BYTES_MAX),
                        .notes = BUF(PAGES_HELD_BYTES_MAX)};
}

void pages_free(struct pages *p)
{
    buf_free(&p->heading);
    buf_free(&p->text);
    buf_free(&p->notes);
}

/* ---- Build-ups ---------------------------------------------------------- */

/* "7", "7/30", "- 7 -": page numbers change while a slide builds up. */
static bool is_page_number(struct str line)
{
    bool digit = false;

    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] >= '0' && line.p[i] <= '9')
            digit = true;
        else if (!strchr(" /-|", line.p[i]))
            return false;
    }
    return digit && line.n <= 12;
}

/* The next line that is neither empty nor a page number. */
static bool next_line(struct str *rest, struct str *line)
{
    while (lines_next(rest, line)) {
        *line = lines_trim(*line);
        if (line->n && !is_page_number(*line))
            return true;
    }
    return false;
}

/* Whether all lines of `before` stand in `after`, in their order. */
static bool builds_up(struct str before, struct str after)
{
    struct str want, line;
    bool some = false;

    while (next_line(&before, &want)) {
        do {
            if (!next_line(&after, &line))
                return false;
        } while (!str_eq(want, line));
        some = true;
    }
    return some;
}

/* ---- Out ---------------------------------------------------------------- */

static enum footnote_rc send_lines(struct pages *p, struct str text,
                                   struct footnote_err *err)
{
    struct str line;

    TRY(chunk_heading(p->chunker, 1, buf_str(&p->heading), err));
    while (lines_next(&text, &line)) {
        struct chunk_piece piece = {
            .text = line, .gap = GAP_LINE, .page = p->number};
        TRY(chunk_add(p->chunker, &piece, err));
    }
    return chunk_break(p->chunker, err);
}

static enum footnote_rc send_text(struct pages *p, struct footnote_err *err)
{
    struct str text = lines_trim(buf_str(&p->text));
    struct passage whole = {.page = p->number, .text = text};

    if (text.n == 0)
        return FOOTNOTE_OK;
    if (text.n > CHUNK_HELD_BYTES_MAX || chunk_words(text) > PAGES_WORDS_MAX)
        return send_lines(p, text, err);
    if (p->heading.n)
        whole.heading = buf_str(&p->heading);
    return chunk_emit(p->chunker, whole, err);
}

static enum footnote_rc flush(struct pages *p, struct footnote_err *err)
{
    TRY(buf_rc(&p->text, err));
    TRY(buf_rc(&p->notes, err));
    TRY(send_text(p, err));
    if (p->notes.n) {
        struct str extra = p->chunker->extra;

        p->chunker->extra = STR("{\"notes\":true}");
        enum footnote_rc rc = send_lines(p, buf_str(&p->notes), err);
        p->chunker->extra = extra;
        TRY(rc);
    }
    buf_reset(&p->heading);
    buf_reset(&p->text);
    buf_reset(&p->notes);
    p->held = false;
    return FOOTNOTE_OK;
}

/* ---- In ----------------------------------------------------------------- */

static void hold_page(struct pages *p, const struct page_content *page,
                      struct str text)
{
    struct str heading = lines_trim(page->heading);
    struct str notes = lines_trim(page->notes);

    buf_reset(&p->text);
    buf_add(&p->text, text);
    p->number = page->number;
    if (heading.n) {
        buf_reset(&p->heading);
        if (heading.n > CHUNK_HEADING_BYTES)
            heading.n =
                utf8_whole((struct str){heading.p, CHUNK_HEADING_BYTES});
        buf_add(&p->heading, heading);
        lines_squeeze(&p->heading);
    }
    /* Notes are often copied from build-up to build-up. */
    if (notes.n &&
        !(p->notes.n && memmem(p->notes.p, p->notes.n, notes.p, notes.n))) {
        if (p->notes.n)
            buf_add(&p->notes, STR("\n"));
        buf_add(&p->notes, notes);
    }
    p->held = true;
}

enum footnote_rc pages_push(struct pages *p, const struct page_content *page,
                            struct footnote_err *err)
{
    struct str text = lines_trim(page->text);

    assert(page->number > 0);
    if (text.n > PAGES_BYTES_MAX || page->notes.n > PAGES_BYTES_MAX)
        return refuse(err, TOO_MUCH_TEXT, "page %lld has over %d MB of text",
                      (long long)page->number, PAGES_BYTES_MAX / (1024 * 1024));
    if (text.n == 0 && lines_trim(page->notes).n == 0)
        return FOOTNOTE_OK;
    if (p->held && !builds_up(buf_str(&p->text), text))
        TRY(flush(p, err));
    hold_page(p, page, text);
    return FOOTNOTE_OK;
}

enum footnote_rc pages_end(struct pages *p, struct footnote_err *err)
{
    return p->held ? flush(p, err) : FOOTNOTE_OK;
}
