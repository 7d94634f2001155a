/* slides.h - a text file becomes a PDF of slides.
 *
 *     main.c    reads the source, one line at a time
 *     draw.c    puts lines, bullets and shapes on a page
 *     font.c    a TrueType font: which glyph, how wide, only what is used
 *     pdf.c     objects, streams and where they begin
 *
 * A tool of the build: it makes the demo course and test files, needs zlib and
 * the DejaVu fonts, and stops with a sentence at the first thing it does not
 * understand.  The same source always gives the same bytes. */
#ifndef SLIDES_H
#define SLIDES_H
#include "base/buf.h"
#include "base/str.h"

enum {
    PAGE_W = 720,
    PAGE_H = 405,
    PAGES_MAX = 500,
    GLYPHS_MAX = 65536,
    TOOL_BYTES_MAX = 64 * 1024 * 1024,
};

enum face { REGULAR, BOLD, FACES };

/* --- font.c --- */

struct font {
    struct str name;
    unsigned char *p; /* the file; unused outlines are blanked at the end */
    size_t n;
    uint32_t cmap, hmtx, loca, glyf; /* where these tables are */
    uint32_t glyphs_n, metrics_n, units;
    bool long_loca;
    int16_t ascent, descent, box[4];
    uint32_t seen[GLYPHS_MAX]; /* by glyph: its character; 0 is unused */
};

void font_open(struct font *f, struct str name, const char *file);
/* The glyph of a character, noted as used; the build stops when there is none.
 */
uint32_t font_glyph(struct font *f, uint32_t c);
/* In thousandths of the size. */
double font_width(const struct font *f, uint32_t glyph);
/* Blanks the outlines that no text needs, which then take no room. */
void font_reduce(struct font *f);

/* --- pdf.c --- */

struct pdf {
    struct buf out;
    size_t offsets[PAGES_MAX * 2 + 32];
    int objects_n, pages_n;
};

/* Begins with room for catalog, pages, info and the fonts. */
void pdf_begin(struct pdf *p);
void pdf_page(struct pdf *p, struct str content);
void pdf_end(struct pdf *p, struct str title, struct font fonts[FACES]);

/* --- draw.c --- */

struct slide {
    struct font *fonts;
    struct str course; /* for the foot of the page */
    int number;
    struct buf out; /* drawing orders */
    double y;       /* where the next line of text goes, from the top */
    bool beside;    /* something is drawn on the right */
};

void slide_cover(struct slide *s, struct str title, struct str subtitle);
void slide_title(struct slide *s, struct str title);
void slide_bullet(struct slide *s, struct str text, int level);
void slide_formula(struct slide *s, struct str text);
void slide_remark(struct slide *s, struct str text);
/* How many numbers a shape has; 0: there is no such shape. */
size_t slide_shape_numbers(struct str name);
void slide_shape(struct slide *s, struct str name, const double *v,
                 struct str text);
void slide_foot(struct slide *s);

/* --- main.c --- */

/* Prints file, line and sentence, and ends the program. */
_Noreturn void slides_stop(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void slides_check(const struct buf *b);

#endif
