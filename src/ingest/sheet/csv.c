/* csv.c - tables as text: commas, semicolons, tabs or bars between cells. */
#include "ingest/sheet/sheet.h"
#include "ingest/text/charset.h"

enum { SAMPLE_BYTES = 16 * 1024, PROGRESS_ROWS = 1000 };

/* The sign that parts most lines of the sample, outside of quotes. */
static char find_separator(struct str s)
{
    static const char signs[] = {',', ';', '\t', '|'};
    size_t n[sizeof(signs)] = {0}, best = 0;
    bool quoted = false;

    for (size_t i = 0; i < s.n && i < SAMPLE_BYTES; i++) {
        quoted ^= s.p[i] == '"';
        for (size_t k = 0; k < sizeof(signs) && !quoted; k++)
            n[k] += s.p[i] == signs[k];
    }
    /* A comma is also part of numbers and sentences; a tab is not. */
    for (size_t k = 1; k < sizeof(signs); k++)
        if (n[k] > n[best] || (signs[k] == '\t' && n[k] && 2 * n[k] > n[best]))
            best = k;
    return signs[best];
}

struct csv {
    struct str s;
    size_t at;
    char separator;
};

/* The next cell, unquoted into `cell`; true when it ends its row. */
static bool next_cell(struct csv *c, struct buf *cell)
{
    bool quoted = c->at < c->s.n && c->s.p[c->at] == '"';

    buf_reset(cell);
    c->at += quoted;
    while (c->at < c->s.n) {
        char x = c->s.p[c->at++];

        if (quoted && x == '"') {
            if (c->at < c->s.n && c->s.p[c->at] == '"')
                buf_add_c(cell, c->s.p[c->at++]);
            else
                quoted = false;
        } else if (!quoted && x == c->separator) {
            return false;
        } else if (!quoted && x == '\n') {
            return true;
        } else {
            buf_add_c(cell, x);
        }
    }
    return true;
}

static enum footnote_rc read_rows(struct format_reader *r, struct sheet *s,
                                  struct csv *c, struct buf *cell,
                                  struct footnote_err *err)
{
    TRY(sheet_begin(s, STR_NONE, err));
    for (int64_t row = 0, column = 0; c->at < c->s.n;) {
        bool last = next_cell(c, cell);

        TRY(buf_rc(cell, err));
        if (cell->n)
            TRY(sheet_cell(s, row, column, buf_str(cell), err));
        column = last ? 0 : column + 1;
        row += last;
        /* Decoding changes how many bytes there are. */
        if (last && row % PROGRESS_ROWS == 0)
            TRY(read_progress(r, r->bytes.n * c->at / c->s.n, r->bytes.n, err));
    }
    return sheet_end(s, err);
}

enum footnote_rc read_csv(struct format_reader *r, struct footnote_err *err)
{
    struct buf cell = BUF(CHARSET_BYTES_MAX);
    struct sheet s;
    struct str text;

    TRY(charset_decode(r->a, r->bytes, r->declared, &text,
                       &r->facts->hidden_text, &r->facts->encoding, err));
    struct csv c = {.s = text, .separator = find_separator(text)};
    sheet_init(&s, r);
    enum footnote_rc rc = read_rows(r, &s, &c, &cell, err);
    sheet_free(&s);
    buf_free(&cell);
    return rc;
}
