/* outline.c - titles and headings of the documents of a search.
 *
 * Longest document first, as many as there may be sources.  What is left goes
 * to headings, of the longest document first: its chapters where they have
 * numbers, else headings from beginning to end.  Rights were checked with the
 * scope, and are again by hits_fill(). */
#include "retrieve/search/outline.h"
#include "retrieve/search/search.h"
#include "store/document/search.h"

enum {
    DOCUMENTS_MAX = 512, /* the first are looked at */
    PASSAGES_READ = 400  /* of a document */
};

struct outlined { /* a document in scope */
    uint32_t range, first, passages_n;
};

struct outline {
    struct search_run *run;
    size_t max, n;
    struct outline_line *lines;
    struct hit_read *reads; /* of the lines */
};

/* ---- Documents ---------------------------------------------------------- */

static size_t list_documents(const struct search_run *run, struct outlined *out)
{
    size_t n = 0;

    for (uint32_t i = 0; i < run->query.ranges_n; i++) {
        const struct segment_range *r = &run->query.ranges[i];

        for (uint32_t d = 0; d < r->segment->documents_n; d++) {
            struct outlined o = {i, r->segment->documents[d].first,
                                 r->segment->documents[d + 1].first -
                                     r->segment->documents[d].first};

            if (o.first < r->from || o.first >= r->to || o.passages_n == 0 ||
                passage_is_dead(r->dead, o.first) || n == DOCUMENTS_MAX)
                continue;
            out[n++] = o;
        }
    }
    return n;
}

/* Of those from `i` on, the longest comes to `i`; of equals, the first. */
static void take_longest(struct outlined *o, size_t i, size_t n)
{
    size_t most = i;

    for (size_t k = i + 1; k < n; k++)
        if (o[k].passages_n > o[most].passages_n)
            most = k;
    struct outlined longest = o[most];
    memmove(o + i + 1, o + i, (most - i) * sizeof(*o));
    o[i] = longest;
}

static void add_line(struct outline *o, const struct segment_document *d,
                     int64_t position, struct str heading)
{
    o->reads[o->n] = (struct hit_read){
        .document = d->key, .version = d->version, .position = position};
    o->lines[o->n++] = (struct outline_line){heading, heading.p != NULL};
}

/* ---- Headings ----------------------------------------------------------- */

/* "Part 3: Heat", "2.1 Engines": a number among the first two words. */
static bool is_numbered(struct str s)
{
    int words = 0;

    for (size_t i = 0; i < s.n && words < 2; i++) {
        if (s.p[i] >= '0' && s.p[i] <= '9')
            return true;
        words += s.p[i] == ' ';
    }
    return false;
}

/* The outermost heading of a passage. */
static struct str outermost(struct str path)
{
    const char *gap = path.n ? memmem(path.p, path.n, " > ", 3) : NULL;

    return gap ? (struct str){path.p, (size_t)(gap - path.p)} : path;
}

/* Keeps the first passage of each outermost heading; how many.  With `numbered`
 * only of those with a number. */
static size_t keep_headings(struct index_passage *p, size_t n, bool numbered)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        bool known = p[i].damaged || p[i].contents;

        p[i].heading = outermost(p[i].heading);
        for (size_t k = 0; k < kept && !known; k++)
            known = str_eq(p[k].heading, p[i].heading);
        if (known || !p[i].heading.n ||
            (numbered && !is_numbered(p[i].heading)))
            continue;
        struct index_passage one = p[kept];
        p[kept++] = p[i];
        p[i] = one;
    }
    return kept;
}

/* At most `most`, from the whole document. */
static enum footnote_rc add_headings(struct outline *o,
                                     const struct segment_document *d,
                                     size_t most, struct footnote_err *err)
{
    struct document_passages of = {d->key, d->version, NULL, 0};
    struct index_passages op = {
        .documents = &of, .documents_n = 1, .limit = PASSAGES_READ};
    size_t n, numbered = 0;

    TRY(store_read(o->run->retriever->store, o->run->search->who, o->run->out,
                   OP(index_passages), &op, err));
    n = keep_headings(of.passages, of.passages_n, false);
    if (n < 2) /* its title says as much */
        return FOOTNOTE_OK;
    for (size_t i = 0; i < n; i++)
        numbered += is_numbered(of.passages[i].heading);
    if (numbered > 1)
        n = keep_headings(of.passages, n, true);
    most = most < n ? most : n;
    for (size_t i = 0; i < most; i++) {
        const struct index_passage *p = &of.passages[i * n / most];

        add_line(o, d, p->position, p->heading);
    }
    return FOOTNOTE_OK;
}

/* ---- Both --------------------------------------------------------------- */

static enum footnote_rc set_hits(struct outline *o, struct footnote_err *err)
{
    struct search *s = o->run->search;
    struct located_hit *found =
        arena_many(&o->run->scratch, o->n + 1, struct located_hit);

    s->hits = arena_many(o->run->out, o->n + 1, struct hit);
    s->outline = arena_many(o->run->out, o->n + 1, struct outline_line);
    TRY(arena_rc(&o->run->scratch, err));
    TRY(arena_rc(o->run->out, err));
    for (size_t i = 0; i < o->n; i++) {
        size_t got = 0;

        TRY(hits_fill(o->run, &o->reads[i], 1, found, &got, err));
        if (got == 0)
            continue;
        struct outline_line line = o->lines[i];
        if (!line.inner)
            line.text = found->hit.source.title;
        if (!line.text.n)
            continue;
        found->hit.score = found->hit.coverage = 1;
        s->outline[s->hits_n] = line;
        s->hits[s->hits_n++] = found->hit;
    }
    if (s->hits_n == 0)
        s->outline = NULL;
    s->low_confidence = s->hits_n == 0;
    s->confidence = s->hits_n ? 1 : 0;
    return FOOTNOTE_OK;
}

enum footnote_rc outline_find(struct search_run *run, struct footnote_err *err)
{
    struct outline o = {.run = run, .max = run->search->outline_max};
    struct outlined *documents =
        arena_many(&run->scratch, DOCUMENTS_MAX, struct outlined);

    o.lines = arena_many(&run->scratch, o.max + 1, struct outline_line);
    o.reads = arena_many(&run->scratch, o.max + 1, struct hit_read);
    TRY(arena_rc(&run->scratch, err));
    size_t all = list_documents(run, documents), n = all < o.max ? all : o.max;
    for (size_t i = 0; i < n; i++) {
        const struct outlined *d = &documents[i];
        const struct segment *s;
        const struct segment_document *of;

        take_longest(documents, i, all);
        s = run->query.ranges[d->range].segment;
        of = &s->documents[segment_document_of(s, d->first)];
        add_line(&o, of, s->positions[d->first], STR_NONE);
        if (o.max > o.n + (n - i - 1))
            TRY(add_headings(&o, of, o.max - o.n - (n - i - 1), err));
    }
    return set_hits(&o, err);
}
