/* main.c - how true the structure of PDFs is: bench/structure FILE...
 *
 * Reads files as ingest does and looks at what their passages carry.  A heading
 * is stale when it stands neither on the page of its passage nor on the ten
 * before.  A line is dotted when leaders run through it.  -v prints each
 * passage, -s the stale ones. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common.h"
#include "ingest/pdf/page.h"
#include "ingest/pdf/pdf.h"
#include "store/document/document.h"

enum { PAGES_BACK = 10, BATCH = 32, LETTERS_MAX = 1024 };
#define ARENA_BYTES_MAX ((size_t)2 << 30)

struct counts {
    size_t passages, with_heading, parts, stale, stale_parts, dotted, contents;
};

struct reading {
    struct arena a;
    struct str *pages; /* letters of each page, from 1 */
    int64_t pages_n;
    bool verbose, stale;
    struct counts counts;
};

/* ---- Letters ------------------------------------------------------------- */

static struct str letters(struct arena *a, struct str s)
{
    char *out = arena_alloc(a, s.n + 1);
    size_t n = 0;

    if (!out)
        die("letters", "no memory");
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c & 0x80)
            out[n++] = c;
    }
    return (struct str){out, n};
}

static bool stands_near(const struct reading *r, int64_t page, struct str part)
{
    struct arena a = ARENA(1 << 20);
    struct str bare = letters(&a, part);
    bool found = bare.n == 0;

    for (int64_t p = page; p > 0 && p >= page - PAGES_BACK && !found; p--)
        found = p <= r->pages_n &&
                memmem(r->pages[p].p, r->pages[p].n, bare.p, bare.n);
    arena_free(&a);
    return found;
}

/* The pages as a plain reader has them: words alone. */
static void read_pages(struct reading *r, int fd)
{
    for (int64_t first = 1; first <= r->pages_n; first += BATCH) {
        int64_t last = first + BATCH - 1;
        struct page_words words[BATCH];
        struct footnote_err err;
        size_t n;

        if (last > r->pages_n)
            last = r->pages_n;
        if (pages_words(fd, first, last, &r->a, words, &n, &err) != FOOTNOTE_OK)
            die("pages", err.text);
        for (size_t i = 0; i < n; i++)
            r->pages[first + (int64_t)i] = letters(&r->a, words[i].text);
    }
}

/* ---- Passages ------------------------------------------------------------ */

/* Four dots with spaces between them, or dots before a number that ends its
 * line.  "f(a, ....)" is code. */
static size_t count_dotted(struct str text)
{
    size_t n = 0, dots = 0, spaced = 0;

    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '.') {
            dots++;
            spaced += i > 1 && text.p[i - 1] == ' ' && text.p[i - 2] == '.';
            n += spaced == 3 && text.p[i - 1] == ' ';
        } else if (text.p[i] != ' ') {
            size_t end = i;
            while (end < text.n && text.p[end] >= '0' && text.p[end] <= '9')
                end++;
            n += dots >= 4 && spaced < 3 && end > i &&
                 (end == text.n || text.p[end] == '\n');
            dots = spaced = 0;
        }
    }
    return n;
}

static void look_at_heading(struct reading *r, const struct passage *p)
{
    struct str rest = p->heading;
    bool stale = false;

    r->counts.with_heading++;
    while (rest.n) {
        const char *gap = memmem(rest.p, rest.n, " > ", 3);
        struct str part = {rest.p, gap ? (size_t)(gap - rest.p) : rest.n};

        rest = str_skip(rest, gap ? part.n + 3 : part.n);
        r->counts.parts++;
        if (stands_near(r, p->page, part))
            continue;
        r->counts.stale_parts++;
        stale = true;
    }
    r->counts.stale += stale;
    if (stale && r->stale)
        printf("stale, page %lld: %.*s\n", (long long)p->page,
               STR_ARG(p->heading));
}

static enum footnote_rc on_passage(void *arg, const struct passage *p,
                                   struct footnote_err *err)
{
    struct reading *r = arg;

    (void)err;
    r->counts.passages++;
    if (p->heading.n)
        look_at_heading(r, p);
    r->counts.dotted += count_dotted(p->text);
    r->counts.contents +=
        memmem(p->extra.p ? p->extra.p : "", p->extra.n, "contents", 8) != NULL;
    if (r->verbose)
        printf("=== %lld, page %lld %.*s\n    [%.*s]\n%.*s\n",
               (long long)p->position, (long long)p->page, STR_ARG(p->extra),
               STR_ARG(p->heading), STR_ARG(p->text));
    return FOOTNOTE_OK;
}

static double percent(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_counts(const char *name, const struct counts *c,
                         double seconds)
{
    printf("%-32.32s %8zu %8zu %7.2f %7.2f %7zu %8.1f %7.1f\n", name,
           c->passages, c->with_heading, percent(c->stale, c->with_heading),
           percent(c->stale_parts, c->parts), c->dotted,
           percent(c->contents, c->passages), seconds);
    fflush(stdout);
}

static void add_counts(struct counts *all, const struct counts *c)
{
    all->passages += c->passages;
    all->with_heading += c->with_heading;
    all->parts += c->parts;
    all->stale += c->stale;
    all->stale_parts += c->stale_parts;
    all->dotted += c->dotted;
    all->contents += c->contents;
}

static void read_one(const char *path, bool verbose, bool stale,
                     struct counts *all)
{
    struct reading r = {
        .a = ARENA(ARENA_BYTES_MAX), .verbose = verbose, .stale = stale};
    const struct passage_sink sink = {&r, on_passage, NULL};
    struct pdf_job job = {.file = open(path, O_RDONLY | O_CLOEXEC),
                          .sink = &sink};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct extract_facts facts;
    struct pdf_facts about;
    struct footnote_err err;

    if (job.file < 0)
        die("opening", path);
    if (pdf_facts(job.file, 1, &r.a, &about, &err) != FOOTNOTE_OK)
        die(path, err.text);
    r.pages_n = about.pages;
    r.pages = arena_many(&r.a, (size_t)about.pages + 2, struct str);
    if (!r.pages)
        die(path, "no memory");
    read_pages(&r, job.file);
    double from = seconds_now();
    if (pdf_run(&job, &r.a, &facts, &err) != FOOTNOTE_OK)
        die(path, err.text);
    print_counts(name, &r.counts, seconds_now() - from);
    if (facts.warning[0])
        printf("  %s\n", facts.warning);
    add_counts(all, &r.counts);
    arena_free(&r.a);
    close(job.file);
}

int main(int argc, char **argv)
{
    bool verbose = false, stale = false;
    struct counts all = {0};
    double from = seconds_now();
    int read = 0;

    printf("%-32s %8s %8s %7s %7s %7s %8s %7s\n", "structure of PDFs",
           "passages", "headed", "stale %", "parts %", "dotted", "contents%",
           "s");
    for (int i = 1; i < argc; i++) {
        verbose |= strcmp(argv[i], "-v") == 0;
        stale |= strcmp(argv[i], "-s") == 0;
        if (argv[i][0] == '-')
            continue;
        read_one(argv[i], verbose, stale, &all);
        read++;
    }
    if (read)
        print_counts("all", &all, seconds_now() - from);
    else
        printf("structure: not measured, no PDF was given\n");
    return 0;
}
