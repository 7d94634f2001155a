/* pptx.c - PowerPoint: a slide is a page; its notes are passages of their own.
 *
 * The links of the presentation give the order of its parts, not their names:
 * slide7.xml may well be the first slide. */
#include "ingest/format/office.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"
#include "ingest/text/pages.h"

#include "store/document/reason.h"
#include <assert.h>
#include <stdio.h>

enum { SLIDES_MAX = 5000, NOTES_ARENA_MAX = 16 * 1024 * 1024 };

/* ---- One slide ---------------------------------------------------------- */

enum shape { SHAPE_BODY, SHAPE_TITLE, SHAPE_LEFT_OUT };

struct slide {
    bool notes;  /* only the body of a notes page is wanted */
    bool hidden; /* not shown to the audience */
    enum shape shape;
    bool in_text;
    int skipped; /* depth inside of a <Fallback>, which repeats a shape */
    int cells;   /* depth of table cells */
    bool first_cell;
    struct buf title, text;
    struct clean clean;
};

/* Leaves out placeholders that repeat on every slide: dates, numbers, feet. */
static enum shape shape_of(const struct slide *s, struct str type)
{
    if (s->notes)
        return str_eq(type, STR("body")) ? SHAPE_BODY : SHAPE_LEFT_OUT;
    if (str_eq(type, STR("title")) || str_eq(type, STR("ctrTitle")))
        return SHAPE_TITLE;
    if (str_eq(type, STR("sldNum")) || str_eq(type, STR("dt")) ||
        str_eq(type, STR("ftr")) || str_eq(type, STR("hdr")))
        return SHAPE_LEFT_OUT;
    return SHAPE_BODY;
}

static void line_break(struct slide *s)
{
    lines_trim_end(&s->text);
    if (s->text.n && s->text.p[s->text.n - 1] != '\n')
        buf_add_c(&s->text, s->cells ? ' ' : '\n');
}

static enum footnote_rc slide_start(void *arg, const struct xml_tag *t,
                                    struct footnote_err *err)
{
    struct slide *s = arg;
    struct str name = t->name;

    (void)err;
    if (s->skipped || str_eq(name, STR("Fallback"))) {
        s->skipped++;
    } else if (str_eq(name, STR("sld"))) {
        struct str show = xml_attribute(t, "show");
        s->hidden = str_eq(show, STR("0")) || str_eq(show, STR("false"));
    } else if (str_eq(name, STR("sp")) || str_eq(name, STR("graphicFrame"))) {
        s->shape = s->notes ? SHAPE_LEFT_OUT : SHAPE_BODY;
    } else if (str_eq(name, STR("ph"))) {
        s->shape = shape_of(s, xml_attribute(t, "type"));
    } else if (str_eq(name, STR("t"))) {
        s->in_text = true;
    } else if (str_eq(name, STR("br"))) {
        line_break(s);
    } else if (str_eq(name, STR("tr"))) {
        s->first_cell = true;
    } else if (str_eq(name, STR("tc"))) {
        lines_trim_end(&s->text);
        if (!s->first_cell)
            buf_add(&s->text, STR(" | "));
        s->first_cell = false;
        s->cells++;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc slide_end(void *arg, struct str name,
                                  struct footnote_err *err)
{
    struct slide *s = arg;

    (void)err;
    if (s->skipped)
        s->skipped--;
    else if (str_eq(name, STR("t")))
        s->in_text = false;
    else if (str_eq(name, STR("p")) || str_eq(name, STR("tr")))
        line_break(s);
    else if (str_eq(name, STR("tc")) && s->cells)
        s->cells--;
    if (str_eq(name, STR("p")) && s->shape == SHAPE_TITLE)
        buf_add_c(&s->title, ' ');
    return FOOTNOTE_OK;
}

static enum footnote_rc slide_text(void *arg, struct str text,
                                   struct footnote_err *err)
{
    struct slide *s = arg;

    (void)err;
    if (!s->in_text || s->skipped || s->shape == SHAPE_LEFT_OUT)
        return FOOTNOTE_OK;
    clean_add(&s->clean, &s->text, text);
    if (s->shape == SHAPE_TITLE)
        clean_add(&s->clean, &s->title, text);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_slide(struct slide *s, struct str bytes,
                                   bool notes, struct footnote_err *err)
{
    static const struct xml_events events = {slide_start, slide_end,
                                             slide_text};
    s->notes = notes;
    s->hidden = s->in_text = false;
    s->skipped = s->cells = 0;
    s->shape = notes ? SHAPE_LEFT_OUT : SHAPE_BODY;
    buf_reset(&s->title);
    buf_reset(&s->text);
    TRY(xml_read(bytes, &events, s, err));
    TRY(buf_rc(&s->title, err));
    return buf_rc(&s->text, err);
}

/* ---- All of them -------------------------------------------------------- */

struct deck {
    struct format_reader *r;
    struct zip zip;
    struct office_links links;
    struct str *slides; /* names of parts, in order */
    size_t slides_n;
    struct pages pages;
    struct slide slide, notes;
    size_t hidden_n;
};

static enum footnote_rc list_start(void *arg, const struct xml_tag *t,
                                   struct footnote_err *err)
{
    struct deck *d = arg;

    if (!str_eq(t->name, STR("sldId")))
        return FOOTNOTE_OK;
    if (d->slides_n == SLIDES_MAX)
        return refuse(err, TOO_MANY_PAGES,
                      "the presentation has more than %d slides", SLIDES_MAX);
    d->slides[d->slides_n++] = office_by_id(&d->links, xml_linked(t, "id"));
    return FOOTNOTE_OK;
}

/* The notes of the slide, or "". */
static enum footnote_rc read_notes(struct deck *d, struct str part,
                                   struct str *out, struct footnote_err *err)
{
    struct arena scratch = ARENA(NOTES_ARENA_MAX);
    struct office_links links;
    enum footnote_rc rc = office_links(&scratch, &d->zip, part, &links, err);
    struct str bytes = STR_NONE;

    *out = STR("");
    if (rc == FOOTNOTE_OK)
        bytes = zip_get(&d->zip, office_by_type(&links, STR("notesSlide")));
    arena_free(&scratch);
    TRY(rc);
    if (!bytes.p)
        return FOOTNOTE_OK;
    TRY(read_slide(&d->notes, bytes, true, err));
    *out = buf_str(&d->notes.text);
    return FOOTNOTE_OK;
}

static enum footnote_rc add_slide(struct deck *d, size_t i,
                                  struct footnote_err *err)
{
    struct page_content page = {.number = (int64_t)i + 1};
    struct str bytes = zip_get(&d->zip, d->slides[i]);

    assert(i < d->slides_n);
    if (!bytes.p)
        return refuse(err, DAMAGED, "it is missing: the file is damaged");
    TRY(read_slide(&d->slide, bytes, false, err));
    if (d->slide.hidden) {
        d->hidden_n++;
        return FOOTNOTE_OK;
    }
    TRY(read_notes(d, d->slides[i], &page.notes, err));
    page.heading = lines_trim(buf_str(&d->slide.title));
    page.text = buf_str(&d->slide.text);
    if (!d->r->facts->title.p && page.heading.n)
        d->r->facts->title = arena_str(d->r->a, page.heading);
    return pages_push(&d->pages, &page, err);
}

static enum footnote_rc add_slides(struct deck *d, struct footnote_err *err)
{
    for (size_t i = 0; i < d->slides_n; i++) {
        enum footnote_rc rc = add_slide(d, i, err);
        if (rc != FOOTNOTE_OK) {
            err_prefix(err, "slide %zu", i + 1);
            return rc;
        }
        TRY(read_progress(d->r, i + 1, d->slides_n, err));
    }
    TRY(pages_end(&d->pages, err));
    d->r->facts->pages = (int64_t)d->slides_n;
    d->r->facts->hidden_text |= d->slide.clean.hidden | d->notes.clean.hidden;
    if (d->hidden_n)
        snprintf(d->r->facts->warning, sizeof(d->r->facts->warning),
                 "%zu hidden slide%s left out", d->hidden_n,
                 d->hidden_n == 1 ? " was" : "s were");
    return chunk_break(&d->r->chunker, err);
}

static bool wanted(struct str name)
{
    return str_starts(name, STR("ppt/slides/")) ||
           str_starts(name, STR("ppt/notesSlides/")) ||
           str_starts(name, STR("ppt/presentation")) ||
           str_starts(name, STR("ppt/_rels/")) ||
           str_starts(name, STR("_rels/")) ||
           str_eq(name, STR("docProps/core.xml"));
}

static enum footnote_rc open_deck(struct deck *d, struct footnote_err *err)
{
    static const struct xml_events events = {.start = list_start};
    struct arena *a = d->r->a;
    struct str part;

    TRY(zip_read(a, d->r->bytes, wanted, &d->zip, err));
    TRY(office_main(a, &d->zip, STR("ppt/presentation.xml"), &part, err));
    TRY(office_links(a, &d->zip, part, &d->links, err));
    TRY(office_facts(d->r, &d->zip, OFFICE_CORE, err));
    d->slides = arena_many(a, SLIDES_MAX, struct str);
    if (!d->slides)
        return arena_rc(a, err);
    TRY(xml_read(zip_get(&d->zip, part), &events, d, err));
    if (d->slides_n == 0)
        return refuse(err, NO_TEXT, "the presentation has no slides");
    return FOOTNOTE_OK;
}

static void deck_free(struct deck *d)
{
    pages_free(&d->pages);
    buf_free(&d->slide.title);
    buf_free(&d->slide.text);
    buf_free(&d->notes.title);
    buf_free(&d->notes.text);
}

enum footnote_rc read_pptx(struct format_reader *r, struct footnote_err *err)
{
    AUTO(deck_free)
    struct deck d = {
        .r = r,
        .slide = {.title = BUF(PAGES_BYTES_MAX), .text = BUF(PAGES_BYTES_MAX)},
        .notes = {.title = BUF(PAGES_BYTES_MAX), .text = BUF(PAGES_BYTES_MAX)}};

    pages_init(&d.pages, &r->chunker);
    TRY(open_deck(&d, err));
    return add_slides(&d, err);
}
