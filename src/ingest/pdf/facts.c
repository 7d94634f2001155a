/* facts.c - what a PDF says about itself, from what pdfinfo prints.
 *
 *     Title:           Sound and waves
 *     Pages:           7
 *     Page    1 size:  720 x 405 pts */
#include "base/number.h"
#include "base/utf8.h"
#include "ingest/pdf/pdf.h"
#include "ingest/pdf/poppler.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

enum { INFO_BYTES_MAX = 1024 * 1024 };

/* Titles that programs fill in begin or end so, and count as none. */
static const char *const no_title_begins[] = {
    "microsoft word -",
    "microsoft powerpoint -",
    "powerpoint-",
    "powerpoint p",
    "untitled",
    "slide 1",
    "document1",
    "presentation",
    "about:",
    "http://",
    "https://",
    "file:",
    "no title",
    "unbenannt",
    "sin t\xc3\xadtulo",
    "sans titre",
    "print job",
    "latex with",
};
static const char *const no_title_ends[] = {
    ".pdf", ".doc", ".docx", ".ppt",  ".pptx", ".tex",  ".dvi",
    ".odp", ".odt", ".htm",  ".html", ".md",   ".indd", ".qxd",
    ".key", ".rtf", ".xls",  ".xlsx", ".svg",  ".txt",
};

static bool ends_with(struct str s, struct str tail)
{
    return s.n >= tail.n && lines_same(str_skip(s, s.n - tail.n), tail);
}

static bool is_title(struct str s)
{
    for (size_t i = 0; i < sizeof(no_title_begins) / sizeof(char *); i++)
        if (lines_begins(s, str_c(no_title_begins[i])))
            return false;
    for (size_t i = 0; i < sizeof(no_title_ends) / sizeof(char *); i++)
        if (ends_with(s, str_c(no_title_ends[i])))
            return false;
    return s.n > 1;
}

static struct str read_title(struct str s, struct arena *a)
{
    AUTO(buf_free) struct buf b = BUF(INFO_BYTES_MAX);
    struct clean clean = {0};

    if (!utf8_valid(s))
        return STR_NONE;
    clean_add(&clean, &b, s);
    struct str title = lines_trim(buf_str(&b));
    if (b.broken || !is_title(title))
        return STR_NONE;
    if (title.n > PDF_TITLE_BYTES_MAX)
        title.n = utf8_whole((struct str){title.p, PDF_TITLE_BYTES_MAX});
    return arena_str(a, title);
}

/* The number at the start of *s, which moves behind it; 0 when there is none.
 */
static double read_number(struct str *s)
{
    double v = 0;

    *s = lines_trim(*s);
    struct str word = {s->p, str_find(*s, ' ')};
    if (word.n == 0 || word.p[0] < '0' || word.p[0] > '9' ||
        !number_read(word, &v))
        return 0;
    *s = str_skip(*s, word.n);
    return v;
}

/* "Page    1 size: 720 x 405 pts" */
static void read_size(struct str line, struct pdf_facts *out)
{
    size_t colon = str_find(line, ':');

    if (colon < 5 || colon == line.n ||
        !ends_with((struct str){line.p, colon}, STR(" size")))
        return;
    struct str rest = str_skip(line, colon + 1);
    out->width = read_number(&rest);
    rest = lines_trim(rest);
    if (str_starts(rest, STR("x "))) {
        rest = str_skip(rest, 2);
        out->height = read_number(&rest);
    }
}

enum footnote_rc pdf_facts(int file, int64_t n, struct arena *a,
                           struct pdf_facts *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf said = BUF(INFO_BYTES_MAX);
    char page[POPPLER_NUMBER];
    const char *const argv[] = {
        "pdfinfo", "-enc", "UTF-8", "-f", poppler_number(n, page),
        "-l",      page,   "-",     NULL};
    struct str rest, line;

    *out = (struct pdf_facts){0};
    TRY(poppler_page(n, err));
    TRY(poppler_run(argv, file, poppler_collect, &said, err));
    rest = buf_str(&said);
    while (lines_next(&rest, &line)) {
        if (str_starts(line, STR("Title:")))
            out->title = read_title(str_skip(line, 6), a);
        else if (str_starts(line, STR("Pages:")))
            str_i64(lines_trim(str_skip(line, 6)), &out->pages);
        else if (str_starts(line, STR("Page ")))
            read_size(line, out);
    }
    return arena_rc(a, err);
}
