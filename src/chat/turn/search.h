/* search.h - one search of a turn, and its sources. */
#ifndef CHAT_TURN_SEARCH_H
#define CHAT_TURN_SEARCH_H
#include <stdbool.h>

#include "base/str.h"

struct turn;
/* With an absent query: the first one, for the question. */
void turn_search(struct turn *t, struct str query, struct str document);
void turn_cite(struct turn *t); /* all text before it is stored */
/* Room for so many more in refs, hits, found and numbers; false: no memory. */
bool turn_room(struct turn *t, size_t more);

#endif
