/* doubts.c - numbers and names that are missing, or that stand apart. */
#include "cite/judge/inner.h"

enum {
    NAMES_TOGETHER = 5, /* words between two names that belong together */
    DATE_TOGETHER = 3,
    NEIGHBOUR = 3, /* words of the sentence that are neighbours */
    NEIGHBOURS_NEAR = 12,
    CLASH_NEIGHBOURS = 4, /* content words on each side */
    COUNTED = 2           /* more of a kind weigh no more */
};
static const double CLASH_COVERED = .6;

static bool is_found(const struct item *item)
{
    return item && item->best >= CREDIT_FOUND;
}

static bool is_figure(const struct judge_word *w)
{
    return w->kind == WORD_NUMBER || w->kind == WORD_DATE;
}

/* The fewest words between a place of the one and a place of the other. */
static bool within(const struct item *a, const struct item *b, uint32_t near)
{
    size_t j = 0;

    for (size_t i = 0; i < a->places_n; i++) {
        while (j < b->places_n && b->places[j] + near < a->places[i])
            j++;
        if (j < b->places_n && b->places[j] <= a->places[i] + near)
            return true;
    }
    return false;
}

/* ---- Missing ------------------------------------------------------------ */

static void count_missing(const struct trial *t, struct doubts *d)
{
    for (size_t i = 0; i < t->items_n; i++) {
        const struct item *item = &t->items[i];

        if (is_found(item))
            continue;
        if (is_figure(item->word)) {
            d->numbers++;
            d->number = d->number ? d->number : item->word;
        } else if (item->word->kind == WORD_NAME) {
            d->names++;
            d->name = d->name ? d->name : item->word;
        }
    }
}

/* ---- Apart -------------------------------------------------------------- */

/* Two names side by side, or a day and its month. */
static void count_pairs(const struct trial *t, struct doubts *d)
{
    for (size_t i = 0; i + 1 < t->claim->n && d->pairs < COUNTED; i++) {
        const struct judge_word *a = &t->claim->words[i], *b = a + 1;
        const struct item *one = trial_item(t, i), *two = trial_item(t, i + 1);
        bool names = a->kind == WORD_NAME && b->kind == WORD_NAME;
        bool date = a->kind != b->kind && is_figure(a) && is_figure(b);

        if ((!names && !date) || b->after || one == two || !is_found(one) ||
            !is_found(two) || one->places_n == 0 || two->places_n == 0)
            continue;
        if (within(one, two, names ? NAMES_TOGETHER : DATE_TOGETHER))
            continue;
        d->pairs++;
        d->apart = d->apart ? d->apart : b;
    }
}

/* Whether none of the neighbours of the claim's word is near it in the source;
 * false when there is none to ask. */
static bool is_lonely(const struct trial *t, size_t at)
{
    const struct item *item = trial_item(t, at);
    size_t from = at > NEIGHBOUR ? at - NEIGHBOUR : 0;
    bool asked = false;

    for (size_t i = from; i < t->claim->n && i <= at + NEIGHBOUR; i++) {
        const struct item *other = trial_item(t, i);

        if (other == item || !is_found(other) || !other->places_n ||
            !word_counts(other->word))
            continue;
        if (within(item, other, NEIGHBOURS_NEAR))
            return false;
        asked = true;
    }
    return asked;
}

static void count_lonely(const struct trial *t, struct doubts *d)
{
    for (size_t i = 0; i < t->claim->n; i++) {
        const struct judge_word *w = &t->claim->words[i];
        const struct item *item = trial_item(t, i);
        bool number = w->kind == WORD_NUMBER;

        if ((!number && w->kind != WORD_NAME) || !is_found(item) ||
            !item->places_n || item->word != w || !is_lonely(t, i))
            continue;
        int *count = number ? &d->lonely_numbers : &d->lonely_names;
        if (*count == COUNTED)
            continue;
        ++*count;
        d->apart = d->apart ? d->apart : w;
    }
}

/* ---- Another number ----------------------------------------------------- */

/* The content words on one side of a word, four at most. */
static void take_neighbours(const struct trial *t, size_t at, int step,
                            const struct item **out, size_t *n)
{
    size_t taken = 0;

    for (size_t i = at; taken < CLASH_NEIGHBOURS;) {
        if (step < 0 ? i == 0 : i + 1 == t->claim->n)
            return;
        i = step < 0 ? i - 1 : i + 1;
        const struct item *item = trial_item(t, i);
        if (!item || !word_counts(item->word))
            continue;
        out[(*n)++] = item;
        taken++;
    }
}

static bool same_kind(const struct judge_word *a, const struct judge_word *b)
{
    return a->kind == b->kind && a->year == b->year;
}

static bool in_claim(const struct trial *t, const struct judge_word *w)
{
    for (size_t i = 0; i < t->items_n; i++)
        if (t->items[i].word->key == w->key && is_figure(t->items[i].word))
            return true;
    return false;
}

static bool has_another(const struct trial *t, uint32_t sentence,
                        const struct judge_word *number)
{
    const struct judge_source *s = t->source;

    for (uint32_t i = s->first[sentence]; i < s->first[sentence + 1]; i++)
        if (same_kind(&s->text.words[i], number) &&
            !in_claim(t, &s->text.words[i]))
            return true;
    return false;
}

static bool clashes(const struct trial *t, size_t at)
{
    const struct item *near[2 * CLASH_NEIGHBOURS];
    size_t n = 0;

    take_neighbours(t, at, -1, near, &n);
    take_neighbours(t, at, 1, near, &n);
    for (uint32_t s = 0; n && s < t->source->sentences_n; s++) {
        double sum = 0, all = 0;

        for (size_t i = 0; i < n; i++) {
            size_t item = (size_t)(near[i] - t->items);

            sum += near[i]->weight * trial_credit(t, item, s) / CREDIT_ALL;
            all += near[i]->weight;
        }
        if (sum >= CLASH_COVERED * all &&
            has_another(t, s, &t->claim->words[at]))
            return true;
    }
    return false;
}

static void find_clash(const struct trial *t, struct doubts *d)
{
    const struct vocabulary *v = lexicon_vocabulary(t->claim->lexicon);

    int asked = 0;

    for (size_t i = 0; v && i < t->claim->n && !d->clash; i++) {
        const struct item *item = trial_item(t, i);

        if (!item || !is_figure(item->word) || is_found(item))
            continue;
        if (asked++ == JUDGE_ASKED_MAX)
            return;
        d->clash = clashes(t, i);
        d->clashing = d->clash ? &t->claim->words[i] : NULL;
    }
}

void doubts_find(const struct trial *t, struct doubts *d)
{
    count_missing(t, d);
    count_pairs(t, d);
    count_lonely(t, d);
    find_clash(t, d);
}
