/* page_picture.c - a blank page has one colour, but for dust and its number. */
#include "ingest/pdf/page_picture.h"
#include "ingest/pdf/poppler.h"

enum {
    DPI = 8,         /* an upright page is then 66 by 94 */
    FAR = 24,        /* greys that differ more are seen */
    PER_MILLE = 30,  /* so many pixels of a picture are another colour: more
                        than the rules above and below a page have */
    SIDE_MAX = 4000, /* of a page that claims to be huge */
    MAP_BYTES_MAX = 20 * 1024 * 1024
};

struct graymap {
    int64_t width, height;
    const unsigned char *pixels;
};

/* The number at the start of *s, which moves behind it and one space. */
static bool take_number(struct str *s, int64_t *out)
{
    size_t n = 0;

    while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
        n++;
    bool ok = n < s->n && str_i64((struct str){s->p, n}, out);
    *s = str_skip(*s, n < s->n ? n + 1 : n);
    return ok;
}

static bool read_map(struct str s, struct graymap *out)
{
    int64_t most;

    if (!str_starts(s, STR("P5\n")))
        return false;
    s = str_skip(s, 3);
    if (!take_number(&s, &out->width) || !take_number(&s, &out->height) ||
        !take_number(&s, &most) || out->width < 1 || out->width > SIDE_MAX ||
        out->height < 1 || out->height > SIDE_MAX ||
        s.n < (size_t)(out->width * out->height))
        return false;
    out->pixels = (const unsigned char *)s.p;
    return true;
}

/* Whether a pixel is in the box of a word, or just beside it. */
static bool in_word(const struct page_words *words, double x, double y)
{
    const double edge = 72.0 / DPI * 1.5;

    for (size_t i = 0; words && i < words->words_n; i++) {
        const struct page_word *w = &words->words[i];
        if (x >= w->x - edge && x <= w->x + w->w + edge && y >= w->y - edge &&
            y <= w->y + w->h + edge)
            return true;
    }
    return false;
}

bool graymap_is_picture(struct str map, const struct page_words *words)
{
    size_t counts[256] = {0}, seen = 0;
    struct graymap m;
    int paper = 0;

    if (!read_map(map, &m))
        return true;
    int64_t n = m.width * m.height;
    for (int64_t i = 0; i < n; i++)
        counts[m.pixels[i]]++;
    for (int i = 1; i < 256; i++)
        if (counts[i] > counts[paper])
            paper = i;
    for (int64_t i = 0; i < n; i++) {
        int far = m.pixels[i] - paper;
        if (far <= FAR && far >= -FAR)
            continue;
        double x = ((double)(i % m.width) + 0.5) * 72 / DPI;
        int64_t row = i / m.width;
        double y = ((double)row + 0.5) * 72 / DPI;
        seen += !in_word(words, x, y);
    }
    return seen * 1000 > (size_t)n * PER_MILLE;
}

enum footnote_rc page_is_picture(int file, int64_t n,
                                 const struct page_words *words, bool *out,
                                 struct footnote_err *err)
{
    AUTO(buf_free) struct buf map = BUF(MAP_BYTES_MAX);
    char page[POPPLER_NUMBER], dpi[POPPLER_NUMBER];
    const char *const argv[] = {"pdftoppm",    "-gray",
                                "-r",          poppler_number(DPI, dpi),
                                "-f",          poppler_number(n, page),
                                "-l",          page,
                                "-singlefile", "-",
                                NULL};
    enum footnote_rc rc = poppler_run(argv, file, poppler_collect, &map, err);

    *out = true;
    if (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG ||
        rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    TRY(rc);
    *out = graymap_is_picture(buf_str(&map), words);
    return FOOTNOTE_OK;
}
