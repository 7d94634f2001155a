/* segment_file.c - a segment's block: adopted from memory, saved, mapped.
 *
 * A file is written beside its name, synced, renamed, and its folder synced:
 * a name stands for a whole file or for none.  The digest finds what a disk
 * did to it later: a damaged file is removed and made again. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "retrieve/index/format.h"
#include "retrieve/index/segment.h"

/* ---- Life --------------------------------------------------------------- */

struct segment *segment_hold(struct segment *s)
{
    s->refs++;
    return s;
}

static void release(const uint8_t *memory, size_t bytes, bool mapped)
{
    void *p = (void *)(uintptr_t)memory;

    if (mapped)
        munmap(p, bytes);
    else
        free(p);
}

void segment_drop(struct segment *s)
{
    if (!s)
        return;
    assert(s->refs > 0);
    if (--s->refs > 0)
        return;
    release(s->memory, s->bytes, s->mapped);
    free(s->path);
    free(s);
}

/* ---- Sections ----------------------------------------------------------- */

static bool sections_fit(const struct format_head *h, size_t bytes)
{
    const uint64_t *n = h->section_bytes;
    uint64_t passages = h->passages_n;

    for (int i = 0; i < SECTIONS; i++)
        if (h->section_at[i] % 8 || h->section_at[i] > bytes ||
            n[i] > bytes - h->section_at[i])
            return false;

    return n[SECTION_DOCUMENTS] ==
               (h->documents_n + 1ull) * sizeof(struct segment_document) &&
           n[SECTION_POSITIONS] == passages * 4 &&
           n[SECTION_LENGTHS] == passages &&
           n[SECTION_FORWARD_AT] == (passages + 1) * 4 &&
           n[SECTION_TERMS] == h->terms_n * sizeof(struct segment_term) &&
           n[SECTION_LETTERS] == h->terms_n * 4ull && h->slots_n > h->terms_n &&
           n[SECTION_SLOTS] == h->slots_n * 4ull &&
           (h->slots_n & (h->slots_n - 1)) == 0 &&
           n[SECTION_BLOCK_LAST] == n[SECTION_BLOCK_AT] &&
           n[SECTION_BLOCK_LAST] == n[SECTION_BLOCK_MAX] * 4;
}

static void find_sections(struct segment *s, const struct format_head *h)
{
    const uint8_t *m = s->memory;
    const uint64_t *at = h->section_at;

    s->documents = (const void *)(m + at[SECTION_DOCUMENTS]);
    s->positions = (const void *)(m + at[SECTION_POSITIONS]);
    s->lengths = m + at[SECTION_LENGTHS];
    s->forward_at = (const void *)(m + at[SECTION_FORWARD_AT]);
    s->forward = m + at[SECTION_FORWARD];
    s->terms = (const void *)(m + at[SECTION_TERMS]);
    s->letters = (const void *)(m + at[SECTION_LETTERS]);
    s->words = (const char *)m + at[SECTION_WORDS];
    s->slots = (const void *)(m + at[SECTION_SLOTS]);
    s->block_last = (const void *)(m + at[SECTION_BLOCK_LAST]);
    s->block_at = (const void *)(m + at[SECTION_BLOCK_AT]);
    s->block_max = m + at[SECTION_BLOCK_MAX];
    s->postings = m + at[SECTION_POSTINGS];
}

/* The memory is released on failure as well. */
static enum footnote_rc segment_new(const uint8_t *memory, size_t bytes,
                                    bool mapped, struct segment **out,
                                    struct footnote_err *err)
{
    struct segment *s = calloc(1, sizeof(*s));
    struct format_head h;

    *out = NULL;
    assert(bytes >= sizeof(h));
    if (!s) {
        release(memory, bytes, mapped);
        return err_set(err, FOOTNOTE_NOMEM, "opening an index");
    }
    *s = (struct segment){.memory = memory, .bytes = bytes, .mapped = mapped};
    s->refs = 1;
    memcpy(&h, memory, sizeof(h));
    s->passages_n = h.passages_n;
    s->documents_n = h.documents_n;
    s->terms_n = h.terms_n;
    s->slots_n = h.slots_n;
    s->length_sum = h.length_sum;
    s->average = h.average;
    find_sections(s, &h);
    *out = s;
    return FOOTNOTE_OK;
}

enum footnote_rc segment_adopt(uint8_t *memory, size_t bytes,
                               struct segment **out, struct footnote_err *err)
{
    return segment_new(memory, bytes, false, out, err);
}

/* ---- Files -------------------------------------------------------------- */

static enum footnote_rc digest_of(const uint8_t *memory, size_t bytes,
                                  struct sha256 *out, struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct format_head h;

    TRY(sha256_open(&c, err));
    memcpy(&h, memory, sizeof(h));
    memset(&h.digest, 0, sizeof(h.digest));
    sha256_begin(c);
    sha256_add(c, (struct str){(const char *)&h, sizeof(h)});
    sha256_add(
        c, (struct str){(const char *)memory + sizeof(h), bytes - sizeof(h)});
    sha256_end(c, out);
    return FOOTNOTE_OK;
}

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

static bool write_file(const struct segment *s, const struct format_head *h,
                       const char *temporary)
{
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool ok = fd >= 0;

    ok = ok && write_all(fd, h, sizeof(*h)) &&
         write_all(fd, s->memory + sizeof(*h), s->bytes - sizeof(*h)) &&
         fsync(fd) == 0;
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    return ok;
}

static enum footnote_rc save(const struct segment *s, const char *path,
                             struct footnote_err *err)
{
    char temporary[PATH_MAX];
    struct format_head h;
    int n = snprintf(temporary, sizeof(temporary), "%s.new", path);

    if (n < 0 || (size_t)n >= sizeof(temporary))
        return err_set(err, FOOTNOTE_INVALID, "the index's path is too long");
    memcpy(&h, s->memory, sizeof(h));
    TRY(digest_of(s->memory, s->bytes, &h.digest, err));
    if (!write_file(s, &h, temporary) || rename(temporary, path) != 0 ||
        !sync_folder(path)) {
        int why = errno;

        unlink(temporary);
        return err_set(err, FOOTNOTE_BUSY, "cannot save the index %.100s: %s",
                       path, strerror(why));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc segment_save(struct segment *s, const char *path,
                              struct footnote_err *err)
{
    char *copy = strdup(path);
    enum footnote_rc rc;

    if (!copy)
        return err_set(err, FOOTNOTE_NOMEM, "saving an index");
    rc = save(s, path, err);
    if (rc == FOOTNOTE_OK)
        s->path = copy;
    else
        free(copy);
    return rc;
}

static enum footnote_rc map_file(const char *path, const uint8_t **out,
                                 size_t *bytes, struct footnote_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *p = MAP_FAILED;

    if (fd < 0)
        return err_set(err, FOOTNOTE_NOTFOUND, "no index file");
    if (fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof(struct format_head))
        p = mmap(NULL, (size_t)st.st_size, PROT_READ,
                 MAP_PRIVATE | MAP_POPULATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED)
        return err_set(err, FOOTNOTE_DAMAGED, "not an index file");
    *out = p;
    *bytes = (size_t)st.st_size;
    return FOOTNOTE_OK;
}

static enum footnote_rc check_file(const uint8_t *memory, size_t bytes,
                                   struct footnote_err *err)
{
    struct format_head h;
    struct sha256 digest;

    memcpy(&h, memory, sizeof(h));
    if (memcmp(h.magic, FORMAT_MAGIC, sizeof(FORMAT_MAGIC)) != 0 ||
        h.bytes != bytes || !sections_fit(&h, bytes))
        return err_set(err, FOOTNOTE_DAMAGED, "not an index file of ours");
    TRY(digest_of(memory, bytes, &digest, err));
    if (!sha256_eq(&digest, &h.digest))
        return err_set(err, FOOTNOTE_DAMAGED, "the index file is damaged");
    return FOOTNOTE_OK;
}

enum footnote_rc segment_load(const char *path, struct segment **out,
                              struct footnote_err *err)
{
    const uint8_t *memory = NULL;
    size_t bytes = 0;
    enum footnote_rc rc;

    *out = NULL;
    TRY(map_file(path, &memory, &bytes, err));
    rc = check_file(memory, bytes, err);
    if (rc != FOOTNOTE_OK) {
        release(memory, bytes, true);
        return rc;
    }
    TRY(segment_new(memory, bytes, true, out, err));
    (*out)->path = strdup(path);
    return FOOTNOTE_OK;
}
