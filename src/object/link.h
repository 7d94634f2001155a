/* link.h - signed paths of our own: what a bucket's presigned URL is for a
 * folder.  Any thread.
 *
 *     /api/objects/KEY?expires=SECONDS&signature=HEX
 *
 * The signature is an HMAC of method, key and time, by a secret that lies in
 * the folder: one object, one method, one time. */
#ifndef OBJECT_LINK_H
#define OBJECT_LINK_H
#include "object/object.h"

/* The secret of the folder, made when there is none: whoever makes it first
 * makes it for all nodes that share the folder. */
enum footnote_rc link_secret(int folder, struct sha256 *out,
                             struct footnote_err *err);
enum footnote_rc link_make(const struct sha256 *secret, const char *key,
                           const struct object_until *until, struct arena *a,
                           struct str *out, struct footnote_err *err);
/* As object_link_check(). */
enum footnote_rc link_check(const struct sha256 *secret, const char *key,
                            const struct object_claim *claim,
                            struct footnote_err *err);

#endif
