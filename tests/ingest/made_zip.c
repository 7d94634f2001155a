/* made_zip.c - packs texts with libarchive. */
#include "made_zip.h"
#include "read_passages.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

static void add_part(struct archive *z, const char *name, const char *text)
{
    struct archive_entry *e = archive_entry_new();

    archive_entry_set_pathname(e, name);
    archive_entry_set_size(e, (la_int64_t)strlen(text));
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    CHECK(archive_write_header(z, e) == ARCHIVE_OK);
    CHECK(archive_write_data(z, text, strlen(text)) == (ssize_t)strlen(text));
    archive_entry_free(e);
}

struct str made_zip(struct arena *a, const char *const *parts)
{
    enum { PACKED_MAX = 1024 * 1024 };
    struct archive *z = read_need(archive_write_new());
    char *packed = read_need(arena_alloc(a, PACKED_MAX));
    size_t used = 0;

    archive_write_set_format_zip(z);
    archive_write_zip_set_compression_store(z);
    archive_write_open_memory(z, packed, PACKED_MAX, &used);
    for (size_t i = 0; parts[i]; i += 2) {
        add_part(z, parts[i], parts[i + 1]);
        archive_write_zip_set_compression_deflate(z);
    }
    CHECK(archive_write_close(z) == ARCHIVE_OK);
    archive_write_free(z);
    return (struct str){packed, used};
}
