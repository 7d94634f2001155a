/* pdf.c - the objects of a PDF.  Their numbers are given out in advance:
 *
 *     1 catalog   2 pages   3 info   4.. five for each font   then two a page
 */
#include "slides.h"
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { CATALOG = 1, PAGES, INFO, FONT, FONT_OBJECTS = 5 };
enum { FIRST_PAGE = FONT + FONT_OBJECTS * FACES };

static void object(struct pdf *p, int number)
{
    p->offsets[number] = p->out.n;
    if (number > p->objects_n)
        p->objects_n = number;
    buf_printf(&p->out, "%d 0 obj\n", number);
}

static void stream(struct pdf *p, int number, struct str bytes,
                   const char *more)
{
    uLongf n = compressBound(bytes.n);
    unsigned char *packed = malloc(n);

    if (!packed || compress2(packed, &n, (const unsigned char *)bytes.p,
                             bytes.n, 9) != Z_OK)
        slides_stop("out of memory");
    object(p, number);
    buf_printf(&p->out, "<< /Length %lu /Filter /FlateDecode %s>>\nstream\n",
               (unsigned long)n, more);
    buf_add(&p->out, (struct str){(char *)packed, n});
    buf_add(&p->out, STR("\nendstream\nendobj\n"));
    free(packed);
}

void pdf_begin(struct pdf *p)
{
    *p = (struct pdf){.out = BUF(TOOL_BYTES_MAX)};
    buf_add(&p->out, STR("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"));
}

void pdf_page(struct pdf *p, struct str content)
{
    int number = FIRST_PAGE + 2 * p->pages_n;

    if (++p->pages_n > PAGES_MAX)
        slides_stop("more than %d slides", PAGES_MAX);
    object(p, number);
    buf_printf(&p->out,
               "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %d %d]\n"
               "/Resources << /Font << /F0 %d 0 R /F1 %d 0 R >> >>\n"
               "/Contents %d 0 R >>\nendobj\n",
               PAGES, PAGE_W, PAGE_H, FONT, FONT + FONT_OBJECTS, number + 1);
    stream(p, number + 1, content, "");
}

/* --- Fonts ------------------------------------------------------------------
 */

static int scaled(const struct font *f, int v)
{
    return v * 1000 / (int)f->units;
}

static void font_widths(struct pdf *p, const struct font *f)
{
    buf_add(&p->out, STR("/W ["));
    for (uint32_t g = 0; g < f->glyphs_n; g++)
        if (f->seen[g])
            buf_printf(&p->out, " %u [%.0f]", g, font_width(f, g));
    buf_add(&p->out, STR(" ]"));
}

/* From glyphs back to characters, so that text can be found and copied. */
static void font_characters(struct pdf *p, int number, const struct font *f)
{
    AUTO(buf_free) struct buf map = BUF(TOOL_BYTES_MAX);

    buf_add(&map, STR("/CIDInit /ProcSet findresource begin\n"
                      "12 dict begin\nbegincmap\n"
                      "/CMapName /Slides def /CMapType 2 def\n"
                      "1 begincodespacerange <0000> <ffff> "
                      "endcodespacerange\n"));
    for (uint32_t g = 0; g < f->glyphs_n; g++)
        if (f->seen[g])
            buf_printf(&map, "1 beginbfchar <%04x> <%04x> endbfchar\n", g,
                       f->seen[g]);
    buf_add(&map, STR("endcmap\nend\nend\n"));
    slides_check(&map);
    stream(p, number, buf_str(&map), "");
}

static void font_objects(struct pdf *p, int first, struct font *f)
{
    char length[48];

    object(p, first);
    buf_printf(&p->out,
               "<< /Type /Font /Subtype /Type0 /BaseFont /%.*s\n"
               "/Encoding /Identity-H /DescendantFonts [%d 0 R]\n"
               "/ToUnicode %d 0 R >>\nendobj\n",
               STR_ARG(f->name), first + 1, first + 4);
    object(p, first + 1);
    buf_printf(&p->out,
               "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%.*s\n"
               "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
               "/Supplement 0 >>\n/CIDToGIDMap /Identity\n"
               "/FontDescriptor %d 0 R\n",
               STR_ARG(f->name), first + 2);
    font_widths(p, f);
    buf_add(&p->out, STR(" >>\nendobj\n"));
    object(p, first + 2);
    buf_printf(&p->out,
               "<< /Type /FontDescriptor /FontName /%.*s /Flags 4\n"
               "/FontBBox [%d %d %d %d] /Ascent %d /Descent %d\n"
               "/ItalicAngle 0 /CapHeight 729 /StemV 80 /FontFile2 %d 0 R "
               ">>\nendobj\n",
               STR_ARG(f->name), scaled(f, f->box[0]), scaled(f, f->box[1]),
               scaled(f, f->box[2]), scaled(f, f->box[3]), scaled(f, f->ascent),
               scaled(f, f->descent), first + 3);
    font_reduce(f);
    snprintf(length, sizeof(length), "/Length1 %zu ", f->n);
    stream(p, first + 3, (struct str){(char *)f->p, f->n}, length);
    font_characters(p, first + 4, f);
}

/* --- The end ----------------------------------------------------------------
 */

static void page_list(struct pdf *p)
{
    object(p, PAGES);
    buf_printf(&p->out, "<< /Type /Pages /Count %d /Kids [", p->pages_n);
    for (int i = 0; i < p->pages_n; i++)
        buf_printf(&p->out, "%s%d 0 R", i % 10 ? " " : "\n",
                   FIRST_PAGE + 2 * i);
    buf_add(&p->out, STR(" ] >>\nendobj\n"));
}

/* A title is ASCII, and without what strings of PDF need to escape. */
static void info(struct pdf *p, struct str title)
{
    object(p, INFO);
    buf_add(&p->out, STR("<< /Title ("));
    for (size_t i = 0; i < title.n; i++)
        if (title.p[i] >= ' ' && title.p[i] < 0x7f &&
            !strchr("()\\", title.p[i]))
            buf_add_c(&p->out, title.p[i]);
    buf_add(&p->out, STR(") >>\nendobj\n"));
}

void pdf_end(struct pdf *p, struct str title, struct font fonts[FACES])
{
    object(p, CATALOG);
    buf_printf(&p->out, "<< /Type /Catalog /Pages %d 0 R >>\nendobj\n", PAGES);
    page_list(p);
    info(p, title);
    for (int i = 0; i < FACES; i++)
        font_objects(p, FONT + FONT_OBJECTS * i, &fonts[i]);
    size_t table = p->out.n;
    buf_printf(&p->out, "xref\n0 %d\n0000000000 65535 f \n", p->objects_n + 1);
    for (int i = 1; i <= p->objects_n; i++)
        buf_printf(&p->out, "%010zu 00000 n \n", p->offsets[i]);
    buf_printf(&p->out,
               "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\n"
               "startxref\n%zu\n%%%%EOF\n",
               p->objects_n + 1, CATALOG, INFO, table);
    slides_check(&p->out);
}
