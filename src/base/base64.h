/* base64.h - base64 with padding (RFC 4648 section 4).  Any thread. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H
#include "base/buf.h"

void buf_add_base64(struct buf *b, struct str bytes);

#endif
