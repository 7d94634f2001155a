/* denial.c - negations that only one of sentence and source has. */
#include "cite/judge/inner.h"

enum {
    CLAUSE = 7, /* words on either side of a negator */
    DENIED = 2, /* content words that it denies */
    DENIES_BEFORE = 4,
    DENIES_BEHIND = 7,
    DROPPED_NEAR = 6
};
static const double CLAUSE_LEAST = .25, CLAUSE_SHARE = .75, COVERED = .6;

/* Whether the word says no: not "not only", nor "no 7". */
static bool says_no(const struct judge_text *t, size_t i, unsigned senses,
                    unsigned unless)
{
    const struct judge_word *next = i + 1 < t->n ? &t->words[i + 1] : NULL;

    if (!(t->words[i].senses & senses))
        return false;
    if (next && next->senses & unless)
        return false;
    return !(t->words[i].senses & SENSE_NONE_OF && next &&
             next->kind == WORD_NUMBER);
}

/* ---- The sentence denies, the source does not --------------------------- */

struct clause {
    size_t words[2 * CLAUSE]; /* content words of the claim */
    size_t n;
    size_t denied[DENIED]; /* words of the claim */
    size_t denied_n;
};

/* Takes content words on one side, as far as the clause goes. */
static void take_side(const struct judge_text *t, size_t at, int step,
                      struct clause *c)
{
    size_t i = at;

    for (int taken = 0; taken < CLAUSE; taken++) {
        if (step < 0 ? i == 0 || t->words[i].after
                     : i + 1 == t->n || t->words[i + 1].after)
            return;
        i = step < 0 ? i - 1 : i + 1;
        if (!word_counts(&t->words[i]))
            continue;
        c->words[c->n++] = i;
        if (c->denied_n < DENIED)
            c->denied[c->denied_n++] = i;
    }
}

/* What stands behind the negator is denied; nothing there: what is before. */
static void read_clause(const struct judge_text *t, size_t at, struct clause *c)
{
    *c = (struct clause){.n = 0};
    take_side(t, at, 1, c);
    size_t behind = c->denied_n;
    take_side(t, at, -1, c);
    if (behind)
        c->denied_n = behind;
}

static double clause_covered(const struct trial *t, const struct clause *c,
                             uint32_t sentence)
{
    double sum = 0, all = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct item *item = trial_item(t, c->words[i]);

        if (!item)
            continue;
        all += item->weight;
        sum += item->weight *
               trial_credit(t, (size_t)(item - t->items), sentence) /
               CREDIT_ALL;
    }
    return all > 0 ? sum / all : 0;
}

/* Whether the source's word is the claim's, with un- or the like before it. */
static bool is_undone(const struct trial *t, const struct judge_word *source,
                      const struct judge_word *word)
{
    const struct vocabulary *v = lexicon_vocabulary(t->claim->lexicon);
    struct str rest = str_c(v->undo);

    if (!source->folded.p || !word->folded.p)
        return false;
    while (rest.n) {
        struct str undo = {rest.p, str_find(rest, ' ')};

        rest = str_skip(rest, undo.n < rest.n ? undo.n + 1 : undo.n);
        if (str_starts(source->folded, undo) &&
            (str_eq(str_skip(source->folded, undo.n), word->folded) ||
             (str_starts(source->stem, undo) &&
              str_eq(str_skip(source->stem, undo.n), word->stem))))
            return true;
    }
    return false;
}

/* Whether the source's word at `at` is the item. */
static bool stands_at(const struct item *item, uint32_t at)
{
    size_t low = 0, high = item->places_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (item->places[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < item->places_n && item->places[low] == at;
}

/* Whether the source's negator at `at` has the denied word around it. */
static bool negator_denies(const struct trial *t, uint32_t at,
                           const struct item *item)
{
    const struct judge_text *s = &t->source->text;
    uint32_t from = at > DENIES_BEFORE ? at - DENIES_BEFORE : 0;

    for (uint32_t i = from; i < s->n && i <= at + DENIES_BEHIND; i++)
        if (s->words[i].sentence == s->words[at].sentence && stands_at(item, i))
            return true;
    return false;
}

static bool sentence_denies(const struct trial *t, const struct clause *c,
                            uint32_t sentence)
{
    const struct judge_source *s = t->source;

    for (uint32_t i = s->first[sentence]; i < s->first[sentence + 1]; i++) {
        bool no =
            says_no(&s->text, i, SENSE_NEGATES | SENSE_DENIES, SENSE_MILD);

        for (size_t k = 0; k < c->denied_n; k++) {
            const struct item *item = trial_item(t, c->denied[k]);

            if (item && (is_undone(t, &s->text.words[i], item->word) ||
                         (no && negator_denies(t, i, item))))
                return true;
        }
    }
    return false;
}

/* Whether the claim's negator at `at` has no fellow in the sentences of the
 * source that are about the same. */
static bool denies_alone(const struct trial *t, size_t at)
{
    uint32_t sentences = t->source->sentences_n;
    struct clause c;
    double best = 0;

    read_clause(t->claim, at, &c);
    if (c.denied_n == 0)
        return false;
    for (uint32_t s = 0; s < sentences; s++) {
        double covered = clause_covered(t, &c, s);

        best = covered > best ? covered : best;
    }
    if (best <= CLAUSE_LEAST)
        return false;
    for (uint32_t s = 0; s < sentences; s++)
        if (clause_covered(t, &c, s) >= CLAUSE_SHARE * best &&
            sentence_denies(t, &c, s))
            return false;
    return true;
}

static void find_denials(const struct trial *t, struct doubts *d)
{
    int asked = 0;

    for (size_t i = 0; i < t->claim->n && !d->denies; i++) {
        if (!says_no(t->claim, i, SENSE_NEGATES, SENSE_MILD))
            continue;
        if (asked++ == JUDGE_ASKED_MAX)
            return;
        if (!denies_alone(t, i))
            continue;
        d->denies = true;
        d->denied = &t->claim->words[i];
    }
}

/* ---- The source denies, the sentence does not --------------------------- */

static bool negator_near(const struct judge_text *t, size_t at)
{
    size_t from = at > DROPPED_NEAR ? at - DROPPED_NEAR : 0;

    for (size_t i = from; i < t->n && i <= at + DROPPED_NEAR; i++)
        if (t->words[i].senses & (SENSE_NEGATES | SENSE_DENIES))
            return true;
    return false;
}

/* The claim's word that has the source's word, without a negator near it. */
static const struct judge_word *undenied(const struct trial *t, uint32_t place)
{
    for (size_t i = 0; i < t->claim->n; i++) {
        const struct item *item = trial_item(t, i);

        if (item && word_counts(item->word) && stands_at(item, place))
            return negator_near(t->claim, i) ? NULL : &t->claim->words[i];
    }
    return NULL;
}

static const struct judge_word *dropped_at(const struct trial *t, uint32_t at)
{
    const struct judge_text *s = &t->source->text;
    int content = 0;

    for (uint32_t i = at + 1; i < s->n && content < DENIED; i++) {
        if (s->words[i].sentence != s->words[at].sentence)
            break;
        if (!word_counts(&s->words[i]))
            continue;
        content++;
        const struct judge_word *w = undenied(t, i);
        if (w)
            return w;
    }
    return NULL;
}

static void find_dropped(const struct trial *t, struct doubts *d)
{
    const struct judge_source *s = t->source;

    for (size_t k = 0; k < t->three_n && k < 2; k++) {
        uint32_t sentence = t->three[k];

        if (t->covered[sentence] < COVERED)
            continue;
        for (uint32_t i = s->first[sentence];
             i < s->first[sentence + 1] && !d->dropped; i++) {
            if (!says_no(&s->text, i, SENSE_DROPS, SENSE_MILD | SENSE_LATER))
                continue;
            d->undenied = dropped_at(t, i);
            d->dropped = d->undenied != NULL;
        }
    }
}

/* ---- Opposites ---------------------------------------------------------- */

static bool stands_in(const struct trial *t, uint64_t key, uint32_t sentence)
{
    const struct judge_source *s = t->source;

    for (uint32_t i = s->first[sentence]; i < s->first[sentence + 1]; i++)
        if (s->text.words[i].key == key)
            return true;
    return false;
}

static bool claim_has(const struct trial *t, uint64_t key)
{
    for (size_t i = 0; i < t->claim->n; i++)
        if (t->claim->words[i].key == key)
            return true;
    return false;
}

static bool has_opposite(const struct trial *t, uint64_t key)
{
    size_t n;
    const struct opposites *all = lexicon_opposites(t->claim->lexicon, &n);

    for (size_t i = 0; i < n; i++) {
        uint64_t other = all[i].one == key     ? all[i].other
                         : all[i].other == key ? all[i].one
                                               : 0;

        if (other && !claim_has(t, other) && stands_in(t, other, t->three[0]))
            return true;
    }
    return false;
}

static void find_opposites(const struct trial *t, struct doubts *d)
{
    if (t->c1 < COVERED)
        return;
    for (size_t i = 0; i < t->items_n && !d->opposite; i++) {
        const struct item *item = &t->items[i];

        if (item->three > 0 || !item->word->folded.p ||
            !has_opposite(t, item->word->key))
            continue;
        d->opposite = true;
        d->opposed = item->word;
    }
}

void denials_find(const struct trial *t, struct doubts *d)
{
    if (!lexicon_vocabulary(t->claim->lexicon))
        return;
    find_denials(t, d);
    find_dropped(t, d);
    find_opposites(t, d);
}
