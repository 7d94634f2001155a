/* sentence.h - a passage as sentences, for answers in its own words.  Pure. */
#ifndef RETRIEVE_SEARCH_SENTENCE_H
#define RETRIEVE_SEARCH_SENTENCE_H
#include "base/str.h"

/* Takes the next sentence off *rest: a view without the spaces around it;
 * false at the end.  Ends are . ! ? with a space and no small letter behind
 * them, abbreviations apart, wide full stops, and empty lines or bullets. */
bool sentence_take(struct str *rest, struct str *out);

#endif
