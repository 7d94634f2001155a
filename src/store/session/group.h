/* group.h - what the groups of a provider make somebody in courses. */
#ifndef STORE_SESSION_GROUP_H
#define STORE_SESSION_GROUP_H
#include "store/session/course.h"

struct tx;

struct group_course {
    struct str course;
    enum member_role role;
};
struct group_courses {
    const struct group_course *items; /* one course may be there often */
    size_t n;
};

/* Makes the asker a member of these, and of no other by groups.  A course that
 * is not there, or theirs, is passed over, and so is one where a person made
 * them a member.  Nothing is written when nothing changes. */
enum footnote_rc members_of_groups(struct tx *tx, const struct group_courses *g,
                                   struct footnote_err *err);

#endif
