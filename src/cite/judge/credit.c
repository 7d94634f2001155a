/* credit.c - how much of a sentence stands in each sentence of a source.
 *
 * One walk over the source's words: each is looked up among the items by its
 * key, and by its first letters.  Chains start in a small table at a place that
 * a random number decides, because the texts may be a hostile account's. */
#include "cite/judge/inner.h"

#include <assert.h>

#include "base/uuid.h"

enum {
    CHAINS_BITS = 9,
    CHAINS = 1 << CHAINS_BITS,
    CREDIT_HEAD = 60,
    CREDIT_NAME_HEAD = 80,
    CREDIT_SMALL_NAME = 30,
    INITIALS_MAX = 8,
    LIGHT_BETWEEN = 2, /* function words: "Bank of the West" */
    ACRONYMS_MAX = 64  /* of a text that are looked for in the other */
};

struct chains {
    uint64_t odd;
    uint16_t key[CHAINS], head[CHAINS]; /* an item's number plus one */
};

static unsigned chain_of(const struct chains *c, uint64_t hash)
{
    return (unsigned)(hash * c->odd >> (64 - CHAINS_BITS));
}

/* ---- Items -------------------------------------------------------------- */

static double weight_of(const struct judge_word *w)
{
    switch (w->kind) {
    case WORD_LIGHT: return .15;
    case WORD_DATE: return .7;
    case WORD_PLAIN:
    case WORD_NAME:
    case WORD_NUMBER: break;
    }
    return 1;
}

static size_t find_item(const struct trial *t, const struct chains *c,
                        const struct judge_word *w)
{
    uint16_t i = c->key[chain_of(c, w->key)];

    for (; i; i = t->items[i - 1].next_key)
        if (t->items[i - 1].word->key == w->key &&
            t->items[i - 1].word->kind == w->kind)
            return i - 1u;
    return JUDGE_ITEMS_MAX;
}

static size_t add_item(struct trial *t, struct chains *c,
                       const struct judge_word *w)
{
    struct item *item = &t->items[t->items_n++];
    uint16_t *key = &c->key[chain_of(c, w->key)];

    *item = (struct item){.word = w, .weight = weight_of(w), .next_key = *key};
    *key = (uint16_t)t->items_n;
    if (w->head) {
        uint16_t *head = &c->head[chain_of(c, w->head)];

        item->next_head = *head;
        *head = (uint16_t)t->items_n;
    }
    t->weight += item->weight;
    return t->items_n - 1;
}

static enum footnote_rc make_items(struct trial *t, struct chains *c,
                                   struct footnote_err *err)
{
    t->items = arena_many(t->arena, JUDGE_ITEMS_MAX, struct item);
    t->item_of = arena_many(t->arena, t->claim->n + 1, uint16_t);
    TRY(arena_rc(t->arena, err));
    for (size_t i = 0; i < t->claim->n; i++) {
        size_t item = find_item(t, c, &t->claim->words[i]);

        if (item == JUDGE_ITEMS_MAX && t->items_n < JUDGE_ITEMS_MAX)
            item = add_item(t, c, &t->claim->words[i]);
        t->item_of[i] = (uint16_t)item;
    }
    return FOOTNOTE_OK;
}

/* ---- Credit ------------------------------------------------------------- */

static void give(struct trial *t, size_t item, uint32_t sentence, int credit)
{
    uint8_t *have = &t->credits[item * t->source->sentences_n + sentence];

    assert(sentence < t->source->sentences_n);
    if (credit > *have)
        *have = (uint8_t)credit;
}

static int credit_by_key(const struct judge_word *item,
                         const struct judge_word *w)
{
    bool number = w->kind == WORD_NUMBER || w->kind == WORD_DATE;
    bool wanted = item->kind == WORD_NUMBER || item->kind == WORD_DATE;

    if (number != wanted)
        return 0;
    return item->kind == WORD_NAME && !w->capital ? CREDIT_SMALL_NAME
                                                  : CREDIT_ALL;
}

static int credit_by_head(const struct judge_word *item,
                          const struct judge_word *w)
{
    if (item->kind == WORD_NAME)
        return w->capital ? CREDIT_NAME_HEAD : 0;
    return item->kind == WORD_PLAIN ? CREDIT_HEAD : 0;
}

/* Calls give() for each item that the source's word is worth something for,
 * and notes the places. */
struct place {
    uint32_t word;
    uint16_t item;
};
struct places {
    struct place *list;
    size_t n, room;
};

static void note(struct trial *t, struct places *p, size_t item, uint32_t word,
                 int credit)
{
    const struct judge_word *w = &t->source->text.words[word];

    give(t, item, w->sentence, credit);
    if (credit < CREDIT_FOUND || p->n == p->room)
        return;
    p->list[p->n++] = (struct place){word, (uint16_t)item};
    t->items[item].places_n++;
}

static void look_up(struct trial *t, const struct chains *c, struct places *p,
                    uint32_t word)
{
    const struct judge_word *w = &t->source->text.words[word];
    uint16_t i = c->key[chain_of(c, w->key)];

    for (; i; i = t->items[i - 1].next_key) {
        const struct judge_word *wanted = t->items[i - 1].word;
        int credit = wanted->key == w->key ? credit_by_key(wanted, w) : 0;

        if (credit)
            note(t, p, i - 1u, word, credit);
    }
    if (!w->head || w->kind == WORD_LIGHT || w->kind == WORD_DATE)
        return;
    for (i = c->head[chain_of(c, w->head)]; i; i = t->items[i - 1].next_head) {
        const struct judge_word *wanted = t->items[i - 1].word;
        int credit = wanted->head == w->head && wanted->key != w->key
                         ? credit_by_head(wanted, w)
                         : 0;

        if (credit)
            note(t, p, i - 1u, word, credit);
    }
}

/* Lists for each item the words of the source that it stands in. */
static enum footnote_rc list_places(struct trial *t, const struct places *p,
                                    struct footnote_err *err)
{
    uint32_t *all = arena_many(t->arena, p->n + 1, uint32_t);

    if (!all)
        return arena_rc(t->arena, err);
    for (size_t i = 0; i < t->items_n; i++) {
        t->items[i].places = all;
        all += t->items[i].places_n;
        t->items[i].places_n = 0;
    }
    for (size_t i = 0; i < p->n; i++) {
        struct item *item = &t->items[p->list[i].item];

        item->places[item->places_n++] = p->list[i].word;
    }
    return FOOTNOTE_OK;
}

/* ---- Initials ----------------------------------------------------------- */

static bool is_capital_letter(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* WHO: two to eight capitals and nothing else. */
static bool is_acronym(const struct judge_word *w)
{
    if (!w->capital || w->text.n < 2 || w->text.n > INITIALS_MAX)
        return false;
    for (size_t i = 0; i < w->text.n; i++)
        if (!is_capital_letter(w->text.p[i]))
            return false;
    return true;
}

/* Whether the words from `at` on are a run of capitalised ones, light words in
 * between, with these initials; *end is behind the run. */
static bool has_initials(const struct judge_text *t, size_t at,
                         struct str initials, size_t *end)
{
    size_t met = 0;
    int light = 0;

    for (; at < t->n && met < initials.n; at++) {
        const struct judge_word *w = &t->words[at];

        if (w->capital && w->text.p[0] == initials.p[met]) {
            met++;
            light = 0;
        } else if (met == 0 || w->kind != WORD_LIGHT ||
                   light++ == LIGHT_BETWEEN) {
            return false;
        }
    }
    *end = at;
    return met == initials.n;
}

/* Where the words of `long_form` have the initials of an acronym. */
static bool find_run(const struct judge_text *long_form, struct str initials,
                     size_t *from, size_t *end)
{
    for (*from = 0; *from < long_form->n; ++*from)
        if (has_initials(long_form, *from, initials, end))
            return true;
    return false;
}

/* "WHO" in the sentence, "World Health Organization" in the source, and the
 * other way round. */
static void credit_initials(struct trial *t)
{
    const struct judge_text *claim = t->claim, *source = &t->source->text;
    size_t from, end;
    int asked = 0;

    for (size_t i = 0; i < claim->n && asked < ACRONYMS_MAX; i++) {
        if (!trial_item(t, i) || !is_acronym(&claim->words[i]))
            continue;
        asked++;
        if (find_run(source, claim->words[i].text, &from, &end))
            give(t, t->item_of[i], source->words[from].sentence, CREDIT_ALL);
    }
    asked = 0;
    for (size_t i = 0; i < source->n && asked < ACRONYMS_MAX; i++) {
        if (!is_acronym(&source->words[i]))
            continue;
        asked++;
        if (!find_run(claim, source->words[i].text, &from, &end))
            continue;
        for (size_t w = from; w < end; w++)
            if (trial_item(t, w))
                give(t, t->item_of[w], source->words[i].sentence, CREDIT_ALL);
    }
}

/* ---- Sentences ---------------------------------------------------------- */

static double gain(const struct trial *t, uint32_t sentence)
{
    double sum = 0;

    for (size_t i = 0; i < t->items_n; i++) {
        int credit = trial_credit(t, i, sentence);

        if (credit > t->items[i].three)
            sum += t->items[i].weight * (credit - t->items[i].three);
    }
    return sum / CREDIT_ALL;
}

static void take_sentence(struct trial *t, uint32_t sentence)
{
    t->three[t->three_n++] = sentence;
    for (size_t i = 0; i < t->items_n; i++) {
        int credit = trial_credit(t, i, sentence);

        if (credit > t->items[i].three)
            t->items[i].three = credit;
    }
}

static void choose_sentences(struct trial *t)
{
    double sum = 0;

    for (uint32_t s = 0; s < t->source->sentences_n; s++)
        t->covered[s] = t->weight > 0 ? gain(t, s) / t->weight : 0;
    while (t->three_n < 3) {
        double most = 0;
        uint32_t best = 0;

        for (uint32_t s = 0; s < t->source->sentences_n; s++) {
            double more = t->three_n ? gain(t, s) : t->covered[s];

            if (more > most) {
                most = more;
                best = s;
            }
        }
        if (most <= 0)
            break;
        take_sentence(t, best);
        if (t->three_n == 1)
            t->c1 = most;
    }
    for (size_t i = 0; i < t->items_n; i++) {
        struct item *item = &t->items[i];

        sum += item->weight * item->three / CREDIT_ALL;
        for (uint32_t s = 0; s < t->source->sentences_n; s++)
            if (trial_credit(t, i, s) > item->best)
                item->best = trial_credit(t, i, s);
    }
    t->g3 = t->weight > 0 ? sum / t->weight : 0;
}

enum footnote_rc trial_run(struct trial *t, struct footnote_err *err)
{
    struct chains *c = arena_new(t->arena, struct chains);
    struct places places = {.room = 4 * t->source->text.n + 1};

    if (!c)
        return arena_rc(t->arena, err);
    random_bytes(&c->odd, sizeof(c->odd));
    c->odd |= 1;
    TRY(make_items(t, c, err));
    t->credits =
        arena_many(t->arena, t->items_n * t->source->sentences_n + 1, uint8_t);
    t->covered = arena_many(t->arena, t->source->sentences_n + 1, double);
    places.list = arena_many(t->arena, places.room, struct place);
    TRY(arena_rc(t->arena, err));
    for (uint32_t i = 0; i < t->source->text.n; i++)
        look_up(t, c, &places, i);
    TRY(list_places(t, &places, err));
    credit_initials(t);
    choose_sentences(t);
    return FOOTNOTE_OK;
}
