/* main.c - slides SOURCE OUTPUT: makes a PDF of slides.
 *
 * The source is lines of text in UTF-8:
 *
 *     % Title of the course            once, first; the next line is below it
 *     # Title of a slide               begins one
 *     - a point      -- a smaller one
 *     = a formula, in a box of its own
 *     > a remark at the foot
 *     @ box X Y W H text               shapes; text then keeps to the left
 *     ; nobody sees this */
#include "base/utf8.h"
#include "slides.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS_MAX = 8, LINES_MAX = 20000 };

static const char *const font_folders[] = {
    "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts",
    "/usr/share/fonts/dejavu", "/usr/share/fonts/TTF"};

static const char *source_name;
static int source_line;

_Noreturn void slides_stop(const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s:%d: ", source_name, source_line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

void slides_check(const struct buf *b)
{
    if (b->broken)
        slides_stop("out of memory, or over %d MB", TOOL_BYTES_MAX >> 20);
}

/* --- The source -------------------------------------------------------------
 */

static struct str load(const char *file)
{
    struct buf b = BUF(TOOL_BYTES_MAX);
    FILE *in = fopen(file, "rb");
    char bytes[65536];
    size_t n;

    if (!in)
        slides_stop("cannot be opened");
    while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
        buf_add(&b, (struct str){bytes, n});
    fclose(in);
    slides_check(&b);
    if (!utf8_valid(buf_str(&b)))
        slides_stop("is not UTF-8");
    return buf_str(&b); /* kept to the end of the program */
}

static struct str next_line(struct str *rest)
{
    size_t n = str_find(*rest, '\n');
    struct str line = {rest->p, n};

    *rest = str_skip(*rest, n < rest->n ? n + 1 : n);
    while (line.n && line.p[line.n - 1] == ' ')
        line.n--;
    source_line++;
    return line;
}

static struct str next_word(struct str *rest)
{
    size_t n = str_find(*rest, ' ');
    struct str word = {rest->p, n};

    *rest = str_skip(*rest, n < rest->n ? n + 1 : n);
    return word;
}

/* Whether a shape comes before the next slide: then text keeps to the left. */
static bool has_shapes(struct str rest)
{
    while (rest.n) {
        size_t n = str_find(rest, '\n');
        if (str_starts(rest, STR("# ")))
            return false;
        if (str_starts(rest, STR("@ ")))
            return true;
        rest = str_skip(rest, n < rest.n ? n + 1 : n);
    }
    return false;
}

/* "box 10 20 30 40 text" */
static void read_shape(struct slide *s, struct str line)
{
    struct str name = next_word(&line);
    size_t n = slide_shape_numbers(name);
    double v[NUMBERS_MAX];

    if (n == 0)
        slides_stop("there is no shape %.*s", STR_ARG(name));
    for (size_t i = 0; i < n; i++) {
        int64_t number;
        if (!str_i64(next_word(&line), &number))
            slides_stop("%.*s needs %zu numbers", STR_ARG(name), n);
        v[i] = (double)number;
    }
    slide_shape(s, name, v, line);
}

/* --- From lines to pages ----------------------------------------------------
 */

struct book {
    struct pdf pdf;
    struct slide slide;
    struct font fonts[FACES];
    struct str title;
    bool open; /* a slide has begun */
};

static void end_slide(struct book *b)
{
    if (!b->open)
        return;
    if (b->slide.number > 1)
        slide_foot(&b->slide);
    slides_check(&b->slide.out);
    pdf_page(&b->pdf, buf_str(&b->slide.out));
    buf_reset(&b->slide.out);
    b->open = false;
}

static void begin_slide(struct book *b, struct str rest)
{
    end_slide(b);
    b->slide.number++;
    b->slide.beside = has_shapes(rest);
    b->open = true;
}

static void read_line(struct book *b, struct str line, struct str *rest)
{
    struct slide *s = &b->slide;
    struct str text = line, mark = next_word(&text);

    if (line.n == 0 || line.p[0] == ';')
        return;
    if (str_eq(mark, STR("%"))) {
        begin_slide(b, STR(""));
        b->title = s->course = text;
        slide_cover(s, text, next_line(rest));
    } else if (str_eq(mark, STR("#"))) {
        begin_slide(b, *rest);
        slide_title(s, text);
    } else if (!b->open) {
        slides_stop("a line before the first slide");
    } else if (str_eq(mark, STR("-"))) {
        slide_bullet(s, text, 1);
    } else if (str_eq(mark, STR("--"))) {
        slide_bullet(s, text, 2);
    } else if (str_eq(mark, STR("="))) {
        slide_formula(s, text);
    } else if (str_eq(mark, STR(">"))) {
        slide_remark(s, text);
    } else if (str_eq(mark, STR("@"))) {
        read_shape(s, text);
    } else {
        slides_stop("a line begins with %.*s", STR_ARG(mark));
    }
}

static void find_font(struct font *f, const char *name)
{
    char path[256];

    for (size_t i = 0; i < sizeof(font_folders) / sizeof(char *); i++) {
        snprintf(path, sizeof(path), "%s/%s.ttf", font_folders[i], name);
        FILE *in = fopen(path, "rb");
        if (!in)
            continue;
        fclose(in);
        font_open(f, str_c(name), path);
        return;
    }
    slides_stop("the font %s is not installed: see fonts-dejavu-core", name);
}

int main(int argc, char **argv)
{
    static struct book b;

    if (argc != 3) {
        fprintf(stderr, "usage: slides SOURCE OUTPUT\n");
        return 2;
    }
    source_name = argv[1];
    struct str rest = load(argv[1]);
    find_font(&b.fonts[REGULAR], "DejaVuSans");
    find_font(&b.fonts[BOLD], "DejaVuSans-Bold");
    b.slide = (struct slide){.fonts = b.fonts, .out = BUF(TOOL_BYTES_MAX)};
    pdf_begin(&b.pdf);
    while (rest.n && source_line < LINES_MAX)
        read_line(&b, next_line(&rest), &rest);
    end_slide(&b);
    pdf_end(&b.pdf, b.title, b.fonts);
    FILE *out = fopen(argv[2], "wb");
    if (!out || fwrite(b.pdf.out.p, 1, b.pdf.out.n, out) != b.pdf.out.n ||
        fclose(out) != 0)
        slides_stop("%s cannot be written", argv[2]);
    return 0;
}
