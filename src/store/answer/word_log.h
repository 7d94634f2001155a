/* word_log.h - the newest words of all answers that this process writes.
 *
 * The writer's thread, but for word_log_read(). */
#ifndef STORE_ANSWER_WORD_LOG_H
#define STORE_ANSWER_WORD_LOG_H
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

struct word_log;

struct answer;
struct store;
struct tx;

/* With its key it fits into a page of SQLite's four times: a row that is over a
 * quarter of a page gets one of its own besides. */
enum { STRIP_BYTES = 896 };

/* What the word log has of an answer of ours; the store's. */
struct strip {
    struct strip *next;
    int64_t tenant, session, seq, epoch;
    int64_t parts, moved; /* all so far; those that are in answer_text */
    int64_t first_row;    /* of the word log that has some of `text` */
    int64_t sweep;        /* during which that came */
    size_t n;
    char text[STRIP_BYTES];
};

enum footnote_rc word_log_open(struct word_log **out, struct footnote_err *err);
void word_log_close(struct word_log *t); /* NULL is fine */
/* Drops what is in memory: after a rollback, or when leases were deleted. */
void word_log_forget(struct word_log *t);
/* For the writer: the strip of an answer that runs, and is ours; NULL says
 * nothing, its lease does.  Where others may end it that is proven by
 * word_log_check_leases(), without which the transaction must not be committed.
 */
enum footnote_rc word_log_strip_if_ours(struct tx *tx, int64_t epoch,
                                        struct strip **out,
                                        struct footnote_err *err);
/* Before a commit.  ENDED: of one of the answers, whichever. */
enum footnote_rc word_log_check_leases(struct store *st, struct db *db,
                                       struct footnote_err *err);
/* For the writer, of an answer of ours whose lease counts `moved`: its strip,
 * to add a part (STRIP_BYTES at most in all), or to empty it once its text has
 * moved on. */
enum footnote_rc word_log_strip(struct tx *tx, const struct answer *a,
                                int64_t moved, struct strip **out,
                                struct footnote_err *err);
enum footnote_rc word_log_add(struct tx *tx, struct strip *s, struct str text,
                              struct footnote_err *err);
/* Its text should move on though there is room: the word log is kept for it. */
bool word_log_is_old(const struct word_log *t, const struct strip *s);
/* What an answer of ours has there when its lease, which counted `after` parts,
 * was just closed. */
enum footnote_rc word_log_take(struct tx *tx, int64_t epoch, int64_t after,
                               struct buf *out, struct footnote_err *err);
/* Before a commit, or a read within the transaction: what was added. */
enum footnote_rc word_log_write(struct store *st, struct db *db,
                                struct footnote_err *err);
/* Reads the parts of any process's answer behind the first `after`. */
enum footnote_rc word_log_read(struct tx *tx, int64_t epoch, int64_t after,
                               struct buf *out, struct footnote_err *err);
/* Housekeeping: drops our old rows once what they hold has moved on, and all of
 * them if no answer of ours runs. */
enum footnote_rc word_log_trim(struct tx *tx, bool runs,
                               struct footnote_err *err);

#endif
