/* verified.h - messages whose digest was checked before.  Any thread. */
#ifndef STORE_READ_VERIFIED_H
#define STORE_READ_VERIFIED_H
#include "base/arena.h"
#include "base/sha256.h"

struct verified;

struct reference;

/* A message as it was read.  A user message has no sources. */
struct digested_message {
    int64_t tenant, session, seq;
    enum footnote_role role;
    struct str content;
    const struct reference *sources;
    size_t sources_n;
    const struct sha256 *digest;
};
enum footnote_rc verified_open(struct verified **out, struct footnote_err *err);
void verified_close(struct verified *p);
/* Whether the digest is that of the rest.  Any thread. */
enum footnote_rc verified_check(struct verified *p, struct sha256_ctx *c,
                                struct arena *scratch,
                                const struct digested_message *of, bool *good,
                                struct footnote_err *err);

#endif
