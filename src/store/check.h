/* check.h - refusing bad input.  Any thread. */
#ifndef STORE_CHECK_H
#define STORE_CHECK_H
#include "store/store.h"

struct message;

/* Refuses text that is over `max` bytes, has a NUL or is not UTF-8; `what`
 * names it in the sentence.  Absent text is fine. */
enum footnote_rc check_text(struct str s, size_t max, const char *what,
                            struct footnote_err *err);
/* The same for an id: 1 to 200 bytes, or absent. */
enum footnote_rc check_id(struct str s, const char *what,
                          struct footnote_err *err);
/* False when nothing can have this id.  Such an id is not looked up, because
 * databases disagree about such text. */
bool id_can_be(struct str s);
enum footnote_rc check_message(const struct message *m,
                               struct footnote_err *err);
/* Copies the id to `buffer`; when it is absent, makes a new UUIDv7. */
struct str id_or_new(struct str brought, char buffer[STORE_ID_BYTES_MAX + 1]);
/* Copies an id that was read from the database; DAMAGED when it cannot be one.
 */
enum footnote_rc id_copy(struct str stored, char buffer[STORE_ID_BYTES_MAX + 1],
                         struct footnote_err *err);

#endif
