/* outline.h - "What is this course about?" is answered by the titles of its
 * documents and their headings. */
#ifndef RETRIEVE_SEARCH_OUTLINE_H
#define RETRIEVE_SEARCH_OUTLINE_H
#include "language/analyse.h"

struct search_run;

/* Whether a question, in English or Spanish, asks what a course or its
 * documents are about as a whole: it has no word but those of such questions.
 */
bool outline_is_asked(struct analyser *a, struct str question);

/* Fills in the search's hits and its outline, surely; neither when there are no
 * documents. */
enum footnote_rc outline_find(struct search_run *run, struct footnote_err *err);

#endif
