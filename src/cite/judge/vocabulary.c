/* vocabulary.c - makes a table of a vocabulary's lists.
 *
 * Words are looked up as they are folded; those that deny in a source also by
 * their stem, because "failed" and "fails" do as "fail" does. */
#include "cite/judge/vocabulary.h"

#include <assert.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"

enum { ENTRIES_MAX = 512, PAIRS_MAX = 256 };

struct entry {
    uint64_t hash;
    struct senses senses;
    bool stem; /* the hash is a stem's */
};

struct lexicon {
    const struct vocabulary *vocabulary;
    struct entry entries[ENTRIES_MAX];
    size_t entries_n;
    struct opposites pairs[PAIRS_MAX];
    size_t pairs_n;
};

static const struct vocabulary *vocabulary_of(enum language language)
{
    switch (language) {
    case LANGUAGE_EN: return &vocabulary_en;
    case LANGUAGE_DE: return &vocabulary_de;
    case LANGUAGE_FR: return &vocabulary_fr;
    case LANGUAGE_ES: return &vocabulary_es;
    case LANGUAGE_NONE:
    case LANGUAGE_IT:
    case LANGUAGE_PT:
    case LANGUAGE_NL:
    case LANGUAGE_RU:
    case LANGUAGE_AR:
    case LANGUAGE_EL:
    case LANGUAGE_HY:
    case LANGUAGE_HI:
    case LANGUAGE_NE:
    case LANGUAGE_TA:
    case LANGUAGE_YI:
    case LANGUAGE_SR:
    case LANGUAGE_SV:
    case LANGUAGE_DA:
    case LANGUAGE_NO:
    case LANGUAGE_FI:
    case LANGUAGE_HU:
    case LANGUAGE_RO:
    case LANGUAGE_TR:
    case LANGUAGE_CA:
    case LANGUAGE_ID:
    case LANGUAGE_LT:
    case LANGUAGE_EU:
    case LANGUAGE_GA:
    case LANGUAGES: break;
    }
    return NULL;
}

static bool next_item(struct str *rest, char end, struct str *item)
{
    if (!rest->p) /* the language has no such list */
        return false;
    while (rest->n && rest->p[0] == end)
        *rest = str_skip(*rest, 1);
    *item = (struct str){rest->p, str_find(*rest, end)};
    *rest = str_skip(*rest, item->n);
    return item->n > 0;
}

static void add(struct lexicon *l, struct str word, unsigned sense,
                double value, bool stem)
{
    assert(l->entries_n < ENTRIES_MAX);
    l->entries[l->entries_n++] =
        (struct entry){str_hash(word), {sense, value}, stem};
}

static void add_list(struct lexicon *l, const char *list, unsigned sense)
{
    struct str rest = str_c(list), word;

    while (next_item(&rest, ' ', &word))
        add(l, word, sense, 0, false);
}

static void add_denials(struct lexicon *l, struct analyser *words,
                        enum language language)
{
    struct str rest = str_c(l->vocabulary->denies), word;

    while (next_item(&rest, ' ', &word))
        add(l, analyse_word(words, word, language), SENSE_DENIES, 0, true);
}

/* word=value */
static void add_values(struct lexicon *l, const char *list, unsigned sense)
{
    struct str rest = str_c(list), item;

    while (next_item(&rest, ' ', &item)) {
        struct str word = {item.p, str_find(item, '=')};
        double value = 0;
        bool read = number_read(str_skip(item, word.n + 1), &value);

        assert(read);
        (void)read;
        add(l, word, sense, value, false);
    }
}

/* A month's names, with commas between them. */
static void add_months(struct lexicon *l, const char *list)
{
    struct str rest = str_c(list), names, name;

    for (int month = 1; next_item(&rest, ' ', &names); month++)
        while (next_item(&names, ',', &name))
            add(l, name, SENSE_MONTH, month, false);
}

static void add_opposites(struct lexicon *l, struct analyser *words,
                          enum language language)
{
    struct str rest = str_c(l->vocabulary->opposites), pair;

    while (next_item(&rest, ' ', &pair)) {
        struct str one = {pair.p, str_find(pair, '/')};
        struct opposites *p = &l->pairs[l->pairs_n++];

        assert(l->pairs_n <= PAIRS_MAX);
        p->one = str_hash(analyse_word(words, one, language));
        p->other =
            str_hash(analyse_word(words, str_skip(pair, one.n + 1), language));
    }
}

static int by_hash(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

enum footnote_rc lexicon_open(struct analyser *words, enum language language,
                              struct lexicon **out, struct footnote_err *err)
{
    struct lexicon *l = calloc(1, sizeof(*l));

    *out = l;
    if (!l)
        return err_set(err, FOOTNOTE_NOMEM, "opening a vocabulary");
    const struct vocabulary *v = l->vocabulary = vocabulary_of(language);
    if (!v)
        return FOOTNOTE_OK;
    add_list(l, v->negates, SENSE_NEGATES);
    add_list(l, v->drops, SENSE_DROPS);
    add_list(l, v->none_of, SENSE_NONE_OF);
    add_list(l, v->mild, SENSE_MILD);
    add_list(l, v->later, SENSE_LATER);
    add_list(l, v->joins, SENSE_JOINS);
    add_list(l, v->always_capital, SENSE_CAPITAL);
    add_denials(l, words, language);
    add_months(l, v->months);
    add_values(l, v->numbers, SENSE_NUMBER);
    add_values(l, v->ordinals, SENSE_ORDINAL);
    add_values(l, v->scales, SENSE_SCALE);
    add_opposites(l, words, language);
    qsort(l->entries, l->entries_n, sizeof(*l->entries), by_hash);
    return FOOTNOTE_OK;
}

void lexicon_close(struct lexicon *l)
{
    free(l);
}

const struct vocabulary *lexicon_vocabulary(const struct lexicon *l)
{
    return l->vocabulary;
}

static void take_senses(const struct lexicon *l, struct str text, bool stem,
                        struct senses *out)
{
    uint64_t hash = str_hash(text);
    size_t low = 0, high = l->entries_n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (l->entries[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < l->entries_n && l->entries[low].hash == hash; low++) {
        const struct entry *e = &l->entries[low];

        if (e->stem != stem)
            continue;
        out->all |= e->senses.all;
        if (e->senses.value > 0)
            out->value = e->senses.value;
    }
}

struct senses lexicon_senses(const struct lexicon *l, struct str word,
                             struct str stem)
{
    struct senses s = {0};

    take_senses(l, word, false, &s);
    take_senses(l, stem, true, &s);
    return s;
}

const struct opposites *lexicon_opposites(const struct lexicon *l, size_t *n)
{
    *n = l->pairs_n;
    return l->pairs;
}
