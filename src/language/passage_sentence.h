/* passage_sentence.h - cuts a passage into sentences.  Pure.
 *
 * A passage has wrapped lines, titles, bullets and abbreviations.  The
 * sentences of an answer, which have markers instead, are cut by
 * cite/sentence.h. */
#ifndef LANGUAGE_PASSAGE_SENTENCE_H
#define LANGUAGE_PASSAGE_SENTENCE_H
#include "base/arena.h"

/* Takes the next sentence off *rest, a view without the spaces around it; false
 * at the end.  A sentence ends with . ! ? before a space and no lowercase
 * letter, unless after an abbreviation; with a wide full stop; before an empty
 * line or a bullet; and after a title. */
bool passage_sentence_take(struct str *rest, struct str *out);
/* A copy on one line, as it is quoted: the lines of a slide end anywhere.  A
 * script without spaces gets none.  Absent when memory runs out. */
struct str passage_sentence_joined(struct arena *a, struct str sentence);

#endif
