/* json_values.h - the JSON values of a file, one after the other, in flat
 * memory.  One thread.
 *
 * A file has a value on each line, or one list of them, or values of several
 * lines behind each other: what the first line is decides. */
#ifndef IMPORT_JSON_VALUES_H
#define IMPORT_JSON_VALUES_H
#include "base/buf.h"
#include <stdio.h>

struct json_values {
    FILE *file;
    struct buf text; /* of the value */
    bool by_line;
    int lists;      /* that are open around the values */
    int64_t line;   /* where the next value begins, from 1 */
    int64_t values; /* so far */
};

/* *v is yours: json_values_close(), after a failure as well. */
enum footnote_rc json_values_open(const char *path, size_t value_bytes_max,
                                  struct json_values *v,
                                  struct footnote_err *err);
void json_values_close(struct json_values *v);
/* The next value, as it stands there, and its line, or, where a line may have
 * several, which of all it is, from 1; borrowed until the next
 * call.  Absent: there is none.  A value that the file breaks off in is given
 * too; INVALID: it breaks off behind one. */
enum footnote_rc json_values_next(struct json_values *v, struct str *out,
                                  int64_t *line, struct footnote_err *err);

#endif
