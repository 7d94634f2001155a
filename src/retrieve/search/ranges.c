/* ranges.c - where in the segments a search looks.
 *
 * Documents that it is not limited to are to it as dead ones: their passages
 * are not offered.  All of a segment still counts for statistics. */
#include "retrieve/search/search.h"
#include "store/document/search.h"

enum { WORD_BITS = 64 };

static void set_bits(uint64_t *bits, uint32_t from, uint32_t to, bool on)
{
    for (uint32_t i = from; i < to; i++)
        if (on)
            bits[i / WORD_BITS] |= UINT64_C(1) << i % WORD_BITS;
        else
            bits[i / WORD_BITS] &= ~(UINT64_C(1) << i % WORD_BITS);
}

/* Widens the range to a document; *n counts them. */
static void add_document(struct segment_range *r, uint32_t document, size_t *n)
{
    const struct segment_document *d = &r->segment->documents[document];

    if (*n == 0 || d[0].first < r->from)
        r->from = d[0].first;
    if (*n == 0 || d[1].first > r->to)
        r->to = d[1].first;
    ++*n;
}

/* Everything else between the first and the last of several is dead. */
static enum footnote_rc hide_others(struct search_run *run,
                                    struct segment_range *r,
                                    struct footnote_err *err)
{
    const struct search_scope *scope = &run->scope;
    const struct segment *s = r->segment;
    size_t words = (s->passages_n + WORD_BITS - 1) / WORD_BITS;
    uint64_t *dead = arena_many(&run->scratch, words, uint64_t);

    TRY(arena_rc(&run->scratch, err));
    memset(dead, 0xff, words * sizeof(*dead));
    for (size_t i = 0; i < scope->documents_n; i++) {
        uint32_t d = segment_document(s, scope->documents[i]);

        if (d < s->documents_n)
            set_bits(dead, s->documents[d].first, s->documents[d + 1].first,
                     false);
    }
    for (size_t i = 0; r->dead && i < words; i++)
        dead[i] |= r->dead[i];
    r->dead = dead;
    return FOOTNOTE_OK;
}

/* A segment without any of the documents has an empty range. */
static enum footnote_rc limit(struct search_run *run, struct segment_range *r,
                              struct footnote_err *err)
{
    size_t n = 0;

    r->from = r->to = 0;
    for (size_t i = 0; i < run->scope.documents_n; i++) {
        uint32_t d = segment_document(r->segment, run->scope.documents[i]);

        if (d < r->segment->documents_n)
            add_document(r, d, &n);
    }
    return n > 1 ? hide_others(run, r, err) : FOOTNOTE_OK;
}

enum footnote_rc open_ranges(struct search_run *run, struct footnote_err *err)
{
    struct segment_range *ranges;
    size_t n = 0, max = 0;

    for (size_t i = 0; i < run->scope.courses_n; i++)
        max += run->snapshots[i] ? run->snapshots[i]->segments_n : 0;
    ranges = arena_many(&run->scratch, max + 1, struct segment_range);
    TRY(arena_rc(&run->scratch, err));
    for (size_t i = 0; i < run->scope.courses_n; i++)
        for (size_t k = 0;
             run->snapshots[i] && k < run->snapshots[i]->segments_n; k++) {
            const struct snapshot_segment *s = &run->snapshots[i]->segments[k];

            ranges[n] = (struct segment_range){s->segment, s->dead, 0,
                                               s->segment->passages_n};
            if (run->scope.limited)
                TRY(limit(run, &ranges[n], err));
            n++;
        }
    run->query.ranges = ranges;
    run->query.ranges_n = n;
    return FOOTNOTE_OK;
}
