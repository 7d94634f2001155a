/* demo_text.c - answers about the demo course, and the quotations in them. */
#include "cli/demo.h"

const char demo_course[] = "demo";
const char demo_course_title[] = "Entropy, from steam engines to bits";
const char demo_slides[] = "demo-slides";
const char demo_lecture[] = "demo-lecture";

#define TITLE   "Entropy, from steam engines to bits"
#define LECTURE "The demon's notebook"

enum { BEST, CARNOT, STIRLING, LANDAUER, BENNETT, ICE, BILLION, BLANK };

// clang-format off
const struct demo_quote demo_quotes[] = {
    [BEST] = {.type = FOOTNOTE_SLIDE, .slide = 7, .title = TITLE,
     .text = "The best efficiency there can be. W / Q1 \xE2\x89\xA4 1 \xE2\x80"
             "\x93 T2 / T1. Temperatures are counted from absolute zero, in "
             "kelvin: 0 \xC2\xB0" "C is 273.15 K. Steam at 800 K and a river "
             "at 300 K: at most 1 \xE2\x80\x93 300/800 = 62.5 %."},
    [CARNOT] = {.type = FOOTNOTE_SLIDE, .slide = 5, .title = TITLE,
     .text = "In 1824 Sadi Carnot, aged 28, asked what the best possible "
             "engine would be. Not which machine: any machine. His answer: "
             "only the two temperatures matter. Steam, air or alcohol make no "
             "difference."},
    [STIRLING] = {.type = FOOTNOTE_JOURNAL, .date = "2026-02-10", .part = 1,
     .title = "The Stirling engine on the teacup",
     .text = "With hot water at 365 K and the plate at 297 K the best "
             "efficiency would be 1 \xE2\x80\x93 297/365, which is 19 %. Our "
             "estimate from the flywheel is 0.4 %. Jonas says that most of it "
             "is friction in the crank."},
    [LANDAUER] = {.type = FOOTNOTE_LECTURE, .start = 495.956, .end = 513.406,
     .title = LECTURE,
     .text = "At temperature T the heat is k T log two. That is Landauer's "
             "principle. To forget one bit, you must warm the world by k T log "
             "two. Now put the two together. Szilard's engine wins k T log two "
             "from each bit."},
    [BENNETT] = {.type = FOOTNOTE_LECTURE, .start = 529.662, .end = 540.321,
     .title = LECTURE,
     .text = "The demon was not defeated because it has to look. It was "
             "defeated because it has to forget. I find that beautiful, and "
             "slightly sad."},
    [ICE] = {.type = FOOTNOTE_JOURNAL, .date = "2026-02-17", .part = 2,
     .title = "Ice, salt and the reversible ice cube",
     .text = "The mistake: I had divided everything by the final temperature. "
             "One has to divide each portion of heat by the temperature at "
             "which it flows. With the integral it is plus 3.9 J/K."},
    [BILLION] = {.type = FOOTNOTE_LECTURE, .start = 573.748, .end = 591.332,
     .title = LECTURE,
     .text = "With a notebook of a billion blank pages it can run a billion "
             "cycles and give you a billion times k T log two of work. But "
             "then blank pages are a fuel. You start with ordered paper and "
             "end with paper full of random lefts and rights."},
    [BLANK] = {.type = FOOTNOTE_LECTURE, .start = 603.083, .end = 610.304,
     .title = LECTURE,
     .text = "A blank memory is a resource. It is worth k T log two per bit, "
             "just as a compressed gas is."},
};

const struct demo_turn demo_turns[] = {
    {"demo-entropy",
     "What is the best efficiency of an engine between 800 K and 300 K?",
     "With steam at 800 K and a river at 300 K it is at most 62.5 % [1]. Only "
     "the two temperatures matter: steam, air or alcohol make no difference "
     "[2].", {BEST, CARNOT, STIRLING, -1}, false},
    {"demo-entropy",
     "And why did Maxwell's demon fail, if not because it has to look?",
     "It was defeated because it has to forget, not because it has to look "
     "[1]. To forget one bit, you must warm the world by k T log two [2].",
     {BENNETT, LANDAUER, -1}, false},
    {"demo-ice",
     "What did we do wrong when we computed the entropy of the melting ice?",
     "Everything was divided by the final temperature. One has to divide each "
     "portion of heat by the temperature at which it flows; with the integral "
     "it is plus 3.9 J/K [1].", {ICE, -1}, false},
    {"demo-notebook", "Can the demon just keep a very large notebook?",
     "With a billion blank pages it can run a billion cycles, but then blank "
     "pages are a fuel [1]. A blank memory is a resource, worth k T log two "
     "per bit, just as a compressed gas is [2].",
     {BILLION, BLANK, -1}, false},
    {"demo-notebook", "What does such a notebook cost in a shop?",
     "The course materials say nothing about prices.",
     {BILLION, -1}, true},
};
// clang-format on

const size_t demo_turns_n = sizeof(demo_turns) / sizeof(demo_turns[0]);
