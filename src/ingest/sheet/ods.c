/* ods.c - OpenDocument spreadsheets: the cells as they are shown. */
#include "ingest/format/odf.h"
#include "ingest/sheet/sheet.h"
#include "ingest/text/lines.h"

#include <stdio.h>

enum {
    REPEATS_MAX = 100, /* a file of a few bytes can claim a million rows */
    ROW_CELLS_MAX = 20 * 1000,
    ROW_ARENA_MAX = 64 * 1024 * 1024
};

struct held_cell {
    int64_t column;
    struct str text;
};

struct ods {
    struct format_reader *r;
    struct odf odf;
    struct sheet sheet;
    struct arena row_arena;
    struct held_cell *cells; /* of the row */
    size_t cells_n;
    struct buf text;
    struct clean clean;
    int depth, skip_from; /* skip_from 0: nothing is being dropped */
    int tables, paragraph;
    bool in_cell;
    int64_t row, column, row_repeats, cell_repeats;
    int64_t hidden_n; /* sheets */
};

static enum footnote_rc start_table(struct ods *d, const struct xml_tag *t,
                                    struct footnote_err *err)
{
    if (odf_is_hidden(&d->odf, xml_attribute(t, "style-name"))) {
        d->hidden_n++;
        d->skip_from = d->depth;
        return FOOTNOTE_OK;
    }
    if (d->tables++)
        return FOOTNOTE_OK;
    d->row = 0;
    return sheet_begin(&d->sheet, xml_attribute(t, "name"), err);
}

static void start_row(struct ods *d, const struct xml_tag *t)
{
    struct str visible = xml_attribute(t, "visibility");

    arena_reset(&d->row_arena);
    d->cells_n = 0;
    d->column = 0;
    d->row_repeats = odf_number(t, "number-rows-repeated", 1);
    if (str_eq(visible, STR("collapse")) || str_eq(visible, STR("filter"))) {
        d->clean.hidden = true;
        d->skip_from = d->depth;
        d->row += d->row_repeats;
    }
}

static enum footnote_rc end_row(struct ods *d, struct footnote_err *err)
{
    int64_t n = d->row_repeats < REPEATS_MAX ? d->row_repeats : REPEATS_MAX;

    TRY(arena_rc(&d->row_arena, err));
    for (int64_t k = 0; d->cells_n && k < n; k++)
        for (size_t i = 0; i < d->cells_n; i++)
            TRY(sheet_cell(&d->sheet, d->row + k, d->cells[i].column,
                           d->cells[i].text, err));
    d->row += d->row_repeats;
    if (d->row > SHEET_ROWS_MAX)
        d->row = SHEET_ROWS_MAX;
    return FOOTNOTE_OK;
}

static void end_cell(struct ods *d)
{
    struct str text = lines_trim(buf_str(&d->text));
    int64_t n = d->cell_repeats < REPEATS_MAX ? d->cell_repeats : REPEATS_MAX;
    struct str kept = text.n ? arena_str(&d->row_arena, text) : STR_NONE;

    for (int64_t i = 0; text.n && i < n; i++)
        if (d->cells_n < ROW_CELLS_MAX && d->column + i < SHEET_COLUMNS_MAX)
            d->cells[d->cells_n++] = (struct held_cell){d->column + i, kept};
    d->column += d->cell_repeats;
    if (d->column > SHEET_COLUMNS_MAX)
        d->column = SHEET_COLUMNS_MAX;
    buf_reset(&d->text);
    d->in_cell = false;
}

static enum footnote_rc on_start(void *arg, const struct xml_tag *t,
                                 struct footnote_err *err)
{
    struct ods *d = arg;
    struct str name = t->name;

    d->depth++;
    if (d->skip_from)
        return FOOTNOTE_OK;
    if (odf_is_unread(name)) {
        d->skip_from = d->depth;
    } else if (str_eq(name, STR("table"))) {
        return start_table(d, t, err);
    } else if (d->tables != 1) {
        return FOOTNOTE_OK;
    } else if (str_eq(name, STR("table-row"))) {
        start_row(d, t);
    } else if (str_eq(name, STR("table-cell")) ||
               str_eq(name, STR("covered-table-cell"))) {
        buf_reset(&d->text);
        d->cell_repeats = odf_number(t, "number-columns-repeated", 1);
        d->in_cell = true;
    } else if (str_eq(name, STR("p")) && d->in_cell) {
        d->paragraph++;
        if (d->text.n)
            buf_add_c(&d->text, ' ');
    } else if (d->paragraph) {
        (void)odf_sign(t, &d->text);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc on_end(void *arg, struct str name,
                               struct footnote_err *err)
{
    struct ods *d = arg;
    int depth = d->depth--;

    if (d->skip_from) {
        if (depth == d->skip_from)
            d->skip_from = 0;
        return FOOTNOTE_OK;
    }
    if (str_eq(name, STR("table"))) {
        d->tables -= d->tables > 0;
    } else if (d->tables != 1) {
        return FOOTNOTE_OK;
    } else if (str_eq(name, STR("p"))) {
        d->paragraph -= d->paragraph > 0;
    } else if (str_eq(name, STR("table-row"))) {
        return end_row(d, err);
    } else if (d->in_cell && (str_eq(name, STR("table-cell")) ||
                              str_eq(name, STR("covered-table-cell")))) {
        end_cell(d);
    }
    return buf_rc(&d->text, err);
}

static enum footnote_rc on_text(void *arg, struct str s,
                                struct footnote_err *err)
{
    struct ods *d = arg;

    (void)err;
    if (d->paragraph && !d->skip_from)
        clean_add(&d->clean, &d->text, s);
    return FOOTNOTE_OK;
}

enum footnote_rc read_ods(struct format_reader *r, struct footnote_err *err)
{
    static const struct xml_events events = {on_start, on_end, on_text};
    struct ods d = {.r = r,
                    .row_arena = ARENA(ROW_ARENA_MAX),
                    .text = BUF(ZIP_UNPACKED_MAX)};
    enum footnote_rc rc = odf_open(r, &d.odf, err);

    sheet_init(&d.sheet, r);
    d.cells = arena_many(r->a, ROW_CELLS_MAX, struct held_cell);
    if (rc == FOOTNOTE_OK)
        rc = arena_rc(r->a, err);
    if (rc == FOOTNOTE_OK)
        rc = xml_read(zip_get(&d.odf.zip, ODF_CONTENT), &events, &d, err);
    if (rc == FOOTNOTE_OK)
        rc = sheet_end(&d.sheet, err);
    sheet_free(&d.sheet);
    arena_free(&d.row_arena);
    buf_free(&d.text);
    r->facts->hidden_text |= d.clean.hidden;
    sheet_warn(r, d.hidden_n);
    return rc;
}
