/* users.h - whose sessions they become.  One thread. */
#ifndef IMPORT_USERS_H
#define IMPORT_USERS_H
#include "import/kind.h"

/* Loads the file of o->users, if there is one. */
enum footnote_rc users_load(struct import *im, struct footnote_err *err);
/* Our user for theirs, which may be absent.  NOTFOUND: the map lacks them. */
enum footnote_rc users_find(struct import *im, struct str theirs,
                            struct str *ours, struct footnote_err *err);

#endif
