/* warm.h - memory that is needed soon comes into the processor's cache while
 * something else is done.  Any thread. */
#ifndef BASE_WARM_H
#define BASE_WARM_H
#include <stddef.h>

enum { WARM_LINE_BYTES = 64 }; /* of the processor's cache */

/* No byte is read, so there may be fewer of them, or none any more. */
static inline void warm(const void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += WARM_LINE_BYTES)
        __builtin_prefetch((const char *)p + i);
}

#endif
