/* scope.h - what a key is confined to.  Any thread.
 *
 * A scope is a text, which is stored with the key and goes with `who`:
 *
 *     read            it changes nothing
 *     write           it may change things
 *     then, each after a line end, the ids of the courses that it is for;
 *     none: all
 *
 * Absent is no scope: everything that its account may.  Rights of courses are
 * taken away in one place, where they are found (course_role_of()); sessions
 * count as their course does, and one without a course is outside. */
#ifndef STORE_SESSION_SCOPE_H
#define STORE_SESSION_SCOPE_H
#include "base/arena.h"

enum { SCOPE_COURSES_MAX = 100 };

/* Absent when it confines nothing; INVALID for what cannot be a course. */
enum footnote_rc scope_make(struct arena *a, bool read_only,
                            const struct str *courses, size_t n,
                            struct str *out, struct footnote_err *err);
bool scope_reads_only(struct str scope);
/* Whether it is for certain courses alone. */
bool scope_confines(struct str scope);
bool scope_has(struct str scope, struct str course);
/* The courses one by one: *rest begins as the scope. */
bool scope_next(struct str *rest, struct str *course);

#endif
