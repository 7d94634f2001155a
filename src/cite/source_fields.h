/* source_fields.h - the text fields of a source as a table, for cite/ only.
 *
 * The order is that of the digest's lines, so it never changes; a new field
 * goes to the end and is left out of digests where it is absent. */
#ifndef CITE_SOURCE_FIELDS_H
#define CITE_SOURCE_FIELDS_H
#include "cite/source.h"

struct source_field {
    struct str name; /* as in the API */
    size_t offset;   /* of its struct str in struct source */
    size_t bytes_max;
    bool is_id; /* never empty */
};

enum { SOURCE_FIELDS_N = 11 };
extern const struct source_field source_fields[SOURCE_FIELDS_N];

static inline struct str source_field_get(const struct source *s,
                                          const struct source_field *f)
{
    struct str text;
    memcpy(&text, (const char *)s + f->offset, sizeof(text));
    return text;
}

/* Whether the type's fields make a key without the id. */
bool source_makes_key(const struct source *s);

#endif
