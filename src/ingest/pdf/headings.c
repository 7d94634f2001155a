/* headings.c - the outline, the size of the print, then numbers. */
#include "ingest/pdf/headings.h"
#include "ingest/text/chunk.h"
#include "ingest/text/lines.h"

#include <math.h>
#include <stdlib.h>

enum {
    TITLE_LINES_MAX = 4,    /* of a heading */
    LABEL_LETTERS_MAX = 18, /* "Appendix A", "3.2.1" before a title */
    HEADING_WORDS_MAX = 10,
    HEADING_BYTES_MAX = 120,
    JOINED_BYTES_MAX = 4 * OUTLINE_TITLE_BYTES_MAX,
    TITLES_MAX = 200 /* of the outline, on one page */
};

struct finding {
    const struct survey *survey;
    const struct page_lines *page;
    struct arena *a;
    struct str *bare; /* letters of each line */
    struct page_heading *out;
    size_t n;
    bool *taken; /* by line */
    bool cover;  /* large print is the rule on this page */
};

/* ---- By the outline -------------------------------------------------------
 */

/* Letters and digits alone, ASCII ones small. */
static struct str bare_letters(struct str s, struct arena *a)
{
    char *out = arena_alloc(a, s.n + 1);
    size_t n = 0;

    for (size_t i = 0; out && i < s.n; i++) {
        char c = s.p[i];
        if (str_starts(str_skip(s, i), STR("\xe2\x80"))) {
            i += 2; /* dashes and quotation marks */
            continue;
        }
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c & 0x80)
            out[n++] = c;
    }
    return (struct str){out, out ? n : 0};
}

static bool ends_with(struct str s, struct str tail)
{
    return s.n >= tail.n && tail.n > 0 &&
           memcmp(s.p + s.n - tail.n, tail.p, tail.n) == 0;
}

/* "3", "31" of "3.1", "chapter3", "appendixa": what stands before a title. */
static bool is_label(struct str s)
{
    static const char *const words[] = {"chapter",  "appendix", "part",
                                        "section",  "kapitel",  "anhang",
                                        "chapitre", "annexe"};

    if (s.n > LABEL_LETTERS_MAX)
        return false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_starts(s, str_c(words[i])))
            return true;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] >= '0' && s.p[i] <= '9')
            return s.n <= 8;
    return s.n <= 1; /* "A" */
}

/* Whether the letters of some lines are the title, but for a label. */
static bool same_title(struct str lines, struct str title)
{
    if (lines.n < title.n)
        return ends_with(title, lines) &&
               is_label((struct str){title.p, title.n - lines.n});
    return ends_with(lines, title) &&
           is_label((struct str){lines.p, lines.n - title.n});
}

/* How many lines from `first` on are the title; 0: they are not. */
static size_t lines_of_title(struct finding *f, size_t first, struct str title)
{
    AUTO(buf_free) struct buf joined = BUF(JOINED_BYTES_MAX);

    for (size_t n = 1; n <= TITLE_LINES_MAX && first + n <= f->page->n; n++) {
        const struct page_line *l = &f->page->lines[first + n - 1];
        if (f->taken[first + n - 1] || l->running ||
            fabs(l->h - f->page->lines[first].h) > 0.2 * l->h)
            return 0;
        buf_add(&joined, f->bare[first + n - 1]);
        if (joined.broken || joined.n > title.n + LABEL_LETTERS_MAX)
            return 0;
        if (same_title(buf_str(&joined), title))
            return n;
    }
    return 0;
}

static void take(struct finding *f, size_t first, size_t n, int level)
{
    f->out[f->n++] = (struct page_heading){
        first, n, level > CHUNK_LEVELS ? CHUNK_LEVELS : level};
    for (size_t i = 0; i < n; i++)
        f->taken[first + i] = true;
}

/* The line in the largest print that is the title, the first of such. */
static void find_title(struct finding *f, const struct outline_title *t)
{
    struct str title = bare_letters(t->text, f->a);
    size_t best = 0, best_n = 0;

    for (size_t i = 0; title.n && i < f->page->n; i++) {
        size_t n = lines_of_title(f, i, title);
        if (n &&
            (!best_n || f->page->lines[i].h > 1.02 * f->page->lines[best].h)) {
            best = i;
            best_n = n;
        }
    }
    take(f, best, best_n, t->level);
}

static void find_titles(struct finding *f, int64_t number)
{
    const struct outline *o = &f->survey->outline;
    size_t low = 0, high = o->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->titles[middle].page < number)
            low = middle + 1;
        else
            high = middle;
    }
    size_t most = f->page->n < TITLES_MAX ? f->page->n : TITLES_MAX;
    for (; low < o->n && o->titles[low].page == number && f->n <= most; low++)
        find_title(f, &o->titles[low]);
}

/* ---- By its print ---------------------------------------------------------
 */

/* Whether most letters of the page are larger than the body: a cover. */
static bool is_cover(const struct survey *s, const struct page_lines *page)
{
    size_t large = 0, all = 0;

    for (size_t i = 0; i < page->n; i++) {
        all += page->lines[i].letters;
        if (page->lines[i].h > 1.08 * s->body)
            large += page->lines[i].letters;
    }
    return 2 * large > all;
}

/* The level of a size, 0 when it is none of a heading. */
static int level_of_size(const struct survey *s, double height)
{
    int size = survey_size(height);

    if (s->body <= 0 || height <= 1.08 * s->body)
        return 0;
    for (int i = 0; i < s->sizes_n; i++)
        if (size >= s->sizes[i] - 1)
            return i + 1;
    return s->sizes_n + 1;
}

static void find_large(struct finding *f)
{
    const struct page_lines *page = f->page;

    for (size_t i = 0; i < page->n && !f->cover; i++) {
        const struct page_line *l = &page->lines[i];
        int level = level_of_size(f->survey, l->h);
        size_t n = 1;

        if (!level || f->taken[i] || l->running || !survey_may_head(l))
            continue;
        while (i + n < page->n && n < TITLE_LINES_MAX && !f->taken[i + n] &&
               page->lines[i + n].block == l->block &&
               fabs(page->lines[i + n].h - l->h) < 0.05 * l->h)
            n++;
        /* Below what the outline names, where there is one. */
        take(f, i, n, f->survey->outline.n ? CHUNK_LEVELS : level);
        i += n - 1;
    }
}

/* ---- By its number --------------------------------------------------------
 */

/* Moves *s behind "3" or "3.1.", and returns how many numbers there are; 0 when
 * there is none. */
static int skip_numbers(struct str *s, int64_t *first)
{
    int depth = 0;
    size_t i = 0;

    *first = 0;
    while (i < s->n && s->p[i] >= '0' && s->p[i] <= '9' && depth < 4) {
        int64_t v = 0;
        size_t digits = 0;
        for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++, digits++)
            v = digits < 3 ? v * 10 + (s->p[i] - '0') : v;
        if (digits > 2)
            return 0; /* a year */
        if (++depth == 1)
            *first = v;
        if (i < s->n && s->p[i] == '.')
            i++;
    }
    if (i >= s->n || s->p[i] != ' ')
        return 0;
    *s = str_skip(*s, i + 1);
    return depth;
}

/* The level of a numbered heading, or 0.  Its number must follow that of the
 * last heading: the items of a list begin with 1 again. */
static int level_of_number(struct headings *h, struct str line)
{
    struct str rest = line;
    int64_t number;

    if (line.n > HEADING_BYTES_MAX)
        return 0;
    int level = skip_numbers(&rest, &number);
    if (level == 0 || rest.n < 3 || strchr(".,;:?!", rest.p[rest.n - 1]) ||
        !((rest.p[0] >= 'A' && rest.p[0] <= 'Z') || rest.p[0] & 0x80) ||
        chunk_words(rest) > HEADING_WORDS_MAX)
        return 0;
    if (level == 1 && h->section && number != h->section + 1)
        return 0;
    if (level > 1 && h->section && number != h->section)
        return 0;
    h->section = number;
    return level;
}

static void find_numbered(struct headings *h, struct finding *f)
{
    for (size_t i = 0; i < f->page->n; i++) {
        const struct page_line *l = &f->page->lines[i];
        bool small = l->h < 0.95 * f->survey->body;
        bool begins = i == 0 || l[-1].block != l->block || l[-1].running ||
                      f->taken[i - 1] ||
                      strchr(".?!:", l[-1].text.p[l[-1].text.n - 1]);

        if (f->taken[i] || l->running || (l->advance > 0 && !l->one_word) ||
            small || !begins)
            continue;
        int level = level_of_number(h, l->text);
        if (level)
            take(f, i, 1, f->survey->sizes_n + level);
    }
}

/* ---- All of them ----------------------------------------------------------
 */

static int by_line(const void *x, const void *y)
{
    const struct page_heading *a = x, *b = y;

    if ((a->n == 0) != (b->n == 0))
        return a->n == 0 ? -1 : 1;
    if (a->n && a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->level - b->level;
}

enum footnote_rc headings_find(struct headings *h, const struct survey *s,
                               int64_t number, const struct page_lines *page,
                               struct arena *a, struct page_headings *out,
                               struct footnote_err *err)
{
    struct finding f = {.survey = s, .page = page, .a = a};

    f.out = arena_many(a, 3 * page->n + CHUNK_LEVELS + 1, struct page_heading);
    f.bare = arena_many(a, page->n + 1, struct str);
    f.taken = arena_many(a, page->n + 1, bool);
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < page->n; i++)
        f.bare[i] = bare_letters(page->lines[i].text, a);
    TRY(arena_rc(a, err));
    f.cover = is_cover(s, page);
    find_titles(&f, number);
    find_large(&f);
    if (s->outline.n == 0)
        find_numbered(h, &f);
    qsort(f.out, f.n, sizeof(f.out[0]), by_line);
    *out = (struct page_headings){f.out, f.n};
    return arena_rc(a, err);
}
