/* xlsx.c - Excel: the cells of its sheets as they are shown.
 *
 * The workbook names its sheets and links them; texts are kept once, in a list
 * of their own; of a formula its last result is read. */
#include "ingest/format/office.h"
#include "ingest/sheet/sheet.h"
#include "ingest/sheet/xlsx_number.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"

enum { SHEETS_MAX = 5000, STYLES_MAX = 65536, CODES_MAX = 5000 };

struct code { /* a format that the file writes out */
    int64_t id;
    enum number_kind kind;
};

struct xlsx {
    struct format_reader *r;
    struct zip zip;
    struct office_links links;
    struct sheet sheet;
    struct str *shared; /* texts */
    size_t shared_n, shared_room;
    struct code *codes;
    size_t codes_n;
    unsigned char *kinds; /* of styles: enum number_kind */
    size_t kinds_n;
    struct str *names, *parts; /* of sheets that are shown */
    size_t sheets_n;
    int64_t hidden_n;
    bool late, hidden_cells;
    /* Of the part that is read: */
    struct buf text;
    bool in_text, in_phonetic, in_formats, skip_row;
    int64_t row, column;
    struct str type; /* of the open cell; a copy */
    char type_bytes[16];
    int64_t style;
};

static enum footnote_rc keep_text(void *arg, struct str s,
                                  struct footnote_err *err)
{
    struct xlsx *x = arg;

    if (x->in_text && !x->in_phonetic)
        buf_add(&x->text, s);
    return buf_rc(&x->text, err);
}

static int64_t number(const struct xml_tag *t, const char *name,
                      int64_t otherwise)
{
    int64_t n;

    return str_i64(xml_attribute(t, name), &n) && n >= 0 ? n : otherwise;
}

static bool is_on(struct str value)
{
    return str_eq(value, STR("1")) || str_eq(value, STR("true"));
}

/* ---- Texts -------------------------------------------------------------- */

static enum footnote_rc add_shared(struct xlsx *x, struct footnote_err *err)
{
    if (x->shared_n == x->shared_room) {
        size_t room = x->shared_room ? 2 * x->shared_room : 1024;
        struct str *more = arena_many(x->r->a, room, struct str);

        if (!more)
            return arena_rc(x->r->a, err);
        if (x->shared_n)
            memcpy(more, x->shared, x->shared_n * sizeof(*more));
        x->shared = more;
        x->shared_room = room;
    }
    x->shared[x->shared_n++] = arena_str(x->r->a, buf_str(&x->text));
    buf_reset(&x->text);
    return arena_rc(x->r->a, err);
}

static enum footnote_rc shared_start(void *arg, const struct xml_tag *t,
                                     struct footnote_err *err)
{
    struct xlsx *x = arg;

    (void)err;
    if (str_eq(t->name, STR("si")))
        buf_reset(&x->text);
    else if (str_eq(t->name, STR("t")))
        x->in_text = true;
    else if (str_eq(t->name, STR("rPh"))) /* how it is said */
        x->in_phonetic = true;
    return FOOTNOTE_OK;
}

static enum footnote_rc shared_end(void *arg, struct str name,
                                   struct footnote_err *err)
{
    struct xlsx *x = arg;

    if (str_eq(name, STR("t")))
        x->in_text = false;
    else if (str_eq(name, STR("rPh")))
        x->in_phonetic = false;
    else if (str_eq(name, STR("si")))
        return add_shared(x, err);
    return FOOTNOTE_OK;
}

/* ---- Styles ------------------------------------------------------------- */

static enum number_kind kind_by_id(const struct xlsx *x, int64_t id)
{
    for (size_t i = 0; i < x->codes_n; i++)
        if (x->codes[i].id == id)
            return x->codes[i].kind;
    return number_kind_of(id);
}

static enum footnote_rc style_start(void *arg, const struct xml_tag *t,
                                    struct footnote_err *err)
{
    struct xlsx *x = arg;
    int64_t id = number(t, "numFmtId", 0);

    (void)err;
    if (str_eq(t->name, STR("numFmt")) && x->codes_n < CODES_MAX)
        x->codes[x->codes_n++] = (struct code){
            id, number_kind_of_code(xml_attribute(t, "formatCode"))};
    else if (str_eq(t->name, STR("cellXfs")))
        x->in_formats = true;
    else if (str_eq(t->name, STR("xf")) && x->in_formats &&
             x->kinds_n < STYLES_MAX)
        x->kinds[x->kinds_n++] = (unsigned char)kind_by_id(x, id);
    return FOOTNOTE_OK;
}

static enum footnote_rc style_end(void *arg, struct str name,
                                  struct footnote_err *err)
{
    struct xlsx *x = arg;

    (void)err;
    if (str_eq(name, STR("cellXfs")))
        x->in_formats = false;
    return FOOTNOTE_OK;
}

/* ---- The list of sheets ------------------------------------------------- */

static enum footnote_rc book_start(void *arg, const struct xml_tag *t,
                                   struct footnote_err *err)
{
    struct xlsx *x = arg;
    struct str state = xml_attribute(t, "state");

    if (str_eq(t->name, STR("workbookPr")))
        x->late = is_on(xml_attribute(t, "date1904"));
    if (!str_eq(t->name, STR("sheet")))
        return FOOTNOTE_OK;
    if (str_eq(state, STR("hidden")) || str_eq(state, STR("veryHidden"))) {
        x->hidden_n++;
        return FOOTNOTE_OK;
    }
    if (x->sheets_n == SHEETS_MAX)
        return refuse(err, TOO_MANY_PARTS, "it has more than %d sheets",
                      SHEETS_MAX);
    x->names[x->sheets_n] = arena_str(x->r->a, xml_attribute(t, "name"));
    x->parts[x->sheets_n++] = office_by_id(&x->links, xml_linked(t, "id"));
    return arena_rc(x->r->a, err);
}

/* ---- Cells -------------------------------------------------------------- */

/* "B12": column 1, row 11.  A cell without its place follows the one before. */
static void place_cell(struct xlsx *x, struct str name)
{
    int64_t column = 0, row;
    size_t i = 0;

    for (; i < name.n && name.p[i] >= 'A' && name.p[i] <= 'Z' && i < 4; i++)
        column = column * 26 + (name.p[i] - 'A' + 1);
    if (column && str_i64(str_skip(name, i), &row) && row >= 1) {
        x->column = column - 1;
        x->row = row - 1;
    } else {
        x->column++;
    }
}

static void start_cell(struct xlsx *x, const struct xml_tag *t)
{
    struct str type = xml_attribute(t, "t");

    place_cell(x, xml_attribute(t, "r"));
    x->style = number(t, "s", 0);
    x->type = (struct str){x->type_bytes, 0};
    if (type.n < sizeof(x->type_bytes)) {
        if (type.n)
            memcpy(x->type_bytes, type.p, type.n);
        x->type.n = type.n;
    }
    buf_reset(&x->text);
}

static enum footnote_rc cell_start(void *arg, const struct xml_tag *t,
                                   struct footnote_err *err)
{
    struct xlsx *x = arg;

    (void)err;
    if (str_eq(t->name, STR("row"))) {
        x->row = number(t, "r", x->row + 2) - 1;
        x->column = -1;
        x->skip_row = is_on(xml_attribute(t, "hidden"));
    } else if (str_eq(t->name, STR("c"))) {
        start_cell(x, t);
    } else if (str_eq(t->name, STR("v")) || str_eq(t->name, STR("t"))) {
        x->in_text = true;
    } else if (str_eq(t->name, STR("rPh"))) {
        x->in_phonetic = true;
    }
    return FOOTNOTE_OK;
}

/* What the cell shows; the number of a text becomes the text. */
static struct str shown(struct xlsx *x, struct buf *out)
{
    struct str v = lines_trim(buf_str(&x->text));
    int64_t i;

    if (str_eq(x->type, STR("s")))
        return str_i64(v, &i) && i >= 0 && (size_t)i < x->shared_n
                   ? x->shared[i]
                   : STR_NONE;
    if (str_eq(x->type, STR("b")))
        return is_on(v) ? STR("TRUE") : STR("FALSE");
    if (x->type.n && !str_eq(x->type, STR("n")))
        return v; /* a text of its own, an error, a date */
    number_show(out, v,
                x->style < (int64_t)x->kinds_n
                    ? (enum number_kind)x->kinds[x->style]
                    : NUMBER_PLAIN,
                x->late);
    return buf_str(out);
}

static enum footnote_rc end_cell(struct xlsx *x, struct footnote_err *err)
{
    struct buf out = BUF(ZIP_UNPACKED_MAX);
    enum footnote_rc rc = FOOTNOTE_OK;

    if (x->skip_row)
        x->hidden_cells |= x->text.n > 0;
    else if (x->text.n)
        rc = sheet_cell(&x->sheet, x->row, x->column, shown(x, &out), err);
    buf_free(&out);
    return rc;
}

static enum footnote_rc cell_end(void *arg, struct str name,
                                 struct footnote_err *err)
{
    struct xlsx *x = arg;

    if (str_eq(name, STR("v")) || str_eq(name, STR("t")))
        x->in_text = false;
    else if (str_eq(name, STR("rPh")))
        x->in_phonetic = false;
    else if (str_eq(name, STR("c")))
        return end_cell(x, err);
    return FOOTNOTE_OK;
}

/* ---- Together ----------------------------------------------------------- */

static bool wanted(struct str name)
{
    return str_starts(name, STR("xl/worksheets/")) ||
           str_starts(name, STR("xl/workbook")) ||
           str_starts(name, STR("xl/_rels/")) ||
           str_starts(name, STR("xl/sharedStrings")) ||
           str_starts(name, STR("xl/styles")) ||
           str_starts(name, STR("_rels/")) || str_eq(name, OFFICE_CORE);
}

static enum footnote_rc read_part(struct xlsx *x, struct str name,
                                  const struct xml_events *events,
                                  struct footnote_err *err)
{
    struct str bytes = zip_get(&x->zip, name);

    x->in_text = x->in_phonetic = x->skip_row = false;
    x->row = x->column = -1;
    return bytes.p ? xml_read(bytes, events, x, err) : FOOTNOTE_OK;
}

static enum footnote_rc open_book(struct xlsx *x, struct footnote_err *err)
{
    static const struct xml_events shared = {shared_start, shared_end,
                                             keep_text},
                                   styles = {style_start, style_end, NULL},
                                   book = {.start = book_start};
    struct arena *a = x->r->a;
    struct str part;

    x->codes = arena_many(a, CODES_MAX, struct code);
    x->kinds = arena_many(a, STYLES_MAX, unsigned char);
    x->names = arena_many(a, SHEETS_MAX, struct str);
    x->parts = arena_many(a, SHEETS_MAX, struct str);
    TRY(arena_rc(a, err));
    TRY(zip_read(a, x->r->bytes, wanted, &x->zip, err));
    TRY(office_main(a, &x->zip, STR("xl/workbook.xml"), &part, err));
    TRY(office_facts(x->r, &x->zip, OFFICE_CORE, err));
    TRY(office_links(a, &x->zip, part, &x->links, err));
    TRY(read_part(x, part, &book, err));
    TRY(read_part(x, office_by_type(&x->links, STR("styles")), &styles, err));
    return read_part(x, office_by_type(&x->links, STR("sharedStrings")),
                     &shared, err);
}

static enum footnote_rc read_sheets(struct xlsx *x, struct footnote_err *err)
{
    static const struct xml_events cells = {cell_start, cell_end, keep_text};

    TRY(open_book(x, err));
    for (size_t i = 0; i < x->sheets_n; i++) {
        TRY(sheet_begin(&x->sheet, x->names[i], err));
        TRY(read_part(x, x->parts[i], &cells, err));
        TRY(read_progress(x->r, (i + 1) * x->r->bytes.n / x->sheets_n,
                          x->r->bytes.n, err));
    }
    TRY(sheet_end(&x->sheet, err));
    x->r->facts->hidden_text |= x->hidden_cells;
    sheet_warn(x->r, x->hidden_n);
    return FOOTNOTE_OK;
}

enum footnote_rc read_xlsx(struct format_reader *r, struct footnote_err *err)
{
    struct xlsx x = {.r = r, .text = BUF(ZIP_UNPACKED_MAX)};

    sheet_init(&x.sheet, r);
    enum footnote_rc rc = read_sheets(&x, err);
    sheet_free(&x.sheet);
    buf_free(&x.text);
    return rc;
}
