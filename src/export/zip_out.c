/* zip_out.c - see zip_out.h.  APPNOTE.TXT 6.3.9 has the form; sizes are known
 * before a member is written, so no descriptor follows one. */
#include "export/zip_out.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    END = 0x06054b50,
    VERSION = 20,
    DEFLATED = 8,
    FIRST_DAY = 0x21, /* 1980-01-01: the oldest that there is */
    MEMBER_BYTES_MAX = 256 * 1024 * 1024
};

static void add(struct buf *b, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_add_c(b, (char)(v >> 8 * i & 0xff));
}

/* What both headers of a member say. */
static void add_facts(struct buf *b, const struct zip_out_member *m)
{
    add(b, VERSION, 2);
    add(b, 0, 2);
    add(b, DEFLATED, 2);
    add(b, 0, 2);
    add(b, FIRST_DAY, 2);
    add(b, m->crc, 4);
    add(b, m->packed, 4);
    add(b, m->bytes, 4);
    add(b, (uint32_t)m->name.n, 2);
    add(b, 0, 2);
}

/* *out is yours: free(). */
static enum footnote_rc pack(struct str bytes, unsigned char **out, size_t *n,
                             struct footnote_err *err)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes.p,
                  .avail_in = (uInt)bytes.n};
    int rc;

    *out = NULL;
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return err_set(err, FOOTNOTE_NOMEM, "packing");
    size_t bound = deflateBound(&z, (uLong)bytes.n);
    *out = malloc(bound);
    z.next_out = *out;
    z.avail_out = (uInt)bound;
    rc = *out ? deflate(&z, Z_FINISH) : Z_MEM_ERROR;
    *n = bound - z.avail_out;
    deflateEnd(&z);
    if (rc == Z_STREAM_END)
        return FOOTNOTE_OK;
    free(*out);
    *out = NULL;
    return err_set(err, FOOTNOTE_NOMEM, "packing");
}

enum footnote_rc zip_out_add(struct zip_out *z, struct str name,
                             struct str bytes, struct footnote_err *err)
{
    struct zip_out_member *m = &z->members[z->n];
    unsigned char *packed;
    size_t n;

    assert(z->n < ZIP_OUT_MEMBERS_MAX);
    if (bytes.n > MEMBER_BYTES_MAX || z->b->n > INT32_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "%.*s: %zu bytes", STR_ARG(name),
                       bytes.n);
    TRY(pack(bytes, &packed, &n, err));
    *m = (struct zip_out_member){
        .name = name,
        .crc =
            (uint32_t)crc32(0, (const unsigned char *)bytes.p, (uInt)bytes.n),
        .packed = (uint32_t)n,
        .bytes = (uint32_t)bytes.n,
        .at = (uint32_t)z->b->n};
    z->n++;
    add(z->b, LOCAL, 4);
    add_facts(z->b, m);
    buf_add(z->b, name);
    buf_add(z->b, (struct str){(const char *)packed, n});
    free(packed);
    return buf_rc(z->b, err);
}

enum footnote_rc zip_out_end(struct zip_out *z, struct footnote_err *err)
{
    uint32_t at = (uint32_t)z->b->n;

    for (size_t i = 0; i < z->n; i++) {
        add(z->b, CENTRAL, 4);
        add(z->b, VERSION, 2);
        add_facts(z->b, &z->members[i]);
        add(z->b, 0, 2); /* comment */
        add(z->b, 0, 2); /* disk */
        add(z->b, 0, 2);
        add(z->b, 0, 4); /* attributes */
        add(z->b, z->members[i].at, 4);
        buf_add(z->b, z->members[i].name);
    }
    uint32_t bytes = (uint32_t)z->b->n - at;
    add(z->b, END, 4);
    add(z->b, 0, 2);
    add(z->b, 0, 2);
    add(z->b, (uint32_t)z->n, 2);
    add(z->b, (uint32_t)z->n, 2);
    add(z->b, bytes, 4);
    add(z->b, at, 4);
    add(z->b, 0, 2);
    return buf_rc(z->b, err);
}
