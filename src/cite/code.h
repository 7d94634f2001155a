/* code.h - which stretches of markdown are code, for cite/ only.  Any thread.
 *
 * `whole` says that no more text will come.  Without it the answer is UNSURE
 * where more text could change it; a YES or NO is never taken back. */
#ifndef CITE_CODE_H
#define CITE_CODE_H
#include "base/str.h"

enum code { CODE_NO, CODE_UNSURE, CODE_YES };

/* Bytes of the run of equal characters that begins at `at`. */
size_t code_run(struct str text, size_t at);

/* Whether a fenced block begins in the line that begins at `at`.  With YES *end
 * is behind its closing line, or the end of the text while it is open. */
enum code code_fence(struct str text, bool whole, size_t at, size_t *end);

/* Whether the backticks at `at` open a code span.  *end is behind the span with
 * YES, else behind the backticks. */
enum code code_span(struct str text, bool whole, size_t at, size_t *end);

#endif
