/* sentence.h - a paragraph as sentences.  Pure; any thread. */
#ifndef CITE_SENTENCE_H
#define CITE_SENTENCE_H
#include "base/str.h"

/* The next sentence from byte *at on, with its full stop and the markers that
 * follow it; *at moves to the one after.  A view into `text`, which is valid
 * UTF-8; line ends are no sentence ends here.  False at the end. */
bool sentence_next(struct str text, size_t *at, struct str *sentence);

#endif
