/* flight.h - sessions on their way into the store, many at once: one commit
 * takes all that wait for it.  Each is still stored whole or not at all, and
 * they are told of in the order of the source.  One thread.
 *
 *     flight_seat --> read into its arena --> flight_start --> written
 *         --> told, when its seat is needed, or by flight_land
 */
#ifndef IMPORT_FLIGHT_H
#define IMPORT_FLIGHT_H
#include "import/session_op.h"

struct flight;
enum footnote_rc flight_open(struct import *im, struct flight **out,
                             struct footnote_err *err);
/* Waits for what is on its way, and tells nobody.  NULL is fine. */
void flight_close(struct flight *f);

/* The place for the next session; im->a is its arena from now on, until
 * flight_start.  A failure is that of an earlier session, and ends the import.
 */
enum footnote_rc flight_seat(struct flight *f, struct footnote_err *err);
/* Whose key is that of the seat; *s is copied, what it borrows is in im->a. */
enum footnote_rc flight_start(struct flight *f, const struct import_session *s,
                              struct str user, struct footnote_err *err);
/* Waits for all that were started. */
enum footnote_rc flight_land(struct flight *f, struct footnote_err *err);

/* Whether a failure is about the session, and the next may do better. */
bool is_of_session(enum footnote_rc rc);
/* Notes a session as left out. */
void session_left_out(struct import *im, struct str key,
                      const struct footnote_err *why);

#endif
