/* index_fuzz.c - fuzzes the bytes of an index: what is let in can be searched
 * in every way, and merged, without going astray; each of its words is found.
 *
 * An input is a segment as it is in memory.  The digests around it in a file
 * are left out, or no changed input would come behind them. */
#include <stdlib.h>

#include "retrieve/search/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { WORDS_ASKED = 8, FORWARD = 64 };
#define SCRATCH_BYTES ((size_t)256 << 20)

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* ---- Looking ------------------------------------------------------------- */

static void look_at_terms(const struct segment *s)
{
    for (uint32_t t = 0; t < s->terms_n; t++) {
        struct postings p;

        must(segment_find(s, segment_word(s, t)) == t);
        postings_open(&p, s, t);
        while (p.block < p.blocks_n) {
            postings_decode(&p, p.block);
            must(p.n > 0 && p.passages[p.n - 1] < s->passages_n);
            must(postings_seek(&p, p.passages[p.n - 1]) == p.block);
            (void)postings_max(&p, p.block++);
        }
    }
}

static void look_at_passages(const struct segment *s)
{
    uint32_t terms[FORWARD];

    for (uint32_t p = 0; p < s->passages_n; p++) {
        size_t n = segment_forward(s, p, terms, FORWARD);
        uint32_t d = segment_document_of(s, p);

        must(d < s->documents_n);
        must(s->documents[d].first <= p && p < s->documents[d + 1].first);
        for (size_t i = 0; i < n; i++)
            must(terms[i] < s->terms_n);
    }
    for (uint32_t d = 0; d < s->documents_n; d++)
        must(segment_document(s, s->documents[d].key) == d);
}

/* ---- Searching ----------------------------------------------------------- */

/* Some of its own words, and one that is misspelled. */
static void add_question(const struct segment *s, struct buf *b)
{
    for (uint32_t t = 0; t < s->terms_n && t < WORDS_ASKED; t++) {
        struct str word = segment_word(s, t);

        for (size_t i = 0; i < word.n; i++)
            buf_add_c(b, word.p[i] > ' ' && word.p[i] < 127 ? word.p[i] : 'x');
        buf_add_c(b, ' ');
    }
    buf_add(b, STR("aple"));
}

static void ask(const struct segment *s, struct analyser *a)
{
    AUTO(arena_free) struct arena scratch = ARENA(SCRATCH_BYTES);
    AUTO(buf_free) struct buf question = BUF(1 << 16);
    struct segment_range range = {s, NULL, 0, s->passages_n};
    struct query q = {.arena = &scratch,
                      .scratch = &scratch,
                      .analyser = a,
                      .ranges = &range,
                      .ranges_n = 1};
    struct ranked ranked[QUERY_TOP];
    size_t n = 0;

    add_question(s, &question);
    must(query_init(&q, NULL) == FOOTNOTE_OK);
    must(query_add_text(&q, buf_str(&question), false, NULL) == FOOTNOTE_OK);
    must(rank_top(&q, ranked, QUERY_TOP, &n, NULL) == FOOTNOTE_OK);
    rank_proximity(&q, ranked, n);
    for (size_t i = 0; i < n; i++)
        must(ranked[i].passage < s->passages_n);
}

static void use(const struct segment *s)
{
    static struct analyser *analyser;

    if (!analyser)
        must(analyser_open(&analyser, NULL) == FOOTNOTE_OK);
    look_at_terms(s);
    look_at_passages(s);
    ask(s, analyser);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO(segment_dropp) struct segment *s = NULL;
    AUTO(segment_dropp) struct segment *merged = NULL;
    struct segment_input in = {.segment = NULL};
    uint8_t *memory = malloc(n + 1);

    must(memory != NULL);
    if (n)
        memcpy(memory, data, n);
    if (segment_adopt_unknown(memory, n, &s, NULL) != FOOTNOTE_OK)
        return 0;
    use(s);
    in.segment = s;
    must(segment_merge(&in, 1, NULL, &merged, NULL) == FOOTNOTE_OK);
    use(merged);
    return 0;
}
