/* embed.h - files that the program carries, as tools/embed made them.  Any
 * thread. */
#ifndef HTTP_EMBED_H
#define HTTP_EMBED_H
#include "base/str.h"

struct embed {
    const char *name;                 /* its path below the folder */
    const unsigned char *bytes, *end; /* a NUL is at the end */
};

/* src/http/openapi/, by name. */
extern const struct embed openapi_files[];
extern const size_t openapi_files_n;

/* web/dist/, by name. */
extern const struct embed web_files[];
extern const size_t web_files_n;

static inline struct str embed_str(const struct embed *e)
{
    return (struct str){(const char *)e->bytes, (size_t)(e->end - e->bytes)};
}

#endif
