/* jwt.h - verifying JSON Web Tokens (RFC 7515, 7517, 7519).  Any thread.
 *
 * A key has one algorithm and is used with no other; the token only names one
 * of our keys.  The rest of its header (jku, x5u, jwk, x5c) is not read; `crit`
 * is refused, as no critical extension is known here.
 *
 *     kid in the token      the key with that kid, and no other
 *     no kid                the only key of that algorithm; of two, none
 *
 * The secret has no kid, so a token signed with it names none. */
#ifndef HTTP_TOKEN_JWT_H
#define HTTP_TOKEN_JWT_H
#include "base/arena.h"

enum {
    JWT_BYTES_MAX = 8 * 1024,
    JWT_LEEWAY_MS = 60 * 1000,  /* clocks differ */
    JWT_NAME_BYTES_MAX = 200,   /* of a user, a tenant or a kid */
    JWT_SECRET_BYTES_MIN = 32,  /* RFC 7518 section 3.2 */
    JWT_RSA_BITS_MIN = 2048,    /* section 3.3 */
    JWT_RSA_BITS_MAX = 8 * 1024 /* a larger one costs too much to use */
};

/* ---- Keys (jwt_key.c) --------------------------------------------------- */

enum jwt_alg { JWT_NO_ALG, JWT_HS256, JWT_RS256, JWT_ES256, JWT_EDDSA };
enum { JWT_KEYS_MAX = 64 };

struct jwt_key {
    enum jwt_alg alg;
    struct str kid;             /* absent: it has none */
    struct str secret;          /* of JWT_HS256 */
    struct evp_pkey_st *public; /* of the others */
};
struct jwt_keys {
    struct arena arena; /* of kids and secret */
    struct jwt_key items[JWT_KEYS_MAX];
    size_t n;
};

/* A set with nothing in it.  *out is yours: jwt_keys_free(). */
enum footnote_rc jwt_keys_new(struct jwt_keys **out, struct footnote_err *err);
void jwt_keys_free(struct jwt_keys *k);                /* NULL is fine */
static inline void jwt_keys_freep(struct jwt_keys **k) /* fit for AUTO */
{
    jwt_keys_free(*k);
}
/* Adds the secret of HS256; INVALID when it is too short to be one. */
enum footnote_rc jwt_keys_secret(struct jwt_keys *k, struct str secret,
                                 struct footnote_err *err);
/* Adds the keys of a JWK set.  Those that are not for verifying RS256, ES256
 * or EdDSA are passed over; a shared secret ("oct") never comes from there.
 * INVALID when the text is no set or has none for us, a key of ours is
 * damaged or weak, or two have the same kid.  The set is then unusable. */
enum footnote_rc jwt_keys_read(struct jwt_keys *k, struct str json,
                               struct footnote_err *err);

enum jwt_alg jwt_alg_find(struct str name);
/* Whether the signature is that of the text.  False also without memory. */
bool jwt_key_verify(const struct jwt_key *k, struct str text,
                    struct str signature);

/* ---- Tokens (jwt.c) ----------------------------------------------------- */

/* What a token must have beyond its signature; absent: no rule. */
struct jwt_rules {
    struct str audience, issuer;
    struct str tenant_claim; /* a claim that must be there */
};
struct jwt_claims {
    struct str user, tenant; /* tenant absent when there is no such rule */
    int64_t expires_ms;
    const struct json *all;
};

/* OK: the token is valid now, with `sub` and `exp`.  NOTFOUND: it names a key
 * that we do not have, a newer set may.  INVALID: it is not valid.  NOMEM.
 * *out lives in `a`; the sentence has no part of the token. */
enum footnote_rc jwt_verify(const struct jwt_keys *keys,
                            const struct jwt_rules *rules, struct arena *a,
                            struct str token, struct jwt_claims *out,
                            struct footnote_err *err);

/* Whether a claim, or NULL, is this text, or a list that has it. */
bool claim_has(const struct json *claim, struct str text);

/* A claim that can be the name of a user or a tenant; "*" stands for all. */
bool claim_name(const struct json *claim, struct str *out);

#endif
