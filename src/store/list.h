/* list.h - arrays that grow in an arena. */
#ifndef STORE_LIST_H
#define STORE_LIST_H
#include "base/arena.h"

/* One more zeroed element at the end of a growing array in `a`: `items` points
 * to the array's pointer.  NULL when refused. */
void *list_add(struct arena *a, void *items, size_t *n, size_t bytes);
/* Makes a new array for at least n elements, not zeroed, and returns its room;
 * 0 when that is over 256 or refused.  A full array grows by list_add(). */
size_t list_room(struct arena *a, void *items, size_t n, size_t bytes);

#endif
