/* tokens.h - tokens and JWK sets for tests, made with keys of the moment. */
#ifndef TOKENS_H
#define TOKENS_H
#include "http/token/jwt.h"

/* 2026-02-25; tokens_clock() makes it the time. */
#define TOKENS_NOW_S 1772000000
void tokens_clock(int64_t now_s);

#define TOKENS_SECRET "0123456789abcdef0123456789abcdef"

enum signer {
    BY_SECRET,
    BY_RSA,
    BY_EC,
    BY_ED,
    BY_STRANGER,   /* an RSA key that is in no set */
    BY_RSA_PUBLIC, /* HMAC with the public key's text as the secret */
    BY_NOBODY      /* no signature */
};

/* "header.claims.signature" of two JSON texts, in `a`. */
struct str token_make(struct arena *a, enum signer by, const char *header,
                      const char *claims);
/* A JWK set with the RSA key as "rsa", the P-256 key as "ec" and the Ed25519
 * key as "ed"; those of another test run differ. */
struct str tokens_set(struct arena *a);
/* One key of it, as {"kty":...}, with kid `kid` and, after a comma, `more`. */
struct str tokens_jwk(struct arena *a, enum signer by, const char *kid,
                      const char *more);
/* An RSA key that is too short, as a set. */
struct str tokens_weak_set(struct arena *a);

#endif
