/* pack.h - bytes that are kept for long and seldom read, made small. */
#ifndef CHAT_TURN_PACK_H
#define CHAT_TURN_PACK_H
#include "base/str.h"

struct packed {
    unsigned char *bytes; /* NULL: nothing */
    size_t n, whole_n;
};

/* `like` is text of which much comes again, or absent; it must be there in the
 * same words to unpack.  False, and *p holds nothing: no memory. */
bool pack(struct packed *p, struct str bytes, struct str like);
/* whole_n bytes to `out`, which has room for them.  False: no memory, or
 * `like` is another. */
bool unpack(const struct packed *p, void *out, struct str like);
void pack_free(struct packed *p);

#endif
