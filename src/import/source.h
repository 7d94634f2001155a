/* source.h - sources and their numbers, as other programs keep them.  One
 * thread. */
#ifndef IMPORT_SOURCE_H
#define IMPORT_SOURCE_H
#include "import/kind.h"

/* Other names of one field of ours. */
struct alias {
    const char *field; /* ours, in camelCase */
    struct names names;
};

/* A source as a row has it: our fields in either case, and by other names.
 * INVALID, with the row, when one has a value that it cannot have. */
enum footnote_rc source_of(struct import *im, const struct row *row,
                           const struct json *o, const struct alias *aliases,
                           size_t aliases_n, struct reference *out,
                           struct footnote_err *err);

/* A reference on its way into a message. */
struct found {
    struct reference ref;
    struct str same;    /* rows with this in common mean one source */
    int64_t created_ms; /* 0: not said */
    const struct row *row;
    bool has_number;
    int64_t number; /* as it stands there */
};
/* Gives each its number.  Where two sources have one number, the earliest keeps
 * it and the others get the next free ones, which is noted; a repeated row is
 * noted and dropped. */
enum footnote_rc number_found(struct import *im, struct found *list, size_t n,
                              const struct reference **out, size_t *out_n,
                              struct footnote_err *err);

#endif
