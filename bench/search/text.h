/* text.h - passages and questions made from numbers: always the same. */
#ifndef BENCH_SEARCH_TEXT_H
#define BENCH_SEARCH_TEXT_H
#include "base/buf.h"

enum {
    WORDS = 300000,      /* of the language */
    PASSAGE_WORDS = 120, /* of a passage */
    DOCUMENT = 40        /* passages of a document */
};

struct text;
struct text *text_open(void); /* NULL: no memory */
void text_close(struct text *t);
/* The words of passage i, about 120. */
void text_passage(struct text *t, uint32_t i, struct buf *out);
/* A question about passage i: function words around two to six of its own, one
 * question in ten with a mistyped word.  With `plain`, its content words alone,
 * with OR between them. */
void text_question(struct text *t, uint32_t i, bool plain, struct buf *out);

#endif
