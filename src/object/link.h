/* link.h - signed paths on our own server: for a folder what presigned URLs are
 * for a bucket.  Any thread.
 *
 *     /api/objects/KEY?expires=SECONDS&signature=HEX
 *
 * The signature is an HMAC of method, key and time, with a secret that is a
 * file of the folder. */
#ifndef OBJECT_LINK_H
#define OBJECT_LINK_H
#include "object/object.h"

/* The secret of the folder, made when there is none.  All nodes that share the
 * folder share it. */
enum footnote_rc link_secret(int folder, struct sha256 *out,
                             struct footnote_err *err);
enum footnote_rc link_make(const struct sha256 *secret, const char *key,
                           const struct link_lifetime *until, struct arena *a,
                           struct str *out, struct footnote_err *err);
/* As object_link_check(). */
enum footnote_rc link_check(const struct sha256 *secret, const char *key,
                            const struct object_claim *claim,
                            struct footnote_err *err);

#endif
