/* course_row.h - a course's row, and what the asker may do with it. */
#ifndef STORE_SESSION_COURSE_ROW_H
#define STORE_SESSION_COURSE_ROW_H
#include "store/session/course.h"

struct db_cur;
struct tx;

struct course_row {
    int64_t key, owner, index_version;
    bool found, deleted;
    enum member_role role; /* of the asker */
};
enum footnote_rc course_find(struct tx *tx, struct str id,
                             struct course_row *out, struct footnote_err *err);
/* The same by its inner key. */
enum footnote_rc course_of(struct tx *tx, int64_t key, struct course_row *out,
                           struct footnote_err *err);
enum footnote_rc course_role(struct tx *tx, int64_t course,
                             enum member_role *out, struct footnote_err *err);
/* The asker's role by a row with the sealed columns of a course and those of
 * `roles` from these columns on; the course is checked. */
enum footnote_rc course_role_of(struct tx *tx, struct db_cur *cur, int course,
                                int roles, enum member_role *out,
                                struct footnote_err *err);
/* NOTFOUND unless the asker has at least that role. */
enum footnote_rc course_need(struct tx *tx, struct str id,
                             enum member_role role, struct course_row *out,
                             struct footnote_err *err);
/* The course's public id. */
enum footnote_rc course_id_of(struct tx *tx, int64_t key,
                              char out[STORE_ID_BYTES_MAX + 1],
                              struct footnote_err *err);
/* The key of a session's course; an unknown course is made.  What is there
 * stays as it is: naming a course opens it to nobody. */
enum footnote_rc course_or_new(struct tx *tx, const struct course_named *named,
                               int64_t *out, struct footnote_err *err);

/* Makes the account a member, or gives it another role; 0: everybody. */
enum footnote_rc member_write(struct tx *tx, int64_t course, int64_t account,
                              enum member_role role, enum member_origin origin,
                              struct footnote_err *err);

#endif
