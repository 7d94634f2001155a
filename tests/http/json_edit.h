/* json_edit.h - a JSON text with one value changed, for requests that go wrong.
 */
#ifndef JSON_EDIT_H
#define JSON_EDIT_H
#include "base/json.h"

enum change { REPLACE, LEAVE_OUT, ADD_MEMBER };

struct edit {
    enum change change;
    size_t at; /* which value, counted as they are written; 0: all of it */
    struct str with; /* the value, or "key":value */
    size_t seen;     /* edit_write's */
};
/* Appends v with the change. */
void edit_write(struct buf *b, const struct json *v, struct edit *e);
/* How many values it has, itself among them. */
size_t edit_count(const struct json *v);

/* Values that are the wrong ones in most places. */
extern const char *const edit_values[];
extern const size_t edit_values_n;

#endif
