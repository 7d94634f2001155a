/* text.c - words by Zipf's law, with documents that have subjects.
 *
 * The most frequent hundred words are English function words, as in English; a
 * third of the other words of a passage are drawn from sixty that its document
 * favours.  So counts, lengths of lists and the gain of a stoplist are like
 * those of real courses. */
#include "text.h"

#include <math.h>
#include <stdlib.h>

static const char *const function_words[] = {
    "the",   "of",    "and",   "to",    "a",     "in",    "is",    "that",
    "it",    "for",   "was",   "on",    "are",   "as",    "with",  "they",
    "at",    "be",    "this",  "have",  "from",  "or",    "had",   "by",
    "but",   "what",  "some",  "we",    "can",   "out",   "other", "were",
    "all",   "there", "when",  "up",    "use",   "your",  "how",   "said",
    "an",    "each",  "she",   "which", "do",    "their", "if",    "will",
    "about", "many",  "then",  "them",  "would", "like",  "so",    "these",
    "her",   "him",   "into",  "has",   "more",  "two",   "could", "my",
    "than",  "been",  "who",   "its",   "now",   "did",   "may",   "such",
    "where", "while", "those", "being", "does",  "just",  "might", "must",
    "our",   "shall", "me",    "his",   "he",    "i",     "you",   "not",
    "any",   "no",    "only",  "most",  "why",   "whose", "here",  "having",
    "am",    "us",    "let",   "done",
};
enum {
    FUNCTIONS = sizeof(function_words) / sizeof(function_words[0]),
    FAVOURED = 60
};

struct text {
    float *sums; /* of the words' frequencies */
};

struct text *text_open(void)
{
    struct text *t = calloc(1, sizeof(*t));
    double sum = 0;

    if (!t || !(t->sums = calloc(WORDS, sizeof(*t->sums)))) {
        free(t);
        return NULL;
    }
    for (int i = 0; i < WORDS; i++) {
        sum += 1 / pow(i + 2.7, 1.03);
        t->sums[i] = (float)sum;
    }
    return t;
}

void text_close(struct text *t)
{
    if (t)
        free(t->sums);
    free(t);
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

static double unit(uint64_t seed)
{
    return (double)(mix(seed) >> 11) / (double)(1ull << 53);
}

/* A word's rank, by how frequent words are. */
static uint32_t draw(const struct text *t, uint64_t seed)
{
    float at = (float)(unit(seed) * (double)t->sums[WORDS - 1]);
    uint32_t low = 0, high = WORDS - 1;

    while (low < high) {
        uint32_t mid = (low + high) / 2;

        if (t->sums[mid] < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint32_t draw_content(const struct text *t, uint64_t seed)
{
    for (;; seed += 977) {
        uint32_t word = draw(t, seed);

        if (word >= FUNCTIONS)
            return word;
    }
}

static void add_word(struct buf *out, uint32_t word)
{
    static const char syllables[] = "banderofikugemulanoperisotuvawexizomy";

    if (word < FUNCTIONS) {
        buf_add(out, str_c(function_words[word]));
        return;
    }
    for (uint64_t x = mix(word) % 97 + (uint64_t)word * 97; x; x /= 36)
        buf_add(out, (struct str){syllables + x % 36, 2});
}

/* The k-th word of passage i. */
static uint32_t word_at(const struct text *t, uint32_t i, uint32_t k)
{
    uint64_t seed = ((uint64_t)i << 20) + k;
    uint32_t word = draw(t, seed);
    uint64_t document = i / DOCUMENT;

    if (word < FUNCTIONS || unit(seed ^ 0x5bd1e995) > 0.33)
        return word;
    return draw_content(t, (document << 40) + mix(seed) % FAVOURED * 7919);
}

static uint32_t length_of(uint32_t i)
{
    return PASSAGE_WORDS - 30 + (uint32_t)(mix(i) % 61);
}

void text_passage(struct text *t, uint32_t i, struct buf *out)
{
    uint32_t n = length_of(i);

    for (uint32_t k = 0; k < n; k++) {
        add_word(out, word_at(t, i, k));
        buf_add_c(out, k % 15 == 14 ? '.' : ' ');
        if (k % 15 == 14)
            buf_add_c(out, ' ');
    }
}

void text_question(struct text *t, uint32_t i, bool plain, struct buf *out)
{
    uint32_t want = 2 + (uint32_t)(mix(i * 31ull) % 5), n = length_of(i);
    uint32_t got = 0;

    if (!plain)
        buf_add(out, STR("what is the"));
    for (uint32_t k = (uint32_t)(mix(i * 17ull) % n); got < want;
         k = (k + 1 + (uint32_t)(mix(k) % 5)) % n) {
        uint32_t word = word_at(t, i, k);

        if (word < FUNCTIONS)
            continue;
        buf_add(out, plain && got ? STR(" OR ") : STR(" "));
        add_word(out, word);
        got++;
        if (!plain && got == 1 && i % 10 == 0)
            buf_add_c(out, 'q');
    }
    if (!plain)
        buf_add(out, STR(" and how does it do that?"));
}
