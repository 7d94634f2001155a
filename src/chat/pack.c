/* pack.c - zlib, with a window for some kilobytes of text: its usual one takes
 * a quarter of a megabyte to set up, for every answer. */
#include "chat/pack.h"

#include <stdlib.h>
#include <zlib.h>

enum { LEVEL = 6, WINDOW_BITS = 13, MEMORY_LEVEL = 6 };

static bool deflate_all(struct packed *p, struct str bytes)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes.p,
                  .avail_in = (uInt)bytes.n};
    int rc;

    if (deflateInit2(&z, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    p->n = deflateBound(&z, (uLong)bytes.n);
    p->bytes = malloc(p->n);
    z.next_out = p->bytes;
    z.avail_out = (uInt)p->n;
    rc = p->bytes ? deflate(&z, Z_FINISH) : Z_MEM_ERROR;
    p->n = z.total_out;
    (void)deflateEnd(&z);
    return rc == Z_STREAM_END;
}

bool pack(struct packed *p, struct str bytes)
{
    void *fit;

    *p = (struct packed){.whole_n = bytes.n};
    if (bytes.n > UINT32_MAX / 2 || !deflate_all(p, bytes)) {
        pack_free(p);
        return false;
    }
    fit = realloc(p->bytes, p->n);
    p->bytes = fit ? fit : p->bytes;
    return true;
}

bool unpack(const struct packed *p, void *out)
{
    uLongf n = (uLongf)p->whole_n;

    return uncompress(out, &n, p->bytes, (uLong)p->n) == Z_OK;
}

void pack_free(struct packed *p)
{
    free(p->bytes);
    *p = (struct packed){.bytes = NULL};
}
