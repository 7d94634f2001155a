/* sample_messages.h - messages whose every byte follows from their id.
 *
 * So whoever reads one back needs no copy to tell whether it is whole.  An id
 * is KIND-ROUND-THREAD-N; the session is sROUND-THREAD. */
#ifndef SAMPLE_MESSAGES_H
#define SAMPLE_MESSAGES_H
#include "footnote.h"

enum {
    SAMPLE_SOURCES_MAX = 8,
    SAMPLE_TEXT_BYTES = 1024,
    SAMPLE_PART_BYTES = 150, /* an answer is written in parts of this size */
    SAMPLE_PARTS = 6
};

enum sample_kind {
    SAMPLE_MESSAGE = 'm', /* 1 to 6 sources, non-ASCII text */
    SAMPLE_QUESTION = 'q',
    SAMPLE_ANSWER = 'a' /* 5 sources, SAMPLE_PARTS parts of ASCII text */
};

struct sample {
    struct footnote_message message; /* points into the rest: do not copy */
    struct footnote_source sources[SAMPLE_SOURCES_MAX];
    char session[32], id[48];
    char text[SAMPLE_TEXT_BYTES];
    struct {
        char id[64], title[80], preview[256];
    } texts[SAMPLE_SOURCES_MAX];
};

void sample_make(struct sample *s, enum sample_kind kind, unsigned round,
                 unsigned thread, unsigned n);

/* Whether a sample has that id, in that session. */
bool sample_is_known(const struct footnote_message *got);

/* NULL when `got` is what the sample with its id is, and otherwise what is
 * wrong with it.  Of an answer that did not end as COMPLETE, the beginning of
 * the text and some of the sources are enough. */
const char *sample_wrong(const struct footnote_message *got);

#endif
