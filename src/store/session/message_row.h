/* message_row.h - a message's row, for operations that work on it. */
#ifndef STORE_SESSION_MESSAGE_ROW_H
#define STORE_SESSION_MESSAGE_ROW_H
#include "store/seal.h"
#include "store/session/path.h"
#include "store/source/reference.h"

struct message;
struct session_row;
struct tx;

/* What prepare() makes of a message, without the database. */
struct prepared_message {
    struct new_references fresh; /* as given */
    struct new_references whole; /* numbered and marked, as if it stood alone */
    struct sha256 digest, saved;
};

struct message_row {
    int64_t session, seq, parent;
    enum shown shown;
    enum footnote_role role;
    enum footnote_status status;
    bool found, has_content;
    bool has_saved; /* else it is a placeholder: its sources came first */
    struct sha256 saved;
};
/* Reads a row, whose sealed columns come first: that of the asker, and as it
 * was sealed. */
enum footnote_rc message_check(struct tx *tx, struct db_cur *cur,
                               struct db_value row[SEAL_COLUMNS_MAX],
                               struct footnote_err *err);
/* Reads and checks the row with this key, which has to be there; *cur is yours:
 * db_end(). */
enum footnote_rc message_read_row(struct tx *tx, int64_t session, int64_t seq,
                                  struct db_cur **cur,
                                  struct db_value row[SEAL_COLUMNS_MAX],
                                  struct footnote_err *err);
enum footnote_rc message_find(struct tx *tx, struct str id,
                              struct message_row *out,
                              struct footnote_err *err);
/* The same in two steps, for questions that share a round trip. */
enum footnote_rc message_ask(struct tx *tx, struct str id, struct db_cur **cur,
                             struct footnote_err *err);
enum footnote_rc message_answer(struct tx *tx, struct str id,
                                struct db_cur *cur, struct message_row *out,
                                struct footnote_err *err);
/* What a message follows: `of` is the last one that is shown when it is absent;
 * "" is none.  NOTFOUND when it is not in that session. */
enum footnote_rc message_parent(struct tx *tx, int64_t session, struct str of,
                                int64_t *seq, struct footnote_err *err);
enum { PARENT_LAST = -1 }; /* instead of its ordinal */
/* The nearest message in front of one that has one of these roles, a sum of
 * ROLE_BIT(); *seq is 0 when there is none. */
#define ROLE_BIT(role) (1u << (role))
enum footnote_rc message_above(struct tx *tx, int64_t session, int64_t seq,
                               unsigned roles, int64_t *above,
                               enum footnote_role *role,
                               struct footnote_err *err);
/* Says where a message goes: after `parent`, or PARENT_LAST.  In two steps. */
struct message_new;
enum footnote_rc message_place_ask(struct tx *tx, int64_t session,
                                   struct db_cur **cur,
                                   struct footnote_err *err);
enum footnote_rc message_place_answer(struct db_cur *cur, int64_t parent,
                                      struct message_new *n,
                                      struct footnote_err *err);
enum footnote_rc message_place(struct tx *tx, int64_t parent,
                               struct message_new *n, struct footnote_err *err);
/* Inserts the row, and shows the path to it; the caller has the ordinal. */
struct message_new {
    const struct message *m;
    struct str id;
    int64_t session, seq, parent;
    bool branches; /* it does not follow the last one that is shown */
    const struct sha256 *digest, *saved; /* NULL: none yet */
    struct str refs;                     /* packed; absent: none */
};
enum footnote_rc message_insert(struct tx *tx, const struct message_new *n,
                                struct footnote_err *err);
/* Keeps with a question what it is limited to, if it is. */
enum footnote_rc message_limit(struct tx *tx, int64_t session, int64_t seq,
                               struct str scope, struct footnote_err *err);
/* Gives a placeholder its content; a question may give the session its title.
 */
enum footnote_rc message_fill(struct tx *tx, const struct message_new *n,
                              struct footnote_err *err);
/* The message to add sources to: a placeholder in `session` when unknown.
 * QUOTA when the asker may keep no more, unless it is an answer that runs. */
enum footnote_rc message_need(struct tx *tx, struct str session, struct str id,
                              enum footnote_role role, struct session_row *s,
                              struct message_row *row,
                              struct footnote_err *err);
/* Stores what the words of its sources carry of a message, if it was judged. */
enum footnote_rc message_keep_verdicts(struct tx *tx, int64_t session,
                                       int64_t seq, const struct sha256 *digest,
                                       const struct new_references *list,
                                       bool first, struct footnote_err *err);
/* For a saved answer whose sources have changed: finds its markers, which the
 * caller writes, and writes its digest. */
enum footnote_rc message_remark(struct tx *tx, int64_t session, int64_t seq,
                                struct new_references *whole,
                                struct footnote_err *err);
/* An answer without sources of its own shows those retrieved for the question
 * in front of it: finds the markers of these. */
enum footnote_rc mark_borrowed(struct tx *tx, int64_t session, int64_t seq,
                               struct str content, struct footnote_err *err);

#endif
