/* cue.h - what kind of answer a question asks for, and whether a sentence has
 * something of that kind.  Pure. */
#ifndef RETRIEVE_SEARCH_CUE_H
#define RETRIEVE_SEARCH_CUE_H
#include "base/str.h"

enum cue { CUE_NONE, CUE_NUMBER, CUE_TIME, CUE_NAME, CUE_REASON };

enum cue cue_of(struct str question);
/* Names that the question has itself do not count. */
bool cue_met(enum cue cue, struct str sentence, struct str question);

#endif
