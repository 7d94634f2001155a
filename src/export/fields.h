/* fields.h - members of a JSON object.  What is absent is left out.  Any
 * thread.
 *
 * Keys are JSON as they stand, and a comma comes before each: the object's
 * first member is the caller's. */
#ifndef EXPORT_FIELDS_H
#define EXPORT_FIELDS_H
#include "base/buf.h"

void field_name(struct buf *b, struct str key);
void field_text(struct buf *b, struct str key, struct str value);
void field_number(struct buf *b, struct str key, bool has, int64_t value);
void field_flag(struct buf *b, struct str key, bool has, bool value);
void field_time(struct buf *b, struct str key, int64_t ms);
void field_texts(struct buf *b, struct str key, const struct str *s, size_t n);

#endif
