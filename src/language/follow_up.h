/* follow_up.h - whether a question stands by itself, or needs the one before.
 *
 * By tables of words for each language, without a model: "And its efficiency?"
 * and "Why?" need the question before, "What is entropy?" does not.  A question
 * that cannot be told counts as one that stands by itself. */
#ifndef LANGUAGE_FOLLOW_UP_H
#define LANGUAGE_FOLLOW_UP_H
#include "language/analyse.h"

enum follow_up {
    STANDS_ALONE,
    FOLLOWS_AS_FRAGMENT, /* one word that names something: "The price?" */
    FOLLOWS_BY_WORD,     /* a pronoun, or it begins with "and": "And its ..." */
    FOLLOWS_EMPTY        /* nothing but function words: "Why?" */
};

enum follow_up follow_up_of(struct analyser *a, struct str question);

#endif
