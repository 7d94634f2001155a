/* sentence.h - a paragraph as sentences.  Pure; any thread. */
#ifndef CITE_SENTENCE_H
#define CITE_SENTENCE_H
#include "base/str.h"

/* The next sentence from byte *at on, with its full stop and the markers that
 * follow it; *at moves to the one after.  A view into `text`, which is valid
 * UTF-8; line ends are no sentence ends here.  False at the end. */
bool sentence_next(struct str text, size_t *at, struct str *sentence);

/* One walk over a text, for markers in the order of their places: however many
 * there are, the text is read once.  Begin with {.text = text}. */
struct sentence_walk {
    struct str text;
    struct str line;         /* the one that the last marker stood in */
    size_t start, end, next; /* a sentence of it, and where the next begins */
};
/* The sentence that a marker at byte `at` closes or stands in; `at` is never
 * less than in the call before.  A marker behind the full stop belongs to the
 * sentence before it; one at the start of a line to what follows.  A view into
 * the text: never absent, empty when there is none; markers inside are left
 * in. */
struct str sentence_of_marker(struct sentence_walk *w, size_t at);

#endif
