/* support.c - measures how far a passage's words carry a sentence.
 *
 * The passage becomes a list of words, each a slot in its table of different
 * words.  A sentence becomes two tables, of its words and of its pairs of
 * neighbours; each of its words is looked up in the passage's table once.  Then
 * one walk over the list ticks them off, with a ring that knows what the last
 * WINDOW words were.  Weights are whole tenths, so sums are exact and the same
 * text always has the same result.
 *
 * The texts may be a hostile account's, chosen so that their words collide.  So
 * a hash is multiplied by a random odd number, and its high bits are taken. */
#include "cite/support.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "cite/marks.h"
#include "cite/words.h"
#include <assert.h>
#include <math.h>

enum { WINDOW = 40, NONE = -1 };

struct support_passage {
    uint64_t odd;      /* random */
    int shift;         /* leaves the bits of a slot */
    uint32_t mask;     /* slots, less one */
    struct str *words; /* by slot; absent: a free one */
    uint32_t *list;    /* slots of the words in their order */
    size_t list_n;
    /* By slot: the word's slot in the table of the sentence that is being
     * measured.  NONE between two measures. */
    int32_t *in_sentence;
};

struct sentence_word {
    struct str text; /* absent: a free slot */
    int32_t *link;   /* to this slot, from the passage's; NULL: not in there */
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
    struct support_passage *passage;
    struct sentence_word *words;
    struct word_pair *pairs;
    uint32_t mask; /* slots of each table, less one; at most half are used */
    int shift;
    int words_all, words_seen, window, window_best;
    int pairs_all, pairs_seen;
    int numbers_n, numbers_seen;
};

/* The start of s, ending with a whole character. */
static struct str cut(struct str s, size_t bytes_max)
{
    if (s.n <= bytes_max)
        return s;
    s.n = bytes_max;
    s.n = utf8_whole(s);
    return s;
}

/* The smallest table with more than `n` slots; *shift is for its hashes. */
static uint32_t slots_over(size_t n, int *shift)
{
    uint32_t slots = 4;

    *shift = 62;
    while (slots <= n) {
        slots *= 2;
        --*shift;
    }
    return slots;
}

/* ---- The passage -------------------------------------------------------- */

/* The slot of the word, or the free one where it belongs. */
static uint32_t find_in_passage(const struct support_passage *p,
                                struct str text)
{
    uint32_t i = (uint32_t)(str_hash(text) * p->odd >> p->shift);

    while (p->words[i].p && !str_eq(p->words[i], text))
        i = (i + 1) & p->mask;
    return i;
}

enum footnote_rc support_passage_new(struct arena *a, struct str passage,
                                     struct support_passage **out,
                                     struct footnote_err *err)
{
    struct support_passage *p = arena_new(a, struct support_passage);
    struct words walk = {.text = cut(passage, SUPPORT_PASSAGE_BYTES_MAX)};
    /* A word takes at least two bytes with the gap behind it. */
    size_t words_max = walk.text.n / 2 + 1;
    struct str text;

    *out = p;
    if (!p)
        return arena_rc(a, err);
    random_bytes(&p->odd, sizeof(p->odd));
    p->odd |= 1;
    uint32_t slots = slots_over(words_max, &p->shift);
    p->mask = slots - 1;
    p->words = arena_many(a, slots, struct str);
    p->in_sentence = arena_many(a, slots, int32_t);
    p->list = arena_many(a, words_max, uint32_t);
    if (!p->words || !p->in_sentence || !p->list)
        return arena_rc(a, err);
    memset(p->in_sentence, 0xff, slots * sizeof(*p->in_sentence));
    while (words_next(&walk, &text)) {
        uint32_t slot = find_in_passage(p, text);

        assert(p->list_n < words_max);
        if (!p->words[slot].p)
            p->words[slot] = arena_str(a, text);
        p->list[p->list_n++] = slot;
    }
    return arena_rc(a, err);
}

/* ---- The sentence ------------------------------------------------------- */

/* The slot of the word, or the free one where it belongs. */
static int find_word(const struct measure *m, struct str text)
{
    uint32_t i = (uint32_t)(str_hash(text) * m->passage->odd >> m->shift);

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
    uint32_t slots = slots_over(sentence_bytes, &m->shift);

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
    uint32_t there = find_in_passage(m->passage, text);

    w->text = text;
    w->weight = words_weight(text);
    if (m->passage->words[there].p) {
        w->link = &m->passage->in_sentence[there];
        *w->link = slot;
    }
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

static void read_passage(struct measure *m)
{
    const struct support_passage *p = m->passage;
    int ring[WINDOW], left = NONE;

    for (size_t i = 0; i < WINDOW; i++)
        ring[i] = NONE;
    for (size_t i = 0; i < p->list_n; i++) {
        int slot = p->in_sentence[p->list[i]];

        slide_window(m, &ring[i % WINDOW], slot);
        if (slot != NONE)
            tick_off(m, left, slot);
        left = slot;
    }
}

static void unlink_words(const struct measure *m)
{
    for (uint32_t i = 0; m->words && i <= m->mask; i++)
        if (m->words[i].link)
            *m->words[i].link = NONE;
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
                                 struct support_passage *passage, int *out,
                                 struct footnote_err *err)
{
    struct measure m = {.passage = passage};
    struct str plain = STR_NONE;
    enum footnote_rc rc;

    sentence = cut(sentence, SUPPORT_SENTENCE_BYTES_MAX);
    TRY(blank_marks(a, sentence, &plain, err));
    TRY(make_tables(&m, a, plain.n, err));
    rc = learn_sentence(&m, a, plain, err);
    if (rc == FOOTNOTE_OK) {
        read_passage(&m);
        *out = score(&m);
    }
    unlink_words(&m);
    return rc;
}
