/* message.h - what several kinds share: messages out of rows, and which rows
 * belong to which message.  One thread. */
#ifndef IMPORT_MESSAGE_H
#define IMPORT_MESSAGE_H
#include "import/source.h"

/* The next place in the session's list, zeroed; NULL: no memory, or too many.
 */
struct import_message *message_add(struct import *im, struct import_session *s);
/* Text, or that of the parts of a list which are text; an object as it is
 * written; absent: there is nothing. */
struct str message_text(struct arena *a, const struct json *v);

/* Ours, or what others call them; false: it is none. */
bool role_read(struct str role, enum footnote_role *out);
/* A message that is a row of its own: id, role, content, created_at.  NULL with
 * a note when it is none, NULL without when its role is that of a tool. */
enum footnote_rc message_of_row(struct import *im, struct import_session *s,
                                const struct row *row, const struct json *o,
                                struct import_message **out,
                                struct footnote_err *err);
/* Into the order of their times; rows of one time keep theirs. */
void messages_sort(struct import_session *s);

/* Title, user, course and times of a session's own row. */
void session_head(struct import_session *s, const struct json *o);
/* The course that all sources of the session are of, if there is one. */
void session_course(struct import_session *s);

/* Rows in the order of a field of theirs, which names a message. */
struct row_by_message {
    struct str message;
    const struct row *row;
    bool used;
};
struct rows_by_message {
    struct row_by_message *items;
    size_t n;
};
enum footnote_rc group_rows(struct import *im, const struct rows *rows,
                            const struct names *field,
                            struct rows_by_message *out,
                            struct footnote_err *err);
/* Those of one message, which are `used` from now on. */
struct rows_by_message rows_of(const struct rows_by_message *all,
                               struct str message);
/* Notes the others as left out. */
void note_unused(struct import *im, const struct rows_by_message *all);

#endif
