/* usage.h - how much each account keeps here, and how much it may.
 *
 * An operation counts what it inserts and deletes by usage_add(), and asks
 * usage_check() before it inserts what a limit is for.  What the jobs of a
 * batch have counted is added to the accounts' rows just before its COMMIT, a
 * row an account.  So what is kept and what is counted never differ.
 *
 * Once an account is over its bytes nothing new is taken from it: no session,
 * document, version, picture, message, source, retrieval or question.  What
 * belongs to an answer that runs is: an answer is always stored.
 *
 * The functions are for the writer's thread, the operations for any. */
#ifndef STORE_USAGE_H
#define STORE_USAGE_H
#include "store/store.h"

struct usages;

enum footnote_rc usages_open(struct usages **out, struct footnote_err *err);
void usages_close(struct usages *u);
void usages_forget(struct usages *u); /* a transaction was rolled back */

/* The account keeps so much more, or less. */
enum footnote_rc usage_add(struct tx *tx, int64_t account, struct usage more,
                           struct footnote_err *err);
/* QUOTA when the asker may not keep so much more, FULL when the disk has no
 * room. */
enum footnote_rc usage_check(struct tx *tx, struct usage more,
                             struct footnote_err *err);
/* The job is done, or has failed: what it counted holds, or does not. */
void usage_keep(struct usages *u);
void usage_drop(struct usages *u);
/* Writes what was kept.  QUOTA when another node was faster. */
enum footnote_rc usage_write(struct store *st, struct db *db,
                             struct footnote_err *err);

/* What the asker keeps, and the tenant; may_add is how many bytes an upload may
 * have, INT64_MAX without a limit. */
struct usage_get {
    struct usage user, tenant; /* out; tenant: only with a limit for it */
    int64_t may_add;           /* out */
};
STORE_OP(usage_get);

/* Every account's counters, and what they should be by the rows themselves.
 * The server's own; reads everything.  source_bytes are not counted again:
 * nobody gives them back. */
struct usage_account {
    struct str tenant, user;
    int64_t tenant_key, account;
    struct usage counted, kept;
};
struct usage_list {
    struct usage_account *accounts; /* out */
    size_t accounts_n;
};
STORE_OP(usage_list);

/* Whether the counters of an account say something else than its rows. */
bool usage_is_wrong(const struct usage_account *a);

/* Adds what the counters of an account of usage_list lack.  The server's own;
 * what changed since then stays counted. */
struct usage_mend {
    const struct usage_account *account;
};
STORE_OP(usage_mend);
/* The same for all of the list that are wrong. */
enum footnote_rc usage_mend_all(struct store *st, const struct usage_list *list,
                                struct footnote_err *err);

#endif
