/* life.h - a node that has a name, and the lives that it has one after the
 * other.
 *
 * A process that died leaves leases that hold for a minute, since nobody can
 * look up a process of another machine or container.  A node that comes back
 * under its name says that its earlier life is over.  Two that live at the same
 * time must not have one name: the second is refused. */
#ifndef STORE_LIFE_H
#define STORE_LIFE_H
#include "base/err.h"

struct store;
struct store_options;
struct tx;

/* Reads the database's clock, takes the name, if there is one, and gives up
 * what its earlier life held. Waits until that has not been seen for some
 * seconds; BUSY when it is. */
enum footnote_rc life_begin(struct store *st, const struct store_options *o,
                            struct footnote_err *err);
/* In the sweep: says that we live. */
enum footnote_rc life_renew(struct tx *tx, struct footnote_err *err);
/* The next life need not wait. */
void life_end(struct store *st);

#endif
