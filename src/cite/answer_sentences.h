/* answer_sentences.h - an answer as sentences that can be judged.  Pure. */
#ifndef CITE_ANSWER_SENTENCES_H
#define CITE_ANSWER_SENTENCES_H
#include "cite/marks.h"

enum { ANSWER_SENTENCES_MAX = 500 }; /* those behind are not judged */

struct answer_sentence {
    struct str text; /* a view, without the markers that close it */
    size_t start_utf16, end_utf16;
    size_t mark, marks_n; /* which markers it has, of the whole text's */
};

/* The sentences of `text`, valid UTF-8 with these markers, that have a marker
 * or claim something: code, headings, questions, lines that lead over to a list
 * and the shortest ones claim nothing.  *out lives in `a`. */
enum footnote_rc answer_sentences(struct arena *a, struct str text,
                                  const struct mark *marks, size_t marks_n,
                                  struct answer_sentence **out, size_t *n,
                                  struct footnote_err *err);

#endif
