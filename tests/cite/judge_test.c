/* judge_test.c - whether a source's words carry a sentence. */
#include "cite/judge/judge.h"
#include "test.h"

enum { SCRATCH = 64 * 1024 * 1024 };

static struct arena a = {.max_bytes = SCRATCH};
static struct footnote_err err;

static struct judge *judge(void)
{
    static struct judge *j;

    if (!j)
        CHECK_OK(judge_open(&j, &err), &err);
    return j;
}

static struct verdict judged(const char *passage, const char *sentence)
{
    struct judge_source *source;
    struct verdict v;

    CHECK_OK(
        judge_source_read(judge(), &a, STR_NONE, str_c(passage), &source, &err),
        &err);
    CHECK_OK(judge_sentence(judge(), &a, str_c(sentence), source, &v, &err),
             &err);
    return v;
}

struct expected {
    const char *sentence;
    enum verdict_kind kind;
    enum verdict_reason reason;
    const char *word; /* NULL: none */
};

static void check(const char *passage, const struct expected *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct expected *c = &cases[i];
        struct verdict v = judged(passage, c->sentence);

        if (v.kind != c->kind || v.reason != c->reason ||
            !str_eq(v.word, str_c(c->word)))
            FAIL("\"%s\": kind %d, reason %d, \"%.*s\", support %d",
                 c->sentence, v.kind, v.reason, STR_ARG(v.word), v.support);
    }
}

#define CHECK_ALL(passage, cases)                                              \
    check(passage, cases, sizeof(cases) / sizeof(cases[0]))

static const char *const landauer =
    "Rolf Landauer showed in 1961 that erasing one bit costs at least kT ln 2 "
    "of heat. The bound does not hold for reversible computers. Charles "
    "Bennett applied it to Maxwell's demon in 1982, and about 40 laboratories "
    "have measured it since. The cost rises with temperature.";

TEST(a_sentence_is_carried_by_the_words_of_its_source)
{
    static const struct expected cases[] = {
        {"Rolf Landauer showed in 1961 that erasing one bit costs heat [1].",
         VERDICT_CARRIED, REASON_NONE, NULL},
        {"In 1982 Bennett applied the bound to Maxwell's demon.",
         VERDICT_CARRIED, REASON_NONE, NULL},
        {"The bound doesn't hold for reversible computers [1, 2].",
         VERDICT_CARRIED, REASON_NONE, NULL},
        {"Plants make sugar from light and water.", VERDICT_NOT_FOUND,
         REASON_WORDS, NULL},
    };
    CHECK_ALL(landauer, cases);
}

TEST(what_differs_from_the_source_is_named)
{
    static const struct expected cases[] = {
        {"Rolf Landauer showed in 1971 that erasing one bit costs heat.",
         VERDICT_CONTRADICTS, REASON_CLASH, "1971"},
        {"About 70 laboratories have measured it.", VERDICT_CONTRADICTS,
         REASON_CLASH, "70"},
        {"The bound does hold for reversible computers.", VERDICT_CONTRADICTS,
         REASON_DROPPED, "hold"},
        {"Erasing one bit does not cost heat.", VERDICT_CONTRADICTS,
         REASON_DENIES, "not"},
        {"The cost falls with temperature.", VERDICT_CONTRADICTS,
         REASON_OPPOSITE, "falls"},
        {"It was Rolf Szilard who showed that erasing one bit costs heat.",
         VERDICT_PARTLY, REASON_NAME, "Szilard"},
    };
    CHECK_ALL(landauer, cases);
}

TEST(what_is_missing_of_a_sentence_is_told)
{
    struct verdict v = judged(
        landauer, "Landauer showed that erasing one bit costs heat [1] and it "
                  "made his colleagues in Oxford famous.");

    CHECK_INT(v.kind, VERDICT_PARTLY);
    CHECK_INT(v.missing_n, 1);
    CHECK_TEXT(v.missing[0], STR("made his colleagues in Oxford famous"));
    v = judged(landauer, "Erasing one bit costs heat.");
    CHECK_INT(v.missing_n, 0);
    /* Only so many, and the first ones. */
    v = judged(landauer,
               "Landauer Xylo erasing Yeti bit zebra costs quux heat wombat "
               "bound lemur computers reversible rises temperature.");
    CHECK_INT(v.kind, VERDICT_PARTLY);
    CHECK_INT(v.missing_n, JUDGE_MISSING_MAX);
    CHECK_TEXT(v.missing[0], STR("Xylo"));
}

TEST(the_sentence_that_carries_most_is_the_span)
{
    struct verdict v = judged(landauer, "The bound was applied to the demon.");
    struct str span = {landauer + v.start, v.end - v.start};

    CHECK(str_starts(span, STR("Charles Bennett")));
    CHECK_INT(span.p[span.n - 1], '.');
    v = judged(landauer, "Plants photosynthesise.");
    CHECK_INT(v.start, 0);
    CHECK_INT(v.end, 0);
}

TEST(numbers_are_the_same_however_they_are_written)
{
    static const char *const same[][2] = {
        {"The army lost 1,200 men there.", "The army lost 1200 men there."},
        {"The army lost 1200 men.", "The army lost twelve hundred men."},
        {"It cost 1.5 million crowns.", "It cost 1,500,000 crowns."},
        {"It was the third attempt of 4.", "It was the 3rd attempt of four."},
        {"They met in the season 2016\xe2\x80\x93"
         "17.",
         "They met in the season 2017."},
        {"Written on 2016-05-03 in Rome.", "Written on 3 May 2016 in Rome."},
        {"There were twenty-five of the ships.", "There were 25 ships."},
        {"In the 1960s it began.", "In the 1960s it began."},
        {"Three hundred and two people came.", "302 people came."},
    };
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        struct verdict v = judged(same[i][0], same[i][1]);

        if (v.kind != VERDICT_CARRIED || v.reason == REASON_NUMBER)
            FAIL("\"%s\": \"%s\" is %d for %d: \"%.*s\"", same[i][0],
                 same[i][1], v.kind, v.reason, STR_ARG(v.word));
    }
}

TEST(other_numbers_are_other)
{
    static const char *const other[][2] = {
        {"The army lost 1,200 men there.", "The army lost 1,300 men there."},
        {"It cost 1.5 million crowns.", "It cost 1.5 billion crowns."},
        {"Written on 3 May 2016 in Rome.", "Written on 3 June 2016 in Rome."},
        {"The value is 3.14 here.", "The value is 3.15 here."},
    };
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        struct verdict v = judged(other[i][0], other[i][1]);

        if (v.kind == VERDICT_CARRIED)
            FAIL("\"%s\" is carried by \"%s\"", other[i][1], other[i][0]);
    }
}

TEST(initials_stand_for_their_names)
{
    CHECK_INT(judged("The World Health Organization declared it in May 2020.",
                     "The WHO declared it in May 2020.")
                  .kind,
              VERDICT_CARRIED);
    CHECK_INT(judged("The WHO declared it in May 2020.",
                     "The World Health Organization declared it in May 2020.")
                  .kind,
              VERDICT_CARRIED);
}

TEST(not_every_no_denies)
{
    static const char *const passage =
        "Engine No 7 was not only faster but also cheaper than the others. It "
        "failed to reach Paris, and the journey was unsuccessful.";
    static const struct expected cases[] = {
        {"Engine No 7 was faster and cheaper than the others.", VERDICT_CARRIED,
         REASON_NONE, NULL},
        {"It did not reach Paris.", VERDICT_CARRIED, REASON_NONE, NULL},
        {"The journey was not successful.", VERDICT_CARRIED, REASON_NONE, NULL},
        {"Engine 7 was not cheaper than the others.", VERDICT_CONTRADICTS,
         REASON_DENIES, "not"},
    };
    CHECK_ALL(passage, cases);
}

TEST(four_languages_know_their_negations)
{
    static const struct {
        const char *passage, *carried, *denied;
    } cases[] = {
        {"Die Entropie eines abgeschlossenen Systems nimmt nicht ab. Clausius "
         "hat das im Jahr 1865 gezeigt.",
         "Die Entropie eines abgeschlossenen Systems nimmt nicht ab [1].",
         "Clausius hat das im Jahr 1865 nicht gezeigt [1]."},
        {"L'entropie d'un syst\xc3\xa8me isol\xc3\xa9 ne diminue pas. Clausius "
         "l'a montr\xc3\xa9 en 1865 dans un article.",
         "L'entropie d'un syst\xc3\xa8me isol\xc3\xa9 ne diminue pas [1].",
         "Clausius ne l'a pas montr\xc3\xa9 en 1865 dans un article [1]."},
        {"La entrop\xc3\xad"
         "a de un sistema aislado no disminuye. Clausius lo mostr\xc3\xb3 en "
         "1865 en un art\xc3\xad"
         "culo.",
         "La entrop\xc3\xad"
         "a de un sistema aislado no disminuye [1].",
         "Clausius no lo mostr\xc3\xb3 en 1865 en un art\xc3\xad"
         "culo [1]."},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_INT(judged(cases[i].passage, cases[i].carried).kind,
                  VERDICT_CARRIED);
        CHECK_INT(judged(cases[i].passage, cases[i].denied).kind,
                  VERDICT_CONTRADICTS);
    }
}

TEST(a_language_without_a_table_contradicts_nothing)
{
    static const char *const passage =
        "L'entropia di un sistema isolato non diminuisce. Clausius lo ha "
        "dimostrato nel 1865 con un articolo che tutti conoscono.";

    CHECK_INT(
        judged(passage, "L'entropia di un sistema isolato diminuisce.").kind,
        VERDICT_CARRIED);
    CHECK(judged(passage, "Clausius lo ha dimostrato nel 1875 con un articolo.")
              .kind != VERDICT_CONTRADICTS);
    CHECK_INT(judged("熱は高温から低温へ流れる。仕事が要る。",
                     "熱は高温から低温へ流れる [1]。")
                  .kind,
              VERDICT_CARRIED);
    CHECK_INT(judged("熱は高温から低温へ流れる。仕事が要る。",
                     "植物は光と水から糖を作る。")
                  .kind,
              VERDICT_NOT_FOUND);
}

TEST(a_title_carries_but_is_no_place_to_look_at)
{
    struct judge_source *source;
    struct verdict v;

    CHECK_OK(judge_source_read(judge(), &a, STR("The Carnot engine"),
                               STR("It was published in 1824 in Paris."),
                               &source, &err),
             &err);
    CHECK_OK(judge_sentence(judge(), &a,
                            STR("The Carnot engine was published in 1824."),
                            source, &v, &err),
             &err);
    CHECK_INT(v.kind, VERDICT_CARRIED);
    CHECK_INT(v.start, 0);
    CHECK(v.end > 0);
}

TEST(nothing_is_judged_without_words)
{
    CHECK_INT(judged("", "Heat flows.").kind, VERDICT_NOT_FOUND);
    CHECK_INT(judged("Heat flows.", "").kind, VERDICT_NOT_FOUND);
    CHECK_INT(judged("Heat flows.", "[1] [2]").kind, VERDICT_NOT_FOUND);
    CHECK_INT(judged("... !!! ???", "--").kind, VERDICT_NOT_FOUND);
}

/* One account's text must not cost what others wait for: a source of one word
 * again and again, of sentences without end, of acronyms. */
TEST(hostile_texts_are_judged_within_their_limits)
{
    static const char *const parts[] = {"a. ", "WHO ", "7 not ", "x", "1,1."};
    struct arena big = {.max_bytes = SCRATCH};

    for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
        size_t n = strlen(parts[p]), all = 2 * JUDGE_SOURCE_BYTES_MAX;
        char *text = arena_alloc(&big, all + 1);
        struct judge_source *source;
        struct verdict v;

        CHECK(text);
        for (size_t i = 0; i + n <= all; i += n)
            memcpy(text + i, parts[p], n);
        CHECK_OK(judge_source_read(judge(), &big, str_c(text), str_c(text),
                                   &source, &err),
                 &err);
        CHECK_OK(judge_sentence(judge(), &big, str_c(text), source, &v, &err),
                 &err);
        CHECK(v.end <= JUDGE_SOURCE_BYTES_MAX);
        arena_reset(&big);
    }
    arena_free(&big);
}

TEST(running_out_of_memory_is_said)
{
    struct arena small = {.max_bytes = 4096};
    struct judge_source *source;

    CHECK_INT(judge_source_read(judge(), &small, STR_NONE, str_c(landauer),
                                &source, &err),
              FOOTNOTE_NOMEM);
    arena_free(&small);
}
