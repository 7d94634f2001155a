/* repaired.c - which words of a question were searched for as another word.
 *
 * The index has stems; what is told is the word as the hits have it.  A repair
 * that no hit has changed nothing, and is not told. */
#include "retrieve/search/search.h"

enum { WORD_BYTES_MAX = 64 };

/* The first word of a text whose term it is, or an absent string. */
static struct str word_in(struct analyser *a, struct str text,
                          enum language language, struct str term)
{
    struct token t;

    analyse(a, text, language);
    while (analyse_next(a, &t))
        if (str_eq(t.term, term) && t.end - t.start <= WORD_BYTES_MAX)
            return (struct str){text.p + t.start, t.end - t.start};
    return STR_NONE;
}

static struct str used_in(const struct search_run *run,
                          const struct search_attempt *a, struct str term)
{
    for (size_t i = 0; i < a->hits_n; i++) {
        const struct located_hit *h = &a->hits[i];
        struct str used =
            word_in(run->analyser, h->hit.text, h->language, term);

        if (!used.p)
            used =
                word_in(run->analyser, h->hit.source.title, h->language, term);
        if (used.p)
            return used;
    }
    return STR_NONE;
}

enum footnote_rc repaired_words(const struct search_run *run,
                                const struct search_attempt *a,
                                struct footnote_err *err)
{
    const struct query *q = &run->query;
    struct search *s = run->search;
    struct repaired *out =
        arena_many(run->out, q->groups_n + 1, struct repaired);

    TRY(arena_rc(run->out, err));
    s->repaired = out;
    for (size_t i = 0; i < q->own_n; i++) {
        const struct query_group *g = &q->groups[i];
        struct str used = g->meant.p ? used_in(run, a, g->meant) : STR_NONE;

        if (used.p)
            out[s->repaired_n++] = (struct repaired){g->typed, used};
    }
    return FOOTNOTE_OK;
}
