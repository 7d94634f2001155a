/* zip_out.h - a ZIP archive of a few members, in memory.  Any thread.
 *
 * The same members give the same bytes: nothing of the time is in it. */
#ifndef EXPORT_ZIP_OUT_H
#define EXPORT_ZIP_OUT_H
#include "base/buf.h"

enum { ZIP_OUT_MEMBERS_MAX = 16 };

struct zip_out {
    struct buf *b;
    struct zip_out_member {
        struct str name; /* borrowed until zip_out_end() */
        uint32_t crc, packed, bytes, at;
    } members[ZIP_OUT_MEMBERS_MAX];
    size_t n;
};

#define ZIP_OUT(buffer) ((struct zip_out){.b = (buffer)})
/* The name is ASCII.  TOOBIG for what a simple archive cannot hold. */
enum footnote_rc zip_out_add(struct zip_out *z, struct str name,
                             struct str bytes, struct footnote_err *err);
enum footnote_rc zip_out_end(struct zip_out *z, struct footnote_err *err);

#endif
