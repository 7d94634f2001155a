/* sentence_test.c - an answer as sentences with their markers. */
#include "cite/answer_sentences.h"
#include "test.h"

static struct arena a = {.max_bytes = 8 * 1024 * 1024};
static struct footnote_err err;

static size_t cut(struct str text, struct answer_sentence **out,
                  struct mark **marks)
{
    size_t marks_n, n;

    CHECK_OK(marks_find(&a, text, marks, &marks_n, &err), &err);
    CHECK_OK(answer_sentences(&a, text, *marks, marks_n, out, &n, &err), &err);
    return n;
}

/* The sentence that has the marker at byte `at`. */
static struct str sentence_at(struct str text, size_t at)
{
    struct answer_sentence *s;
    struct mark *marks;
    size_t n = cut(text, &s, &marks);

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s[i].marks_n; k++)
            if (marks[s[i].mark + k].start == at)
                return s[i].text;
    return STR_NONE;
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
    check_sentence("It ends. Entropy grows ^[1]", "Entropy grows");
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
    check_sentence("Heat flows\nEntropy grows ^[1]\nIt ends", "Entropy grows");
    check_sentence("Heat flows.\n^[1] Entropy grows. It ends.",
                   "[1] Entropy grows.");
    check_sentence("Heat\n\n  ^[1]\n", "[1]");
    check_sentence("1. Heat flows ^[1]\n2. Other", "Heat flows");
}

TEST(not_every_point_ends_a_sentence)
{
    check_sentence("It is 3.14 or v1.2 ^[1].", "It is 3.14 or v1.2 [1].");
    check_sentence("Engines, e.g. steam ones, heat ^[1].",
                   "Engines, e.g. steam ones, heat [1].");
    check_sentence("See example.org for it ^[1].",
                   "See example.org for it [1].");
}

TEST(a_sentence_that_claims_something_needs_no_marker)
{
    struct answer_sentence *s;
    struct mark *marks;
    struct str text =
        STR("# The second law of it all\nEntropy grows in every engine. Is it "
            "so everywhere?\n- It grows in refrigerators as well [1].\n"
            "Yes.\n```\nint entropy_grows_here_as_well = 1;\n```\n"
            "These are the reasons that we know:\n"
            "W\xc3\xa4rme flie\xc3\x9ft [2]\n| a table row of text | here |");
    size_t n = cut(text, &s, &marks);

    CHECK_INT(n, 3);
    CHECK_TEXT(s[0].text, STR("Entropy grows in every engine."));
    CHECK_INT(s[0].marks_n, 0);
    CHECK_TEXT(s[1].text, STR("It grows in refrigerators as well [1]."));
    CHECK_INT(s[1].marks_n, 1);
    CHECK_TEXT(s[2].text, STR("W\xc3\xa4rme flie\xc3\x9ft"));
    CHECK_INT(s[2].end_utf16 - s[2].start_utf16, 12);
}

TEST(there_may_be_nothing_to_cut)
{
    struct answer_sentence *s;
    struct mark *marks;

    CHECK_INT(cut(STR(""), &s, &marks), 0);
    CHECK_INT(cut(STR("\n\n \n"), &s, &marks), 0);
    CHECK_INT(cut(STR("[1]"), &s, &marks), 1);
    CHECK_INT(cut(STR("\n[1][2]\n"), &s, &marks), 1);
    CHECK_INT(s[0].marks_n, 2);
}

TEST(sentences_are_bounded)
{
    enum { N = 2 * ANSWER_SENTENCES_MAX };
    char text[8 * N + 1];
    struct answer_sentence *s;
    struct mark *marks;

    for (size_t i = 0; i < N; i++)
        memcpy(text + 8 * i, "Aa [1]. ", 8);
    CHECK_INT(cut((struct str){text, (size_t)8 * N}, &s, &marks),
              ANSWER_SENTENCES_MAX);
}
