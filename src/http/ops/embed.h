/* embed.h - files that the program carries, as tools/embed made them.  Any
 * thread. */
#ifndef HTTP_OPS_EMBED_H
#define HTTP_OPS_EMBED_H
#include "base/str.h"

struct embed {
    const char *name; /* of the file, without its folder */
    const unsigned char *bytes;
    size_t n; /* a NUL follows */
};

/* src/http/ops/openapi/, by name. */
extern const struct embed openapi_files[];
extern const size_t openapi_files_n;

/* web/dist/: the page of the app in its encodings, and the files it loads. */
extern const struct embed page_files[], asset_files[];
extern const size_t page_files_n, asset_files_n;

static inline struct str embed_str(const struct embed *e)
{
    return (struct str){(const char *)e->bytes, e->n};
}

#endif
