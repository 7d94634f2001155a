/* verified.h - messages whose digest was checked before.  Any thread. */
#ifndef STORE_READ_VERIFIED_H
#define STORE_READ_VERIFIED_H
#include "base/arena.h"
#include "base/sha256.h"
#include "base/str.h"

struct proven;

struct reference;

/* A message as it was read.  Of what has no sources by its role, there are 0.
 */
struct proof {
    int64_t tenant, session, seq;
    enum footnote_role role;
    struct str content;
    const struct reference *sources;
    size_t sources_n;
    const struct sha256 *digest;
};
enum footnote_rc proven_open(struct proven **out, struct footnote_err *err);
void proven_close(struct proven *p);
/* Whether the digest is that of the rest.  Any thread. */
enum footnote_rc proven_prove(struct proven *p, struct sha256_ctx *c,
                              struct arena *scratch, const struct proof *of,
                              bool *good, struct footnote_err *err);

#endif
