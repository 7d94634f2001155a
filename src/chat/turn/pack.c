/* pack.c - zlib. */
#include "chat/turn/pack.h"

#include <stdlib.h>
#include <zlib.h>

enum {
    LEVEL = 6,
    WINDOW_BITS_MIN = 12, /* of 15, by how much there is: */
    HASH_BITS_LESS = 7,   /* a small text is packed in little memory */
    PACK_BYTES_MAX = 1024 * 1024 * 1024
};

static Bytef *bytes_of(struct str s)
{
    return (Bytef *)(uintptr_t)s.p; /* zlib only reads it */
}

static int window_bits(size_t bytes)
{
    int bits = WINDOW_BITS_MIN;

    while (bits < MAX_WBITS && (size_t)1 << bits < bytes)
        bits++;
    return bits;
}

static bool deflate_all(struct packed *p, struct str bytes, struct str like)
{
    z_stream z = {.next_in = bytes_of(bytes), .avail_in = (uInt)bytes.n};
    int rc, bits = window_bits(bytes.n + like.n);

    if (deflateInit2(&z, LEVEL, Z_DEFLATED, bits, bits - HASH_BITS_LESS,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    if (like.n)
        (void)deflateSetDictionary(&z, bytes_of(like), (uInt)like.n);
    p->n = deflateBound(&z, (uLong)bytes.n);
    p->bytes = malloc(p->n);
    z.next_out = p->bytes;
    z.avail_out = (uInt)p->n;
    rc = p->bytes ? deflate(&z, Z_FINISH) : Z_MEM_ERROR;
    p->n = z.total_out;
    (void)deflateEnd(&z);
    return rc == Z_STREAM_END;
}

bool pack(struct packed *p, struct str bytes, struct str like)
{
    void *fit;

    *p = (struct packed){.whole_n = bytes.n};
    if (bytes.n > PACK_BYTES_MAX || !deflate_all(p, bytes, like)) {
        pack_free(p);
        return false;
    }
    fit = realloc(p->bytes, p->n);
    if (fit)
        p->bytes = fit;
    return true;
}

bool unpack(const struct packed *p, void *out, struct str like)
{
    z_stream z = {.next_in = p->bytes, .avail_in = (uInt)p->n};
    int rc;

    if (inflateInit(&z) != Z_OK)
        return false;
    z.next_out = out;
    z.avail_out = (uInt)p->whole_n;
    rc = inflate(&z, Z_FINISH);
    if (rc == Z_NEED_DICT && like.n &&
        inflateSetDictionary(&z, bytes_of(like), (uInt)like.n) == Z_OK)
        rc = inflate(&z, Z_FINISH);
    (void)inflateEnd(&z);
    return rc == Z_STREAM_END && z.total_out == p->whole_n;
}

void pack_free(struct packed *p)
{
    free(p->bytes);
    *p = (struct packed){.bytes = NULL};
}
