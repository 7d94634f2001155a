/* odt.c - OpenDocument texts: headings, paragraphs, lists, tables, notes.
 *
 * A note comes behind the paragraph that refers to it.  What reviewers deleted,
 * comments and what is not shown are dropped. */
#include "ingest/format/odf.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

struct odt {
    struct format_reader *r;
    struct odf odf;
    struct buf text, note;
    struct clean clean;
    int depth;           /* of elements */
    int skip_from;       /* 0: nothing is being dropped */
    int paragraph, cell; /* depth of open ones */
    int rows, items;
    int in_note; /* the depth of the open one; 0: none */
    int level;   /* of a heading; 0: none */
    bool title, first_cell, item_begins, after_item;
};

/* ---- Out ---------------------------------------------------------------- */

static enum footnote_rc send_text(struct odt *d, struct buf *b, bool row,
                                  struct footnote_err *err)
{
    bool item = d->items > 0 && !row;
    struct chunk_piece p = {.whole = row};

    if (row)
        lines_squeeze(b);
    p.text = buf_str(b);
    p.gap = row || (item && d->after_item) ? GAP_LINE : GAP_BLOCK;
    d->after_item = item;
    return chunk_add(&d->r->chunker, &p, err);
}

static enum footnote_rc send_note(struct odt *d, struct footnote_err *err)
{
    struct chunk_piece p = {.gap = GAP_LINE};

    TRY(buf_rc(&d->note, err));
    p.text = lines_trim(buf_str(&d->note));
    enum footnote_rc rc =
        p.text.n ? chunk_add(&d->r->chunker, &p, err) : FOOTNOTE_OK;
    buf_reset(&d->note);
    return rc;
}

/* Ends the open block of any kind. */
static enum footnote_rc flush(struct odt *d, bool row, struct footnote_err *err)
{
    struct str text = lines_trim(buf_str(&d->text));
    enum footnote_rc rc = FOOTNOTE_OK;

    TRY(buf_rc(&d->text, err));
    if (text.n && (d->title || d->level) && !d->r->facts->title.p)
        d->r->facts->title = arena_str(d->r->a, text);
    if (text.n && d->level && !row)
        rc = chunk_heading(&d->r->chunker, d->level, text, err);
    else if (text.n && !str_eq(text, STR("-")))
        rc = send_text(d, &d->text, row, err);
    buf_reset(&d->text);
    d->level = 0;
    d->title = false;
    TRY(rc);
    return d->note.n ? send_note(d, err) : FOOTNOTE_OK;
}

/* ---- Events ------------------------------------------------------------- */

static enum footnote_rc start_paragraph(struct odt *d, const struct xml_tag *t,
                                        bool heading, struct footnote_err *err)
{
    if (d->in_note || d->rows) {
        struct buf *b = d->in_note ? &d->note : &d->text;
        if (b->n && b->p[b->n - 1] != ' ')
            buf_add_c(b, ' ');
    } else {
        TRY(flush(d, false, err)); /* a frame may stand in a paragraph */
        if (d->item_begins)
            buf_add(&d->text, STR("- "));
        d->item_begins = false;
        d->title = str_eq(xml_attribute(t, "style-name"), STR("Title"));
        d->level = heading ? (int)odf_number(t, "outline-level", 1) : 0;
    }
    d->paragraph++;
    return FOOTNOTE_OK;
}

static enum footnote_rc start_row(struct odt *d, struct footnote_err *err)
{
    TRY(flush(d, d->rows > 0, err));
    d->rows++;
    d->first_cell = true;
    return FOOTNOTE_OK;
}

static void start_cell(struct odt *d)
{
    lines_trim_end(&d->text);
    if (!d->first_cell)
        buf_add(&d->text, STR(" | "));
    d->first_cell = false;
}

static enum footnote_rc on_start(void *arg, const struct xml_tag *t,
                                 struct footnote_err *err)
{
    struct odt *d = arg;
    struct str name = t->name;

    d->depth++;
    if (d->skip_from)
        return FOOTNOTE_OK;
    bool unread = odf_is_unread(name);
    bool hidden = odf_is_hidden(&d->odf, xml_attribute(t, "style-name")) ||
                  str_eq(xml_attribute(t, "display"), STR("none"));
    if (unread || hidden) {
        d->clean.hidden |= hidden;
        d->skip_from = d->depth;
    } else if (str_eq(name, STR("p")) || str_eq(name, STR("h"))) {
        return start_paragraph(d, t, str_eq(name, STR("h")), err);
    } else if (str_eq(name, STR("list-item"))) {
        d->items++;
        d->item_begins = true;
    } else if (str_eq(name, STR("table-row"))) {
        return start_row(d, err);
    } else if (str_eq(name, STR("table-cell"))) {
        start_cell(d);
    } else if (str_eq(name, STR("note"))) {
        d->in_note = d->depth;
        if (d->note.n)
            buf_add_c(&d->note, ' ');
        buf_add(&d->note, STR("Note:"));
    } else if (d->paragraph) {
        (void)odf_sign(t, d->in_note ? &d->note : &d->text);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc end_element(struct odt *d, struct str name, int depth,
                                    struct footnote_err *err)
{
    if (str_eq(name, STR("p")) || str_eq(name, STR("h"))) {
        d->paragraph -= d->paragraph > 0;
        return d->in_note || d->rows ? FOOTNOTE_OK : flush(d, false, err);
    }
    if (str_eq(name, STR("table-row")) && d->rows) {
        TRY(flush(d, true, err));
        d->rows--;
    } else if (str_eq(name, STR("list-item")) && d->items) {
        d->items--;
    } else if (depth == d->in_note) {
        d->in_note = 0;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc on_end(void *arg, struct str name,
                               struct footnote_err *err)
{
    struct odt *d = arg;
    int depth = d->depth--;

    if (!d->skip_from)
        return end_element(d, name, depth, err);
    if (depth == d->skip_from)
        d->skip_from = 0;
    return FOOTNOTE_OK;
}

static enum footnote_rc on_text(void *arg, struct str s,
                                struct footnote_err *err)
{
    struct odt *d = arg;

    (void)err;
    if (d->paragraph && !d->skip_from)
        clean_add(&d->clean, d->in_note ? &d->note : &d->text, s);
    return FOOTNOTE_OK;
}

enum footnote_rc read_odt(struct format_reader *r, struct footnote_err *err)
{
    static const struct xml_events events = {on_start, on_end, on_text};
    struct odt d = {
        .r = r, .text = BUF(ZIP_UNPACKED_MAX), .note = BUF(ZIP_UNPACKED_MAX)};
    enum footnote_rc rc = odf_open(r, &d.odf, err);

    if (rc == FOOTNOTE_OK)
        rc = xml_read(zip_get(&d.odf.zip, ODF_CONTENT), &events, &d, err);
    if (rc == FOOTNOTE_OK)
        rc = flush(&d, false, err);
    buf_free(&d.text);
    buf_free(&d.note);
    TRY(rc);
    r->facts->hidden_text |= d.clean.hidden;
    return chunk_break(&r->chunker, err);
}
