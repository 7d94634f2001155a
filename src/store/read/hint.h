/* hint.h - where a session's rows probably are.  Any thread. */
#ifndef STORE_READ_HINT_H
#define STORE_READ_HINT_H
#include "base/str.h"
#include "store/store.h"

struct hints;

/* A guess at the keys of a session, from its last reading: statements can be
 * sent before its row is there.  Whoever used it compares it with the row. */
struct hint {
    int64_t tenant, session; /* 0: none */
    size_t bytes;            /* of all that was read, roughly; 0: unknown */
};
enum footnote_rc hints_open(struct hints **out, struct footnote_err *err);
void hints_close(struct hints *h);
struct hint hint_get(struct hints *h, struct who who, struct str session);
void hint_put(struct hints *h, struct who who, struct str session,
              struct hint hint);

#endif
