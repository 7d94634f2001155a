/* analyse_test.c - what becomes of words. */
#include "base/buf.h"
#include "language/analyse.h"
#include "language/passage_sentence.h"
#include "test.h"

struct analysed {
    const char *text;
    enum language language;
    const char *terms; /* with spaces; function words in parentheses */
};

static struct analyser *analyser(void)
{
    static struct analyser *a;
    struct footnote_err err;

    if (!a)
        CHECK_OK(analyser_open(&a, &err), &err);
    return a;
}

static void check(const struct analysed *c)
{
    struct buf b = BUF(4096);
    struct token t;

    analyse(analyser(), str_c(c->text), c->language);
    while (analyse_next(analyser(), &t)) {
        if (b.n)
            buf_add_c(&b, ' ');
        buf_printf(&b, t.stop ? "(%.*s)" : "%.*s", STR_ARG(t.term));
    }
    CHECK_TEXT(b.p ? buf_str(&b) : STR(""), str_c(c->terms));
    buf_free(&b);
}

TEST(words_become_terms)
{
    static const struct analysed cases[] = {
        {"", LANGUAGE_EN, ""},
        {" -- ... ", LANGUAGE_EN, ""},
        {"The Connections", LANGUAGE_EN, "(the) connect"},
        {"pi is 3.14, not 3,14 or 1,000.", LANGUAGE_EN,
         "pi (is) 3.14 not 3.14 (or) 1000"},
        {"Bayes's rule, Bayes\xe2\x80\x99s", LANGUAGE_EN, "bay rule bay"},
        {"Schr\xc3\xb6"
         "dinger",
         LANGUAGE_DE, "schroding"},
        {"energ\xc3\xad"
         "a energia",
         LANGUAGE_ES, "energi energi"},
        {"H\xc3\xa4user Haus", LANGUAGE_DE, "haus haus"},
        {"C++ and C# or c", LANGUAGE_EN, "c++ (and) c# (or) c"},
        {"\xe7\x83\xad\xe5\x8a\x9b", LANGUAGE_EN, "\xe7\x83\xad \xe5\x8a\x9b"},
        {"\xef\xac\x81nite", LANGUAGE_EN, "finit"},
        {"Законы тёплой воды и силы", LANGUAGE_RU, "закон тепл вод (и) сил"},
        {"Machines och maskinerna", LANGUAGE_SV, "machin (och) maskin"},
        /* Syllables, two by two; a number and a Latin word end them. */
        {"ความร้อน", LANGUAGE_EN, "ควา วาม มร้ ร้อ อน"},
        {"น้ำ 20 C", LANGUAGE_EN, "น้ำ 20 c"},
        {"ก๑a", LANGUAGE_EN, "ก ๑a"},
        {"How much did it show?", LANGUAGE_EN,
         "(how) (much) (did) (it) (show)"},
        /* Forms of function words, but not of short ones: a doe, cans. */
        {"explaining what happening does to a doe in cans", LANGUAGE_EN,
         "(explain) (what) (happen) (doe) (to) (a) doe (in) can"},
        {"mostrando lo que explicaba", LANGUAGE_ES,
         "mostr (lo) (que) (explic)"},
        {"l'entropie d'un gaz", LANGUAGE_FR, "(l) entrop (d) (un) gaz"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check(&cases[i]);
}

TEST(a_word_of_any_length_is_cut_not_refused)
{
    char word[5000];
    struct token t;

    memset(word, 'x', sizeof(word));
    analyse(analyser(), (struct str){word, sizeof(word)}, LANGUAGE_EN);
    CHECK(analyse_next(analyser(), &t));
    CHECK_INT(t.term.n, TERM_BYTES_MAX);
    CHECK_INT(t.end, sizeof(word));
    CHECK(!analyse_next(analyser(), &t));
}

TEST(languages_are_told_by_their_function_words)
{
    static const struct {
        const char *text;
        enum language language;
    } cases[] = {
        {"The gas is in a box and it does not leave.", LANGUAGE_EN},
        {"Das Gas ist in einem Kasten und es bleibt dort.", LANGUAGE_DE},
        {"Le gaz est dans une bo\xc3\xaete et il y reste.", LANGUAGE_FR},
        {"El gas est\xc3\xa1 en una caja y no sale de ella.", LANGUAGE_ES},
        {"Il gas \xc3\xa8 in una scatola e non esce dalla parete.",
         LANGUAGE_IT},
        {"Газ находится в сосуде и не выходит из него.", LANGUAGE_RU},
        {"Энтропия Гиббса Гельмгольца", LANGUAGE_RU}, /* by its script */
        {"الغاز في صندوق ولا يخرج من هذا المكان", LANGUAGE_AR},
        {"Gasen är i en låda och den stannar där på grund av väggen.",
         LANGUAGE_SV},
        {"Gassen er i en kasse, og hva er det som skjer hvis man åpner den?",
         LANGUAGE_NO},
        {"Kaasu on laatikossa ja se ei ole siellä mutta se on tuolla.",
         LANGUAGE_FI},
        {"A gáz egy dobozban van, és nem megy ki, hogy ha meleg.", LANGUAGE_HU},
        {"Το αέριο είναι σε ένα κουτί και δεν βγαίνει από εκεί.", LANGUAGE_EL},
        {"Entropy Gibbs Helmholtz", LANGUAGE_NONE},
        {"", LANGUAGE_NONE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        CHECK_INT(language_guess(analyser(), str_c(cases[i].text)),
                  cases[i].language);
}

TEST(passages_are_cut_into_sentences)
{
    struct str rest = STR("Dr. Who came at 3.14 p.m. in May. \"Why?\" he said. "
                          "J. S. Bach wrote it! It has 300 K. Cold.\n\n- "
                          "one\n- two words\nwrapped");
    const char *want[] = {"Dr. Who came at 3.14 p.m. in May.",
                          "\"Why?\" he said.",
                          "J. S. Bach wrote it!",
                          "It has 300 K.",
                          "Cold.",
                          "- one",
                          "- two words\nwrapped"};
    struct str s;

    for (size_t i = 0; i < 7; i++) {
        CHECK(passage_sentence_take(&rest, &s));
        CHECK_TEXT(s, str_c(want[i]));
    }
    CHECK(!passage_sentence_take(&rest, &s));
}

/* On slides a sentence goes on in the next line, until a bullet of any form. */
TEST(lines_of_slides_go_on_until_the_next_item)
{
    struct str rest =
        STR("Side effects\n"
            "\xe2\x97\xae End-users have to install bmake and mk\n"
            "to build Applications that\nMake needs\n"
            "\xe2\x80\x93 \xe2\x80\x9cquoted\xe2\x80\x9d words\n"
            "\xe2\x80\x9cgo on\xe2\x80\x9d here\n1. first\nb) second");
    const char *want[] = {
        "Side effects",
        "\xe2\x97\xae End-users have to install bmake and mk\n"
        "to build Applications that\nMake needs",
        "\xe2\x80\x93 \xe2\x80\x9cquoted\xe2\x80\x9d words\n"
        "\xe2\x80\x9cgo on\xe2\x80\x9d here",
        "1. first", "b) second"};
    struct str s;

    for (size_t i = 0; i < 5; i++) {
        CHECK(passage_sentence_take(&rest, &s));
        CHECK_TEXT(s, str_c(want[i]));
    }
    CHECK(!passage_sentence_take(&rest, &s));
}

TEST(every_language_has_a_stemmer_and_sorted_function_words)
{
    for (int l = 1; l < LANGUAGES; l++) {
        char word[] = "abcdefghij";
        CHECK(analyse_word(analyser(), str_c(word), (enum language)l).n > 0);
    }
    CHECK(is_stop(LANGUAGE_RU, STR("что")));
    CHECK(is_stop(LANGUAGE_TR, STR("nedir")));
    CHECK(is_stop(LANGUAGE_SR, STR("који")));
    CHECK(!is_stop(LANGUAGE_SR, STR("топлота")));
}

static void check_joined(const char *sentence, const char *want)
{
    struct arena a = ARENA(1 << 16);
    struct str got = passage_sentence_joined(&a, str_c(sentence));

    if (!str_eq(got, str_c(want)))
        FAIL("\"%s\" is quoted as \"%s\"", sentence, got.p);
    arena_free(&a);
}

TEST(sentences_are_quoted_on_one_line)
{
    check_joined("imagined a\ndoor\n  being", "imagined a door being");
    check_joined(" a \r\n\r\n b\t c ", "a b c");
    check_joined("\xe4\xbd\xa0\n\xe5\xa5\xbd\xe3\x80\x82",
                 "\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82");
    check_joined("\xe4\xbd\xa0 \xe5\xa5\xbd", "\xe4\xbd\xa0 \xe5\xa5\xbd");
    check_joined("\xe4\xbd\xa0\nC++", "\xe4\xbd\xa0 C++");
    check_joined("\n", "");
    check_joined("", "");
}
