/* docx_parts.c - styles and notes of a Word file. */
#include "ingest/format/docx_parts.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"
#include <stdlib.h>

/* ---- Styles ------------------------------------------------------------- */

struct styles_reader {
    struct arena *a;
    struct docx_styles *out;
    struct docx_style *now; /* NULL outside of a style */
};

static int level_of_name(struct str name)
{
    struct str rest;

    if (lines_same(name, STR("title")))
        return 1;
    if (lines_begins(name, STR("toc ")))
        return STYLE_CONTENTS;
    if (!lines_begins(name, STR("heading ")))
        return STYLE_TEXT;
    rest = str_skip(name, 8);
    if (rest.n != 1 || *rest.p < '1' || *rest.p > '9')
        return STYLE_TEXT;
    return *rest.p - '0';
}

static enum footnote_rc style_start(void *arg, const struct xml_tag *t,
                                    struct footnote_err *err)
{
    struct styles_reader *r = arg;
    int64_t level;

    if (str_eq(t->name, STR("style"))) {
        if (r->out->n == DOCX_STYLES_MAX)
            return refuse(err, TOO_MANY_PARTS,
                          "it has more than %d styles of headings",
                          DOCX_STYLES_MAX);
        r->now = &r->out->items[r->out->n++];
        r->now->level = STYLE_TEXT;
        r->now->id = arena_str(r->a, xml_attribute(t, "styleId"));
        return arena_rc(r->a, err);
    }
    if (!r->now)
        return FOOTNOTE_OK;
    struct str value = xml_attribute(t, "val");
    if (str_eq(t->name, STR("name")) && value.p)
        r->now->level = level_of_name(value);
    else if (str_eq(t->name, STR("outlineLvl")) && str_i64(value, &level) &&
             level >= 0 && level < 9 && r->now->level == STYLE_TEXT)
        r->now->level = (int)level + 1;
    return FOOTNOTE_OK;
}

static enum footnote_rc style_end(void *arg, struct str name,
                                  struct footnote_err *err)
{
    struct styles_reader *r = arg;

    (void)err;
    if (!r->now || !str_eq(name, STR("style")))
        return FOOTNOTE_OK;
    if (r->now->level == STYLE_TEXT)
        r->out->n--; /* a style of ordinary text is not kept */
    r->now = NULL;
    return FOOTNOTE_OK;
}

enum footnote_rc docx_styles(struct arena *a, struct str bytes,
                             struct docx_styles *out, struct footnote_err *err)
{
    static const struct xml_events events = {.start = style_start,
                                             .end = style_end};
    struct styles_reader r = {.a = a, .out = out};

    *out = (struct docx_styles){NULL, 0};
    if (!bytes.p)
        return FOOTNOTE_OK;
    out->items = arena_many(a, DOCX_STYLES_MAX, struct docx_style);
    if (!out->items)
        return arena_rc(a, err);
    return xml_read(bytes, &events, &r, err);
}

int docx_level(const struct docx_styles *s, struct str id)
{
    for (size_t i = 0; i < s->n; i++) {
        if (str_eq(s->items[i].id, id))
            return s->items[i].level;
    }
    return STYLE_TEXT;
}

/* ---- Notes -------------------------------------------------------------- */

static const struct str note_mark = {"Note: ", 6};

struct notes_reader {
    struct arena *a;
    struct docx_notes *out;
    bool open, in_text;
    int64_t id;
    struct buf text;
    struct clean clean;
};

static bool is_note(struct str name)
{
    return str_eq(name, STR("footnote")) || str_eq(name, STR("endnote"));
}

static enum footnote_rc note_start(void *arg, const struct xml_tag *t,
                                   struct footnote_err *err)
{
    struct notes_reader *r = arg;

    (void)err;
    if (is_note(t->name)) {
        /* A note with a type is the line between text and notes. */
        r->open = str_i64(xml_attribute(t, "id"), &r->id) &&
                  !xml_attribute(t, "type").p;
        buf_reset(&r->text);
        buf_add(&r->text, note_mark);
    } else if (str_eq(t->name, STR("t"))) {
        r->in_text = true;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc note_end(void *arg, struct str name,
                                 struct footnote_err *err)
{
    struct notes_reader *r = arg;

    if (str_eq(name, STR("t")))
        r->in_text = false;
    else if (str_eq(name, STR("p")))
        buf_add_c(&r->text, ' ');
    if (!is_note(name) || !r->open)
        return FOOTNOTE_OK;
    r->open = false;
    struct str text = lines_trim(buf_str(&r->text));
    if (text.n < note_mark.n)
        return FOOTNOTE_OK; /* an empty note */
    if (r->out->n == DOCX_NOTES_MAX)
        return refuse(err, TOO_MANY_PARTS, "it has more than %d notes",
                      DOCX_NOTES_MAX);
    r->out->items[r->out->n++] =
        (struct docx_note){r->id, arena_str(r->a, text)};
    return arena_rc(r->a, err);
}

static enum footnote_rc note_text(void *arg, struct str s,
                                  struct footnote_err *err)
{
    struct notes_reader *r = arg;

    (void)err;
    if (r->open && r->in_text)
        clean_add(&r->clean, &r->text, s);
    return FOOTNOTE_OK;
}

static int by_id(const void *x, const void *y)
{
    const struct docx_note *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

enum footnote_rc docx_notes(struct arena *a, struct str bytes,
                            struct docx_notes *out, bool *hidden,
                            struct footnote_err *err)
{
    static const struct xml_events events = {note_start, note_end, note_text};
    struct notes_reader r = {.a = a, .out = out, .text = BUF(ZIP_UNPACKED_MAX)};

    *out = (struct docx_notes){NULL, 0};
    if (!bytes.p)
        return FOOTNOTE_OK;
    out->items = arena_many(a, DOCX_NOTES_MAX, struct docx_note);
    if (!out->items)
        return arena_rc(a, err);
    enum footnote_rc rc = xml_read(bytes, &events, &r, err);
    if (rc == FOOTNOTE_OK)
        rc = buf_rc(&r.text, err);
    buf_free(&r.text);
    *hidden |= r.clean.hidden;
    qsort(out->items, out->n, sizeof(out->items[0]), by_id);
    return rc;
}

struct str docx_note(const struct docx_notes *n, struct str id)
{
    struct docx_note key = {0, STR_NONE};
    const struct docx_note *found = NULL;

    if (n->n && id.p && str_i64(id, &key.id))
        found = bsearch(&key, n->items, n->n, sizeof(key), by_id);
    return found ? found->text : STR_NONE;
}
