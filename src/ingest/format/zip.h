/* zip.h - the members of a ZIP archive in memory, with limits.  Any thread.
 *
 * Only zip.c knows libarchive.  Nothing is written to disk; an archive whose
 * names point outside of it is refused nevertheless, because no office program
 * makes one. */
#ifndef INGEST_FORMAT_ZIP_H
#define INGEST_FORMAT_ZIP_H
#include "base/arena.h"

enum {
    ZIP_MEMBERS_MAX = 10 * 1000,
    ZIP_UNPACKED_MAX = 64 * 1024 * 1024, /* of the wanted members together */
    ZIP_RATIO_MAX = 100,                 /* unpacked to packed, from 1 MB on */
    ZIP_RATIO_FREE = 1024 * 1024
};

struct zip_member {
    struct str name, bytes;
};
struct zip {
    struct zip_member *members; /* sorted by name */
    size_t n;
};

/* Reads the members for which `wanted` is true.  They live in `a`. */
enum footnote_rc zip_read(struct arena *a, struct str bytes,
                          bool (*wanted)(struct str name), struct zip *out,
                          struct footnote_err *err);
/* The bytes of a member; absent when it is not there. */
struct str zip_get(const struct zip *z, struct str name);

#endif
