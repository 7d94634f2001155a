/* answer_kind.h - the kind of answer that a question asks for, and whether a
 * sentence has something of that kind.  Pure. */
#ifndef RETRIEVE_SEARCH_ANSWER_KIND_H
#define RETRIEVE_SEARCH_ANSWER_KIND_H
#include "base/str.h"

enum answer_kind {
    ANSWER_ANY,
    ANSWER_NUMBER,
    ANSWER_TIME,
    ANSWER_NAME,
    ANSWER_REASON,
    ANSWER_DEFINITION
};

enum answer_kind answer_kind_of(struct str question);
/* Names that the question has itself do not count. */
bool answer_kind_met(enum answer_kind kind, struct str sentence,
                     struct str question);

#endif
