/* word_log.h - the newest words of all answers that this process writes.
 *
 * The writer's thread, but for word_log_read(). */
#ifndef STORE_ANSWER_WORD_LOG_H
#define STORE_ANSWER_WORD_LOG_H
#include "base/buf.h"

struct answer;
struct store;
struct tx;
struct word_log;

/* A page of SQLite's holds four such rows with their keys; a row of more than a
 * quarter of a page needs another page. */
enum { STRIP_BYTES = 896 };

/* The newest words of one answer of ours; the word log owns it. */
struct strip {
    struct strip *next;
    int64_t tenant, session, seq, epoch;
    int64_t parts, moved; /* all so far; those that are in answer_text */
    int64_t first_row;    /* oldest row with some of `text` */
    int64_t sweep;        /* when that row came */
    size_t n;
    char text[STRIP_BYTES];
};

enum footnote_rc word_log_open(struct word_log **out, struct footnote_err *err);
void word_log_close(struct word_log *t); /* NULL is fine */
/* Drops what is in memory: after a rollback, or when leases were deleted. */
void word_log_forget(struct word_log *t);
/* The strip of a running answer of ours; when it is NULL, only the lease can
 * tell.  Where others may end an answer, the transaction must not be committed
 * without word_log_check_leases(). */
enum footnote_rc word_log_strip_if_ours(struct tx *tx, int64_t epoch,
                                        struct strip **out,
                                        struct footnote_err *err);
/* Before a commit: ENDED when an answer whose strip was used has ended. */
enum footnote_rc word_log_check_leases(struct store *st, struct db *db,
                                       struct footnote_err *err);
/* The strip of an answer of ours whose lease counts `moved` parts: to add a
 * part (STRIP_BYTES at most in all), or to empty it once its text has moved on.
 */
enum footnote_rc word_log_strip(struct tx *tx, const struct answer *a,
                                int64_t moved, struct strip **out,
                                struct footnote_err *err);
enum footnote_rc word_log_add(struct tx *tx, struct strip *s, struct str text,
                              struct footnote_err *err);
/* True when its text should move on though there is room: old rows of the word
 * log are kept for it. */
bool word_log_is_old(const struct word_log *t, const struct strip *s);
/* Takes the words of an answer of ours whose lease, which counted `after`
 * parts, was just closed. */
enum footnote_rc word_log_take(struct tx *tx, int64_t epoch, int64_t after,
                               struct buf *out, struct footnote_err *err);
/* Writes what was added: before a commit, or a read within the transaction. */
enum footnote_rc word_log_write(struct store *st, struct db *db,
                                struct footnote_err *err);
/* Reads the parts of any process's answer behind the first `after`. */
enum footnote_rc word_log_read(struct tx *tx, int64_t epoch, int64_t after,
                               struct buf *out, struct footnote_err *err);
/* Housekeeping: deletes our old rows once their words have moved on, and all of
 * our rows if no answer of ours runs. */
enum footnote_rc word_log_trim(struct tx *tx, bool runs,
                               struct footnote_err *err);

#endif
