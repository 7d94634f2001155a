/* support.c - measures how far a passage's words carry a sentence.
 *
 * The sentence becomes two hash tables, of its words and of its pairs of
 * neighbours; then one walk over the passage ticks them off, with a ring that
 * knows what the last WINDOW words were.  Weights are whole tenths, so sums
 * are exact and the same text always has the same result. */
#include "cite/support.h"
#include "base/utf8.h"
#include "cite/marks.h"
#include "cite/words.h"
#include <assert.h>
#include <math.h>

enum { WINDOW = 40, NONE = -1 };

struct sentence_word {
    struct str text; /* absent: a free slot */
    int weight;
    int in_window; /* how often */
    bool seen;
};

struct word_pair {
    uint32_t slots; /* of both words, each plus one; 0: a free slot */
    int weight;
    bool seen;
};

struct measure {
    struct sentence_word *words;
    struct word_pair *pairs;
    uint32_t mask; /* slots of each table, less one; at most half are used */
    int words_all, words_seen, window, window_best;
    int pairs_all, pairs_seen;
    int numbers_n, numbers_seen;
};

/* The slot of the word, or the free one where it belongs. */
static int find_word(const struct measure *m, struct str text)
{
    uint32_t i = (uint32_t)str_hash(text) & m->mask;
    while (m->words[i].text.p && !str_eq(m->words[i].text, text))
        i = (i + 1) & m->mask;
    return (int)i;
}

static struct word_pair *find_pair(const struct measure *m, int left, int right)
{
    uint32_t slots = (uint32_t)(left + 1) << 16 | (uint32_t)(right + 1);

    assert(left >= 0 && left < UINT16_MAX && right >= 0 && right < UINT16_MAX);
    uint32_t i = (slots * 2654435761U >> 7) & m->mask;

    while (m->pairs[i].slots && m->pairs[i].slots != slots)
        i = (i + 1) & m->mask;
    return &m->pairs[i];
}

/* The start of s, ending with a whole character. */
static struct str cut(struct str s, size_t bytes_max)
{
    if (s.n <= bytes_max)
        return s;
    s.n = bytes_max;
    s.n = utf8_whole(s);
    return s;
}

/* A copy with spaces for markers. */
static enum footnote_rc blank_marks(struct arena *a, struct str sentence,
                                    struct str *out, struct footnote_err *err)
{
    struct mark *marks;
    size_t n;

    TRY(marks_find(a, sentence, &marks, &n, err));
    char *copy = arena_alloc(a, sentence.n + 1);
    if (!copy)
        return arena_rc(a, err);
    if (sentence.n)
        memcpy(copy, sentence.p, sentence.n);
    for (size_t i = 0; i < n; i++)
        memset(copy + marks[i].start, ' ', marks[i].end - marks[i].start);
    *out = (struct str){copy, sentence.n};
    return FOOTNOTE_OK;
}

/* A word takes at least two bytes of text with the gap behind it, so a slot for
 * each byte leaves half of them free. */
static enum footnote_rc make_tables(struct measure *m, struct arena *a,
                                    size_t sentence_bytes,
                                    struct footnote_err *err)
{
    uint32_t slots = 4;

    while (slots <= sentence_bytes)
        slots *= 2;
    m->mask = slots - 1;
    m->words = arena_many(a, slots, struct sentence_word);
    m->pairs = arena_many(a, slots, struct word_pair);
    return m->words && m->pairs ? FOOTNOTE_OK : arena_rc(a, err);
}

static void learn_pair(struct measure *m, int left, int right)
{
    struct word_pair *p = find_pair(m, left, right);

    if (p->slots)
        return;
    p->slots = (uint32_t)(left + 1) << 16 | (uint32_t)(right + 1);
    p->weight = m->words[left].weight + m->words[right].weight;
    m->pairs_all += p->weight;
}

static void learn_word(struct measure *m, int slot, struct str text)
{
    struct sentence_word *w = &m->words[slot];

    w->text = text;
    w->weight = words_weight(text);
    m->words_all += w->weight;
    m->numbers_n += words_is_number(text);
}

static enum footnote_rc learn_sentence(struct measure *m, struct arena *a,
                                       struct str sentence,
                                       struct footnote_err *err)
{
    struct words walk = {.text = sentence};
    struct str text;
    int left = NONE;

    while (words_next(&walk, &text)) {
        int slot = find_word(m, text);
        if (!m->words[slot].text.p)
            learn_word(m, slot, arena_str(a, text));
        if (left != NONE)
            learn_pair(m, left, slot);
        left = slot;
    }
    return arena_rc(a, err);
}

/* The window loses the word that was WINDOW words ago and gains `slot`. */
static void slide_window(struct measure *m, int *oldest, int slot)
{
    if (*oldest != NONE && --m->words[*oldest].in_window == 0)
        m->window -= m->words[*oldest].weight;
    *oldest = slot;
    if (slot != NONE && m->words[slot].in_window++ == 0)
        m->window += m->words[slot].weight;
    if (m->window > m->window_best)
        m->window_best = m->window;
}

static void tick_off(struct measure *m, int left, int slot)
{
    struct sentence_word *w = &m->words[slot];

    if (!w->seen) {
        w->seen = true;
        m->words_seen += w->weight;
        m->numbers_seen += words_is_number(w->text);
    }
    if (left == NONE)
        return;
    struct word_pair *p = find_pair(m, left, slot);
    if (p->slots && !p->seen) {
        p->seen = true;
        m->pairs_seen += p->weight;
    }
}

static void read_passage(struct measure *m, struct str passage)
{
    struct words walk = {.text = passage};
    struct str text;
    int ring[WINDOW], left = NONE;

    for (size_t i = 0; i < WINDOW; i++)
        ring[i] = NONE;
    for (size_t i = 0; words_next(&walk, &text); i++) {
        int slot = find_word(m, text);
        if (!m->words[slot].text.p)
            slot = NONE;
        slide_window(m, &ring[i % WINDOW], slot);
        if (slot != NONE)
            tick_off(m, left, slot);
        left = slot;
    }
}

static double share(int part, int all)
{
    return (double)part / (double)all;
}

static int score(const struct measure *m)
{
    if (!m->words_all)
        return 0;
    double near = share(m->window_best, m->words_all);
    double all = share(m->words_seen, m->words_all);
    /* One word has no neighbours; it alone must speak for them. */
    double pairs = m->pairs_all ? share(m->pairs_seen, m->pairs_all) : all;
    double numbers = m->numbers_n ? share(m->numbers_seen, m->numbers_n) : 1;
    double sum = (.5 * near + .2 * all + .3 * pairs) * (.5 + .5 * numbers);
    return (int)lround(1000 * sum);
}

enum footnote_rc support_measure(struct arena *a, struct str sentence,
                                 struct str passage, int *out,
                                 struct footnote_err *err)
{
    struct measure m = {0};
    struct str plain = STR_NONE;

    sentence = cut(sentence, SUPPORT_SENTENCE_BYTES_MAX);
    TRY(blank_marks(a, sentence, &plain, err));
    TRY(make_tables(&m, a, plain.n, err));
    TRY(learn_sentence(&m, a, plain, err));
    read_passage(&m, cut(passage, SUPPORT_PASSAGE_BYTES_MAX));
    *out = score(&m);
    return FOOTNOTE_OK;
}
