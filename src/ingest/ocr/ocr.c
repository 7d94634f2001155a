/* ocr.c - runs tesseract, and turns its table into what poppler prints. */
#include "ingest/ocr/ocr.h"
#include "base/utf8.h"
#include "ingest/jail/jail.h"
#include "ingest/text/lines.h"
#include "store/document/reason.h"

#include <stdio.h>

enum { MB = 1024 * 1024, PICTURE_DPI = 150 };

bool ocr_is_there(void)
{
    char path[JAIL_PATH_BYTES];

    return jail_find("tesseract", path);
}

/* ---- The table ---------------------------------------------------------- */

/* level page block par line word left top width height conf text */
enum column { LEVEL, PAGE, BLOCK, PAR, LINE, WORD, LEFT, TOP, WIDTH, HEIGHT };
enum { NUMBERS = 10, LEVEL_PAGE = 1, LEVEL_BLOCK, LEVEL_LINE = 4, LEVEL_WORD };

struct table {
    struct buf *out;
    struct ocr_sure *sure;
    double scale; /* points of a pixel */
    bool in_page;
    int64_t top, height; /* of the line: words of it are as tall */
};

static struct str next_column(struct str *row)
{
    size_t n = str_find(*row, '\t');
    struct str column = {row->p, n};

    *row = str_skip(*row, n < row->n ? n + 1 : n);
    return column;
}

/* "96.5" is 96. */
static int64_t whole_part(struct str s)
{
    int64_t v;

    s.n = str_find(s, '.');
    return str_i64(s, &v) ? v : -1;
}

static void add_escaped(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        if (c == '<')
            buf_add(out, STR("&lt;"));
        else if (c == '>')
            buf_add(out, STR("&gt;"));
        else if (c == '&')
            buf_add(out, STR("&amp;"));
        else
            buf_add_c(out, c);
    }
}

static void add_word(struct table *t, const int64_t *n, int64_t sure,
                     struct str text)
{
    text = lines_trim(text);
    if (text.n == 0 || !utf8_valid(text) || sure < OCR_SURE_MIN || !t->in_page)
        return;
    t->sure->words++;
    t->sure->sum += sure;
    buf_printf(t->out,
               "<word xMin=\"%.3f\" yMin=\"%.3f\" xMax=\"%.3f\" "
               "yMax=\"%.3f\">",
               (double)n[LEFT] * t->scale, (double)t->top * t->scale,
               (double)(n[LEFT] + n[WIDTH]) * t->scale,
               (double)(t->top + t->height) * t->scale);
    add_escaped(t->out, text);
    buf_add(t->out, STR("</word>\n"));
}

static void end_page(struct table *t)
{
    if (t->in_page)
        buf_add(t->out, STR("</page>\n"));
    t->in_page = false;
}

static void add_row(struct table *t, struct str row)
{
    int64_t n[NUMBERS];

    for (int i = 0; i < NUMBERS; i++)
        if (!str_i64(next_column(&row), &n[i]) || n[i] < 0 || n[i] > INT32_MAX)
            return;
    int64_t sure = whole_part(next_column(&row));
    if (n[LEVEL] == LEVEL_PAGE) {
        end_page(t);
        buf_printf(t->out, "<page width=\"%.3f\" height=\"%.3f\">\n",
                   (double)n[WIDTH] * t->scale, (double)n[HEIGHT] * t->scale);
        t->in_page = true;
    } else if (n[LEVEL] == LEVEL_BLOCK) {
        buf_add(t->out, STR("<block >\n"));
    } else if (n[LEVEL] == LEVEL_LINE) {
        buf_add(t->out, STR("<line >\n"));
        t->top = n[TOP];
        t->height = n[HEIGHT];
    } else if (n[LEVEL] == LEVEL_WORD) {
        add_word(t, n, sure, row);
    }
}

/* ---- The program -------------------------------------------------------- */

static enum footnote_rc collect(struct str bytes, void *arg,
                                struct footnote_err *err)
{
    buf_add(arg, bytes);
    return buf_rc(arg, err);
}

static enum footnote_rc explain_end(const struct jail_end *end,
                                    const char *languages,
                                    struct footnote_err *err)
{
    switch (end->how) {
    case JAIL_EXITED:
        if (end->status == 0)
            return FOOTNOTE_OK;
        if (strstr(end->error_output, "loading language"))
            return err_set(err, FOOTNOTE_INTERNAL,
                           "tesseract has no data for \"%s\" "
                           "(--ocr-languages)",
                           languages);
        break;
    case JAIL_CPU:
    case JAIL_TIME:
        return refuse(err, TOO_SLOW,
                      "the text of a picture is not found within %d seconds of "
                      "a processor",
                      OCR_CPU_S);
    case JAIL_OUTPUT:
        return refuse(err, TOO_MUCH_TEXT,
                      "a picture has more text than a page can have");
    case JAIL_DIED: break;
    }
    return refuse(err, DAMAGED,
                  "the picture cannot be opened: it is damaged, or too large");
}

enum footnote_rc ocr_read(int picture, int dpi, const char *languages,
                          struct buf *printed, struct ocr_sure *sure,
                          struct footnote_err *err)
{
    AUTO(buf_free) struct buf table = BUF(OCR_OUTPUT_BYTES);
    char path[JAIL_PATH_BYTES], density[16];
    struct jail_end end;
    struct str rest, row;

    if (!jail_find("tesseract", path))
        return refuse(err, SCANNED, "%s", OCR_MISSING);
    snprintf(density, sizeof(density), "%d", dpi ? dpi : PICTURE_DPI);
    const char *const argv[] = {path,      "stdin", "stdout", "-l",
                                languages, "--dpi", density,  "--psm",
                                "3",       "tsv",   NULL};
    const struct jail_job job = {
        .argv = argv,
        .input = picture,
        .setting = "OMP_THREAD_LIMIT=1", /* the jail forbids threads */
        .wall_ms_max = OCR_WALL_MS,
        .cpu_s_max = OCR_CPU_S,
        .memory_bytes_max = (size_t)OCR_MEMORY_MB * MB,
        .output_bytes_max = OCR_OUTPUT_BYTES,
        .output = collect,
        .arg = &table,
    };
    TRY(jail_run(&job, &end, err));
    TRY(explain_end(&end, languages, err));
    struct table t = {.out = printed,
                      .sure = sure,
                      .scale = 72.0 / (dpi ? dpi : PICTURE_DPI)};
    rest = buf_str(&table);
    while (lines_next(&rest, &row))
        add_row(&t, row);
    end_page(&t);
    return buf_rc(printed, err);
}
