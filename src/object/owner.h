/* owner.h - inside of this folder: a place is claimed before it is written to.
 * Any thread. */
#ifndef OBJECT_OWNER_H
#define OBJECT_OWNER_H
#include "object/object.h"

/* Claims an empty place that nobody owns.  READONLY: it is another's.  OK also
 * when the place was opened for no store. */
enum footnote_rc owner_claim(struct objects *o, struct footnote_err *err);

#endif
