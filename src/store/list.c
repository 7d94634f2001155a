/* list.c - arrays that grow in an arena, doubling as they fill. */
#include "store/list.h"

enum { FIRST = 8, ROOM_MAX = 256 };

void *list_add(struct arena *a, void *items, size_t *n, size_t bytes)
{
    char *p;

    memcpy(&p, items, sizeof(p));
    /* Room was made for FIRST elements, then for each further power of two. */
    if (*n == 0 || (*n >= FIRST && (*n & (*n - 1)) == 0)) {
        char *more = arena_raw(a, (*n ? *n * 2 : FIRST) * bytes);

        if (!more)
            return NULL;
        if (*n)
            memcpy(more, p, *n * bytes);
        p = more;
        memcpy(items, &p, sizeof(p));
    }
    return memset(p + (*n)++ * bytes, 0, bytes);
}

/* The room is a number at which list_add() makes more. */
size_t list_room(struct arena *a, void *items, size_t n, size_t bytes)
{
    size_t room = FIRST;
    char *p;

    while (room < n)
        room *= 2;
    p = room <= ROOM_MAX ? arena_raw(a, room * bytes) : NULL;
    if (!p)
        return 0;
    memcpy(items, &p, sizeof(p));
    return room;
}
