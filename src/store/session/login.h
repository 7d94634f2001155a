/* login.h - browsers that are signed in.  Any thread.
 *
 * A login is a row, and its cookie only names it:
 *
 *     l1.ID.SECRET      ID: a UUID; SECRET: 256 bits in hexadecimal
 *
 * The row has the digest of SECRET alone: nobody can sign in with what is
 * stored.  A request reads its row, so a login that is revoked is over at every
 * node with the next request.  What was signed in with a key holds while the
 * key does. */
#ifndef STORE_SESSION_LOGIN_H
#define STORE_SESSION_LOGIN_H
#include "base/uuid.h"
#include "store/session/access.h"

enum {
    LOGIN_SECRET_BYTES = 64,
    LOGIN_COOKIE_BYTES = 3 + UUID_BYTES + 1 + LOGIN_SECRET_BYTES,
    LOGIN_AGENT_BYTES_MAX = 200,
    LOGIN_SEEN_MS = 60 * 1000 /* how coarse seen_ms is */
};

struct group_courses;

struct login {
    struct str id, tenant, user, method;
    struct str key_prefix, agent; /* may be absent */
    bool admin;                   /* what it was made with said so */
    int64_t created_ms, expires_ms, seen_ms;
    int64_t revoked_ms; /* 0: not revoked */
    struct sha256 digest;
};

/* The id in a cookie, a view, and the digest of its secret.  False: it is no
 * cookie of ours. */
bool login_cookie_read(struct str cookie, struct str *id,
                       struct sha256 *digest);

/* A new login for `who` of the call. */
struct login_add {
    struct str method;     /* key, jwt, oidc */
    struct str key_prefix; /* absent: without a key */
    struct str agent;      /* may be absent; cut, and left out if it is odd */
    bool admin;            /* a claim says so */
    const struct group_courses *groups; /* NULL: they say nothing */
    int64_t expires_ms;
    char cookie[LOGIN_COOKIE_BYTES + 1]; /* out: the only copy */
    struct str id;                       /* out: a view of it */
    struct sha256 digest;                /* inner, as the next */
    int64_t created_ms;
};
STORE_OP(login_add);

/* Finds logins that are over, too.  NOTFOUND when there is none.  A read of the
 * server's own. */
struct login_find {
    struct str id;
    struct login login; /* out */
    bool has_key;       /* out: `key` is the one that it was made with */
    struct access_key key;
};
STORE_OP(login_find);

/* Those of a user that are not over, newest first; user absent: of the whole
 * tenant. */
struct login_list {
    struct str tenant, user;
    struct str before; /* cursor: the last one's id; absent: the newest */
    size_t limit;
    struct login *logins; /* out */
    size_t logins_n;
};
STORE_OP(login_list);

/* Revoking again is OK.  NOTFOUND when there is none of that tenant, and user
 * if one is given. */
struct login_revoke {
    struct str id, tenant, user;
};
STORE_OP(login_revoke);

/* That a browser was there; LOGIN_SEEN_MS coarse. */
struct login_seen {
    char id[UUID_BYTES + 1];
    int64_t at_ms;
};
STORE_OP(login_seen);

#endif
