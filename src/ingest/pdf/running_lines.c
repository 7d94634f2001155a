/* running_lines.c - a line is a running one when four of five pages have it, at
 * their top or foot, with any number in it. */
#include "ingest/pdf/running_lines.h"
#include "ingest/text/lines.h"

enum { FORM_BYTES_MAX = 200 };

/* The form of a line is the line without digits: lines of the same form repeat.
 * A page number alone has an empty form. */
static struct str form_of(struct str line, char out[FORM_BYTES_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < line.n && n < FORM_BYTES_MAX; i++)
        if (line.p[i] > '9' || line.p[i] < '0')
            out[n++] = line.p[i];
    return lines_trim((struct str){out, n});
}

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

/* The index of a form, or lines_n. */
static size_t find(const struct running *r, struct str form)
{
    size_t i = 0;

    while (i < r->lines_n && !str_eq(r->lines[i].form, form))
        i++;
    return i;
}

void running_learn(struct running *r, struct str text, struct arena *a)
{
    size_t n = count_lines(text), index = 0;
    char bytes[FORM_BYTES_MAX];
    struct str line;

    r->pages += n > 0;
    while (lines_next(&text, &line)) {
        if (line.n == 0 || !at_edge(index++, n))
            continue;
        struct str form = form_of(line, bytes);
        size_t i = find(r, form);
        if (i == r->lines_n && i < RUNNING_LINES_MAX)
            r->lines[r->lines_n++].form = arena_str(a, form);
        if (i < r->lines_n)
            r->lines[i].pages++;
    }
}

void running_strip(const struct running *r, struct str text, struct buf *out)
{
    size_t n = count_lines(text), index = 0;
    char bytes[FORM_BYTES_MAX];
    struct str line;

    while (lines_next(&text, &line)) {
        size_t i = r->lines_n;
        if (line.n && at_edge(index++, n))
            i = find(r, form_of(line, bytes));
        if (i < r->lines_n && r->pages >= RUNNING_PAGES_MIN &&
            5 * r->lines[i].pages >= 4 * r->pages)
            continue;
        buf_add(out, line);
        buf_add_c(out, '\n');
    }
}
