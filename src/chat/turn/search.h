/* search.h - one search of a turn, and its sources. */
#ifndef CHAT_TURN_SEARCH_H
#define CHAT_TURN_SEARCH_H
#include "base/str.h"

struct search_filter;
struct turn;
/* With an absent query: the first one, for the question.  `within` may narrow
 * what the question is limited to; NULL: it does not. */
void turn_search(struct turn *t, struct str query,
                 const struct search_filter *within);
/* The same once more, when documents may be indexed by now. */
void turn_search_again(struct turn *t);
void turn_cite(struct turn *t); /* all text before it is stored */
/* The prompt is made: frees what was read and found for it. */
void turn_forget_search(struct turn *t);

#endif
