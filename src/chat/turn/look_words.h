/* look_words.h - what a model is told that looks at an answer again, and what
 * it says.  Any thread. */
#ifndef CHAT_TURN_LOOK_WORDS_H
#define CHAT_TURN_LOOK_WORDS_H
#include "model/model.h"
#include "store/source/verdicts.h"

struct message;

enum {
    LOOK_SENTENCES_MAX = 40,        /* of one answer; others are not asked */
    LOOK_PASSAGES_BYTES = 48 * 1024 /* of all passages; likewise */
};

struct look_words {
    struct model_line lines[2];
    struct sentence_verdict *list; /* those that it is asked about */
    size_t n;                      /* 0: there is nothing to ask */
    size_t reply_bytes_max;
};
/* The sentences of which the words were judged, and whose source is shown to
 * who asked.  All lives in `a`. */
enum footnote_rc look_words(struct arena *a, const struct message *m,
                            struct look_words *out, struct footnote_err *err);

/* Sets the verdicts of the list; false when the reply is anything but one known
 * verdict for each sentence. */
bool look_read(struct arena *a, struct str reply, struct sentence_verdict *list,
               size_t n);

#endif
