/* branches.h - of all messages of a session, those that are asked for. */
#ifndef STORE_READ_BRANCHES_H
#define STORE_READ_BRANCHES_H
#include "base/err.h"

struct history;
struct message;
struct tx;

/* op->messages are all that the session has.  Links them, and keeps the path
 * through message `at` (0: the one that is shown), or all of them. */
enum footnote_rc branches_choose(struct tx *tx, struct history *op, int64_t at,
                                 struct footnote_err *err);
/* Then keeps a page of op->limit, before an ordinal.  When there are more, one
 * message stands in front of it, which may lend its sources. */
void branches_cut(struct history *op, int64_t before);
/* Finds the versions of one message, and what stands instead of it. */
enum footnote_rc branches_link_one(struct tx *tx, int64_t session,
                                   struct message *m, struct footnote_err *err);

#endif
