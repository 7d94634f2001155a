/* made_pdf.c - writes the smallest PDF that has pages, two fonts, an outline.
 */
#include "made_pdf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct making {
    struct buf b;
    size_t *offsets;
    int n; /* objects so far */
};

static void begin_object(struct making *m)
{
    m->offsets[++m->n] = m->b.n;
    buf_printf(&m->b, "%d 0 obj\n", m->n);
}

static int count_titles(const struct made_title *titles)
{
    int n = 0;

    while (titles && titles[n].text)
        n++;
    return n;
}

/* Objects 1 to 4; pages are 5, 7, 9 ..., each followed by what it draws. */
static void add_head(struct making *m, int pages, int outline)
{
    begin_object(m);
    buf_add(&m->b, STR("<</Type/Catalog/Pages 2 0 R"));
    if (outline)
        buf_printf(&m->b, "/Outlines %d 0 R", outline);
    buf_add(&m->b, STR(">>\nendobj\n"));
    begin_object(m);
    buf_printf(&m->b, "<</Type/Pages/Count %d/Kids[", pages);
    for (int i = 0; i < pages; i++)
        buf_printf(&m->b, "%d 0 R ", 5 + 2 * i);
    buf_add(&m->b, STR("]>>\nendobj\n"));
    begin_object(m);
    buf_add(&m->b, STR("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\n"
                       "endobj\n"));
    begin_object(m);
    buf_add(&m->b, STR("<</Type/Font/Subtype/Type1/BaseFont/Courier>>\n"
                       "endobj\n"));
}

static void add_page(struct making *m, const char *size, struct str drawn)
{
    begin_object(m);
    buf_printf(&m->b,
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s]/Resources<</Font"
               "<</F1 3 0 R/F2 4 0 R>>>>/Contents %d 0 R>>\nendobj\n",
               size, m->n + 1);
    begin_object(m);
    buf_printf(&m->b, "<</Length %zu>>\nstream\n", drawn.n);
    buf_add(&m->b, drawn);
    buf_add(&m->b, STR("\nendstream\nendobj\n"));
}

static void add_outline(struct making *m, const struct made_title *titles,
                        int n)
{
    begin_object(m);
    int root = m->n;
    buf_printf(&m->b, "<</Count %d/First %d 0 R/Last %d 0 R>>\nendobj\n", n,
               root + 1, root + n);
    for (int i = 0; i < n; i++) {
        begin_object(m);
        buf_printf(&m->b, "<</Title(%s)/Parent %d 0 R/Dest[%d 0 R/Fit]",
                   titles[i].text, root, 5 + 2 * titles[i].page);
        if (i + 1 < n)
            buf_printf(&m->b, "/Next %d 0 R", root + i + 2);
        if (i > 0)
            buf_printf(&m->b, "/Prev %d 0 R", root + i);
        buf_add(&m->b, STR(">>\nendobj\n"));
    }
}

int made_pdf(int pages, const char *size, draw_fn *draw,
             const struct made_title *titles)
{
    AUTO(buf_free) struct buf drawn = BUF(1 << 20);
    int n = count_titles(titles), fd = memfd_create("made", MFD_CLOEXEC);
    struct making m = {.b = BUF(1 << 26)};

    m.offsets = calloc((size_t)pages * 2 + (size_t)n + 8, sizeof(*m.offsets));
    CHECK(m.offsets);
    buf_add(&m.b, STR("%PDF-1.4\n"));
    add_head(&m, pages, n ? 5 + 2 * pages : 0);
    for (int i = 0; i < pages; i++) {
        buf_reset(&drawn);
        draw(i, &drawn);
        add_page(&m, size, buf_str(&drawn));
    }
    if (n)
        add_outline(&m, titles, n);
    size_t table = m.b.n;
    buf_printf(&m.b, "xref\n0 %d\n0000000000 65535 f \n", m.n + 1);
    for (int i = 1; i <= m.n; i++)
        buf_printf(&m.b, "%010zu 00000 n \n", m.offsets[i]);
    buf_printf(&m.b,
               "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%zu\n%%%%EOF",
               m.n + 1, table);
    CHECK(fd >= 0 && m.b.broken == FOOTNOTE_OK);
    CHECK(write(fd, m.b.p, m.b.n) == (ssize_t)m.b.n);
    free(m.offsets);
    buf_free(&m.b);
    return fd;
}

void made_line(struct buf *out, const char *font, int size, int x, int y,
               const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    buf_printf(out, "BT /%s %d Tf %d %d Td (", font, size, x, y);
    for (const char *p = text; *p; p++) {
        if (strchr("()\\", *p))
            buf_add_c(out, '\\');
        buf_add_c(out, *p);
    }
    buf_add(out, STR(") Tj ET\n"));
}
