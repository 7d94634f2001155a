/* base64url.h - base64url without padding (RFC 4648 section 5).  Any thread. */
#ifndef HTTP_CORE_BASE64URL_H
#define HTTP_CORE_BASE64URL_H
#include "base/arena.h"
#include "base/buf.h"

/* Strict: one text for one value.  Padding, other characters, a length that no
 * value has and bits left over that are not 0 are INVALID.  *out lives in `a`.
 */
enum footnote_rc base64url_read(struct arena *a, struct str text,
                                struct str *out, struct footnote_err *err);
void base64url_write(struct buf *b, struct str bytes);

#endif
