/* json_schema.h - the part of JSON Schema that our document uses.
 *
 * Stricter than the standard in one thing: an object whose schema lists
 * properties has no others, unless additionalProperties says so, because a
 * field that we send and do not describe is a mistake of ours. */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H
#include "base/json.h"

enum { SCHEMA_WHY = 300 };

/* True when v is what the schema says; else `why` names the place.  A schema
 * with a word that is not known here fails the test. */
bool schema_holds(const struct json *document, const struct json *schema,
                  const struct json *v, char why[SCHEMA_WHY]);

#endif
