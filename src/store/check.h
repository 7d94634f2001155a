/* check.h - bad input, refused whoever sends it.  Any thread. */
#ifndef STORE_CHECK_H
#define STORE_CHECK_H
#include "base/str.h"
#include "store/store.h"

struct message;

/* Valid UTF-8 without NUL, within max; `what` names it in the sentence.
 * Absent is fine. */
enum footnote_rc check_text(struct str s, size_t max, const char *what,
                            struct footnote_err *err);
/* As check_text, and 1 to 200 bytes when it is there. */
enum footnote_rc check_id(struct str s, const char *what,
                          struct footnote_err *err);
/* False for what nothing can have as its id: it is not looked for, because
 * databases disagree about such text. */
bool id_can_be(struct str s);
enum footnote_rc check_message(const struct message *m,
                               struct footnote_err *err);
/* The id to use: as brought, or a new UUIDv7, in `buffer`. */
struct str id_or_new(struct str brought, char buffer[STORE_ID_BYTES_MAX + 1]);

#endif
