/* walk.h - whose sessions and courses a tenant has.  For store_own_read(): it
 * gives names alone, and what they name is read as whoever it belongs to. */
#ifndef STORE_SESSION_WALK_H
#define STORE_SESSION_WALK_H
#include "store/store.h"

struct walked {
    int64_t key;
    struct str id, owner;
};

/* By age. */
struct session_walk {
    struct str tenant;
    struct str user, course; /* only theirs, only its; absent: all */
    int64_t after_key;       /* cursor: the last one's; 0: from the start */
    size_t limit;
    struct walked *items; /* out */
    size_t items_n;
};
STORE_OP(session_walk);

/* The same of courses; `user` is not looked at. */
extern const struct store_op course_walk_op;

#endif
