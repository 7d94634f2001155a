/* support_test.c - which sentence a marker belongs to, and how far a passage
 * carries it. */
#include "cite/sentence.h"
#include "cite/support.h"
#include "test.h"

enum { SCRATCH = 8 * 1024 * 1024 };

/* --- Sentences ------------------------------------------------------------ */

static struct str sentence_at(struct str text, size_t at)
{
    return sentence_of_marker(&(struct sentence_walk){.text = text}, at);
}

/* `text` has one "^" before the marker meant; it is taken out first. */
static void check_sentence(const char *text, const char *want)
{
    char plain[256];
    size_t at = strcspn(text, "^");
    int n =
        snprintf(plain, sizeof(plain), "%.*s%s", (int)at, text, text + at + 1);
    struct str got = sentence_at((struct str){plain, (size_t)n}, at);

    if (!str_eq(got, str_c(want)))
        FAIL("\"%s\" has \"%.*s\", not \"%s\"", text, STR_ARG(got), want);
}

TEST(a_marker_belongs_to_the_sentence_it_stands_in)
{
    check_sentence("^[1]", "[1]");
    check_sentence("Entropy grows ^[1].", "Entropy grows [1].");
    check_sentence("Heat flows. Entropy grows ^[1]. It ends.",
                   "Entropy grows [1].");
    check_sentence("Heat ^[1] flows [2]. It ends.", "Heat [1] flows [2].");
    check_sentence("Really? Yes ^[1]! So it is.", "Yes [1]!");
    check_sentence("It ends. Entropy grows ^[1]", "Entropy grows [1]");
}

TEST(a_marker_behind_the_full_stop_belongs_to_the_sentence_before)
{
    check_sentence("Entropy grows. ^[1]", "Entropy grows.");
    check_sentence("Entropy grows.^[1] Heat flows.", "Entropy grows.");
    check_sentence("Entropy grows. ^[1] Heat flows. [2]", "Entropy grows.");
    check_sentence("Entropy grows. [1] Heat flows. ^[2]", "Heat flows.");
    check_sentence("Entropy grows. [1][2] ^[3] Heat flows.", "Entropy grows.");
    check_sentence("He said \"it grows.\" ^[1] Heat", "He said \"it grows.\"");
    check_sentence("**It grows.** ^[1] Heat", "**It grows.**");
    check_sentence("It grows... ^[1] Heat", "It grows...");
    check_sentence("熱は流れる。^[1]次の文。", "熱は流れる。");
    check_sentence("熱は流れる。[1]次の文。^[2]", "次の文。");
    check_sentence("熱は流れる。次の文^[2]。", "次の文[2]。");
}

TEST(lines_end_sentences)
{
    check_sentence("Heat flows\nEntropy grows ^[1]\nIt ends",
                   "Entropy grows [1]");
    check_sentence("Heat flows.\n^[1] Entropy grows. It ends.",
                   "[1] Entropy grows.");
    check_sentence("Heat\n\n  ^[1]\n", "[1]");
    check_sentence("1. Heat flows ^[1]\n2. Other", "Heat flows [1]");
}

TEST(not_every_point_ends_a_sentence)
{
    check_sentence("It is 3.14 or v1.2 ^[1].", "It is 3.14 or v1.2 [1].");
    check_sentence("Engines, e.g. steam ones, heat ^[1].",
                   "Engines, e.g. steam ones, heat [1].");
    check_sentence("See example.org for it ^[1].",
                   "See example.org for it [1].");
}

TEST(a_sentence_is_never_absent)
{
    CHECK(sentence_at(STR(""), 0).p);
    CHECK(sentence_at(STR_NONE, 7).p);
    CHECK_INT(sentence_at(STR("a\n\nb"), 2).n, 0);
    CHECK_TEXT(sentence_at(STR("Heat flows."), 99), STR("Heat flows."));
    CHECK_TEXT(sentence_at(STR("It ends. Heat. "), 15), STR("Heat."));
}

/* --- Support -------------------------------------------------------------- */

static int measure(struct str sentence, struct str passage)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    struct support_passage *p;
    struct footnote_err err;
    int result = -1, again = -1;

    CHECK_OK(support_passage_new(&a, passage, &p, &err), &err);
    CHECK_OK(support_measure(&a, sentence, p, &result, &err), &err);
    /* A passage is as it was after it was used. */
    CHECK_OK(support_measure(&a, STR("All the entropy [1]."), p, &again, &err),
             &err);
    CHECK_OK(support_measure(&a, sentence, p, &again, &err), &err);
    CHECK_INT(again, result);
    CHECK(result >= 0 && result <= 1000);
    return result;
}

#define PASSAGE                                                                \
    "The second law was stated by Clausius in 1850. The entropy of an "        \
    "isolated system never decreases over time. It is constant only when "     \
    "all processes are reversible, at 273.15 kelvin as at 1,000 kelvin."

TEST(a_verbatim_sentence_has_full_support)
{
    CHECK_INT(measure(STR("The entropy of an isolated system never decreases "
                          "over time."),
                      STR(PASSAGE)),
              1000);
    CHECK_INT(measure(STR("the ENTROPY of an isolated system [1,2] never "
                          "decreases over time [^Page]. [3]"),
                      STR(PASSAGE)),
              1000);
    CHECK_INT(measure(STR("Entropy [1]."), STR(PASSAGE)), 1000);
    CHECK(measure(STR(PASSAGE), STR(PASSAGE)) >= 900);
}

TEST(a_sentence_in_other_words_has_some_support)
{
    int some = measure(STR("In an isolated system, entropy cannot decrease "
                           "over time [1]."),
                       STR(PASSAGE));
    CHECK(some > 400 && some < 900);
}

TEST(an_unrelated_sentence_has_little_support)
{
    CHECK(measure(STR("The cat sat on the mat and it was fond of the milk "
                      "that they had in the house."),
                  STR(PASSAGE)) <= 150);
    CHECK(measure(STR("Cats sleep 13 hours."), STR(PASSAGE)) <= 150);
    CHECK(measure(STR("猫は眠る。"), STR(PASSAGE)) == 0);
}

TEST(a_wrong_number_lowers_support)
{
    struct str right = STR("The second law was stated by Clausius in 1850.");
    struct str wrong = STR("The second law was stated by Clausius in 1851.");

    CHECK_INT(measure(right, STR(PASSAGE)), 1000);
    CHECK(measure(wrong, STR(PASSAGE)) < 500);
    CHECK_INT(measure(STR("at 273.15 kelvin as at 1,000 kelvin"), STR(PASSAGE)),
              1000);
    CHECK(measure(STR("at 273.16 kelvin"), STR(PASSAGE)) <
          measure(STR("at 273.15 kelvin"), STR(PASSAGE)));
    CHECK(measure(STR("273.15 kelvin"), STR("at 273 or 15 kelvin")) < 200);
}

TEST(words_together_support_more_than_words_apart)
{
    static char apart[4096];
    size_t n = 0;
    const char *words[] = {"entropy", "isolated", "system", "decreases"};

    for (size_t i = 0; i < 4; i++) {
        n += (size_t)snprintf(apart + n, sizeof(apart) - n, "%s ", words[i]);
        for (int k = 0; k < 50; k++)
            n += (size_t)snprintf(apart + n, sizeof(apart) - n, "filler ");
    }
    struct str sentence = STR("entropy isolated system decreases");
    CHECK_INT(measure(sentence, STR(PASSAGE)),
              500 + 200 + 100); /* one pair of three */
    CHECK_INT(measure(sentence, (struct str){apart, n}), 125 + 200);
}

TEST(nothing_supports_nothing)
{
    CHECK_INT(measure(STR(""), STR(PASSAGE)), 0);
    CHECK_INT(measure(STR("[1] [2,3]."), STR(PASSAGE)), 0);
    CHECK_INT(measure(STR("... !?"), STR(PASSAGE)), 0);
    CHECK_INT(measure(STR("Entropy grows."), STR("")), 0);
    CHECK_INT(measure(STR_NONE, STR_NONE), 0);
    CHECK_INT(measure(STR("..."), STR("...")), 0);
}

TEST(support_knows_other_scripts)
{
    CHECK_INT(measure(STR("熱は流れる[1]。"), STR("昔、熱は流れる、と。")),
              1000);
    CHECK(measure(STR("熱entropy"), STR("entropy")) > 0);
    CHECK_INT(measure(STR("Die Wärme fließt“ [1]"), STR("„Die Wärme fließt.")),
              1000);
    CHECK_INT(measure(STR("Теплота течёт"), STR("Теплота течёт всегда")), 1000);
}

static void put(char *at, struct str s)
{
    memcpy(at, s.p, s.n);
}

/* Beyond the limits nothing is read, and a limit may fall inside a character.
 */
TEST(support_of_long_texts_is_bounded)
{
    static char passage[300 * 1024], sentence[64 * 1024];

    for (size_t i = 0; i + 2 < sizeof(passage); i += 2)
        put(passage + i, STR("\xc3\xa9"));
    passage[0] = ' ';
    passage[1] = 'x'; /* now characters begin at even places ... */
    put(passage + 100, STR("entropy "));
    put(passage + 200000, STR(" late "));
    for (size_t i = 0; i < sizeof(sentence); i++)
        sentence[i] = "a b c d e f g h "[i % 16];
    struct str p = {passage, sizeof(passage) - 2};
    CHECK_INT(measure(STR("late"), p), 0);
    CHECK(measure((struct str){sentence, sizeof(sentence)}, p) <= 1000);
    p = (struct str){passage + 1, sizeof(passage) - 3}; /* ... or at odd ones */
    CHECK_INT(measure(STR("late"), p), 0);
    for (size_t i = 0; i + 3 <= sizeof(sentence); i += 3) { /* many words */
        sentence[i] = (char)('a' + i / 3 % 26);
        sentence[i + 1] = (char)('a' + i / 78 % 26);
        sentence[i + 2] = ' ';
    }
    p = (struct str){sentence, sizeof(sentence)};
    CHECK(measure(p, p) >= 500);
}

TEST(support_without_memory_is_an_error)
{
    struct support_passage *p;
    struct footnote_err err;
    int result;

    for (size_t max = 8; max < 16384; max += 8) {
        AUTO(arena_free) struct arena a = ARENA(max);
        enum footnote_rc rc = support_passage_new(&a, STR(PASSAGE), &p, &err);

        if (rc == FOOTNOTE_OK)
            rc = support_measure(&a, STR("Entropy grows [1]."), p, &result,
                                 &err);
        if (rc == FOOTNOTE_OK)
            return;
        CHECK_INT(rc, FOOTNOTE_NOMEM);
    }
    FAIL("no memory was enough");
}
