/* mend.h - what a server does about damage: tells it, looks for it at leisure,
 * and reads in again what can be made anew.  Any thread. */
#ifndef CLI_MEND_H
#define CLI_MEND_H
#include "store/store.h"

struct mend;

/* Begins to watch the store and to walk over it, a whole round in about a day.
 * *out is yours: mend_close(), before the store is closed. */
enum footnote_rc mend_open(struct store *st, struct mend **out,
                           struct footnote_err *err);
void mend_close(struct mend *m); /* NULL is fine */

#endif
