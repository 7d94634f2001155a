/* sentences_test.c - which sentences of what was found answer, on both engines.
 */
#include "retrieve/search/answer_kind.h"
#include "retrieve/search/needs_next.h"
#include "retrieve_help.h"

TEST(questions_say_what_they_ask_for)
{
    struct str who = STR("who found it?");

    CHECK_INT(answer_kind_of(STR("In what year was it?")), ANSWER_TIME);
    CHECK_INT(answer_kind_of(STR("How many are there?")), ANSWER_NUMBER);
    CHECK_INT(answer_kind_of(who), ANSWER_NAME);
    CHECK_INT(answer_kind_of(STR("Is it whole?")), ANSWER_ANY);
    CHECK(answer_kind_met(ANSWER_TIME, STR("It was in 1865."), STR("")));
    CHECK(!answer_kind_met(ANSWER_TIME, STR("It was long ago."), STR("")));
    CHECK(answer_kind_met(ANSWER_NAME, STR("It was Clausius."), who));
    CHECK(!answer_kind_met(ANSWER_NAME, STR("It was Clausius."),
                           STR("who was clausius?")));
}

RETRIEVED(a_second_sentence_adds_something)
{
    struct search s;
    struct best_sentence best[3];
    size_t n = 0;

    course(ANN, "c");
    text(ANN, "c", "glass",
         "It bends light when glass is thick. Nobody knew why before Snell. "
         "Rulers are cheap. Lunch was good. Boats were late all day.");
    s = search(ANN, "c", "What does thick glass do to light?");
    CHECK_OK(retriever_sentences(re, &s, best, 3, &n, &err), &err);
    CHECK_INT(n, 2);
    CHECK(str_starts(best[0].sentence, STR("It bends light")));
    CHECK(str_starts(best[1].sentence, STR("Nobody knew")));
}

TEST(a_sentence_needs_the_next_after_a_colon_or_a_pronoun)
{
    CHECK(needs_next(STR("There are two laws:")));
    CHECK(needs_next(STR("It fails.")));
    CHECK(needs_next(STR("Prof. Lindqvist: It could.")));
    CHECK(needs_next(STR("Esto no cambia.")));
    CHECK(!needs_next(STR("Items are cheap.")));
    CHECK(!needs_next(STR("Heat: energy on its way.")));
    CHECK(!needs_next(STR("")));
}

RETRIEVED(what_a_thing_is_said_to_be_answers_what_it_is)
{
    struct best_sentence best;
    struct search s;
    size_t n = 0;

    course(ANN, "c");
    text(ANN, "c", "tools",
         "Helgrind can be very helpful in finding problems. A Helgrind run "
         "of Helgrind takes long. Helgrind is a tool that detects races.");
    s = search(ANN, "c", "What is Helgrind?");
    CHECK_OK(retriever_sentences(re, &s, &best, 1, &n, &err), &err);
    CHECK_INT(n, 1);
    CHECK_TEXT(best.sentence, STR("Helgrind is a tool that detects races."));
}
