/* judges.h - judges that are kept between calls.  Any thread; the lock is
 * inside. */
#ifndef STORE_SOURCE_JUDGES_H
#define STORE_SOURCE_JUDGES_H
#include "cite/judge/judge.h"

struct judges;
enum footnote_rc judges_open(struct judges **out, struct footnote_err *err);
void judges_close(struct judges *j); /* NULL is fine */

/* Lends one; it is given back with judges_give(). */
enum footnote_rc judges_take(struct judges *j, struct judge **out,
                             struct footnote_err *err);
void judges_give(struct judges *j, struct judge *judge); /* NULL is fine */

#endif
