/* whole_verdicts.h - verdicts of a session that comes from elsewhere.  Any
 * thread. */
#ifndef STORE_SESSION_WHOLE_VERDICTS_H
#define STORE_SESSION_WHOLE_VERDICTS_H
#include "store/session/whole_check.h"

/* Decides which records are stored with an answer: out->verdicts.  `sources`
 * are its own or those that its question lends.  INVALID for records that no
 * judge can have written; the field is "verdicts". */
enum footnote_rc whole_verdicts(struct tx *tx, struct sha256_ctx *c,
                                const struct message *m, bool trusted,
                                const struct new_references *sources,
                                struct whole_message *out,
                                struct footnote_err *err);

#endif
