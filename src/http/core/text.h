/* text.h - small things that HTTP does to text.  Any thread. */
#ifndef HTTP_CORE_TEXT_H
#define HTTP_CORE_TEXT_H
#include "base/arena.h"

/* Percent-decoding; `plus` reads + as a space.  False when it is malformed,
 * holds a NUL or is not UTF-8.  *out lives in `a`. */
bool text_decode(struct arena *a, struct str s, bool plus, struct str *out);
/* Is it our name, as given or in snake_case: course_id for courseId? */
bool text_is_name(struct str camel, struct str given);
/* True when a comma-separated list of a header has the word, and not with
 * q=0: text_accepts("gzip;q=0.5, br", "gzip"). */
bool text_accepts(struct str list, struct str word);
/* gzip of it, in `a`; absent when there is no memory. */
struct str text_gzip(struct arena *a, struct str body);

#endif
