/* running_lines.c - a line of a slide is a running one when four of five pages
 * have it, at their top or foot, with any number in it.  In prose it may be the
 * chapter's: it is enough that pages near each other have it. */
#include "ingest/pdf/running_lines.h"
#include "ingest/text/lines.h"

#include <math.h>
#include <stdlib.h>

enum {
    FORM_BYTES_MAX = 200,
    TABLE = 2 * RUNNING_LINES_MAX,
    PROSE_PAGES_MIN = 3,
    PLACES = 4000 /* points of a page that are told apart */
};

static bool is_roman(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!strchr("ivxlc", s.p[i]))
            return false;
    return s.n > 0 && s.n < 8;
}

/* The form of a line is the line without digits: lines of the same form repeat.
 * A page number alone has an empty form. */
static uint64_t form_of(struct str line)
{
    char out[FORM_BYTES_MAX];
    size_t n = 0;

    for (size_t i = 0; i < line.n && n < FORM_BYTES_MAX; i++)
        if (line.p[i] > '9' || line.p[i] < '0')
            out[n++] = line.p[i];
    struct str form = lines_trim((struct str){out, n});
    return str_hash(is_roman(form) ? STR("") : form) | 1;
}

/* The place of a form: its own, or an empty one. */
static struct running_line *place_of(const struct running *r, uint64_t form)
{
    size_t i = (form ^ form >> 32) % TABLE;

    while (r->lines[i].form && r->lines[i].form != form)
        i = (i + 1) % TABLE;
    return &r->lines[i];
}

static const struct running_line *find(const struct running *r, struct str line)
{
    const struct running_line *found =
        r->lines ? place_of(r, form_of(line)) : NULL;

    return found && found->form ? found : NULL;
}

static enum footnote_rc begin_page(struct running *r, struct arena *a,
                                   struct footnote_err *err)
{
    if (!r->lines)
        r->lines = arena_many(a, TABLE, struct running_line);
    TRY(arena_rc(a, err));
    r->pages++;
    return FOOTNOTE_OK;
}

static void learn(struct running *r, int64_t number, struct str line, double y)
{
    uint64_t form = form_of(line);
    struct running_line *at = place_of(r, form);

    if (!at->form && r->lines_n == RUNNING_LINES_MAX)
        return;
    if (!at->form) {
        *at = (struct running_line){.form = form, .first = number};
        r->lines_n++;
    }
    if (at->pages == 0 || at->last != number)
        at->pages++;
    at->last = number;
    at->y = y;
}

/* ---- Slides -------------------------------------------------------------- */

/* How many lines with text there are. */
static size_t count_lines(struct str text)
{
    struct str line;
    size_t n = 0;

    while (lines_next(&text, &line))
        n += line.n > 0;
    return n;
}

static bool at_edge(size_t index, size_t n)
{
    return index == 0 || index + RUNNING_FEET >= n;
}

enum footnote_rc running_learn(struct running *r, struct str text,
                               struct arena *a, struct footnote_err *err)
{
    size_t n = count_lines(text), index = 0;
    struct str line;

    if (n == 0)
        return FOOTNOTE_OK;
    TRY(begin_page(r, a, err));
    while (lines_next(&text, &line))
        if (line.n && at_edge(index++, n))
            learn(r, r->pages, line, 0);
    return FOOTNOTE_OK;
}

void running_strip(const struct running *r, struct str text, struct buf *out)
{
    size_t n = count_lines(text), index = 0;
    struct str line;

    while (lines_next(&text, &line)) {
        const struct running_line *l = NULL;
        if (line.n && at_edge(index++, n))
            l = find(r, line);
        if (l && r->pages >= RUNNING_PAGES_MIN && 5 * l->pages >= 4 * r->pages)
            continue;
        buf_add(out, line);
        buf_add_c(out, '\n');
    }
}

/* ---- Prose --------------------------------------------------------------- */

/* The y of the rows at an edge of the page, from the outer one inwards.  Head
 * and page number stand beside each other, and are one row. */
static size_t find_rows(const struct page_lines *page, bool head, size_t most,
                        const struct page_line **rows)
{
    size_t n = 0;

    while (n < most) {
        const struct page_line *best = NULL;
        for (size_t i = 0; i < page->n; i++) {
            const struct page_line *l = &page->lines[i];
            bool inner =
                n == 0 ||
                (!page_lines_beside(l, rows[n - 1]) &&
                 (head ? l->y > rows[n - 1]->y : l->y < rows[n - 1]->y));
            if (inner && (!best || (head ? l->y < best->y : l->y > best->y)))
                best = l;
        }
        if (!best)
            break;
        rows[n++] = best;
    }
    return n;
}

/* Calls fn for the lines of the first and last rows of the page. */
typedef void edge_fn(void *arg, struct page_line *line);
static void each_edge(const struct page_lines *page, edge_fn *fn, void *arg)
{
    const struct page_line *rows[RUNNING_HEADS + RUNNING_FEET];
    size_t n = find_rows(page, true, RUNNING_HEADS, rows);

    n += find_rows(page, false, RUNNING_FEET, rows + n);
    for (size_t i = 0; i < page->n; i++) {
        bool edge = false;
        for (size_t k = 0; k < n; k++)
            edge = edge || &page->lines[i] == rows[k] ||
                   page_lines_beside(&page->lines[i], rows[k]);
        if (edge)
            fn(arg, &page->lines[i]);
    }
}

struct learning {
    struct running *running;
    int64_t number;
    double height;
};

static void learn_edge(void *arg, struct page_line *line)
{
    struct learning *l = arg;
    double y = line->y < l->height / 2 ? line->y : line->y - l->height;

    learn(l->running, l->number, line->text, y);
}

enum footnote_rc running_learn_page(struct running *r, int64_t number,
                                    const struct page_lines *page,
                                    struct arena *a, struct footnote_err *err)
{
    struct learning l = {r, number, page->height};

    if (page->n == 0)
        return FOOTNOTE_OK;
    TRY(begin_page(r, a, err));
    each_edge(page, learn_edge, &l);
    return FOOTNOTE_OK;
}

static bool is_running(const struct running_line *l)
{
    return l->form && l->pages >= PROSE_PAGES_MIN &&
           3 * l->pages >= l->last - l->first + 1;
}

/* The place that most pages have a running line at, above or below 0. */
static double common_place(const struct running *r, double side)
{
    int64_t *pages = calloc(PLACES, sizeof(*pages));
    int best = 0;

    for (size_t i = 0; pages && i < TABLE; i++) {
        const struct running_line *l = &r->lines[i];
        long at = lround(l->y * side);
        if (is_running(l) && at > 0 && at < PLACES)
            pages[at] += l->pages;
        if (is_running(l) && at > 0 && at < PLACES && pages[at] > pages[best])
            best = (int)at;
    }
    free(pages);
    return best * side;
}

void running_end(struct running *r)
{
    if (!r->lines || r->pages < RUNNING_PAGES_MIN)
        return;
    r->head = common_place(r, 1);
    r->foot = common_place(r, -1);
}

struct marking {
    const struct running *running;
    const struct page_lines *page;
};

/* Whether the line is where running lines stand, with room to the next row. */
static bool stands_apart(const struct marking *m, const struct page_line *line)
{
    const struct running *r = m->running;
    bool head = r->head > 0 && fabs(line->y - r->head) < 1.5;
    bool foot = r->foot < 0 && fabs(line->y - m->page->height - r->foot) < 1.5;

    for (size_t i = 0; i < m->page->n && (head || foot); i++) {
        double far = m->page->lines[i].y - line->y;
        if (far > 0.5 * line->h)
            head = head && far > 1.9 * line->h;
        if (far < -0.5 * line->h)
            foot = foot && far < -1.9 * line->h;
    }
    return head || foot;
}

static void mark_edge(void *arg, struct page_line *line)
{
    const struct marking *m = arg;
    const struct running_line *l = find(m->running, line->text);

    line->running = (l && is_running(l)) || stands_apart(m, line);
}

void running_mark(const struct running *r, struct page_lines *page)
{
    struct marking m = {r, page};

    if (r->pages >= RUNNING_PAGES_MIN)
        each_edge(page, mark_edge, &m);
}
