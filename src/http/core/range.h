/* range.h - the part of a body that a client asks for (RFC 9110, 14).  Any
 * thread. */
#ifndef HTTP_CORE_RANGE_H
#define HTTP_CORE_RANGE_H
#include "base/str.h"

enum range_kind {
    RANGE_ALL, /* none, several, or an unknown unit: 200 */
    RANGE_PART,
    RANGE_OUTSIDE /* 416 */
};
struct byte_range {
    uint64_t from, n; /* n > 0 */
};

/* The value of Range, or absent, for a body of `bytes`. */
enum range_kind range_read(struct str value, uint64_t bytes,
                           struct byte_range *out);
/* Whether If-Range (absent: yes) still means this version.  `etag` is quoted;
 * weak ones and dates never match. */
bool range_is_current(struct str if_range, struct str etag);

/* How to answer a request for a body of `bytes`: 200 or 206 with *part, and the
 * headers are added; or 0, and the request is answered. */
struct request;
int range_plan(struct request *r, uint64_t bytes, struct str etag,
               struct byte_range *part);

#endif
