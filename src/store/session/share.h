/* share.h - frozen copies of conversations that a link opens.  Any thread.
 *
 * A share is a row: which answer it ends with, whose it is, and until when it
 * holds.  What it shows is read anew each time, as its owner, so what that one
 * may not read any more is not in it.  The link has 256 random bits, of which
 * the row has the digest: nobody can make a link of what is stored. */
#ifndef STORE_SESSION_SHARE_H
#define STORE_SESSION_SHARE_H
#include "base/sha256.h"
#include "base/uuid.h"
#include "store/store.h"

enum { SHARE_TOKEN_BYTES = 64 };

struct share {
    struct str id, tenant, user, session;
    struct str message; /* the last that is shown */
    bool single;        /* it and its question alone */
    bool files;         /* the files, too */
    int64_t created_ms, expires_ms;
    int64_t revoked_ms; /* 0: not revoked */
};

/* NOTFOUND when the session is not the asker's, or has no such answer, or none
 * that has ended. */
struct share_add {
    struct str session;
    struct str message; /* absent: all that is shown */
    bool files;
    int64_t expires_ms;
    struct share share;                        /* out */
    char token[SHARE_TOKEN_BYTES + 1];         /* out: the only copy */
    char message_text[STORE_ID_BYTES_MAX + 1]; /* inner, as the next */
    char id[UUID_BYTES + 1];
    struct sha256 digest;
};
STORE_OP(share_add);

/* The asker's that hold, newest first. */
struct share_list {
    struct str session; /* absent: of all of them */
    struct str before;  /* cursor: the last one's id; absent: the newest */
    size_t limit;
    struct share *shares; /* out */
    size_t shares_n;
};
STORE_OP(share_list);

/* Again is OK; NOTFOUND: that user has none with this id. */
struct share_revoke {
    struct str id, tenant, user;
};
STORE_OP(share_revoke);

/* NOTFOUND for what is no link, is over, or was revoked.  A read of the
 * server's own. */
struct share_find {
    struct str token;
    int64_t now_ms;
    struct share share; /* out */
};
STORE_OP(share_find);

#endif
