/* notebook.c - Jupyter notebooks: the cells, and what they printed as text.
 *
 * Pictures and tables of HTML are left out: beside them stands a text. */
#include "base/json.h"
#include "ingest/format/markdown_part.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"

enum { OUTPUT_BYTES_MAX = 16 * 1024, CELL_BYTES_MAX = 4 * 1024 * 1024 };

struct notebook {
    struct format_reader *r;
    struct buf text;
    struct clean clean;
};

/* A text, or the list of its lines. */
static void add_source(struct notebook *n, const struct json *v)
{
    if (v && v->type == JSON_STR)
        clean_add(&n->clean, &n->text, v->s);
    if (!v || v->type != JSON_ARRAY)
        return;
    for (const struct json *line = v->first; line; line = line->next)
        if (line->type == JSON_STR)
            clean_add(&n->clean, &n->text, line->s);
}

/* Cleaning has dropped the escape of "ESC[31m", which colours a terminal. */
static void drop_colours(struct buf *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++) {
        size_t end = i + 1;

        while (b->p[i] == '[' && end < b->n &&
               ((b->p[end] >= '0' && b->p[end] <= '9') || b->p[end] == ';'))
            end++;
        if (b->p[i] == '[' && end > i + 1 && end < b->n && b->p[end] == 'm')
            i = end;
        else
            b->p[n++] = b->p[i];
    }
    b->n = n;
}

static enum footnote_rc send_lines(struct notebook *n, struct footnote_err *err)
{
    struct chunk_piece p = {.gap = GAP_BLOCK, .whole = true};
    struct str text = buf_str(&n->text);

    TRY(buf_rc(&n->text, err));
    while (lines_next(&text, &p.text)) {
        if (lines_trim(p.text).n)
            TRY(chunk_add(&n->r->chunker, &p, err));
        p.gap = GAP_LINE;
    }
    buf_reset(&n->text);
    return FOOTNOTE_OK;
}

static bool has_picture(const struct json *data)
{
    for (const struct json *v = data ? data->first : NULL; v; v = v->next)
        if (str_starts(v->key, STR("image/")))
            return true;
    return false;
}

static enum footnote_rc add_output(struct notebook *n, const struct json *o,
                                   struct footnote_err *err)
{
    struct json *data = json_get(o, STR("data"));
    struct str name = json_text(o, STR("ename"));

    add_source(n, json_get(o, STR("text")));
    if (data && data->type == JSON_OBJECT && !has_picture(data))
        add_source(n, json_get(data, STR("text/plain")));
    if (name.n) {
        clean_add(&n->clean, &n->text, name);
        buf_add(&n->text, STR(": "));
        clean_add(&n->clean, &n->text, json_text(o, STR("evalue")));
    }
    drop_colours(&n->text);
    if (n->text.n > OUTPUT_BYTES_MAX) {
        struct str line = {n->text.p, OUTPUT_BYTES_MAX};

        while (line.n && line.p[line.n - 1] != '\n')
            line.n--;
        n->text.n = line.n;
    }
    return send_lines(n, err);
}

static enum footnote_rc add_cell(struct notebook *n, const struct json *cell,
                                 struct footnote_err *err)
{
    struct str type = json_text(cell, STR("cell_type"));
    const struct json *source = json_get(cell, STR("source"));
    const struct json *outputs = json_get(cell, STR("outputs"));

    buf_reset(&n->text);
    add_source(n, source ? source : json_get(cell, STR("input")));
    TRY(buf_rc(&n->text, err));
    if (str_eq(type, STR("markdown")) || str_eq(type, STR("heading"))) {
        TRY(markdown_part(n->r, buf_str(&n->text), err));
    } else if (str_eq(type, STR("code"))) {
        TRY(send_lines(n, err));
        for (const struct json *o =
                 outputs && outputs->type == JSON_ARRAY ? outputs->first : NULL;
             o; o = o->next)
            TRY(add_output(n, o, err));
    }
    return chunk_break(&n->r->chunker, err);
}

/* Of the third format, cells are inside of a worksheet. */
static const struct json *cells_of(const struct json *o)
{
    const struct json *cells = json_get(o, STR("cells"));
    const struct json *sheets = json_get(o, STR("worksheets"));

    if (!cells && sheets && sheets->type == JSON_ARRAY && sheets->n)
        cells = json_get(sheets->first, STR("cells"));
    return cells && cells->type == JSON_ARRAY ? cells : NULL;
}

static enum footnote_rc add_cells(struct notebook *n, const struct json *cells,
                                  struct footnote_err *err)
{
    struct format_reader *r = n->r;
    size_t number = 0;

    for (const struct json *c = cells->first; c; c = c->next) {
        r->chunker.locator = arena_printf(r->a, "cell %zu", ++number);
        TRY(arena_rc(r->a, err));
        TRY(add_cell(n, c, err));
        TRY(read_progress(r, r->bytes.n * number / cells->n, r->bytes.n, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc read_notebook(struct format_reader *r,
                               struct footnote_err *err)
{
    struct notebook n = {.r = r, .text = BUF(CELL_BYTES_MAX)};
    struct json *o;
    enum footnote_rc rc = json_read(r->a, r->bytes, &o, NULL);

    if (rc == FOOTNOTE_NOMEM)
        return arena_rc(r->a, err);
    const struct json *cells = rc == FOOTNOTE_OK ? cells_of(o) : NULL;
    if (!cells)
        return refuse(err, DAMAGED,
                      "the notebook cannot be read: it is damaged, or no "
                      "notebook");
    rc = add_cells(&n, cells, err);
    buf_free(&n.text);
    return rc;
}
