/* audit.h - who did what that others should be able to ask about later.  Any
 * thread.
 *
 * A row has the account's key and not its name, so it says nothing about who
 * was erased.  What it notes and the row are one commit where that is a write
 * (store_job.note); what only reads is noted by a write of its own (audit_add),
 * which nothing waits for.  Addresses go after 90 days, in the sweep. */
#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H
#include "base/uuid.h"
#include "store/store.h"

enum {
    AUDIT_ADDRESS_BYTES = 46,
    AUDIT_PREFIX_BYTES = 10,
    AUDIT_KEPT_DAYS = 90 /* addresses */
};

/* The actions, as they are stored and told. */
#define AUDIT_SIGN_IN      "sign-in"
#define AUDIT_SIGN_OUT     "sign-out"
#define AUDIT_LOGIN_REVOKE "login.revoke"
#define AUDIT_KEY_MAKE     "key.make"
#define AUDIT_KEY_REVOKE   "key.revoke"
#define AUDIT_KEY_USE      "key.use"
#define AUDIT_DOWNLOAD     "download"
#define AUDIT_EXPORT       "export"
#define AUDIT_SHARE        "share"
#define AUDIT_SHARE_END    "share.end"
#define AUDIT_DELETE       "delete"
#define AUDIT_ERASE        "erase"
#define AUDIT_ADMIN_VIEW   "admin.view"

/* Holds its own texts: it outlives the request. */
struct audit_note {
    char id[UUID_BYTES + 1];
    int64_t at_ms;
    const char *action; /* one of the above */
    char about[STORE_ID_BYTES_MAX + 1];
    char key_prefix[AUDIT_PREFIX_BYTES + 1];
    char address[AUDIT_ADDRESS_BYTES + 1]; /* "": absent, as the two above */
};
/* What does not fit is cut; `about` also at what is no name. */
void audit_note_make(struct audit_note *n, const char *action, struct str about,
                     struct str key_prefix, struct str address);
/* In a transaction, for its account. */
enum footnote_rc audit_write(struct tx *tx, const struct audit_note *n,
                             struct footnote_err *err);
struct audit_add {
    struct audit_note note;
};
STORE_OP(audit_add);

struct audit_row {
    struct str id, user, action, about, key_prefix, address;
    int64_t at_ms;
};
/* The asker's tenant, newest first. */
struct audit_list {
    struct str user, action; /* absent: all */
    struct str before;       /* cursor: the last one's id; absent: the newest */
    int64_t from_ms, to_ms;  /* 0: any */
    size_t limit;
    struct audit_row *rows; /* out */
    size_t rows_n;
};
STORE_OP(audit_list);

#endif
