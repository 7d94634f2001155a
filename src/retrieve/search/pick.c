/* pick.c - the sentences that answer a question, in the documents' own words.
 *
 *     idf share of the question + .35 score of the passage
 *   + .25 pairs of the question's words + .15 what the sentences around it
 *     have + .15 the kind of thing that was asked for
 *
 * The second and third must also say something else than those before. */
#include "retrieve/search/cue.h"
#include "retrieve/search/search.h"
#include "retrieve/search/sentence.h"

enum { SENTENCES_MAX = 400, BAG = 256, BYTES_MIN = 12, SENTENCE_TERMS = 256 };

#define PASSAGE_SHARE   0.35
#define PAIR_SHARE      0.25
#define NEIGHBOUR_SHARE 0.15
#define CUE_SHARE       0.15
#define SAME_SHARE      0.5 /* what a sentence loses that repeats another */

struct candidate {
    size_t hit;
    struct str text;
    uint64_t groups;
    uint64_t bag[BAG / 64]; /* its terms, hashed */
    double share, pairs, score;
    bool picked;
};

struct picking {
    const struct search *search;
    const struct query *query;
    struct analyser *analyser;
    enum cue cue;
    struct candidate *all;
    size_t n;
};

/* ---- One sentence ------------------------------------------------------- */

static const struct query_term *find(const struct query *q, struct str word)
{
    for (size_t i = 0; i < q->terms_n; i++)
        if (str_eq(q->terms[i].word, word))
            return &q->terms[i];
    return NULL;
}

static double pair_share(const struct query *q, const uint32_t *terms, size_t n)
{
    size_t own = 0, met = 0;

    for (size_t p = 0; p < q->pairs_n; p++) {
        bool found = false;

        if (q->pairs[p].weight < 1)
            continue;
        own++;
        for (size_t i = 0; i + 1 < n && !found; i++)
            found = terms[i] == q->pairs[p].left &&
                    terms[i + 1] == q->pairs[p].right;
        met += found;
    }
    return own ? (double)met / (double)own : 0;
}

static void read_sentence(const struct picking *p, struct candidate *c,
                          enum language language)
{
    uint32_t terms[SENTENCE_TERMS];
    struct token t;
    size_t n = 0;

    analyse(p->analyser, c->text, language);
    while (analyse_next(p->analyser, &t) && n < SENTENCE_TERMS) {
        const struct query_term *term = find(p->query, t.term);
        uint64_t h;

        if (term && term->group < QUERY_TERMS_MAX)
            c->groups |= 1ull << term->group;
        if (t.stop)
            continue;
        terms[n++] = term ? (uint32_t)(term - p->query->terms) : NO_TERM;
        h = str_hash(t.term);
        c->bag[h / 64 % (BAG / 64)] |= 1ull << h % 64;
    }
    c->share = query_share(p->query, c->groups);
    c->pairs = pair_share(p->query, terms, n);
}

/* ---- All sentences ------------------------------------------------------ */

static enum language language_of(const struct picking *p, struct str text)
{
    enum language l = language_guess(p->analyser, text);

    return l == LANGUAGE_NONE ? LANGUAGE_EN : l;
}

static void read_hit(struct picking *p, size_t hit)
{
    struct str rest = p->search->hits[hit].text, sentence;
    enum language language = language_of(p, rest);

    while (p->n < SENTENCES_MAX && sentence_take(&rest, &sentence)) {
        struct candidate *c = &p->all[p->n];

        if (sentence.n < BYTES_MIN)
            continue;
        *c = (struct candidate){.hit = hit, .text = sentence};
        read_sentence(p, c, language);
        p->n++;
    }
}

/* What the sentences before and behind have of the question that it has not
 * itself. */
static double neighbours(const struct picking *p, size_t i)
{
    const struct candidate *c = &p->all[i];
    uint64_t groups = 0;

    if (i > 0 && c[-1].hit == c->hit)
        groups |= c[-1].groups;
    if (i + 1 < p->n && c[1].hit == c->hit)
        groups |= c[1].groups;
    return query_share(p->query, groups & ~c->groups);
}

static void score(struct picking *p, size_t i)
{
    struct candidate *c = &p->all[i];

    c->score = c->share + PASSAGE_SHARE * p->search->hits[c->hit].score +
               PAIR_SHARE * c->pairs + NEIGHBOUR_SHARE * neighbours(p, i) +
               CUE_SHARE * cue_met(p->cue, c->text, p->search->query);
}

/* ---- Choosing ----------------------------------------------------------- */

static double likeness(const struct candidate *a, const struct candidate *b)
{
    int both = 0, any = 0;

    for (size_t i = 0; i < BAG / 64; i++) {
        both += __builtin_popcountll(a->bag[i] & b->bag[i]);
        any += __builtin_popcountll(a->bag[i] | b->bag[i]);
    }
    return any ? (double)both / any : 0;
}

static double worth(const struct picking *p, const struct candidate *c)
{
    double most = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->all[i].picked && likeness(c, &p->all[i]) > most)
            most = likeness(c, &p->all[i]);
    return c->score - SAME_SHARE * most;
}

static struct candidate *best(const struct picking *p)
{
    struct candidate *best = NULL;
    double most = 0;

    for (size_t i = 0; i < p->n; i++) {
        double w = p->all[i].picked ? -1 : worth(p, &p->all[i]);

        if (w > most) {
            best = &p->all[i];
            most = w;
        }
    }
    return best;
}

enum footnote_rc retriever_pick(struct retriever *r, struct arena *out,
                                const struct search *s, struct picked *picked,
                                size_t max, size_t *n, struct footnote_err *err)
{
    AUTO(arena_free)
    struct arena scratch = ARENA(SENTENCES_MAX * sizeof(struct candidate) * 2);
    struct picking p = {.search = s, .query = s->ready};

    (void)out;
    *n = 0;
    if (!s->ready || s->hits_n == 0)
        return FOOTNOTE_OK;
    p.all = arena_many(&scratch, SENTENCES_MAX, struct candidate);
    TRY(arena_rc(&scratch, err));
    p.analyser = indexes_borrow_analyser(r->indexes);
    if (!p.analyser)
        return err_set(err, FOOTNOTE_NOMEM, "picking sentences");
    p.cue = cue_of(s->query);
    for (size_t i = 0; i < s->hits_n; i++)
        read_hit(&p, i);
    for (size_t i = 0; i < p.n; i++)
        score(&p, i);
    while (*n < max) {
        struct candidate *c = best(&p);

        if (!c)
            break;
        c->picked = true;
        picked[(*n)++] = (struct picked){c->hit, c->text, c->score};
    }
    indexes_return_analyser(r->indexes, p.analyser);
    return FOOTNOTE_OK;
}
