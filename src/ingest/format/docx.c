/* docx.c - Word: headings, paragraphs, lists, tables, notes.
 *
 * Text that reviewers deleted or moved away is dropped; text that the author
 * made invisible is dropped too, and reported as hidden.  A note comes behind
 * the paragraph that refers to it. */
#include "ingest/format/docx_parts.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

enum { PARAGRAPH_NOTES_MAX = 16 };

struct docx {
    struct format_reader *r;
    struct zip zip;
    struct docx_styles styles;
    struct docx_notes footnotes, endnotes;
    struct buf text;
    struct clean clean;
    int skipped; /* depth inside of an element that is dropped */
    int rows;    /* depth of tables */
    bool first_cell;
    bool in_run, in_text, invisible;
    int level; /* of the paragraph; see docx_parts.h */
    bool item, after_item;
    struct str notes[PARAGRAPH_NOTES_MAX];
    size_t notes_n;
};

/* ---- Out ---------------------------------------------------------------- */

static enum footnote_rc send_text(struct docx *d, bool whole,
                                  struct footnote_err *err)
{
    struct chunk_piece p = {.whole = whole};

    if (whole)
        lines_squeeze(&d->text);
    p.text = buf_str(&d->text);
    p.gap = whole || (d->item && d->after_item) ? GAP_LINE : GAP_BLOCK;
    d->after_item = d->item;
    return chunk_add(&d->r->chunker, &p, err);
}

static enum footnote_rc flush(struct docx *d, bool row,
                              struct footnote_err *err)
{
    struct str text = lines_trim(buf_str(&d->text));
    enum footnote_rc rc = FOOTNOTE_OK;

    TRY(buf_rc(&d->text, err));
    if (text.n && d->level > 0 && !row) {
        if (!d->r->facts->title.p)
            d->r->facts->title = arena_str(d->r->a, text);
        rc = chunk_heading(&d->r->chunker, d->level, text, err);
    } else if (text.n && (d->level == STYLE_TEXT || row)) {
        rc = send_text(d, row, err);
    }
    buf_reset(&d->text);
    TRY(rc);
    for (size_t i = 0; i < d->notes_n; i++) {
        struct chunk_piece p = {.text = d->notes[i], .gap = GAP_LINE};
        TRY(chunk_add(&d->r->chunker, &p, err));
    }
    d->notes_n = 0;
    return FOOTNOTE_OK;
}

/* ---- Events ------------------------------------------------------------- */

static void add_note(struct docx *d, const struct docx_notes *notes,
                     struct str id)
{
    struct str text = docx_note(notes, id);

    if (text.p && d->notes_n < PARAGRAPH_NOTES_MAX)
        d->notes[d->notes_n++] = text;
}

/* An element inside of a run of characters. */
static void start_in_run(struct docx *d, const struct xml_tag *t)
{
    struct str name = t->name, value = xml_attribute(t, "val");

    if (str_eq(name, STR("t")))
        d->in_text = true;
    else if (str_eq(name, STR("vanish")) || str_eq(name, STR("webHidden")))
        d->invisible = !str_eq(value, STR("0")) &&
                       !str_eq(value, STR("false")) &&
                       !str_eq(value, STR("none"));
    else if (str_eq(name, STR("tab")))
        buf_add_c(&d->text, ' ');
    else if (str_eq(name, STR("br")) || str_eq(name, STR("cr")))
        buf_add_c(&d->text, '\n');
    else if (str_eq(name, STR("noBreakHyphen")))
        buf_add_c(&d->text, '-');
    else if (str_eq(name, STR("footnoteReference")))
        add_note(d, &d->footnotes, xml_attribute(t, "id"));
    else if (str_eq(name, STR("endnoteReference")))
        add_note(d, &d->endnotes, xml_attribute(t, "id"));
}

/* A property of a paragraph. */
static void read_property(struct docx *d, const struct xml_tag *t)
{
    int64_t level;

    if (d->rows)
        return;
    if (str_eq(t->name, STR("pStyle"))) {
        d->level = docx_level(&d->styles, xml_attribute(t, "val"));
    } else if (str_eq(t->name, STR("outlineLvl"))) {
        if (str_i64(xml_attribute(t, "val"), &level) && level >= 0 && level < 9)
            d->level = (int)level + 1;
    } else if (str_eq(t->name, STR("numPr")) && d->level == STYLE_TEXT) {
        d->item = true;
        buf_add(&d->text, STR("- "));
    }
}

static enum footnote_rc on_start(void *arg, const struct xml_tag *t,
                                 struct footnote_err *err)
{
    struct docx *d = arg;

    if (d->skipped || str_eq(t->name, STR("del")) ||
        str_eq(t->name, STR("moveFrom")) || str_eq(t->name, STR("Fallback"))) {
        d->skipped++;
    } else if (str_eq(t->name, STR("p"))) {
        if (!d->rows) {
            d->level = STYLE_TEXT;
            d->item = false;
        }
    } else if (str_eq(t->name, STR("r"))) {
        d->in_run = true;
        d->invisible = false;
    } else if (str_eq(t->name, STR("tr"))) {
        TRY(flush(d, d->rows > 0, err));
        d->rows++;
        d->first_cell = true;
        d->item = false;
    } else if (str_eq(t->name, STR("tc"))) {
        lines_trim_end(&d->text);
        if (!d->first_cell)
            buf_add(&d->text, STR(" | "));
        d->first_cell = false;
    } else if (d->in_run) {
        start_in_run(d, t);
    } else {
        read_property(d, t);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc on_end(void *arg, struct str name,
                               struct footnote_err *err)
{
    struct docx *d = arg;

    if (d->skipped) {
        d->skipped--;
    } else if (str_eq(name, STR("t"))) {
        d->in_text = false;
    } else if (str_eq(name, STR("r"))) {
        d->in_run = false;
    } else if (str_eq(name, STR("tr")) && d->rows) {
        TRY(flush(d, true, err));
        d->rows--;
    } else if (str_eq(name, STR("p"))) {
        if (!d->rows)
            return flush(d, false, err);
        if (d->text.n && d->text.p[d->text.n - 1] != ' ')
            buf_add_c(&d->text, ' ');
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc on_text(void *arg, struct str s,
                                struct footnote_err *err)
{
    struct docx *d = arg;

    (void)err;
    if (!d->in_text || d->skipped)
        return FOOTNOTE_OK;
    if (d->invisible)
        d->clean.hidden |= lines_trim(s).n > 0;
    else
        clean_add(&d->clean, &d->text, s);
    return FOOTNOTE_OK;
}

/* ---- Together ----------------------------------------------------------- */

static bool wanted(struct str name)
{
    return (str_starts(name, STR("word/")) &&
            !str_starts(name, STR("word/media/"))) ||
           str_starts(name, STR("_rels/")) ||
           str_eq(name, STR("docProps/core.xml"));
}

static enum footnote_rc read_parts(struct docx *d, struct str part,
                                   struct footnote_err *err)
{
    struct arena *a = d->r->a;
    struct office_links links;

    TRY(office_links(a, &d->zip, part, &links, err));
    struct str styles = office_by_type(&links, STR("styles"));
    struct str footnotes = office_by_type(&links, STR("footnotes"));
    struct str endnotes = office_by_type(&links, STR("endnotes"));
    TRY(docx_styles(a, zip_get(&d->zip, styles), &d->styles, err));
    TRY(docx_notes(a, zip_get(&d->zip, footnotes), &d->footnotes,
                   &d->clean.hidden, err));
    return docx_notes(a, zip_get(&d->zip, endnotes), &d->endnotes,
                      &d->clean.hidden, err);
}

static enum footnote_rc read_document(struct docx *d, struct footnote_err *err)
{
    static const struct xml_events events = {on_start, on_end, on_text};
    struct str part;

    TRY(zip_read(d->r->a, d->r->bytes, wanted, &d->zip, err));
    TRY(office_main(d->r->a, &d->zip, STR("word/document.xml"), &part, err));
    TRY(office_facts(d->r, &d->zip, OFFICE_CORE, err));
    TRY(read_parts(d, part, err));
    TRY(xml_read(zip_get(&d->zip, part), &events, d, err));
    TRY(flush(d, false, err));
    d->r->facts->hidden_text |= d->clean.hidden;
    return chunk_break(&d->r->chunker, err);
}

enum footnote_rc read_docx(struct format_reader *r, struct footnote_err *err)
{
    struct docx d = {.r = r, .text = BUF(ZIP_UNPACKED_MAX)};
    enum footnote_rc rc = read_document(&d, err);

    buf_free(&d.text);
    return rc;
}
