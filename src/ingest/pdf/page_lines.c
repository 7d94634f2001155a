/* page_lines.c - words become lines.
 *
 * A typewriter's line is found by its print: all letters are as wide as each
 * other, and the gaps between words are whole letters.  Code is set so. */
#include "ingest/pdf/page_lines.h"
#include "base/utf8.h"
#include "ingest/text/lines.h"

#include <math.h>

enum { FIXED_LETTERS_MIN = 4, GAP_LETTERS_MAX = 120 };

static size_t count_letters(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; n++)
        utf8_next(s, &i);
    return n;
}

/* The middle one of the heights, by letters: a sign in another font is higher
 * than its line. */
static double height_of(const struct page_word *w, size_t n)
{
    double best = 0;
    size_t most = 0;

    for (size_t i = 0; i < n; i++) {
        size_t letters = 0;
        for (size_t k = 0; k < n && n < 40; k++)
            letters += fabs(w[k].h - w[i].h) < 0.3 ? w[k].text.n : 0;
        if (letters > most || i == 0) {
            most = letters;
            best = w[i].h;
        }
    }
    return best;
}

/* How wide each letter is when all are alike; 0 when they are not. */
static double advance_of(const struct page_word *w, size_t n)
{
    double wide = 0;
    size_t letters = 0;

    for (size_t i = 0; i < n; i++) {
        letters += count_letters(w[i].text);
        wide += w[i].w;
    }
    double each = letters ? wide / (double)letters : 0;
    if ((n > 1 && letters < FIXED_LETTERS_MIN) || each <= 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        double own = each * (double)count_letters(w[i].text);
        if (fabs(w[i].w - own) > 0.02 * own + 0.05)
            return 0;
        if (i == 0)
            continue;
        double gap = (w[i].x - w[i - 1].x - w[i - 1].w) / each;
        if (gap < 0.5 || gap > GAP_LETTERS_MAX || fabs(gap - round(gap)) > 0.12)
            return 0;
    }
    return each;
}

static void add_words(struct buf *b, const struct page_word *w, size_t n,
                      double advance)
{
    for (size_t i = 0; i < n; i++) {
        long gap = i == 0 ? 0
                   : advance > 0
                       ? lround((w[i].x - w[i - 1].x - w[i - 1].w) / advance)
                       : 1;
        for (; gap > 0; gap--)
            buf_add_c(b, ' ');
        buf_add(b, w[i].text);
    }
}

static enum footnote_rc make_line(struct page_line *line,
                                  const struct page_word *w, size_t n,
                                  struct arena *a, struct footnote_err *err)
{
    AUTO(buf_free) struct buf text = BUF(PAGE_ARENA_MAX);
    double right = 0, left = w[0].x;

    *line = (struct page_line){.y = w[0].y, .block = w[0].block};
    for (size_t i = 0; i < n; i++) {
        left = fmin(left, w[i].x);
        right = fmax(right, w[i].x + w[i].w);
        line->letters += count_letters(w[i].text);
    }
    line->x = left;
    line->w = right - left;
    line->h = height_of(w, n);
    line->advance = advance_of(w, n);
    line->one_word = n == 1;
    add_words(&text, w, n, line->advance);
    TRY(buf_rc(&text, err));
    line->text = arena_str(a, buf_str(&text));
    return FOOTNOTE_OK;
}

enum footnote_rc page_lines_of_words(const struct page_words *page,
                                     struct arena *a, struct page_lines *out,
                                     struct footnote_err *err)
{
    const struct page_word *w = page->words;
    size_t lines = 0;

    for (size_t i = 0; i < page->words_n; i++)
        lines += i == 0 || w[i].line != w[i - 1].line;
    *out =
        (struct page_lines){.lines = arena_many(a, lines + 1, struct page_line),
                            .height = page->height};
    TRY(arena_rc(a, err));
    for (size_t from = 0, to; from < page->words_n; from = to) {
        for (to = from + 1; to < page->words_n && w[to].line == w[from].line;)
            to++;
        TRY(make_line(&out->lines[out->n++], &w[from], to - from, a, err));
    }
    return arena_rc(a, err);
}

enum footnote_rc page_lines_of_text(struct str text, struct arena *a,
                                    struct page_lines *out,
                                    struct footnote_err *err)
{
    struct str rest = text, line;
    size_t n = 0;
    uint32_t block = 0;

    while (lines_next(&rest, &line))
        n++;
    *out = (struct page_lines){.lines = arena_many(a, n + 1, struct page_line)};
    TRY(arena_rc(a, err));
    for (n = 0; lines_next(&text, &line); n++) {
        line = lines_trim(line);
        block += line.n == 0;
        if (line.n)
            out->lines[out->n++] =
                (struct page_line){.text = line,
                                   .y = (double)n,
                                   .letters = count_letters(line),
                                   .block = block};
    }
    return FOOTNOTE_OK;
}

bool page_lines_beside(const struct page_line *a, const struct page_line *b)
{
    return fabs(a->y - b->y) < 0.5 * fmin(a->h, b->h);
}
