/* staged.h - the rows of a source, put in order by session, in a temporary
 * database.  One thread.
 *
 * A source has any size and any order, and a session needs all of its rows at
 * once. */
#ifndef IMPORT_STAGED_H
#define IMPORT_STAGED_H
#include "import/kind.h"

struct staged;
/* Makes a new database in the folder.  *out is yours: staged_close(), which
 * removes it. */
enum footnote_rc staged_open(const char *folder, struct staged **out,
                             struct footnote_err *err);
void staged_close(struct staged *s); /* NULL is fine */

/* `row->o` is not looked at: `json` has it. */
enum footnote_rc staged_put(struct staged *s, const struct import *im,
                            const struct row *row, struct str key,
                            struct str json, struct footnote_err *err);
/* The session after number *n, from 0 on; absent: that was the last. */
enum footnote_rc staged_next_session(struct staged *s, struct arena *a,
                                     int64_t *n, struct str *key,
                                     struct footnote_err *err);
enum footnote_rc staged_count(struct staged *s, int64_t *sessions,
                              struct footnote_err *err);

/* The kind's table number `table`: its rows with that key, in their order. */
enum footnote_rc staged_rows(struct import *im, size_t table, struct str key,
                             struct rows *out, struct footnote_err *err);
/* Notes rows of `table` that name no row of `other` as left out. */
enum footnote_rc staged_note_strays(struct import *im, size_t table,
                                    size_t other, const char *what,
                                    struct footnote_err *err);

/* The user map; *ours is absent when it does not have them. */
enum footnote_rc staged_user_put(struct staged *s, struct str theirs,
                                 struct str ours, struct footnote_err *err);
enum footnote_rc staged_user(struct staged *s, struct arena *a,
                             struct str theirs, struct str *ours,
                             struct footnote_err *err);
/* Who can let others into a course: the first that is put. */
enum footnote_rc staged_course_put(struct staged *s, struct str course,
                                   struct str owner, struct footnote_err *err);
enum footnote_rc staged_course(struct staged *s, struct arena *a,
                               struct str course, struct str *owner,
                               struct footnote_err *err);
/* Notes that the user was let into the course. */
enum footnote_rc staged_member_put(struct staged *s, struct str course,
                                   struct str user, bool *is_new,
                                   struct footnote_err *err);
/* Counts it when it is new. */
enum footnote_rc staged_count_source(struct staged *s,
                                     const struct sha256 *digest,
                                     int64_t *count, struct footnote_err *err);

#endif
