/* digest_check.h - messages and sources compared with their digests, also those
 * that nobody reads.
 *
 * Both are the server's own, for store_own_read(), and do a page of all
 * tenants' rows at a time: `after` moves on, until it is `done`. */
#ifndef STORE_READ_DIGEST_CHECK_H
#define STORE_READ_DIGEST_CHECK_H
#include "store/store.h"

struct digest_check {
    int64_t tenant, row, seq; /* the last one; zeros: the start */
    bool done;                /* out, as is all that follows, of this page */
    int64_t compared;
    struct str *damaged; /* a name for each: "message m1 of default" */
    size_t damaged_n;
};
extern const struct store_op digest_messages_op, digest_sources_op;

#endif
