/* draw.c - what a slide looks like: one place for sizes and colours.
 *
 * Places are in points from the upper left corner; a PDF counts from the lower
 * one, so y is turned around when an order is written. */
#include "base/utf8.h"
#include "slides.h"
#include <math.h>

enum {
    LEFT = 44,
    RIGHT = PAGE_W - 44,
    HALF = 376, /* where text ends beside a drawing */
    TITLE_SIZE = 24,
    COVER_SIZE = 34,
    FORMULA_SIZE = 20,
    REMARK_SIZE = 11,
    LABEL_SIZE = 12,
    FOOT_SIZE = 9,
};

/* Red, green, blue. */
#define INK    "0.13 0.16 0.22"
#define ACCENT "0.75 0.27 0.16"
#define SOFT   "0.97 0.93 0.88"
#define GREY   "0.48 0.50 0.55"
#define DEEP   "0.10 0.18 0.32"

/* --- Text -------------------------------------------------------------------
 */

static double measure(struct slide *s, enum face face, double size,
                      struct str text)
{
    double w = 0;

    for (size_t i = 0; i < text.n;)
        w += font_width(&s->fonts[face],
                        font_glyph(&s->fonts[face], utf8_next(text, &i)));
    return w * size / 1000;
}

static void put(struct slide *s, enum face face, double size,
                const char *colour, double x, double y, struct str text)
{
    buf_printf(&s->out, "BT %s rg /F%d %.1f Tf %.2f %.2f Td <", colour,
               (int)face, size, x, PAGE_H - y);
    for (size_t i = 0; i < text.n;)
        buf_printf(&s->out, "%04x",
                   font_glyph(&s->fonts[face], utf8_next(text, &i)));
    buf_add(&s->out, STR("> Tj ET\n"));
}

static void put_middle(struct slide *s, double size, const char *colour,
                       double x, double y, struct str text)
{
    put(s, REGULAR, size, colour, x - measure(s, REGULAR, size, text) / 2, y,
        text);
}

/* As many words as fit; at least one. */
static size_t fit(struct slide *s, enum face face, double size, double width,
                  struct str text)
{
    size_t best = 0;

    for (size_t at = 0; at < text.n;) {
        size_t end = at + str_find(str_skip(text, at), ' ');
        if (best && measure(s, face, size, (struct str){text.p, end}) > width)
            break;
        best = end;
        at = end + (end < text.n);
    }
    return best;
}

struct style {
    enum face face;
    double size, leading;
    const char *colour;
};

/* Lines down from s->y. */
static void put_lines(struct slide *s, const struct style *k, double x,
                      double right, struct str text)
{
    while (text.n) {
        size_t n = fit(s, k->face, k->size, right - x, text);
        put(s, k->face, k->size, k->colour, x, s->y, (struct str){text.p, n});
        s->y += k->leading;
        text = str_skip(text, n < text.n ? n + 1 : n);
    }
}

/* --- Parts of a slide -------------------------------------------------------
 */

static void fill(struct slide *s, const char *colour, double x, double y,
                 double w, double h)
{
    buf_printf(&s->out, "%s rg %.2f %.2f %.2f %.2f re f\n", colour, x,
               PAGE_H - y - h, w, h);
}

void slide_cover(struct slide *s, struct str title, struct str subtitle)
{
    const struct style big = {BOLD, COVER_SIZE, 44, "1 1 1"};
    const struct style small = {REGULAR, 15, 22, "0.85 0.88 0.93"};

    fill(s, DEEP, 0, 0, PAGE_W, PAGE_H);
    fill(s, ACCENT, LEFT, 120, 56, 5);
    s->y = 172;
    put_lines(s, &big, LEFT, RIGHT, title);
    s->y += 8;
    put_lines(s, &small, LEFT, RIGHT, subtitle);
}

void slide_title(struct slide *s, struct str title)
{
    const struct style k = {BOLD, TITLE_SIZE, 30, DEEP};

    fill(s, ACCENT, 0, 36, 8, 32);
    s->y = 60;
    put_lines(s, &k, LEFT, RIGHT, title);
    s->y = fmax(s->y, 90) + 16;
}

static double text_right(const struct slide *s)
{
    return s->beside ? HALF : RIGHT;
}

void slide_bullet(struct slide *s, struct str text, int level)
{
    const struct style first = {REGULAR, 15, 21, INK};
    const struct style second = {REGULAR, 12.5, 17, GREY};
    const struct style *k = level == 1 ? &first : &second;
    double x = LEFT + (level == 1 ? 16 : 32);

    if (level == 1)
        fill(s, ACCENT, LEFT + 1, s->y - 8, 5, 5);
    else
        fill(s, GREY, LEFT + 18, s->y - 5, 7, 1);
    put_lines(s, k, x, text_right(s), text);
    s->y += level == 1 ? 7 : 4;
}

void slide_formula(struct slide *s, struct str text)
{
    double right = text_right(s), middle = (LEFT + right) / 2;

    fill(s, SOFT, LEFT, s->y - 16, right - LEFT, 44);
    put_middle(s, FORMULA_SIZE, DEEP, middle, s->y + 13, text);
    s->y += 52;
}

void slide_remark(struct slide *s, struct str text)
{
    const struct style k = {REGULAR, REMARK_SIZE, 15, GREY};

    s->y = fmax(s->y, PAGE_H - 62);
    put_lines(s, &k, LEFT, RIGHT, text);
}

void slide_foot(struct slide *s)
{
    AUTO(buf_free) struct buf number = BUF(32);

    if (s->y > PAGE_H - 8) /* the last line is a line above y */
        slides_stop("slide %d has more text than fits", s->number);
    buf_printf(&number, "%d", s->number);
    put(s, REGULAR, FOOT_SIZE, GREY, LEFT, PAGE_H - 18, s->course);
    put(s, REGULAR, FOOT_SIZE, GREY,
        RIGHT - measure(s, REGULAR, FOOT_SIZE, buf_str(&number)), PAGE_H - 18,
        buf_str(&number));
}

/* --- Shapes -----------------------------------------------------------------
 */

static void box(struct slide *s, const double *v, struct str text)
{
    buf_printf(&s->out, "%s rg %s RG 1.2 w %.2f %.2f %.2f %.2f re B\n", SOFT,
               DEEP, v[0], PAGE_H - v[1] - v[3], v[2], v[3]);
    put_middle(s, LABEL_SIZE, INK, v[0] + v[2] / 2, v[1] + v[3] / 2 + 4, text);
}

/* Four curves make a circle that nobody can tell from one. */
static void circle(struct slide *s, const double *v, struct str text)
{
    double x = v[0], y = PAGE_H - v[1], r = v[2], k = r * 0.5523;

    buf_printf(&s->out,
               "%s rg %s RG 1.2 w %.2f %.2f m %.2f %.2f %.2f %.2f %.2f %.2f c "
               "%.2f %.2f %.2f %.2f %.2f %.2f c ",
               SOFT, DEEP, x + r, y, x + r, y + k, x + k, y + r, x, y + r,
               x - k, y + r, x - r, y + k, x - r, y);
    buf_printf(&s->out,
               "%.2f %.2f %.2f %.2f %.2f %.2f c "
               "%.2f %.2f %.2f %.2f %.2f %.2f c b\n",
               x - r, y - k, x - k, y - r, x, y - r, x + k, y - r, x + r, y - k,
               x + r, y);
    put_middle(s, LABEL_SIZE, INK, x, v[1] + 4, text);
}

static void dot(struct slide *s, const double *v, struct str text)
{
    double r = 3, k = r * 0.5523, x = v[0], y = PAGE_H - v[1];

    (void)text;
    buf_printf(&s->out,
               "%s rg %.2f %.2f m %.2f %.2f %.2f %.2f %.2f %.2f c %.2f %.2f "
               "%.2f %.2f %.2f %.2f c ",
               ACCENT, x + r, y, x + r, y + k, x + k, y + r, x, y + r, x - k,
               y + r, x - r, y + k, x - r, y);
    buf_printf(&s->out,
               "%.2f %.2f %.2f %.2f %.2f %.2f c %.2f %.2f %.2f %.2f %.2f %.2f "
               "c f\n",
               x - r, y - k, x - k, y - r, x, y - r, x + k, y - r, x + r, y - k,
               x + r, y);
}

static void line(struct slide *s, const double *v, struct str text)
{
    buf_printf(&s->out, "%s RG 1.4 w %.2f %.2f m %.2f %.2f l S\n", DEEP, v[0],
               PAGE_H - v[1], v[2], PAGE_H - v[3]);
    put_middle(s, LABEL_SIZE, INK, (v[0] + v[2]) / 2, (v[1] + v[3]) / 2 - 6,
               text);
}

static void arrow(struct slide *s, const double *v, struct str text)
{
    double dx = v[2] - v[0], dy = v[3] - v[1];
    double length = fmax(1, sqrt(dx * dx + dy * dy));
    double ux = dx / length, uy = dy / length;
    double bx = v[2] - ux * 9, by = v[3] - uy * 9;
    const double shaft[] = {v[0], v[1], bx, by};

    line(s, shaft, STR(""));
    buf_printf(&s->out, "%s rg %.2f %.2f m %.2f %.2f l %.2f %.2f l f\n", DEEP,
               v[2], PAGE_H - v[3], bx - uy * 4.5, PAGE_H - (by + ux * 4.5),
               bx + uy * 4.5, PAGE_H - (by - ux * 4.5));
    put_middle(s, LABEL_SIZE, ACCENT, (v[0] + v[2]) / 2, (v[1] + v[3]) / 2 - 7,
               text);
}

static void curve(struct slide *s, const double *v, struct str text)
{
    buf_printf(&s->out,
               "%s RG 2 w %.2f %.2f m %.2f %.2f %.2f %.2f %.2f %.2f c S\n",
               ACCENT, v[0], PAGE_H - v[1], v[2], PAGE_H - v[3], v[4],
               PAGE_H - v[5], v[6], PAGE_H - v[7]);
    put_middle(s, LABEL_SIZE, INK, v[6], v[7] - 8, text);
}

static void bar(struct slide *s, const double *v, struct str text)
{
    fill(s, ACCENT, v[0], v[1], v[2], v[3]);
    put_middle(s, LABEL_SIZE, INK, v[0] + v[2] / 2, v[1] + v[3] + 15, text);
}

static void label(struct slide *s, const double *v, struct str text)
{
    put_middle(s, LABEL_SIZE, INK, v[0], v[1], text);
}

static const struct {
    struct str name;
    size_t numbers;
    void (*draw)(struct slide *s, const double *v, struct str text);
} shapes[] = {
    {{"box", 3}, 4, box},     {{"circle", 6}, 3, circle},
    {{"dot", 3}, 2, dot},     {{"line", 4}, 4, line},
    {{"arrow", 5}, 4, arrow}, {{"curve", 5}, 8, curve},
    {{"bar", 3}, 4, bar},     {{"label", 5}, 2, label},
};

size_t slide_shape_numbers(struct str name)
{
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        if (str_eq(shapes[i].name, name))
            return shapes[i].numbers;
    return 0;
}

void slide_shape(struct slide *s, struct str name, const double *v,
                 struct str text)
{
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        if (str_eq(shapes[i].name, name))
            shapes[i].draw(s, v, text);
}
