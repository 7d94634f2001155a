/* odp.c - OpenDocument presentations: a slide is a page; its notes are passages
 * of their own. */
#include "ingest/format/odf.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"
#include "ingest/text/pages.h"

#include "store/document/reason.h"
#include <stdio.h>

enum { SLIDES_MAX = 5000 };

struct odp {
    struct format_reader *r;
    struct odf odf;
    struct pages pages;
    struct buf title, text, notes;
    struct clean clean;
    int64_t slide, slides_n, hidden_n; /* slides_n: as many as it seems */
    int depth, skip_from; /* skip_from 0: nothing is being dropped */
    int paragraph, cells;
    int notes_from; /* depth of the open notes; 0: none */
    int title_from; /* likewise of the frame with the title */
    bool open, first_cell;
};

static struct buf *out_of(struct odp *d)
{
    return d->notes_from ? &d->notes : &d->text;
}

static void line_break(struct odp *d)
{
    struct buf *b = out_of(d);

    lines_trim_end(b);
    if (b->n && b->p[b->n - 1] != '\n')
        buf_add_c(b, d->cells ? ' ' : '\n');
    if (d->title_from)
        buf_add_c(&d->title, ' ');
}

static enum footnote_rc start_slide(struct odp *d, const struct xml_tag *t,
                                    struct footnote_err *err)
{
    if (d->slide == SLIDES_MAX)
        return refuse(err, TOO_MANY_PAGES,
                      "the presentation has more than %d slides", SLIDES_MAX);
    d->slide++;
    d->open = true;
    buf_reset(&d->title);
    buf_reset(&d->text);
    buf_reset(&d->notes);
    if (odf_is_hidden(&d->odf, xml_attribute(t, "style-name"))) {
        d->hidden_n++;
        d->skip_from = d->depth;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc end_slide(struct odp *d, struct footnote_err *err)
{
    struct page_content page = {.number = d->slide};

    d->open = false;
    TRY(buf_rc(&d->title, err));
    TRY(buf_rc(&d->text, err));
    TRY(buf_rc(&d->notes, err));
    page.heading = lines_trim(buf_str(&d->title));
    page.text = buf_str(&d->text);
    page.notes = buf_str(&d->notes);
    if (!d->r->facts->title.p && page.heading.n)
        d->r->facts->title = arena_str(d->r->a, page.heading);
    TRY(pages_push(&d->pages, &page, err));
    int64_t total = d->slide > d->slides_n ? d->slide : d->slides_n;
    return read_progress(d->r, (size_t)d->slide, (size_t)total, err);
}

static int64_t count_slides(struct str s)
{
    static const char tag[] = "<draw:page ";
    const char *next;
    int64_t n = 0;

    while (s.n && (next = memmem(s.p, s.n, tag, sizeof(tag) - 1))) {
        n++;
        s = str_skip(s, (size_t)(next - s.p) + 1);
    }
    return n;
}

/* Dates, numbers and feet, which repeat on every slide. */
static bool is_around(const struct xml_tag *t)
{
    struct str c = xml_attribute(t, "class");

    return str_eq(c, STR("date-time")) || str_eq(c, STR("footer")) ||
           str_eq(c, STR("page-number")) || str_eq(c, STR("header")) ||
           str_eq(c, STR("page"));
}

static enum footnote_rc on_start(void *arg, const struct xml_tag *t,
                                 struct footnote_err *err)
{
    struct odp *d = arg;
    struct str name = t->name;

    d->depth++;
    if (d->skip_from)
        return FOOTNOTE_OK;
    if (str_eq(name, STR("page")) && !d->open)
        return start_slide(d, t, err);
    if (!d->open)
        return FOOTNOTE_OK;
    if (odf_is_unread(name) || is_around(t)) {
        d->skip_from = d->depth;
    } else if (odf_is_hidden(&d->odf, xml_attribute(t, "style-name"))) {
        d->clean.hidden = true;
        d->skip_from = d->depth;
    } else if (str_eq(name, STR("notes"))) {
        d->notes_from = d->depth;
    } else if (str_eq(name, STR("frame")) && !d->notes_from &&
               str_eq(xml_attribute(t, "class"), STR("title"))) {
        d->title_from = d->depth;
    } else if (str_eq(name, STR("p")) || str_eq(name, STR("h"))) {
        d->paragraph++;
    } else if (str_eq(name, STR("table-row"))) {
        d->first_cell = true;
    } else if (str_eq(name, STR("table-cell"))) {
        lines_trim_end(&d->text);
        if (!d->first_cell)
            buf_add(&d->text, STR(" | "));
        d->first_cell = false;
        d->cells++;
    } else if (d->paragraph) {
        (void)odf_sign(t, out_of(d));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc on_end(void *arg, struct str name,
                               struct footnote_err *err)
{
    struct odp *d = arg;
    int depth = d->depth--;

    if (d->skip_from) {
        if (depth == d->skip_from)
            d->skip_from = 0;
        if (!d->skip_from && str_eq(name, STR("page")) && d->open)
            d->open = false; /* a hidden slide */
        return FOOTNOTE_OK;
    }
    if (!d->open)
        return FOOTNOTE_OK;
    if (str_eq(name, STR("p")) || str_eq(name, STR("h"))) {
        d->paragraph -= d->paragraph > 0;
        line_break(d);
    } else if (str_eq(name, STR("table-cell"))) {
        d->cells -= d->cells > 0;
    } else if (str_eq(name, STR("table-row"))) {
        line_break(d);
    } else if (depth == d->notes_from) {
        d->notes_from = 0;
    } else if (depth == d->title_from) {
        d->title_from = 0;
    } else if (str_eq(name, STR("page"))) {
        return end_slide(d, err);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc on_text(void *arg, struct str s,
                                struct footnote_err *err)
{
    struct odp *d = arg;

    (void)err;
    if (!d->paragraph || d->skip_from || !d->open)
        return FOOTNOTE_OK;
    clean_add(&d->clean, out_of(d), s);
    if (d->title_from)
        clean_add(&d->clean, &d->title, s);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_slides(struct odp *d, struct footnote_err *err)
{
    static const struct xml_events events = {on_start, on_end, on_text};
    struct extract_facts *facts = d->r->facts;

    TRY(odf_open(d->r, &d->odf, err));
    struct str content = zip_get(&d->odf.zip, ODF_CONTENT);
    d->slides_n = count_slides(content);
    TRY(xml_read(content, &events, d, err));
    if (d->slide == 0)
        return refuse(err, NO_TEXT, "the presentation has no slides");
    TRY(pages_end(&d->pages, err));
    facts->pages = d->slide;
    facts->hidden_text |= d->clean.hidden;
    if (d->hidden_n)
        snprintf(facts->warning, sizeof(facts->warning),
                 "%lld hidden slide%s left out", (long long)d->hidden_n,
                 d->hidden_n == 1 ? " was" : "s were");
    return chunk_break(&d->r->chunker, err);
}

enum footnote_rc read_odp(struct format_reader *r, struct footnote_err *err)
{
    struct odp d = {.r = r,
                    .title = BUF(PAGES_BYTES_MAX),
                    .text = BUF(PAGES_BYTES_MAX),
                    .notes = BUF(PAGES_BYTES_MAX)};

    pages_init(&d.pages, &r->chunker);
    enum footnote_rc rc = read_slides(&d, err);
    pages_free(&d.pages);
    buf_free(&d.title);
    buf_free(&d.text);
    buf_free(&d.notes);
    return rc;
}
