/* markdown_inline.h - the words of Markdown without its signs.  Any thread. */
#ifndef INGEST_FORMAT_MARKDOWN_INLINE_H
#define INGEST_FORMAT_MARKDOWN_INLINE_H
#include "ingest/text/clean.h"

/* Appends the text of s, a paragraph of valid UTF-8, as a person would read it
 * aloud: links and pictures are their text, emphasis and tags are gone, code
 * and formulas stay as they are. */
void markdown_inline(struct clean *k, struct buf *out, struct str s);

#endif
