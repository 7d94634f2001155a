/* access.h - API keys, which programs and browsers sign in with.  Any thread.
 *
 * A key is "fn_" PREFIX "_" SECRET, both of letters and digits: 10 that name
 * it, and 43 that are 256 bits.  It is shown once, when it is made; only its
 * digest is stored.  These operations are the operator's and an admin's: who
 * calls them has checked that. */
#ifndef STORE_SESSION_ACCESS_H
#define STORE_SESSION_ACCESS_H
#include "base/sha256.h"
#include "store/audit.h"

enum {
    ACCESS_PREFIX_BYTES = 10,
    ACCESS_SECRET_BYTES = 43,
    ACCESS_KEY_BYTES = 3 + ACCESS_PREFIX_BYTES + 1 + ACCESS_SECRET_BYTES,
    ACCESS_LABEL_BYTES_MAX = 200
};

struct access_key {
    struct str prefix, tenant, user;
    bool admin;
    int64_t created_ms, revoked_ms; /* 0: not revoked, as the next */
    int64_t expires_ms;             /* 0: never */
    int64_t first_used_ms, last_used_ms;
    struct str label, scope; /* absent: none; scope.h has the form */
    struct sha256 digest;    /* of the whole key */
};

/* The prefix, a view into `key`; absent when this is no key. */
struct str access_prefix(struct str key);
/* Whether the key may be used now. */
bool access_holds(const struct access_key *k, int64_t now_ms);

/* A row with the columns `api_key` of access.sql, checked; in tx->out. */
struct db_cur;
enum footnote_rc access_key_read(struct tx *tx, struct db_cur *cur, int first,
                                 struct access_key *out,
                                 struct footnote_err *err);

/* The names of an account of the tenant, in tx->scratch: a write has keys. */
enum footnote_rc account_names(struct tx *tx, int64_t account,
                               struct access_key *out,
                               struct footnote_err *err);

/* A new key for `who` of the call, or for another of their tenant.  INVALID for
 * an admin who is confined: they could make themselves a key that is not. */
struct access_key_add {
    struct str user; /* absent: who asks */
    bool admin;
    int64_t expires_ms;      /* 0: never; else it is to come */
    struct str label, scope; /* may be absent */
    struct audit_note *note; /* or NULL: gets to know the new key's prefix */
    char key_text[ACCESS_KEY_BYTES + 1]; /* out: the key, the only copy */
    int64_t created_ms;                  /* out */
    struct access_key prepared;          /* inner */
};
STORE_OP(access_key_add);

/* Finds keys that do not hold too: ask access_holds().  NOTFOUND when there is
 * none. */
struct access_key_find {
    struct str prefix;
    struct access_key key; /* out */
};
STORE_OP(access_key_find);

/* Lists keys, oldest first. */
struct access_key_list {
    struct str tenant;        /* absent: of all tenants */
    struct str user;          /* absent: of all users */
    int64_t after_created_ms; /* cursor: the last one's; 0 and absent: all */
    struct str after_prefix;
    size_t limit;            /* 0: all */
    struct access_key *keys; /* out */
    size_t keys_n;
};
STORE_OP(access_key_list);

/* Revoking a key again is OK; NOTFOUND when there is none. */
struct access_key_revoke {
    struct str tenant; /* absent: of any */
    struct str prefix;
    int64_t revoked_ms; /* out: when it was first revoked */
};
STORE_OP(access_key_revoke);

/* That a key is used, by its user: some minutes coarse, so that requests write
 * nothing.  The first time is kept in the audit. */
enum { ACCESS_USED_MS = 5 * 60 * 1000 };
struct access_key_used {
    struct audit_note note;
    bool first; /* out */
};
STORE_OP(access_key_used);

#endif
