/* demo_text.c - the demo course: a week of thermodynamics. */
#include "cli/demo.h"

const char demo_course[] = "demo";
const char demo_course_title[] = "Thermodynamics, week 4 (demo)";

enum { SLIDES, LECTURE, JOURNAL, WEB, GLOSSARY };

// clang-format off
const struct demo_document demo_documents[] = {
    [SLIDES] = {
     .id = "demo-slides-4", .title = "Heat and work, week 4",
     .filename = "heat-week-4.pdf", .media_type = "application/pdf",
     .kind = DOCUMENT_SLIDES, .pages = 24, .passages = {
      {.page = 6, .heading = "What a state remembers",
       .text = "Internal energy depends on the state alone. Heat and work "
               "depend on the path: they are ways in which energy travels, not "
               "things that a body contains."},
      {.page = 14, .heading = "Entropy counts",
       .text = "Entropy is the logarithm of the number of microscopic "
               "arrangements that look the same from outside: S = k ln W. "
               "A mixed deck has more arrangements than a sorted one."},
      {.page = 15, .heading = "The second law",
       .text = "In an isolated system entropy does not decrease. A state with "
               "more arrangements is more likely, and for large systems "
               "overwhelmingly so."},
      {.page = 21, .heading = "Pumping heat",
       .text = "A heat pump moves heat from cold to warm and needs work to do "
               "it. The best possible ratio of heat to work is T_warm divided "
               "by the difference T_warm minus T_cold."}}},
    [LECTURE] = {
     .id = "demo-lecture-4", .title = "Lecture 4: why heat flows one way",
     .filename = "lecture-4.mp4", .media_type = "video/mp4",
     .kind = DOCUMENT_LECTURE, .seconds = 2710, .passages = {
      {.start = 61.5, .end = 84,
       .text = "Nobody forbids the coffee to warm itself. It is only that "
               "there are so many more ways to be lukewarm than to be hot in a "
               "cold room."},
      {.start = 902, .end = 931.5,
       .text = "When I shuffle these cards I am not looking for mess. I land "
               "in a mess because nearly every order of the cards is one."},
      {.start = 1480, .end = 1522,
       .text = "So the smaller the step in temperature that the pump has to "
               "climb, the less work you pay for each joule of heat."}}},
    [JOURNAL] = {
     .id = "demo-journal-cooling", .title = "Cooling curve of the copper block",
     .date = "2026-02-12", .media_type = "text/plain",
     .kind = DOCUMENT_JOURNAL, .passages = {
      {.text = "Block at 80 degrees at the start, room at 21. After ten "
               "minutes 64 degrees, after thirty minutes 45. The curve is an "
               "exponential with a time constant of about 31 minutes."},
      {.text = "We had wrapped the block in felt for the second run and forgot "
               "to take it off for the third. The third run cooled half as "
               "fast; do not use it for the fit."}}},
    [WEB] = {
     .id = "demo-page-pumps", .title = "Heat pumps in cold weather",
     .url = "https://example.org/heat-pumps-in-cold-weather",
     .media_type = "text/html",
     .kind = DOCUMENT_PAGE, .passages = {
      {.text = "At minus ten degrees outside a good air heat pump still "
               "delivers about two and a half units of heat for one unit of "
               "electricity; at plus seven it delivers four."},
      {.text = "Below freezing the outdoor unit collects ice and melts it from "
               "time to time, which costs a few percent over a season."}}},
    [GLOSSARY] = {
     .id = "demo-glossary", .title = "Glossary",
     .filename = "glossary.txt", .media_type = "text/plain",
     .kind = DOCUMENT_TEXT, .passages = {
      {.text = "Time constant: the time after which a difference has fallen to "
               "about 37 percent of what it was."}}},
};

const struct demo_turn demo_turns[] = {
    {"demo-entropy", "What is entropy, in one sentence?",
     "Entropy is the logarithm of the number of microscopic arrangements that "
     "look the same from outside [1]. A shuffled deck shows why it grows: "
     "nearly every order of the cards is a mess [2].",
     {{SLIDES, 1}, {LECTURE, 1}, {GLOSSARY, 0}, {-1, 0}}, false},
    {"demo-entropy", "So why does coffee never warm itself?",
     "Nothing forbids it, but there are many more ways to be lukewarm than to "
     "be hot in a cold room [1]. The state with more arrangements is more "
     "likely, and for large systems overwhelmingly so [2].",
     {{LECTURE, 0}, {SLIDES, 2}, {SLIDES, 0}, {-1, 0}}, false},
    {"demo-copper", "Which cooling runs of the copper block can I use?",
     "Leave out the third run: the felt was still on the block, and it cooled "
     "half as fast [1]. The others follow an exponential with a time constant "
     "of about 31 minutes [2]. That is the time after which the difference has "
     "fallen to about 37 percent of what it was [3].",
     {{JOURNAL, 1}, {JOURNAL, 0}, {GLOSSARY, 0}, {-1, 0}}, false},
    {"demo-pumps", "Do heat pumps still work in a cold winter?",
     "Yes, with less gain. The best possible ratio of heat to work is T_warm "
     "divided by T_warm minus T_cold [1]. The larger the step in temperature "
     "that the pump has to climb, the more work you pay for each joule of heat "
     "[2]. In numbers: about two and a half units of heat for one unit of "
     "electricity at minus ten degrees outside, four at plus seven [3]. "
     "Melting the ice on the outdoor unit costs a few percent [4].",
     {{SLIDES, 3}, {LECTURE, 2}, {WEB, 0}, {WEB, 1}, {-1, 0}}, false},
    {"demo-pumps", "And what do they cost?",
     "The course materials say nothing about prices.",
     {{WEB, 0}, {-1, 0}}, true},
};
// clang-format on

const size_t demo_documents_n =
    sizeof(demo_documents) / sizeof(demo_documents[0]);
const size_t demo_turns_n = sizeof(demo_turns) / sizeof(demo_turns[0]);
