/* access.h - API keys, which programs and browsers sign in with.  Any thread.
 *
 * A key is "fn_" PREFIX "_" SECRET, both of letters and digits: 10 that name
 * it, and 43 that are 256 bits.  It is shown once, when it is made; only
 * digests are stored (sql/schema/sqlite/0002_keys.sql).  These operations are
 * the operator's and see the keys of every tenant. */
#ifndef STORE_SESSION_ACCESS_H
#define STORE_SESSION_ACCESS_H
#include "base/sha256.h"
#include "store/store.h"

enum {
    ACCESS_PREFIX_BYTES = 10,
    ACCESS_SECRET_BYTES = 43,
    ACCESS_KEY_BYTES = 3 + ACCESS_PREFIX_BYTES + 1 + ACCESS_SECRET_BYTES
};

struct access_key {
    struct str prefix, tenant, user;
    bool admin;
    int64_t created_ms, revoked_ms; /* 0: not revoked */
    struct sha256 digest;           /* of the whole key */
    struct sha256 cookie_digest;    /* of its access_proof */
};

/* The prefix, a view into `key`; absent when this is no key. */
struct str access_prefix(struct str key);
/* What a cookie carries instead of the key, as a digest of it. */
void access_proof(struct str key, struct sha256 *out);

/* A new key for `who` of the call. */
struct access_key_add {
    bool admin;
    char key_text[ACCESS_KEY_BYTES + 1]; /* out: the key, the only copy */
    int64_t created_ms;                  /* out */
    struct access_key prepared;          /* inner */
};
STORE_OP(access_key_add);

/* Finds revoked keys too: look at revoked_ms.  NOTFOUND when there is none. */
struct access_key_find {
    struct str prefix;
    struct access_key key; /* out */
};
STORE_OP(access_key_find);

/* Lists the keys of all tenants, oldest first. */
struct access_key_list {
    int64_t after_created_ms; /* cursor: the last one's; 0 and absent: all */
    struct str after_prefix;
    size_t limit;            /* 0: all */
    struct access_key *keys; /* out */
    size_t keys_n;
};
STORE_OP(access_key_list);

/* Revoking a key again is OK; NOTFOUND when there is none. */
struct access_key_revoke {
    struct str prefix;
    int64_t revoked_ms; /* out: when it was first revoked */
};
STORE_OP(access_key_revoke);

#endif
