/* query.c - a question becomes terms with weights.
 *
 * A word is searched for in every language that the documents have, because
 * its stem differs by language.  Its stems form one group; coverage counts
 * groups. */
#include "retrieve/search/query.h"

#include <assert.h>
#include <math.h>

enum footnote_rc query_init(struct query *q, struct footnote_err *err)
{
    uint64_t length = 0;

    q->terms = arena_many(q->arena, QUERY_TERMS_MAX, struct query_term);
    q->pairs = arena_many(q->arena, QUERY_TERMS_MAX, struct query_pair);
    q->groups = arena_many(q->arena, QUERY_GROUPS_MAX, struct query_group);
    for (size_t i = 0; i < q->ranges_n; i++) {
        const struct segment *s = q->ranges[i].segment;

        q->passages_n += s->passages_n;
        length += s->length_sum;
        for (uint32_t d = 0; d < s->documents_n; d++)
            q->languages |= 1u << s->documents[d].language;
    }
    q->average = q->passages_n ? (float)length / (float)q->passages_n : 1;
    if (q->average < 1)
        q->average = 1;
    return arena_rc(q->arena, err);
}

/* ---- Terms -------------------------------------------------------------- */

static float idf(const struct query *q, uint64_t df)
{
    double n = (double)q->passages_n, d = (double)df;

    return (float)log(1 + (n - d + 0.5) / (d + 0.5));
}

struct query_term *query_find(const struct query *q, struct str word)
{
    for (size_t i = 0; i < q->terms_n; i++)
        if (str_eq(q->terms[i].word, word))
            return &q->terms[i];
    return NULL;
}

enum footnote_rc query_add_term(struct query *q, struct str word, float weight,
                                uint32_t group, struct footnote_err *err)
{
    struct query_term *t = query_find(q, word);

    assert(group <= QUERY_GROUPS_MAX);
    if (t) {
        t->weight += weight;
        return FOOTNOTE_OK;
    }
    if (q->terms_n == QUERY_TERMS_MAX)
        return FOOTNOTE_OK;
    t = &q->terms[q->terms_n];
    *t = (struct query_term){
        .word = arena_str(q->arena, word), .weight = weight, .group = group};
    t->numbers = arena_many(q->arena, q->ranges_n + 1, uint32_t);
    TRY(arena_rc(q->arena, err));
    for (size_t i = 0; i < q->ranges_n; i++) {
        const struct segment *s = q->ranges[i].segment;

        t->numbers[i] = segment_find(s, word);
        if (t->numbers[i] != NO_TERM)
            t->df += s->terms[t->numbers[i]].df;
    }
    t->idf = idf(q, t->df);
    q->terms_n++;
    return FOOTNOTE_OK;
}

/* ---- Words of the question ---------------------------------------------- */

enum { EARLIER_WORDS = 8 };
#define EARLIER_WEIGHT 0.5F

struct query_word {
    struct str stems[LANGUAGES]; /* absent: not one of the languages */
    struct str folded;
    enum language own; /* of the question */
    bool stop;
};

/* The language whose function words count: the question's own if the
 * documents have it, else one of theirs. */
static enum language language_of(const struct query *q, struct str text)
{
    enum language guess = language_guess(q->analyser, text);

    if (q->languages >> guess & 1)
        return guess;
    for (int l = 0; l < LANGUAGES; l++)
        if (q->languages >> l & 1)
            return (enum language)l;
    return LANGUAGE_EN;
}

static enum footnote_rc read_words(struct query *q, struct str text,
                                   struct query_word *words, size_t max,
                                   size_t *n, struct footnote_err *err)
{
    enum language own = language_of(q, text);

    *n = 0;
    for (int l = 0; l < LANGUAGES; l++) {
        struct token t;
        size_t i = 0;

        if (!(q->languages >> l & 1) && l != (int)own)
            continue;
        analyse(q->analyser, text, (enum language)l);
        for (; i < max && analyse_next(q->analyser, &t); i++) {
            words[i].stems[l] = arena_str(q->arena, t.term);
            if (l != (int)own)
                continue;
            words[i].stop = t.stop;
            words[i].folded = arena_str(q->arena, t.word);
            words[i].own = own;
        }
        *n = i;
    }
    return arena_rc(q->arena, err);
}

/* A passage is stemmed in one language, so a word is as frequent as its
 * variants together.  Alone, "commands" in the few English lines of a Spanish
 * book would be rare, and worth more than "command" in all the English ones. */
static void share_idf(struct query *q, uint32_t group)
{
    uint64_t df = 0;

    for (size_t i = 0; i < q->terms_n; i++)
        df += q->terms[i].group == group ? q->terms[i].df : 0;
    df = df < q->passages_n ? df : q->passages_n;
    for (size_t i = 0; i < q->terms_n; i++)
        if (q->terms[i].group == group)
            q->terms[i].idf = idf(q, df);
}

/* Adds the variants of a word; when no passage has any of them, the term that
 * it is a misspelling of. */
static enum footnote_rc add_word(struct query *q, const struct query_word *w,
                                 float weight, uint32_t group, uint32_t *term,
                                 struct footnote_err *err)
{
    struct query_group *g = &q->groups[group];
    const struct query_term *repaired;
    struct str meant = STR_NONE;

    *term = NO_TERM;
    for (int l = 0; l < LANGUAGES; l++) {
        struct query_term *t;

        if (!w->stems[l].p)
            continue;
        TRY(query_add_term(q, w->stems[l], weight, group, err));
        t = query_find(q, w->stems[l]);
        if (t)
            t->languages |= 1u << l;
        /* A stem that two languages share got its weight twice. */
        for (int k = 0; t && k < l; k++)
            if (w->stems[k].p && str_eq(w->stems[k], w->stems[l])) {
                t->weight -= weight;
                break;
            }
        if (t && t->df && (*term == NO_TERM || t->df > q->terms[*term].df))
            *term = (uint32_t)(t - q->terms);
    }
    share_idf(q, group);
    g->typed = w->folded;
    g->known = *term != NO_TERM;
    g->idf = g->known ? q->terms[*term].idf : idf(q, 0);
    if (g->known || !query_repair(q, w->folded, w->own, &meant))
        return FOOTNOTE_OK;
    TRY(query_add_term(q, meant, weight, group, err));
    repaired = query_find(q, meant);
    if (repaired) /* else the query is full */
        g->meant = repaired->word;
    if (repaired)
        *term = (uint32_t)(repaired - q->terms);
    return FOOTNOTE_OK;
}

/* A word that comes twice belongs to the group of its first. */
static bool is_repeated(const struct query_word *words, size_t i, bool all,
                        size_t *first)
{
    for (*first = 0; *first < i; ++*first) {
        bool same = all || !words[*first].stop;

        for (int l = 0; l < LANGUAGES; l++)
            same = same && str_eq(words[*first].stems[l], words[i].stems[l]);
        if (same)
            return true;
    }
    return false;
}

/* A word that the question says again counts half as much again. */
static void repeat_word(struct query *q, uint32_t term, float weight)
{
    for (size_t i = 0; term != NO_TERM && i < q->terms_n; i++)
        if (q->terms[i].group == q->terms[term].group)
            q->terms[i].weight += weight / 2;
}

static void add_pair(struct query *q, uint32_t left, uint32_t right,
                     float weight)
{
    assert(right == NO_TERM || right < q->terms_n);
    if (left == NO_TERM || right == NO_TERM || left == right ||
        q->pairs_n == QUERY_TERMS_MAX)
        return;
    q->pairs[q->pairs_n++] = (struct query_pair){left, right, weight};
}

/* An earlier question names what is asked about.  A long one must not outweigh
 * the question itself. */
static float weight_of_earlier(const struct query_word *words, size_t n)
{
    size_t content = 0;

    for (size_t i = 0; i < n; i++)
        content += !words[i].stop;
    return content <= EARLIER_WORDS
               ? EARLIER_WEIGHT
               : EARLIER_WEIGHT * (float)EARLIER_WORDS / (float)content;
}

enum footnote_rc query_add_text(struct query *q, struct str text, bool earlier,
                                struct footnote_err *err)
{
    struct query_word *words =
        arena_many(q->arena, QUERY_WORDS_MAX, struct query_word);
    uint32_t before = NO_TERM, *terms;
    float weight = 1;
    size_t n = 0, first;
    bool all = !earlier; /* function words count when there are no others */

    terms = arena_many(q->arena, QUERY_WORDS_MAX, uint32_t);
    TRY(arena_rc(q->arena, err));
    if (!earlier)
        q->own = language_guess(q->analyser, text);
    TRY(read_words(q, text, words, QUERY_WORDS_MAX, &n, err));
    for (size_t i = 0; i < n; i++)
        all = all && words[i].stop;
    if (earlier)
        weight = weight_of_earlier(words, n);
    for (size_t i = 0; i < n; i++) {
        if (words[i].stop && !all)
            continue;
        if (is_repeated(words, i, all, &first)) {
            terms[i] = terms[first];
            before = earlier ? terms[first] : before;
            if (earlier) /* how often it was said does not matter here */
                continue;
            repeat_word(q, terms[first], weight);
        } else if (q->groups_n < QUERY_GROUPS_MAX) {
            TRY(add_word(q, &words[i], weight, (uint32_t)q->groups_n, &terms[i],
                         err));
            q->groups[q->groups_n++].weight = weight;
        } else {
            break;
        }
        add_pair(q, before, terms[i], weight);
        before = terms[i];
    }
    if (!earlier) {
        q->own_n = q->groups_n;
        for (size_t i = 0; i < q->own_n; i++)
            q->idf_sum += q->groups[i].idf;
    }
    return FOOTNOTE_OK;
}

/* ---- Coverage ----------------------------------------------------------- */

/* The Spanish stem of "bake" is "bak", which means something else in an English
 * text. */
static bool is_of(const struct query_term *term, enum language language)
{
    return term->languages == 0 || term->languages >> language & 1;
}

uint64_t query_groups_in(const struct query *q, struct analyser *a,
                         struct str text, enum language language)
{
    uint64_t groups = 0;
    struct token t;

    analyse(a, text, language);
    while (analyse_next(a, &t)) {
        const struct query_term *term = query_find(q, t.term);

        if (term && term->group < QUERY_GROUPS_MAX && is_of(term, language))
            groups |= 1ull << term->group;
    }
    return groups;
}

/* A word that was taken for a misspelling may have been right, and mean
 * something else. */
#define GUESSED_SHARE 0.6F

double query_idf_share(const struct query *q, uint64_t groups)
{
    float sum = 0;

    assert(q->own_n <= QUERY_GROUPS_MAX);
    for (size_t i = 0; i < q->own_n; i++)
        if (groups >> i & 1)
            sum +=
                q->groups[i].idf * (q->groups[i].known ? 1.0F : GUESSED_SHARE);
    return q->idf_sum > 0 ? (double)(sum / q->idf_sum) : 0;
}
