/* lease.h - the lease of a running answer, and ending it for its holder. */
#ifndef STORE_ANSWER_LEASE_H
#define STORE_ANSWER_LEASE_H
#include "base/arena.h"

struct answer;
struct db_cur;
struct strip;
struct tx;

/* What the lease of an answer says. */
struct lease {
    int64_t epoch; /* 0: it has none */
    int64_t parts; /* in answer_text */
    bool unheld;   /* no process holds it: any caller may write, see patch.c */
    bool ours; /* held by this process, its newest words are in our word log */
};
/* Moves the text of a strip to answer_text, unless somebody else has ended the
 * answer. */
enum footnote_rc answer_move_on(struct tx *tx, const struct strip *s,
                                struct footnote_err *err);
enum footnote_rc lease_find(struct tx *tx, const struct answer *a,
                            struct lease *out, struct footnote_err *err);
/* Reads a row of epoch, parts and node. */
void lease_read(const struct tx *tx, struct db_cur *cur, struct lease *out);

/* Ends a running answer of any holder with the text it has. */
enum footnote_rc answer_cut_off(struct tx *tx, const struct answer *a,
                                enum footnote_status status,
                                struct footnote_err *err);
/* All parts of a running answer so far, whole characters only; lives in
 * `arena`. */
enum footnote_rc answer_text(struct tx *tx, struct arena *arena,
                             const struct answer *a, struct str *out,
                             struct footnote_err *err);
/* ENDED, in the words that all calls use. */
enum footnote_rc answer_ended(struct footnote_err *err);
/* Opens the lease of a message that was saved as streaming; only its writers
 * renew it.  `content` is the first part. */
enum footnote_rc answer_open_unheld(struct tx *tx, int64_t session, int64_t seq,
                                    struct str content,
                                    struct footnote_err *err);
/* RUNNING when an answer of the session runs.  One whose holder is gone is
 * interrupted here: it may be long until the sweep comes to it. */
enum footnote_rc lease_none(struct tx *tx, int64_t session,
                            struct footnote_err *err);

#endif
