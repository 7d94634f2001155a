/* sheet.c - rows are gathered until they make a passage. */
#include "ingest/sheet/sheet.h"
#include "base/utf8.h"
#include "ingest/text/lines.h"
#include "store/document/reason.h"

#include <stdio.h>

enum {
    GAP_CELLS_MAX = 20, /* empty cells that are shown as such */
    NAME_BYTES_MAX = 100,
    HEAD_ROWS = 3 /* of a block: one of them may have the names */
};

void sheet_init(struct sheet *s, struct format_reader *r)
{
    *s = (struct sheet){.r = r,
                        .cell = BUF(CHARSET_BYTES_MAX),
                        .row = BUF(CHUNK_HELD_BYTES_MAX),
                        .head = BUF(CHUNK_HELD_BYTES_MAX),
                        .text = BUF(CHUNK_HELD_BYTES_MAX)};
}

void sheet_free(struct sheet *s)
{
    buf_free(&s->cell);
    buf_free(&s->row);
    buf_free(&s->head);
    buf_free(&s->text);
}

/* ---- Ranges ------------------------------------------------------------- */

static void widen(struct sheet_range *to, const struct sheet_range *by)
{
    if (by->first_row < to->first_row)
        to->first_row = by->first_row;
    if (by->last_row > to->last_row)
        to->last_row = by->last_row;
    if (by->first_column < to->first_column)
        to->first_column = by->first_column;
    if (by->last_column > to->last_column)
        to->last_column = by->last_column;
}

/* 0 is "A", 26 is "AA". */
static void add_cell_name(struct buf *b, int64_t row, int64_t column)
{
    char letters[8];
    size_t n = sizeof(letters);

    for (column++; column > 0 && n; column = (column - 1) / 26)
        letters[--n] = (char)('A' + (column - 1) % 26);
    buf_add(b, (struct str){letters + n, sizeof(letters) - n});
    buf_add_i64(b, row + 1);
}

static void add_locator(struct buf *b, struct str name,
                        const struct sheet_range *at)
{
    if (name.n) {
        buf_add(b, name);
        buf_add_c(b, '!');
    }
    add_cell_name(b, at->first_row, at->first_column);
    if (at->first_row == at->last_row && at->first_column == at->last_column)
        return;
    buf_add_c(b, ':');
    add_cell_name(b, at->last_row, at->last_column);
}

/* ---- Out ---------------------------------------------------------------- */

static enum footnote_rc send_text(struct sheet *s, struct footnote_err *err)
{
    struct buf locator = BUF(SOURCE_ID_BYTES_MAX);
    struct passage p = {.heading = s->name, .text = buf_str(&s->text)};

    TRY(buf_rc(&s->text, err));
    if (p.text.n == 0)
        return FOOTNOTE_OK;
    add_locator(&locator, s->name, &s->text_at);
    p.locator = buf_str(&locator);
    enum footnote_rc rc = buf_rc(&locator, err);
    if (rc == FOOTNOTE_OK)
        rc = chunk_emit(&s->r->chunker, p, err);
    buf_free(&locator);
    buf_reset(&s->text);
    s->words = 0;
    return rc;
}

/* A row of names, which the passages below repeat. */
static bool is_head(const struct sheet *s)
{
    return s->names && s->cells_n > 1 && s->row.n <= SHEET_HEAD_BYTES &&
           s->block_rows < HEAD_ROWS;
}

/* A block that begins without names of its own goes on with those above it, if
 * they reach over it. */
static void begin_block(struct sheet *s)
{
    s->block_rows = 0;
    if (s->head.n &&
        (is_head(s) || s->row_at.first_column < s->head_at.first_column ||
         s->row_at.last_column > s->head_at.last_column))
        buf_reset(&s->head);
}

static void add_row(struct sheet *s)
{
    bool head = s->head.n == 0 && is_head(s);

    if (s->text.n == 0) {
        s->text_at = s->row_at;
        if (s->head.n) {
            buf_add(&s->text, buf_str(&s->head));
            buf_add_c(&s->text, '\n');
        }
    } else {
        widen(&s->text_at, &s->row_at);
        buf_add_c(&s->text, '\n');
    }
    buf_add(&s->text, buf_str(&s->row));
    s->words += chunk_words(buf_str(&s->row));
    if (!head)
        return;
    s->head_at = s->row_at;
    buf_add(&s->head, buf_str(&s->row));
}

/* Ends the row, or the part of it that fits into a passage. */
static enum footnote_rc end_row(struct sheet *s, struct footnote_err *err)
{
    lines_trim_end(&s->row);
    TRY(buf_rc(&s->row, err));
    if (s->row.n == 0)
        return FOOTNOTE_OK;
    if (s->last_row >= 0 && s->row_at.first_row > s->last_row + 1) {
        TRY(send_text(s, err));
        begin_block(s);
    }
    if (s->text.n + s->row.n > (size_t)2 * SHEET_ROW_BYTES)
        TRY(send_text(s, err));
    add_row(s);
    s->block_rows++;
    s->last_row = s->row_at.last_row;
    buf_reset(&s->row);
    s->cells_n = 0;
    s->names = true;
    return s->words >= CHUNK_WORDS ? send_text(s, err) : buf_rc(&s->text, err);
}

/* ---- In ----------------------------------------------------------------- */

enum footnote_rc sheet_begin(struct sheet *s, struct str name,
                             struct footnote_err *err)
{
    TRY(sheet_end(s, err));
    buf_reset(&s->cell);
    clean_add(&s->clean, &s->cell, name);
    lines_squeeze(&s->cell);
    name = buf_str(&s->cell);
    if (name.n > SHEET_NAME_BYTES)
        name.n = utf8_whole((struct str){name.p, SHEET_NAME_BYTES});
    s->name = name.n ? arena_str(s->r->a, name) : STR_NONE;
    s->last_row = -1;
    s->block_rows = 0;
    s->names = true;
    buf_reset(&s->head);
    return arena_rc(s->r->a, err);
}

/* Digits and the signs that numbers, dates and prices have. */
static bool is_number(struct str s)
{
    bool digit = false;

    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        digit |= c >= '0' && c <= '9';
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            return false;
    }
    return digit;
}

/* A part of a cell that fits into a row. */
static void add_part(struct sheet *s, int64_t row, int64_t column,
                     struct str part)
{
    struct sheet_range at = {row, row, column, column};

    if (s->row.n == 0) {
        s->row_at = at;
    } else {
        int64_t gap = column - s->row_at.last_column;
        for (int64_t i = 0; i < gap && i < GAP_CELLS_MAX; i++)
            buf_add(&s->row, i ? STR("| ") : STR(" | "));
        widen(&s->row_at, &at);
    }
    buf_add(&s->row, part);
}

enum footnote_rc sheet_cell(struct sheet *s, int64_t row, int64_t column,
                            struct str text, struct footnote_err *err)
{
    if (row < 0 || row > SHEET_ROWS_MAX || column < 0 ||
        column > SHEET_COLUMNS_MAX || row < s->last_row ||
        (s->row.n &&
         (row < s->row_at.last_row ||
          (row == s->row_at.last_row && column <= s->row_at.last_column))))
        return refuse(err, DAMAGED,
                      "the cells of a sheet are not in their order: the file "
                      "is damaged");
    buf_reset(&s->cell);
    clean_add(&s->clean, &s->cell, text);
    lines_squeeze(&s->cell);
    TRY(buf_rc(&s->cell, err));
    text = buf_str(&s->cell);
    if (text.n == 0)
        return FOOTNOTE_OK;
    if (s->row.n && s->row_at.last_row != row)
        TRY(end_row(s, err));
    if (s->row.n && s->row.n + text.n > SHEET_ROW_BYTES)
        TRY(end_row(s, err));
    s->names &= text.n <= NAME_BYTES_MAX && !is_number(text);
    s->cells_n++;
    while (text.n > SHEET_ROW_BYTES) {
        size_t n = utf8_whole((struct str){text.p, SHEET_ROW_BYTES});

        add_part(s, row, column, (struct str){text.p, n});
        TRY(end_row(s, err));
        text = str_skip(text, n);
    }
    add_part(s, row, column, text);
    return FOOTNOTE_OK;
}

enum footnote_rc sheet_end(struct sheet *s, struct footnote_err *err)
{
    TRY(end_row(s, err));
    TRY(send_text(s, err));
    s->r->facts->hidden_text |= s->clean.hidden;
    return FOOTNOTE_OK;
}

void sheet_warn(struct format_reader *r, int64_t hidden)
{
    if (hidden > 0)
        snprintf(r->facts->warning, sizeof(r->facts->warning),
                 "%lld hidden sheet%s left out", (long long)hidden,
                 hidden == 1 ? " was" : "s were");
}
