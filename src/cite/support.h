/* support.h - how far a passage's words carry the sentence that cites it.
 *
 * Text overlap, 0 to 1; it cannot see negation, so it is never called
 * "verified".  .5 x containment in the best window of 40 tokens + .2 x
 * containment in the passage + .3 x containment of bigrams, times (.5 + .5 x
 * share of the numbers found).  Containment is weighted by word: question and
 * function words count little.  Pure; any thread. */
#ifndef CITE_SUPPORT_H
#define CITE_SUPPORT_H
#include "base/arena.h"

enum {
    SUPPORT_SENTENCE_BYTES_MAX = 4 * 1024, /* what is behind is not read */
    SUPPORT_PASSAGE_BYTES_MAX = 64 * 1024
};

/* The sentence of `text` that a marker at byte `at` closes or stands in.  A
 * marker behind the full stop belongs to the sentence before it; one at the
 * start of a line to what follows.  A view into `text`: never absent, empty
 * when there is none; markers inside are left in. */
struct str support_sentence(struct str text, size_t at);

/* *out in 0..1000.  Both are valid UTF-8; markers in the sentence are no words
 * of it.  Scratch memory comes from `a`: some 120 times the sentence. */
enum footnote_rc support_measure(struct arena *a, struct str sentence,
                                 struct str passage, int *out,
                                 struct footnote_err *err);

#endif
