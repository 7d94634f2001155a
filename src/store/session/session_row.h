/* session_row.h - a session's row, for operations that work on it. */
#ifndef STORE_SESSION_SESSION_ROW_H
#define STORE_SESSION_SESSION_ROW_H
#include "store/session/course.h"

struct db_cur;
struct history;
struct message;
struct session;
struct tx;

struct session_row {
    int64_t key, pool, last_seq;
    bool found, has_title;
    bool deleted; /* or outside of what the asker's key is for */
};
/* That a row is the asker's, as it was sealed. */
enum footnote_rc session_check(struct tx *tx, struct db_cur *cur,
                               struct footnote_err *err);
/* Whether the asker's key is for other courses than that of the row. */
enum footnote_rc session_is_outside(struct tx *tx, struct db_cur *cur,
                                    bool *out, struct footnote_err *err);
enum footnote_rc session_find(struct tx *tx, struct str id,
                              struct session_row *out,
                              struct footnote_err *err);
/* The same in two steps, for questions that share a round trip. */
enum footnote_rc session_ask(struct tx *tx, struct str id, struct db_cur **cur,
                             struct footnote_err *err);
enum footnote_rc session_answer(struct tx *tx, struct db_cur *cur,
                                struct session_row *out,
                                struct footnote_err *err);
/* The same by its inner key. */
enum footnote_rc session_of(struct tx *tx, int64_t key, struct session_row *out,
                            struct footnote_err *err);
struct session_new {
    struct str id, title;
    struct course_named course;
    int64_t created_ms; /* 0: now */
};
enum footnote_rc session_make(struct tx *tx, const struct session_new *n,
                              struct session_row *out,
                              struct footnote_err *err);
/* INVALID when a session that is made needs a course, because the asker's key
 * is for certain ones.  What is outside of it is told as what is not there. */
enum footnote_rc session_confined(const struct tx *tx, struct str course,
                                  struct footnote_err *err);
/* The session to write to: made when unknown, NOTFOUND when it was deleted or
 * session_may_write() says so.  From a course that was deleted it goes to
 * `course`. */
enum footnote_rc session_need(struct tx *tx, struct str id, struct str course,
                              struct session_row *out,
                              struct footnote_err *err);
/* NOTFOUND when the asker lost the right to read the session's course, or it
 * was deleted: they keep the session, and write nothing more into it. */
enum footnote_rc session_may_write(struct tx *tx, const struct session_row *s,
                                   struct footnote_err *err);
/* Whether the session may go to `course`: its own was deleted. */
enum footnote_rc session_may_leave(struct tx *tx, const struct session_row *s,
                                   struct str course, bool *out,
                                   struct footnote_err *err);
/* Gives it a title and a course; absent ones stay. */
enum footnote_rc session_set(struct tx *tx, struct session_row *s,
                             struct str title,
                             const struct course_named *course,
                             struct footnote_err *err);
/* Takes the next ordinal; activity and version move on.  `title` becomes the
 * session's when it has none. */
enum footnote_rc session_next(struct tx *tx, struct session_row *s,
                              struct str title, int64_t *seq,
                              struct footnote_err *err);
/* The same in two steps. */
enum footnote_rc session_next_ask(struct tx *tx, const struct session_row *s,
                                  struct str title, struct db_cur **cur,
                                  struct footnote_err *err);
enum footnote_rc session_next_answer(struct tx *tx, struct db_cur *cur,
                                     struct session_row *s, int64_t *seq,
                                     struct footnote_err *err);
/* Activity and version move on, no ordinal is taken. */
enum footnote_rc session_touch(struct tx *tx, int64_t session,
                               struct footnote_err *err);
/* `title` becomes the session's when it has none. */
enum footnote_rc session_title(struct tx *tx, int64_t session, struct str title,
                               struct footnote_err *err);
/* The title that a first question gives: its first line that is not blank, 80
 * characters. */
struct str title_of(const struct message *m);
/* Opens a session by the names in tx->who: fills head and versions, and the
 * keys in tx.  `role` is the asker's in its course.  NOTFOUND when it is not
 * there, or not the asker's.  In two steps, as above. */
enum footnote_rc session_open_ask(struct tx *tx, struct str id,
                                  struct db_cur **cur,
                                  struct footnote_err *err);
enum footnote_rc session_open_answer(struct tx *tx, struct db_cur *cur,
                                     struct history *op, enum member_role *role,
                                     struct footnote_err *err);
/* NOTFOUND when it is not there, or not the asker's. */
enum footnote_rc session_read(struct tx *tx, struct str id, struct session *out,
                              struct footnote_err *err);
/* The public id of the asker's session; absent when it is not there. */
enum footnote_rc session_id_of(struct tx *tx, int64_t key, struct str *out,
                               struct footnote_err *err);

#endif
