/* sessions.h - random sessions, made by the store's own operations, and their
 * way out and in. */
#ifndef SESSIONS_H
#define SESSIONS_H
#include "base/arena.h"
#include "contract.h"
#include "store/store.h"

struct random {
    uint64_t state; /* not 0 */
};
size_t random_below(struct random *r, size_t n);

/* Courses and documents that some sources name; ann may read all. */
void sessions_begin(struct store *st);
/* One session of ann's, with branches, searches, answers of all ends, and any
 * text; its id is `id`. */
void sessions_make(struct store *st, struct random *r, const char *id);
/* Of the documents one is deleted, one redacted, and one course withdrawn. */
void sessions_spoil(struct store *st);

extern const struct who sessions_ann;

/* Its JSON, in `a`. */
struct str session_out(struct store *st, struct who who, struct str id,
                       struct arena *a);
/* The way back; *err says why not, its field where. */
enum footnote_rc session_in(struct store *st, struct who who, struct str json,
                            struct footnote_err *err);
/* Counters, seals and digests are what the rows say. */
void sessions_sound(struct store *st);

#endif
