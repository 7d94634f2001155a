/* pack.h - bytes that are kept for long and seldom read, made small. */
#ifndef CHAT_PACK_H
#define CHAT_PACK_H
#include "base/str.h"

struct packed {
    unsigned char *bytes; /* NULL: nothing */
    size_t n, whole_n;
};

/* False, and *p holds nothing: no memory. */
bool pack(struct packed *p, struct str bytes);
/* whole_n bytes to `out`, which has room for them.  False: no memory. */
bool unpack(const struct packed *p, void *out);
void pack_free(struct packed *p);

#endif
