/* code.h - which stretches of markdown are code, for cite/ only.  Any thread.
 *
 * `whole` says that no more text will come.  Without it the answer is UNCERTAIN
 * where more text could change it; a certain one is never taken back. */
#ifndef CITE_CODE_H
#define CITE_CODE_H
#include "base/str.h"

enum certain { CERTAIN_NO, UNCERTAIN, CERTAIN_YES };

/* Bytes of the run of equal characters that begins at `at`. */
size_t code_run(struct str text, size_t at);

/* Whether a fenced block begins in the line that begins at `at`.  If so, *end
 * is behind its closing line, or the end of the text while it is open. */
enum certain code_fence(struct str text, bool whole, size_t at, size_t *end);

/* Whether the backticks at `at` open a code span.  If so, *end is behind the
 * span, else behind the backticks. */
enum certain code_span(struct str text, bool whole, size_t at, size_t *end);

#endif
