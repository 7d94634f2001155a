/* segment_file.c - segments as files.
 *
 * A file is written beside its name, synced, renamed, and its folder synced:
 * a name stands for a whole file or for none.  The digests find what became of
 * it later: a damaged file is removed and made again.  It is read into memory
 * of ours, because a mapped file that is cut ends the process, and one that is
 * written over is another index long after it was checked. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "retrieve/index/format.h"
#include "retrieve/index/segment.h"

/* Searches in memory that begins anywhere are a tenth slower. */
#define PAGE ((size_t)4096)

/* What a file has behind head and sections. */
struct seals {
    struct sha256_ctx *hasher;
    struct sha256 *blocks;
    size_t blocks_n;
    struct format_tail tail;
};

static void seals_free(struct seals *s) /* fit for AUTO */
{
    sha256_close(s->hasher);
    free(s->blocks);
}

static enum footnote_rc seals_alloc(struct seals *s, uint64_t bytes,
                                    struct footnote_err *err)
{
    s->blocks_n = (size_t)((bytes + FORMAT_BLOCK - 1) / FORMAT_BLOCK);
    s->blocks = calloc(s->blocks_n + 1, sizeof(*s->blocks));
    if (!s->blocks)
        return err_set(err, FOOTNOTE_NOMEM, "opening an index");
    return sha256_open(&s->hasher, err);
}

static size_t block_bytes(const struct seals *s, size_t block)
{
    size_t left = (size_t)s->tail.bytes - block * FORMAT_BLOCK;

    return left < FORMAT_BLOCK ? left : FORMAT_BLOCK;
}

static struct sha256 block_digest(const struct seals *s, const uint8_t *memory,
                                  size_t block)
{
    struct sha256 d;

    sha256_begin(s->hasher);
    sha256_add(s->hasher,
               (struct str){(const char *)memory + block * FORMAT_BLOCK,
                            block_bytes(s, block)});
    sha256_end(s->hasher, &d);
    return d;
}

static struct sha256 tail_digest(const struct seals *s)
{
    struct sha256 d;

    sha256_begin(s->hasher);
    sha256_add(s->hasher, (struct str){(const char *)s->blocks,
                                       s->blocks_n * sizeof(*s->blocks)});
    sha256_add(s->hasher, (struct str){(const char *)&s->tail,
                                       offsetof(struct format_tail, digest)});
    sha256_end(s->hasher, &d);
    return d;
}

/* ---- Saving ------------------------------------------------------------- */

static bool write_all(int fd, const void *p, size_t n)
{
    const char *at = p;

    while (n > 0) {
        ssize_t did = write(fd, at, n);

        if (did < 0 && errno == EINTR)
            continue;
        if (did <= 0)
            return false;
        at += did;
        n -= (size_t)did;
    }
    return true;
}

static bool sync_folder(const char *path)
{
    char copy[PATH_MAX];
    int fd;
    bool ok;

    if (strlen(path) >= sizeof(copy))
        return false;
    memcpy(copy, path, strlen(path) + 1);
    fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ok = fsync(fd) == 0;
    close(fd);
    return ok;
}

static bool write_file(const struct segment *s, const struct seals *seals,
                       const char *temporary)
{
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool ok = fd >= 0;

    ok = ok && write_all(fd, s->memory, s->bytes) &&
         write_all(fd, seals->blocks,
                   seals->blocks_n * sizeof(*seals->blocks)) &&
         write_all(fd, &seals->tail, sizeof(seals->tail)) && fsync(fd) == 0;
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    return ok;
}

static enum footnote_rc save(const struct segment *s, const char *path,
                             const struct sha256 *course,
                             struct footnote_err *err)
{
    AUTO(seals_free)
    struct seals seals = {
        .tail = {.magic = FORMAT_MAGIC, .bytes = s->bytes, .course = *course}};
    char temporary[PATH_MAX];
    int n = snprintf(temporary, sizeof(temporary), "%s.new", path);

    if (n < 0 || (size_t)n >= sizeof(temporary))
        return err_set(err, FOOTNOTE_INVALID, "the index's path is too long");
    TRY(seals_alloc(&seals, s->bytes, err));
    for (size_t i = 0; i < seals.blocks_n; i++)
        seals.blocks[i] = block_digest(&seals, s->memory, i);
    seals.tail.digest = tail_digest(&seals);
    if (!write_file(s, &seals, temporary) || rename(temporary, path) != 0 ||
        !sync_folder(path)) {
        int why = errno;

        unlink(temporary);
        return err_set(err, FOOTNOTE_BUSY, "cannot save the index %.100s: %s",
                       path, strerror(why));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc segment_save(struct segment *s, const char *path,
                              const struct sha256 *course,
                              struct footnote_err *err)
{
    char *copy = strdup(path);
    enum footnote_rc rc;

    if (!copy)
        return err_set(err, FOOTNOTE_NOMEM, "saving an index");
    rc = save(s, path, course, err);
    if (rc != FOOTNOTE_OK) {
        free(copy);
        return rc;
    }
    free(s->path);
    s->path = copy;
    return FOOTNOTE_OK;
}

/* ---- Loading ------------------------------------------------------------ */

/* What is missing of the file is not there any more: somebody has cut it. */
static enum footnote_rc read_at(int fd, void *to, size_t n, uint64_t from,
                                struct footnote_err *err)
{
    char *at = to;

    while (n > 0) {
        ssize_t did = pread(fd, at, n, (off_t)from);

        if (did < 0 && errno == EINTR)
            continue;
        if (did <= 0)
            return err_set(err, FOOTNOTE_DAMAGED, "%s",
                           did < 0 ? strerror(errno) : "it ends too early");
        at += did;
        from += (uint64_t)did;
        n -= (size_t)did;
    }
    return FOOTNOTE_OK;
}

/* Not a file of ours may be anything, also something that is never read to its
 * end. */
static enum footnote_rc open_file(const char *path, int *fd, uint64_t *bytes,
                                  struct footnote_err *err)
{
    struct stat st;

    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (*fd < 0 && errno == ENOENT)
        return err_set(err, FOOTNOTE_NOTFOUND, "no index file");
    if (*fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return err_set(err, FOOTNOTE_BUSY, "%s", strerror(errno));
    if (*fd < 0 || fstat(*fd, &st) != 0)
        return err_set(err, FOOTNOTE_DAMAGED, "%s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(err, FOOTNOTE_DAMAGED, "it is no file");
    *bytes = (uint64_t)st.st_size;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_seals(int fd, uint64_t file_bytes,
                                   const struct sha256 *course,
                                   struct seals *out, struct footnote_err *err)
{
    struct format_tail *t = &out->tail;
    uint64_t digests;
    struct sha256 digest;

    if (file_bytes < sizeof(struct format_head) + sizeof(*t))
        return err_set(err, FOOTNOTE_DAMAGED, "it is too short");
    TRY(read_at(fd, t, sizeof(*t), file_bytes - sizeof(*t), err));
    if (memcmp(t->magic, FORMAT_MAGIC, sizeof(FORMAT_MAGIC)) != 0)
        return err_set(err, FOOTNOTE_DAMAGED, "it is not of this version");
    if (t->bytes > file_bytes)
        return err_set(err, FOOTNOTE_DAMAGED, "its length is wrong");
    TRY(seals_alloc(out, t->bytes, err));
    digests = out->blocks_n * sizeof(*out->blocks);
    if (t->bytes + digests + sizeof(*t) != file_bytes)
        return err_set(err, FOOTNOTE_DAMAGED, "its length is wrong");
    TRY(read_at(fd, out->blocks, (size_t)digests, t->bytes, err));
    digest = tail_digest(out);
    if (!sha256_eq(&digest, &t->digest))
        return err_set(err, FOOTNOTE_DAMAGED, "its digests are damaged");
    if (!sha256_eq(&t->course, course))
        return err_set(err, FOOTNOTE_DAMAGED, "it is another course's");
    return FOOTNOTE_OK;
}

static enum footnote_rc read_blocks(int fd, const struct seals *seals,
                                    uint8_t *memory, struct footnote_err *err)
{
    for (size_t i = 0; i < seals->blocks_n; i++) {
        struct sha256 digest;

        TRY(read_at(fd, memory + i * FORMAT_BLOCK, block_bytes(seals, i),
                    i * FORMAT_BLOCK, err));
        digest = block_digest(seals, memory, i);
        if (!sha256_eq(&digest, &seals->blocks[i]))
            return err_set(err, FOOTNOTE_DAMAGED, "block %zu of %zu is damaged",
                           i + 1, seals->blocks_n);
    }
    return FOOTNOTE_OK;
}

enum footnote_rc segment_load(const char *path, const struct sha256 *course,
                              struct segment **out, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    AUTO(seals_free) struct seals seals = {.blocks = NULL};
    uint64_t file_bytes = 0;
    uint8_t *memory;
    enum footnote_rc rc;

    *out = NULL;
    TRY(open_file(path, &fd, &file_bytes, err));
    TRY(read_seals(fd, file_bytes, course, &seals, err));
    memory = aligned_alloc(PAGE, (size_t)seals.tail.bytes / PAGE * PAGE + PAGE);
    if (!memory)
        return err_set(err, FOOTNOTE_NOMEM, "opening an index");
    rc = read_blocks(fd, &seals, memory, err);
    if (rc != FOOTNOTE_OK) {
        free(memory);
        return rc;
    }
    TRY(segment_adopt_unknown(memory, (size_t)seals.tail.bytes, out, err));
    (*out)->path = strdup(path);
    return FOOTNOTE_OK;
}
