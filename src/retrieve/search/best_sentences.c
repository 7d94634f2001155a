/* best_sentences.c - the sentences that answer a question, verbatim.
 *
 *         share of the question's idf
 *   + 2   score of the passage
 *   + .3  largest share of the question's idf within NEAR_WORDS words
 *   - .02 for each sentence of its passage before it
 *   + .25 share of the question's pairs
 *   + .15 share of the question's idf that only the sentences around it have
 *   + .15 if it has the kind of answer that was asked for
 *   + .4  if it says what the thing is that was asked for
 *   - .5  likeness to the most similar sentence that was chosen before
 *
 * Questions, headings and lines of contents answer nothing: they are taken only
 * where there is nothing else.  The second sentence is the one behind the first
 * where that needs it; else it is there, as the third, only if it adds
 * something. */
#include "language/passage_sentence.h"
#include "retrieve/search/answer_kind.h"
#include "retrieve/search/needs_next.h"
#include "retrieve/search/search.h"

enum {
    SENTENCES_MAX = 400,
    TERM_BITS = 256,
    SENTENCE_BYTES_MIN = 12,
    SENTENCE_TERMS = 256,
    NEAR_WORDS = 14,
    DEFINED_WORDS = 6, /* before the "is" of a definition */
    HEADING_WORDS = 9  /* a line with fewer and without an end is one */
};

#define PASSAGE_SHARE   2.0
#define NEAR_SHARE      0.3
#define PLACE_SHARE     0.02
#define PAIR_SHARE      0.25
#define NEIGHBOUR_SHARE 0.15
#define KIND_SHARE      0.15
#define DEFINES_SHARE   0.4
#define LIKENESS_SHARE  0.5
#define ENOUGH_SHARE    0.5

struct candidate_sentence {
    size_t hit;
    struct str text;
    uint64_t groups;
    uint64_t term_bits[TERM_BITS / 64]; /* of its terms, hashed */
    double share, pairs, near, score;
    size_t place; /* in its passage, from 0 */
    bool chosen, unfit, defines;
};

struct choice {
    const struct search *search;
    const struct query *query;
    struct analyser *analyser;
    enum answer_kind kind;
    struct candidate_sentence *all;
    size_t n;
};

/* ---- One sentence ------------------------------------------------------- */

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

/* The largest share that a few words beside each other have. */
static double near_share(const struct query *q, const uint64_t *groups,
                         size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t window = 0;

        if (!groups[i]) /* a window that begins here has no more than the next
                         */
            continue;
        for (size_t k = i; k < n && k < i + NEAR_WORDS; k++)
            window |= groups[k];
        double share = query_idf_share(q, window);
        most = share > most ? share : most;
    }
    return most;
}

static bool ends_in(struct str s, struct str mark)
{
    return s.n >= mark.n && str_eq(str_skip(s, s.n - mark.n), mark);
}

/* Whether nobody would take the sentence for an answer: a question, a heading,
 * a line of contents.  Items of lists and rows of tables may be short. */
static bool is_unfit(struct str s, size_t words)
{
    static const struct str ends[] = {{".", 1},
                                      {"!", 1},
                                      {":", 1},
                                      {";", 1},
                                      {")", 1},
                                      {"\"", 1},
                                      {"\xe2\x80\x9d", 3},
                                      {"\xc2\xbb", 2},
                                      {"\xe3\x80\x82", 3},
                                      {"\xd8\x94", 2}};

    if (ends_in(s, STR("?")) || ends_in(s, STR("\xef\xbc\x9f")) ||
        ends_in(s, STR("\xd8\x9f")))
        return true;
    if (memmem(s.p, s.n, " . . . ", 7) || memmem(s.p, s.n, ".....", 5))
        return true;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (ends_in(s, ends[i]))
            return false;
    bool item = strchr("-*|", s.p[0]) || (s.p[0] >= '0' && s.p[0] <= '9') ||
                str_starts(s, STR("\xe2\x80\xa2"));
    /* Chinese, Japanese and Thai have more words than spaces. */
    bool spaced = (unsigned char)s.p[0] < 0xe0;
    return words < HEADING_WORDS && spaced && !item &&
           !memmem(s.p, s.n, " | ", 3);
}

static bool is_copula(struct str word)
{
    static const char *const words[] = {"is", "are", "means", "ist", "sind",
                                        "es", "son", "est",   "sont"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_eq(word, str_c(words[i])))
            return true;
    return false;
}

static void read_sentence(const struct choice *p, struct candidate_sentence *c,
                          enum language language)
{
    uint32_t terms[SENTENCE_TERMS];
    uint64_t by_word[SENTENCE_TERMS];
    uint64_t all =
        p->query->own_n ? ~0ull >> (QUERY_GROUPS_MAX - p->query->own_n) : 0;
    struct token t;
    size_t n = 0, words = 0;

    analyse(p->analyser, c->text, language);
    while (analyse_next(p->analyser, &t) && n < SENTENCE_TERMS) {
        const struct query_term *term = query_find(p->query, t.term);
        bool asked = term && term->group < QUERY_GROUPS_MAX;
        uint64_t h;

        if (all && (c->groups & all) == all && words <= DEFINED_WORDS &&
            by_word[words - 1] && is_copula(t.word))
            c->defines = true;
        if (asked)
            c->groups |= 1ull << term->group;
        if (words < SENTENCE_TERMS)
            by_word[words++] = asked ? 1ull << term->group : 0;
        if (t.stop)
            continue;
        terms[n++] = term ? (uint32_t)(term - p->query->terms) : NO_TERM;
        h = str_hash(t.term);
        c->term_bits[h / 64 % (TERM_BITS / 64)] |= 1ull << h % 64;
    }
    c->share = query_idf_share(p->query, c->groups);
    c->pairs = pair_share(p->query, terms, n);
    c->near = near_share(p->query, by_word, words);
    c->unfit = is_unfit(c->text, words);
}

/* ---- All sentences ------------------------------------------------------ */

static void read_hit(struct choice *p, size_t hit)
{
    struct str rest = p->search->hits[hit].text, sentence;
    enum language language = language_guess(p->analyser, rest);

    if (language == LANGUAGE_NONE)
        language = LANGUAGE_EN;
    for (size_t place = 0;
         p->n < SENTENCES_MAX && passage_sentence_take(&rest, &sentence);
         place++) {
        struct candidate_sentence *c = &p->all[p->n];

        if (sentence.n < SENTENCE_BYTES_MIN)
            continue;
        *c = (struct candidate_sentence){
            .hit = hit, .text = sentence, .place = place};
        read_sentence(p, c, language);
        p->n++;
    }
}

static void set_score(struct choice *p, size_t i)
{
    struct candidate_sentence *c = &p->all[i];
    uint64_t around = 0; /* groups of the sentences before and after */

    if (i > 0 && c[-1].hit == c->hit)
        around |= c[-1].groups;
    /* A question or a heading belongs to what follows it. */
    if (i + 1 < p->n && c[1].hit == c->hit && !c[1].unfit)
        around |= c[1].groups;
    c->score =
        c->share + PASSAGE_SHARE * p->search->hits[c->hit].score +
        PAIR_SHARE * c->pairs + NEAR_SHARE * c->near -
        PLACE_SHARE * (double)c->place +
        NEIGHBOUR_SHARE * query_idf_share(p->query, around & ~c->groups) +
        KIND_SHARE * answer_kind_met(p->kind, c->text, p->search->query) +
        DEFINES_SHARE * (p->kind == ANSWER_DEFINITION && c->defines);
}

/* ---- Choosing ----------------------------------------------------------- */

static double likeness(const struct candidate_sentence *a,
                       const struct candidate_sentence *b)
{
    int both = 0, any = 0;

    for (size_t i = 0; i < TERM_BITS / 64; i++) {
        both += __builtin_popcountll(a->term_bits[i] & b->term_bits[i]);
        any += __builtin_popcountll(a->term_bits[i] | b->term_bits[i]);
    }
    return any ? (double)both / any : 0;
}

/* The score, less for a sentence that repeats a chosen one. */
static double score_left(const struct choice *p,
                         const struct candidate_sentence *c)
{
    double most = 0;

    for (size_t i = 0; i < p->n; i++)
        if (p->all[i].chosen && likeness(c, &p->all[i]) > most)
            most = likeness(c, &p->all[i]);
    return c->score - LIKENESS_SHARE * most;
}

static bool all_unfit(const struct choice *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!p->all[i].unfit)
            return false;
    return true;
}

static struct candidate_sentence *next_best(const struct choice *p)
{
    bool unfit = all_unfit(p);
    struct candidate_sentence *best = NULL;
    double most = 0;

    for (size_t i = 0; i < p->n; i++) {
        bool out = p->all[i].chosen || (p->all[i].unfit && !unfit);
        double left = out ? -1 : score_left(p, &p->all[i]);

        if (left > most) {
            best = &p->all[i];
            most = left;
        }
    }
    return best;
}

/* The sentence behind the chosen one, where that is only understood with it. */
static struct candidate_sentence *next_needed(const struct choice *p,
                                              struct candidate_sentence *c)
{
    struct candidate_sentence *next = c + 1;

    return next < p->all + p->n && next->hit == c->hit && !next->chosen &&
                   !next->unfit && needs_next(c->text)
               ? next
               : NULL;
}

static bool is_beside(const struct candidate_sentence *a,
                      const struct candidate_sentence *b)
{
    return a->hit == b->hit && (a == b + 1 || b == a + 1);
}

/* Whether the sentence adds something to the chosen ones: a word of the
 * question that they do not have; or else it is half as good as the first, and
 * has one that they have, the kind of answer, or a place beside the first. */
static bool adds(const struct choice *p, const struct candidate_sentence *c,
                 const struct candidate_sentence *first)
{
    uint64_t said = 0;

    for (size_t i = 0; i < p->n; i++)
        said |= p->all[i].chosen ? p->all[i].groups : 0;
    if (c->groups & ~said)
        return true;
    return score_left(p, c) >= ENOUGH_SHARE * first->score &&
           (c->groups || is_beside(c, first) ||
            (p->kind != ANSWER_ANY &&
             answer_kind_met(p->kind, c->text, p->search->query)));
}

static void take_outline(const struct search *s, struct best_sentence *out,
                         size_t max, size_t *n)
{
    for (; *n < s->hits_n && *n < max; ++*n)
        out[*n] = (struct best_sentence){*n, s->outline[*n].text, 1};
}

enum footnote_rc retriever_sentences(struct retriever *r,
                                     const struct search *s,
                                     struct best_sentence *out, size_t max,
                                     size_t *n, struct footnote_err *err)
{
    AUTO(arena_free)
    struct arena scratch =
        ARENA(SENTENCES_MAX * sizeof(struct candidate_sentence) * 2);
    struct choice p = {.search = s, .query = s->parsed};

    *n = 0;
    if (s->outline)
        take_outline(s, out, max, n);
    if (!s->parsed || s->hits_n == 0)
        return FOOTNOTE_OK;
    p.all = arena_many(&scratch, SENTENCES_MAX, struct candidate_sentence);
    TRY(arena_rc(&scratch, err));
    p.analyser = indexes_borrow_analyser(r->indexes);
    if (!p.analyser)
        return err_set(err, FOOTNOTE_NOMEM, "choosing sentences");
    p.kind = answer_kind_of(s->query);
    for (size_t i = 0; i < s->hits_n; i++)
        read_hit(&p, i);
    for (size_t i = 0; i < p.n; i++)
        set_score(&p, i);
    for (struct candidate_sentence *c = NULL, *first = NULL; *n < max;) {
        struct candidate_sentence *next = *n == 1 ? next_needed(&p, c) : NULL;

        c = next ? next : next_best(&p);
        if (!c || (*n > 0 && !next && !adds(&p, c, first)))
            break;
        first = first ? first : c;
        c->chosen = true;
        out[(*n)++] = (struct best_sentence){c->hit, c->text, c->score};
    }
    indexes_return_analyser(r->indexes, p.analyser);
    return FOOTNOTE_OK;
}
