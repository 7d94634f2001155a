/* zip.c - unpacks the wanted members of an archive, within limits.
 *
 * The sizes that an archive claims are ignored: bytes are counted as they are
 * unpacked. */
#include "ingest/format/zip.h"
#include "base/buf.h"

#include "store/document/reason.h"
#include <archive.h>
#include <archive_entry.h>
#include <assert.h>
#include <stdlib.h>

struct zip_reader {
    struct arena *a;
    struct archive *archive;
    size_t packed, unpacked;
    size_t seen_n;
    struct buf text;
    struct zip *out;
};

static enum footnote_rc damaged(struct footnote_err *err)
{
    return refuse(err, DAMAGED, "the file is damaged: it cannot be unpacked");
}

/* Has "..", or is an absolute path, or has a drive or a backslash. */
static bool points_outside(struct str name)
{
    if (name.n == 0 || name.p[0] == '/' || str_find(name, '\\') < name.n ||
        str_find(name, ':') < name.n)
        return true;
    while (name.n) {
        size_t n = str_find(name, '/');
        if (str_eq((struct str){name.p, n}, STR("..")))
            return true;
        name = str_skip(name, n < name.n ? n + 1 : n);
    }
    return false;
}

static enum footnote_rc count_unpacked(struct zip_reader *r, size_t bytes,
                                       struct footnote_err *err)
{
    r->unpacked += bytes;
    if (r->unpacked > ZIP_UNPACKED_MAX)
        return refuse(err, UNPACKS, "its text unpacks to more than %d MB",
                      ZIP_UNPACKED_MAX / (1024 * 1024));
    if (r->unpacked > ZIP_RATIO_FREE && r->unpacked / ZIP_RATIO_MAX > r->packed)
        return refuse(err, UNPACKS,
                      "it unpacks to more than %d times its size, as files "
                      "do that are made to harm",
                      ZIP_RATIO_MAX);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_member(struct zip_reader *r,
                                    struct archive_entry *entry,
                                    bool (*wanted)(struct str name),
                                    struct footnote_err *err)
{
    const char *path = archive_entry_pathname_utf8(entry);
    struct str name = str_c(path ? path : archive_entry_pathname(entry));
    char piece[16 * 1024];
    ssize_t n;

    if (++r->seen_n > ZIP_MEMBERS_MAX)
        return refuse(err, TOO_MANY_PARTS, "it has more than %d parts",
                      ZIP_MEMBERS_MAX);
    if (!name.p)
        return FOOTNOTE_OK; /* not ASCII, as all wanted names are */
    if (points_outside(name))
        return refuse(err, HARMFUL,
                      "a part of it is named as if it lay outside of it; "
                      "such a file is not opened");
    if (archive_entry_is_encrypted(entry))
        return refuse(err, PASSWORD,
                      "the file is protected by a password: save it without "
                      "one and upload it again");
    if (!wanted(name))
        return FOOTNOTE_OK;
    buf_reset(&r->text);
    while ((n = archive_read_data(r->archive, piece, sizeof(piece))) > 0) {
        TRY(count_unpacked(r, (size_t)n, err));
        buf_add(&r->text, (struct str){piece, (size_t)n});
    }
    if (n < 0)
        return damaged(err);
    TRY(buf_rc(&r->text, err));
    assert(r->out->n < ZIP_MEMBERS_MAX);
    r->out->members[r->out->n++] = (struct zip_member){
        arena_str(r->a, name), arena_str(r->a, buf_str(&r->text))};
    return arena_rc(r->a, err);
}

static enum footnote_rc read_members(struct zip_reader *r, struct str bytes,
                                     bool (*wanted)(struct str name),
                                     struct footnote_err *err)
{
    struct archive_entry *entry;
    int status;

    archive_read_support_format_zip_seekable(r->archive);
    if (archive_read_open_memory(r->archive, bytes.p, bytes.n) != ARCHIVE_OK)
        return damaged(err);
    while ((status = archive_read_next_header(r->archive, &entry)) !=
           ARCHIVE_EOF) {
        if (status < ARCHIVE_WARN)
            return damaged(err);
        TRY(read_member(r, entry, wanted, err));
    }
    return FOOTNOTE_OK;
}

static int by_name(const void *x, const void *y)
{
    const struct zip_member *a = x, *b = y;
    return str_cmp(a->name, b->name);
}

enum footnote_rc zip_read(struct arena *a, struct str bytes,
                          bool (*wanted)(struct str name), struct zip *out,
                          struct footnote_err *err)
{
    struct zip_reader r = {.a = a,
                           .archive = archive_read_new(),
                           .packed = bytes.n,
                           .text = BUF(ZIP_UNPACKED_MAX),
                           .out = out};
    enum footnote_rc rc;

    *out = (struct zip){.members =
                            arena_many(a, ZIP_MEMBERS_MAX, struct zip_member)};
    if (!r.archive || !out->members)
        rc = err_set(err, FOOTNOTE_NOMEM, "no memory to unpack it");
    else
        rc = read_members(&r, bytes, wanted, err);
    archive_read_free(r.archive);
    buf_free(&r.text);
    if (rc == FOOTNOTE_OK)
        qsort(out->members, out->n, sizeof(out->members[0]), by_name);
    return rc;
}

struct str zip_get(const struct zip *z, struct str name)
{
    struct zip_member key = {.name = name};
    const struct zip_member *found =
        z->n ? bsearch(&key, z->members, z->n, sizeof(key), by_name) : NULL;

    return found ? found->bytes : STR_NONE;
}
