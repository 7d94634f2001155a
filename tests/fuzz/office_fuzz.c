/* office_fuzz.c - fuzzes office files and books: all that are archives.
 *
 * An input that begins with "PK" is an archive.  Any other is the parts of
 * one, since a fuzzer cannot see through compression: each part is its name, a
 * line end and its bytes, and a line with a form feed ends it. */
#include "extracting.h"
#include "ingest/text/lines.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { PARTS_MAX = 16, PACKED_MAX = 2 * 1024 * 1024 };

static char packed[PACKED_MAX];

static void add_part(struct archive *z, struct str name, struct str bytes)
{
    struct archive_entry *e = archive_entry_new();
    char path[256];

    snprintf(path, sizeof(path), "%.*s", STR_ARG(name));
    archive_entry_set_pathname(e, path);
    archive_entry_set_size(e, (la_int64_t)bytes.n);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    if (archive_write_header(z, e) == ARCHIVE_OK)
        (void)archive_write_data(z, bytes.p, bytes.n);
    archive_entry_free(e);
}

static struct str pack(struct str parts)
{
    struct archive *z = archive_write_new();
    size_t used = 0;

    archive_write_set_format_zip(z);
    archive_write_set_options(z, "zip:compression=store");
    archive_write_open_memory(z, packed, sizeof(packed), &used);
    for (int i = 0; parts.n && i < PARTS_MAX; i++) {
        struct str part = {parts.p, str_find(parts, '\f')}, name;
        parts = str_skip(parts, part.n < parts.n ? part.n + 1 : part.n);
        if (lines_next(&part, &name) && name.n)
            add_part(z, name, part);
    }
    archive_write_close(z);
    archive_write_free(z);
    return (struct str){packed, used};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str bytes = {(const char *)data, n};

    if (n > PACKED_MAX / 2)
        return 0;
    if (!str_starts(bytes, STR("PK")))
        bytes = pack(bytes);
    for (enum extract_format f = 0; f < FORMATS_N; f++)
        if (format_of(f)->zip_mark)
            extracting_run(f, bytes);
    return 0;
}
