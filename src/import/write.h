/* write.h - stores a session that was read, all or nothing.  One thread. */
#ifndef IMPORT_WRITE_H
#define IMPORT_WRITE_H
#include "import/kind.h"

/* `user` is ours.  Fills in *done, and counts.  Nothing of it is there when it
 * fails. */
enum footnote_rc write_session(struct import *im,
                               const struct import_session *s, struct str user,
                               struct import_session_done *done,
                               struct footnote_err *err);

#endif
