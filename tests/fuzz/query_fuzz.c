/* query_fuzz.c - fuzzes the question of a search.
 *
 * The bytes, cut to valid UTF-8, are asked as a question and as the turn before
 * it.  Words stay within their limits and inside of the text, what is found is
 * in the index, and asking twice gives the same. */
#include <stdlib.h>

#include "base/utf8.h"
#include "retrieve/search/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { TEXT_BYTES_MAX = 16 * 1024 };
#define SCRATCH_BYTES ((size_t)256 << 20)

static void must(bool holds)
{
    if (!holds)
        abort();
}

static struct analyser *analyser(void)
{
    static struct analyser *a;

    if (!a)
        must(analyser_open(&a, NULL) == FOOTNOTE_OK);
    return a;
}

static const struct segment *segment(void)
{
    static const char *const texts[] = {
        "The second law says that entropy never falls in a closed system.",
        "A demon that measures must forget, and forgetting has its price.",
        "Wärme fließt von selbst nur vom wärmeren zum kälteren Körper.",
        "La energía se conserva; la entropía crece. 3.14 y 1,000 en C++."};
    static struct segment *s;
    struct builder *b = NULL;

    if (s)
        return s;
    must(builder_open(analyser(), &b, NULL) == FOOTNOTE_OK);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct segment_document d = {.key = (int64_t)i + 1,
                                     .language = (uint32_t)i};

        must(builder_document(b, &d, STR_NONE, NULL) == FOOTNOTE_OK);
        must(builder_passage(b, 1, STR_NONE, str_c(texts[i]), false, NULL) ==
             FOOTNOTE_OK);
    }
    must(builder_finish(b, NULL, &s, NULL) == FOOTNOTE_OK);
    builder_close(b);
    return s;
}

static void look_at_words(struct str text)
{
    for (int language = 0; language < LANGUAGES; language++) {
        struct token t;
        size_t from = 0;

        analyse(analyser(), text, (enum language)language);
        while (analyse_next(analyser(), &t)) {
            must(t.start >= from && t.start < t.end && t.end <= text.n);
            must(t.term.n > 0 && t.term.n <= TERM_BYTES_MAX);
            from = t.start;
        }
    }
}

static size_t ask(struct str text, struct str before,
                  struct ranked out[QUERY_TOP])
{
    AUTO(arena_free) struct arena scratch = ARENA(SCRATCH_BYTES);
    const struct segment *s = segment();
    struct segment_range range = {s, NULL, 0, s->passages_n};
    struct query q = {.arena = &scratch,
                      .scratch = &scratch,
                      .analyser = analyser(),
                      .ranges = &range,
                      .ranges_n = 1};
    size_t n = 0;

    must(query_init(&q, NULL) == FOOTNOTE_OK);
    must(query_add_text(&q, text, false, NULL) == FOOTNOTE_OK);
    must(query_add_text(&q, before, true, NULL) == FOOTNOTE_OK);
    must(q.terms_n <= QUERY_TERMS_MAX && q.own_n <= q.groups_n);
    must(q.groups_n <= QUERY_GROUPS_MAX);
    must(rank_top(&q, out, QUERY_TOP, &n, NULL) == FOOTNOTE_OK);
    rank_proximity(&q, out, n);
    must(rank_expand(&q, out, n, NULL) == FOOTNOTE_OK);
    must(q.terms_n <= QUERY_TERMS_MAX);
    for (size_t i = 0; i < n; i++)
        must(out[i].passage < s->passages_n && out[i].score >= 0);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct ranked first[QUERY_TOP], again[QUERY_TOP];
    struct str text = {(const char *)data, n}, before;
    size_t found;

    if (n == 0 || n > TEXT_BYTES_MAX || !utf8_valid(text))
        return 0;
    before = str_skip(text, str_find(text, '\n'));
    look_at_words(text);
    found = ask(text, before, first);
    must(ask(text, before, again) == found);
    for (size_t i = 0; i < found; i++)
        must(first[i].passage == again[i].passage);
    return 0;
}
