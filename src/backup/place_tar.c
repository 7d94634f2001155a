/* place_tar.c - one backup as a tar.
 *
 *     FILE.tar.new/    what is not finished: the tar itself, and files on
 *                      their way; its lock is the writer's
 *
 * Written from front to end and renamed when it is whole.  Read by unpacking
 * it: into a folder of its own, and only regular files whose names we give. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backup/place.h"
#include "base/fd.h"

enum { PART_BYTES = 256 * 1024 };

struct tar {
    struct place base;
    struct archive *to; /* writing */
    struct place *from; /* reading: the folder that it was unpacked into */
    int lock;
    char path[PATH_MAX]; /* of the tar when it is whole */
    char part[PART_BYTES];
};

static enum footnote_rc archive_error(struct archive *a, const char *what,
                                      struct footnote_err *err)
{
    const char *why = archive_error_string(a);

    if (archive_errno(a) == ENOSPC)
        return place_error(what, ENOSPC, err);
    return err_set(err, FOOTNOTE_DAMAGED, "%s: %.120s", what,
                   why ? why : "it ends early");
}

/* ---- Writing ------------------------------------------------------------ */

static void free_entry(struct archive_entry **e)
{
    archive_entry_free(*e);
}

static enum footnote_rc add(struct tar *t, const char *name, int fd,
                            const struct object *o, struct footnote_err *err)
{
    AUTO(free_entry) struct archive_entry *e = archive_entry_new();

    if (!e)
        return err_set(err, FOOTNOTE_NOMEM, "writing the backup");
    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0600);
    archive_entry_set_size(e, o->bytes);
    if (archive_write_header(t->to, e) != ARCHIVE_OK)
        return archive_error(t->to, "writing the backup", err);
    for (int64_t at = 0; at < o->bytes;) {
        ssize_t n = pread(fd, t->part, PART_BYTES, at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_set(err, FOOTNOTE_BUSY, "%s became shorter", name);
        if (archive_write_data(t->to, t->part, (size_t)n) != n)
            return archive_error(t->to, "writing the backup", err);
        at += n;
    }
    return FOOTNOTE_OK;
}

/* Nothing can be taken back from a tar, so the file is looked at first. */
static enum footnote_rc tar_put(struct place *p, const char *name, int fd,
                                const struct object *o,
                                struct footnote_err *err)
{
    TRY(object_check(fd, o, err));
    return add((struct tar *)p, name, fd, o, err);
}

static enum footnote_rc tar_take(struct place *p, const char *name,
                                 const char *path, const struct object *o,
                                 struct footnote_err *err)
{
    AUTO(fd_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return place_error("writing the backup", errno, err);
    TRY(add((struct tar *)p, name, fd, o, err));
    (void)unlink(path);
    return FOOTNOTE_OK;
}

static enum footnote_rc tar_has(struct place *p, const char *name,
                                int64_t bytes, bool *out,
                                struct footnote_err *err)
{
    (void)p;
    (void)name;
    (void)bytes;
    (void)err;
    *out = false;
    return FOOTNOTE_OK;
}

/* A tar counts when it is renamed. */
static enum footnote_rc tar_sync(struct place *p, struct footnote_err *err)
{
    (void)p;
    (void)err;
    return FOOTNOTE_OK;
}

static enum footnote_rc sync_path(const char *path, int flags,
                                  struct footnote_err *err)
{
    AUTO(fd_closep) int fd = open(path, flags | O_RDONLY | O_CLOEXEC);

    return fd >= 0 && fsync(fd) == 0
               ? FOOTNOTE_OK
               : place_error("writing the backup", errno, err);
}

static enum footnote_rc tar_finish(struct place *p, struct footnote_err *err)
{
    struct tar *t = (struct tar *)p;
    char part[PATH_MAX + 32], folder[PATH_MAX];
    char *slash;

    snprintf(part, sizeof(part), "%s/backup.tar", t->base.scratch);
    if (archive_write_close(t->to) != ARCHIVE_OK)
        return archive_error(t->to, "writing the backup", err);
    TRY(sync_path(part, 0, err));
    if (rename(part, t->path) != 0)
        return place_error("writing the backup", errno, err);
    snprintf(folder, sizeof(folder), "%s", t->path);
    slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    return sync_path(slash ? folder : ".", O_DIRECTORY, err);
}

/* ---- Reading: the folder does it ---------------------------------------- */

static enum footnote_rc tar_get(struct place *p, const char *name,
                                const struct object *want, int *fd,
                                struct footnote_err *err)
{
    struct place *from = ((struct tar *)p)->from;

    if (!from)
        return err_set(err, FOOTNOTE_NOTFOUND, "%s: is missing", name);
    return from->driver->get(from, name, want, fd, err);
}

static enum footnote_rc tar_remove(struct place *p, const char *name,
                                   struct footnote_err *err)
{
    (void)p;
    (void)name;
    (void)err;
    return FOOTNOTE_OK;
}

static enum footnote_rc tar_each_backup(struct place *p, place_each_fn *fn,
                                        void *arg, struct footnote_err *err)
{
    struct place *from = ((struct tar *)p)->from;

    return from ? from->driver->each_backup(from, fn, arg, err) : FOOTNOTE_OK;
}

static enum footnote_rc tar_each_file(struct place *p, place_each_fn *fn,
                                      void *arg, struct footnote_err *err)
{
    struct place *from = ((struct tar *)p)->from;

    return from ? from->driver->each_file(from, fn, arg, err) : FOOTNOTE_OK;
}

static enum footnote_rc unpack_entry(struct tar *t, struct archive *a,
                                     struct archive_entry *e,
                                     struct footnote_err *err)
{
    const char *name = archive_entry_pathname(e);
    char path[PATH_MAX + PLACE_PATH_BYTES];
    AUTO(fd_closep) int fd = -1;
    la_ssize_t n;

    if (!name || !place_is_name(str_c(name)) ||
        archive_entry_filetype(e) != AE_IFREG || archive_entry_hardlink(e))
        return err_set(err, FOOTNOTE_DAMAGED,
                       "the tar holds something that no backup has: %.80s",
                       name ? name : "");
    snprintf(path, sizeof(path), "%s/%s", t->base.scratch, name);
    for (char *c = path + strlen(t->base.scratch) + 1; *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return place_error("unpacking the backup", errno, err);
        *c = '/';
    }
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return place_error("unpacking the backup", errno, err);
    while ((n = archive_read_data(a, t->part, PART_BYTES)) > 0)
        if (write(fd, t->part, (size_t)n) != n)
            return place_error("unpacking the backup", ENOSPC, err);
    return n == 0 ? FOOTNOTE_OK : archive_error(a, "the tar", err);
}

static void free_reader(struct archive **a)
{
    (void)archive_read_free(*a);
}

static enum footnote_rc unpack(struct tar *t, struct footnote_err *err)
{
    AUTO(free_reader) struct archive *a = archive_read_new();
    struct archive_entry *e = NULL;
    int code;

    if (!a || archive_read_support_format_tar(a) != ARCHIVE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "reading the tar");
    if (archive_read_open_filename(a, t->path, PART_BYTES) != ARCHIVE_OK)
        return archive_errno(a) == ENOENT ? place_error(t->path, ENOENT, err)
                                          : archive_error(a, "the tar", err);
    while ((code = archive_read_next_header(a, &e)) == ARCHIVE_OK)
        TRY(unpack_entry(t, a, e, err));
    if (code != ARCHIVE_EOF)
        return archive_error(a, "the tar", err);
    return place_open_folder(t->base.scratch, PLACE_READ, &t->from, err);
}

/* ---- Opening and closing ------------------------------------------------ */

static void tar_close(struct place *p)
{
    struct tar *t = (struct tar *)p;

    if (t->to)
        (void)archive_write_free(t->to);
    place_closep(&t->from);
    if (t->lock >= 0) {
        place_remove_folder(t->base.scratch);
        close(t->lock);
    }
    free(t);
}

static void closep(struct tar **t)
{
    if (*t)
        tar_close(&(*t)->base);
}

static const struct place_driver driver = {.has = tar_has,
                                           .put = tar_put,
                                           .take = tar_take,
                                           .sync = tar_sync,
                                           .get = tar_get,
                                           .remove = tar_remove,
                                           .each_backup = tar_each_backup,
                                           .each_file = tar_each_file,
                                           .finish = tar_finish,
                                           .close = tar_close};

static enum footnote_rc make_scratch(struct tar *t, enum place_use use,
                                     const char *scratch,
                                     struct footnote_err *err)
{
    char *at = t->base.scratch;

    if (use == PLACE_READ) {
        TRY(place_make_folder(scratch, at, err));
    } else {
        if (snprintf(at, PATH_MAX, "%s.new", t->path) >= PATH_MAX)
            return place_error("the tar", ENAMETOOLONG, err);
        if (mkdir(at, 0700) != 0 && errno != EEXIST)
            return place_error("making the tar", errno, err);
    }
    t->lock = open(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (t->lock < 0)
        return place_error("making the tar", errno, err);
    if (flock(t->lock, LOCK_EX | LOCK_NB) == 0)
        return FOOTNOTE_OK;
    close(t->lock);
    t->lock = -1;
    return err_set(err, FOOTNOTE_BUSY, "another backup is being written there");
}

static enum footnote_rc begin_writing(struct tar *t, struct footnote_err *err)
{
    char part[PATH_MAX + 32];
    int fd;

    place_empty_folder(t->base.scratch);
    snprintf(part, sizeof(part), "%s/backup.tar", t->base.scratch);
    fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return place_error("making the tar", errno, err);
    close(fd);
    t->to = archive_write_new();
    if (!t->to || archive_write_set_format_pax_restricted(t->to) != ARCHIVE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "making the tar");
    return archive_write_open_filename(t->to, part) == ARCHIVE_OK
               ? FOOTNOTE_OK
               : archive_error(t->to, "making the tar", err);
}

enum footnote_rc place_open_tar(const char *path, enum place_use use,
                                const char *scratch, struct place **out,
                                struct footnote_err *err)
{
    AUTO(closep) struct tar *t = calloc(1, sizeof(*t));

    if (!t)
        return err_set(err, FOOTNOTE_NOMEM, "opening the tar");
    t->base.driver = &driver;
    t->lock = -1;
    snprintf(t->path, sizeof(t->path), "%s", path);
    TRY(make_scratch(t, use, scratch, err));
    TRY(use == PLACE_READ ? unpack(t, err) : begin_writing(t, err));
    *out = &t->base;
    t = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}
