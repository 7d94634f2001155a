/* sheet.h - the cells of a table become passages, with the range they are from.
 *
 *     sheet_begin -> sheet_cell* -> sheet_begin -> ... -> sheet_end
 *
 * A passage has whole rows, about as many words as prose has, and below the
 * first one of a block the row of names is repeated.  Its locator is
 * "Prices!B2:D9".  One thread. */
#ifndef INGEST_SHEET_SHEET_H
#define INGEST_SHEET_SHEET_H
#include "ingest/format/reader.h"

enum {
    SHEET_ROW_BYTES = 4096,  /* a longer row is cut between cells */
    SHEET_HEAD_BYTES = 1024, /* a longer row is not repeated */
    SHEET_NAME_BYTES = 120,  /* of its name in a locator */
    SHEET_ROWS_MAX = 100 * 1000 * 1000,
    SHEET_COLUMNS_MAX = 100 * 1000
};

struct sheet_range {
    int64_t first_row, last_row, first_column, last_column; /* from 0 */
};

struct sheet { /* private */
    struct format_reader *r;
    struct str name;
    struct buf cell, row, head, text;
    struct clean clean;
    struct sheet_range row_at, text_at, head_at;
    int64_t cells_n; /* of the row */
    bool names;      /* all of them could be names of columns */
    int block_rows;  /* since the last empty row */
    int64_t last_row;
    size_t words;
};

void sheet_init(struct sheet *s, struct format_reader *r);
void sheet_free(struct sheet *s); /* fit for AUTO */

/* `name` may be absent. */
enum footnote_rc sheet_begin(struct sheet *s, struct str name,
                             struct footnote_err *err);
/* Row by row, each from left to right, both from 0; empty cells are left out.
 * DAMAGED when they go back.  `text` is valid UTF-8. */
enum footnote_rc sheet_cell(struct sheet *s, int64_t row, int64_t column,
                            struct str text, struct footnote_err *err);
enum footnote_rc sheet_end(struct sheet *s, struct footnote_err *err);

/* Says in r->facts how many sheets are not shown, and were left out. */
void sheet_warn(struct format_reader *r, int64_t hidden);

#endif
