/* support.h - how far a passage's words carry the sentence that cites it.
 *
 * Text overlap, 0 to 1; it cannot see negation, so it is never called
 * "verified".  .5 x containment in the best window of 40 tokens + .2 x
 * containment in the passage + .3 x containment of bigrams, times (.5 + .5 x
 * share of the numbers found).  Containment is weighted by word: question and
 * function words count little.  A measure walks all of the passage, so callers
 * bound how many they make: store/source/marking.c.  Pure; any thread. */
#ifndef CITE_SUPPORT_H
#define CITE_SUPPORT_H
#include "base/arena.h"

enum {
    SUPPORT_SENTENCE_BYTES_MAX = 4 * 1024, /* what is behind is not read */
    SUPPORT_PASSAGE_BYTES_MAX = 64 * 1024
};

/* A passage cut into words once, for any number of sentences.  Lives in the
 * arena that it was made in; one thread at a time. */
struct support_passage;
enum footnote_rc support_passage_new(struct arena *a, struct str passage,
                                     struct support_passage **out,
                                     struct footnote_err *err);

/* *out in 0..1000.  The sentence and the passage are valid UTF-8; markers in
 * the sentence are no words of it.  Scratch memory comes from `a`: some 120
 * times the sentence. */
enum footnote_rc support_measure(struct arena *a, struct str sentence,
                                 struct support_passage *passage, int *out,
                                 struct footnote_err *err);

#endif
