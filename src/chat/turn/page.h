/* page.h - the picture of a page that came with the question, cited [^Page]. */
#ifndef CHAT_TURN_PAGE_H
#define CHAT_TURN_PAGE_H
#include "base/err.h"

struct message;
struct turn;

/* page_load.c, in the thread of the search.  `q` is the question as it is
 * stored: a question that is answered again still has its picture. */
void page_take_stored(struct turn *t, const struct message *q);
/* Reads the picture for a model that can see, the page's words for others. */
enum footnote_rc page_load(struct turn *t, struct footnote_err *err);

/* page_cite.c, on the loop. */
void page_make_source(struct turn *t); /* the first search is done */
void page_find_marker(struct turn *t); /* in the settled text */
void page_cite(struct turn *t);        /* all text before it is stored */

#endif
