/* value.h - values of other programs' JSON, which have many forms.  One thread.
 *
 * Each returns false, and leaves *out alone, when there is no such value. */
#ifndef IMPORT_VALUE_H
#define IMPORT_VALUE_H
#include "import/kind.h"

/* A column may hold its JSON as text: *out is what it says.  INVALID when that
 * is none. */
enum footnote_rc value_parsed(struct arena *a, const struct json *v,
                              const struct json **out,
                              struct footnote_err *err);
/* The first of these fields that is there and not null; NULL: none is. */
const struct json *field(const struct json *o, const struct names *names);
/* The same by our name, in either case. */
const struct json *field_named(const struct json *o, struct str camel);
#define NAMES(...)      (&(const struct names){{__VA_ARGS__}})
#define FIELD(o, ...)   field((o), NAMES(__VA_ARGS__))
#define TEXT_OF(o, ...) value_text(FIELD((o), __VA_ARGS__))

/* A string, a number as it is written, {"$oid": "..."}, {"$uuid": "..."};
 * absent: none of them. */
struct str value_text(const struct json *v);
/* 42, 42.0, "42", {"$numberInt": "42"}. */
bool value_whole(const struct json *v, int64_t *out);
/* The same with a fraction. */
bool value_number(const struct json *v, double *out);
bool value_flag(const struct json *v, bool *out);
/* RFC 3339, the same without an offset (UTC), seconds or milliseconds since
 * 1970, {"$date": any of them}. */
bool value_time(const struct json *v, int64_t *ms);
/* A list of texts. */
bool value_texts(struct arena *a, const struct json *v, const struct str **out,
                 size_t *n);

#endif
