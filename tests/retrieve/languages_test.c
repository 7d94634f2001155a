/* languages_test.c - courses in several languages, and the same text twice. */
#include <stdio.h>

#include "retrieve_help.h"

#define ENGLISH(words) "This is what the house and the garden are for: " words
#define SPANISH(words) "Esto es lo que la casa y el patio son para: " words

RETRIEVED(the_language_of_the_question_comes_first)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "es", SPANISH("zymurgy."));
    text(ANN, "c", "en", ENGLISH("zymurgy for those who like it."));
    s = search(ANN, "c", "What is zymurgy for?");
    CHECK_INT(s.hits_n, 2);
    CHECK_STR(hit_id(&s, 0), "en");
    s = search(ANN, "c", "¿Para qué es la zymurgy?");
    CHECK_STR(hit_id(&s, 0), "es");
    /* Nobody can tell which language this is. */
    s = search(ANN, "c", "zymurgy");
    CHECK_STR(hit_id(&s, 0), "es");
}

/* The Spanish stem of "bake" is "bak". */
RETRIEVED(a_stem_of_another_language_is_not_what_was_asked_for)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "es", SPANISH("panes, hornos y harinas."));
    text(ANN, "c", "en", ENGLISH("a copy that is called notes.bak is kept."));
    s = search(ANN, "c", "How do I bake?");
    for (size_t i = 0; i < s.hits_n; i++)
        CHECK_F64(s.hits[i].coverage, 0.0);
    CHECK(s.low_confidence);
}

/* The few English lines of a Spanish book do not make a word rare. */
RETRIEVED(a_word_is_as_frequent_as_all_its_variants)
{
    struct search s;
    char id[16];

    course(ANN, "c");
    for (int i = 0; i < 8; i++) {
        snprintf(id, sizeof(id), "en%d", i);
        text(ANN, "c", id, ENGLISH("running commands, one after the other."));
    }
    text(ANN, "c", "both", ENGLISH("commands that pipes join."));
    text(ANN, "c", "es", SPANISH("commands, commands."));
    s = search(ANN, "c", "commands pipes");
    CHECK_STR(hit_id(&s, 0), "both");
}

RETRIEVED(the_same_text_twice_is_one_hit)
{
    const char *two[] = {"Light is bent by glass.", "Light is bent by water.",
                         NULL};
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .query = STR("what bends light?"),
                       .limit = 2};

    course(ANN, "c");
    for (int i = 0; i < 5; i++) {
        char id[16];
        struct doc d = {.course = "c", .id = id, .title = "Optics"};

        snprintf(id, sizeof(id), "d%d", i);
        document(ANN, &d, two);
    }
    look(&s);
    CHECK_INT(s.hits_n, 2);
    CHECK(!str_eq(s.hits[0].text, s.hits[1].text));
    /* Each copy can still be asked alone. */
    s = (struct search){
        .who = ANN,
        .course = STR("c"),
        .filter = &(struct search_filter){.documents = &(struct str){"d3", 2},
                                          .documents_n = 1},
        .query = STR("what bends light?")};
    look(&s);
    CHECK_INT(s.hits_n, 2);
    CHECK_STR(hit_id(&s, 0), "d3");
}
