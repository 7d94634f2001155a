/* list.h - arrays that grow in an arena. */
#ifndef STORE_LIST_H
#define STORE_LIST_H
#include "base/arena.h"

/* One more zeroed element at the end of a growing array in `a`: `items` points
 * to the array's pointer.  NULL when refused. */
void *list_add(struct arena *a, void *items, size_t *n, size_t bytes);
/* A new array with room for n elements or more, not zeroed, if that is not a
 * lot: it returns for how many, or 0.  Beyond them list_add() goes on. */
size_t list_room(struct arena *a, void *items, size_t n, size_t bytes);

#endif
