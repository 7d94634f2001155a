/* place_folder.c - backups in a folder.
 *
 *     FOLDER/footnote-backups    says that it is one; its lock is the writer's
 *     FOLDER/new/                files on their way, the next writer clears it
 *
 * A file is written there, fsynced and renamed.  One fsync of the whole file
 * system then makes all new names durable, before the manifest says that they
 * are there.  Names are resolved below FOLDER and never through a link. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backup/place.h"
#include "base/fd.h"

enum { PART_BYTES = 64 * 1024 };
static const char mark_name[] = "footnote-backups";
static const char mark_text[] =
    "Backups of Footnote: footnote restore FOLDER --data NEW\n";

struct folder {
    struct place base;
    int root, mark; /* mark: holds the lock; -1: reading */
};

/* O_NONBLOCK, because opening a pipe in the place of a file would wait. */
static int open_below(const struct folder *f, const char *name, int flags)
{
    struct open_how how = {.flags = (uint64_t)flags | O_CLOEXEC | O_NONBLOCK |
                                    O_NOFOLLOW,
                           .mode = flags & O_CREAT ? 0600 : 0,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};

    return (int)syscall(SYS_openat2, f->root, name, &how, sizeof(how));
}

static void close_dir(DIR **d)
{
    if (*d)
        closedir(*d);
}

/* Calls fn with prefix and name of all that a folder has.  A folder that is
 * missing has nothing. */
static enum footnote_rc walk(const struct folder *f, const char *name,
                             const char *prefix, place_each_fn *fn, void *arg,
                             struct footnote_err *err)
{
    AUTO(close_dir) DIR *dir = NULL;
    int fd = open_below(f, name, O_RDONLY | O_DIRECTORY);
    const struct dirent *e;

    if (fd < 0 && errno == ENOENT)
        return FOOTNOTE_OK;
    if (fd < 0)
        return place_error("reading the backups", errno, err);
    dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return place_error("reading the backups", ENOMEM, err);
    }
    while ((e = readdir(dir))) {
        char whole[PATH_MAX];
        int n = snprintf(whole, sizeof(whole), "%s%s", prefix, e->d_name);

        if (e->d_name[0] != '.' && n > 0 && n < (int)sizeof(whole))
            TRY(fn(arg, str_c(whole), err));
    }
    return FOOTNOTE_OK;
}

/* ---- Writing ------------------------------------------------------------ */

static enum footnote_rc make_parents(const struct folder *f, const char *name,
                                     struct footnote_err *err)
{
    char part[PLACE_PATH_BYTES];

    for (size_t i = 0; i < sizeof(part) - 1 && name[i]; i++) {
        part[i] = name[i];
        part[i + 1] = '\0';
        if (name[i + 1] == '/' && mkdirat(f->root, part, 0700) != 0 &&
            errno != EEXIST)
            return place_error("making a folder of backups", errno, err);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc write_part(int fd, const char *p, size_t n,
                                   struct footnote_err *err)
{
    while (n > 0) {
        ssize_t did = write(fd, p, n);

        if (did < 0 && errno != EINTR)
            return place_error("writing the backup", errno, err);
        if (did > 0) {
            p += did;
            n -= (size_t)did;
        }
    }
    return FOOTNOTE_OK;
}

/* Copies and hashes; DAMAGED when it is not the file that `o` says. */
static enum footnote_rc copy_file(int from, int to, const struct object *o,
                                  struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;
    char part[PART_BYTES];
    struct sha256 digest;
    int64_t at = 0;

    TRY(sha256_open(&h, err));
    sha256_begin(h);
    for (;;) {
        ssize_t n = pread(from, part, PART_BYTES, at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return place_error("reading a file", errno, err);
        if (n == 0)
            break;
        sha256_add(h, (struct str){part, (size_t)n});
        TRY(write_part(to, part, (size_t)n, err));
        at += n;
    }
    sha256_end(h, &digest);
    if (at != o->bytes || !sha256_eq(&digest, &o->digest))
        return err_set(err, FOOTNOTE_DAMAGED,
                       "its bytes are not those that were stored");
    return fsync(to) == 0 ? FOOTNOTE_OK
                          : place_error("writing the backup", errno, err);
}

static enum footnote_rc folder_put(struct place *p, const char *name, int fd,
                                   const struct object *o,
                                   struct footnote_err *err)
{
    const struct folder *f = (struct folder *)p;
    AUTO(fd_closep) int to = -1;
    enum footnote_rc rc;

    TRY(make_parents(f, name, err));
    to = open_below(f, "new/file", O_WRONLY | O_CREAT | O_TRUNC);
    if (to < 0)
        return place_error("writing the backup", errno, err);
    rc = copy_file(fd, to, o, err);
    if (rc == FOOTNOTE_OK && renameat(f->root, "new/file", f->root, name) != 0)
        rc = place_error("writing the backup", errno, err);
    if (rc != FOOTNOTE_OK)
        unlinkat(f->root, "new/file", 0);
    return rc;
}

static enum footnote_rc folder_take(struct place *p, const char *name,
                                    const char *path, const struct object *o,
                                    struct footnote_err *err)
{
    const struct folder *f = (struct folder *)p;
    AUTO(fd_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

    (void)o; /* it was hashed where it is */
    TRY(make_parents(f, name, err));
    if (fd < 0 || fsync(fd) != 0 ||
        renameat(AT_FDCWD, path, f->root, name) != 0)
        return place_error("writing the backup", errno, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc folder_sync(struct place *p, struct footnote_err *err)
{
    return syncfs(((struct folder *)p)->root) == 0
               ? FOOTNOTE_OK
               : place_error("writing the backup", errno, err);
}

static enum footnote_rc folder_remove(struct place *p, const char *name,
                                      struct footnote_err *err)
{
    const struct folder *f = (struct folder *)p;
    char folder[PLACE_PATH_BYTES];
    const char *slash = strrchr(name, '/');

    if (unlinkat(f->root, name, 0) != 0 && errno != ENOENT)
        return place_error("removing an old backup", errno, err);
    snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - name) : 0,
             name);
    (void)unlinkat(f->root, folder, AT_REMOVEDIR); /* when it is empty */
    return FOOTNOTE_OK;
}

static enum footnote_rc folder_finish(struct place *p, struct footnote_err *err)
{
    return folder_sync(p, err);
}

/* ---- Reading ------------------------------------------------------------ */

static enum footnote_rc folder_has(struct place *p, const char *name,
                                   int64_t bytes, bool *out,
                                   struct footnote_err *err)
{
    struct stat st;

    *out = false;
    if (fstatat(((struct folder *)p)->root, name, &st, AT_SYMLINK_NOFOLLOW) ==
        0)
        *out = S_ISREG(st.st_mode) && st.st_size == bytes;
    else if (errno != ENOENT)
        return place_error("reading the backups", errno, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc folder_get(struct place *p, const char *name,
                                   const struct object *want, int *fd,
                                   struct footnote_err *err)
{
    struct stat st;

    (void)want;
    *fd = open_below((struct folder *)p, name, O_RDONLY);
    if (*fd < 0)
        return place_error(name, errno, err);
    if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
        return FOOTNOTE_OK;
    close(*fd);
    *fd = -1;
    return err_set(err, FOOTNOTE_DAMAGED, "%s: is not a file", name);
}

struct each_backup {
    place_each_fn *fn;
    void *arg;
};

static enum footnote_rc if_backup(void *arg, struct str name,
                                  struct footnote_err *err)
{
    const struct each_backup *e = arg;

    return place_is_backup_name(name) ? e->fn(e->arg, name, err) : FOOTNOTE_OK;
}

static enum footnote_rc folder_each_backup(struct place *p, place_each_fn *fn,
                                           void *arg, struct footnote_err *err)
{
    struct each_backup e = {fn, arg};

    return walk((struct folder *)p, ".", "", if_backup, &e, err);
}

static enum footnote_rc folder_each_file(struct place *p, place_each_fn *fn,
                                         void *arg, struct footnote_err *err)
{
    for (unsigned i = 0; i < 256; i++) {
        char name[PLACE_PATH_BYTES], prefix[PLACE_PATH_BYTES];

        snprintf(name, sizeof(name), "objects/%02x", i);
        snprintf(prefix, sizeof(prefix), "objects/%02x/", i);
        TRY(walk((struct folder *)p, name, prefix, fn, arg, err));
    }
    return FOOTNOTE_OK;
}

/* ---- Opening ------------------------------------------------------------ */

static void close_files(const struct folder *f)
{
    fd_closep(&f->mark);
    fd_closep(&f->root);
}

static void folder_close(struct place *p)
{
    close_files((struct folder *)p);
    free(p);
}

static const struct place_driver driver = {.has = folder_has,
                                           .put = folder_put,
                                           .take = folder_take,
                                           .sync = folder_sync,
                                           .get = folder_get,
                                           .remove = folder_remove,
                                           .each_backup = folder_each_backup,
                                           .each_file = folder_each_file,
                                           .finish = folder_finish,
                                           .close = folder_close};

static enum footnote_rc refuse_entry(void *arg, struct str name,
                                     struct footnote_err *err)
{
    (void)arg;
    if (str_eq(name, STR("lost+found")))
        return FOOTNOTE_OK;
    return err_set(err, FOOTNOTE_INVALID,
                   "the folder has other things in it, such as %.*s; backups "
                   "want one of their own",
                   (int)(name.n < 60 ? name.n : 60), name.p);
}

/* A folder that is empty becomes one of backups; others stay as they are. */
static enum footnote_rc take_lock(struct folder *f, struct footnote_err *err)
{
    f->mark = open_below(f, mark_name, O_RDWR);
    if (f->mark < 0 && errno == ENOENT) {
        TRY(walk(f, ".", "", refuse_entry, NULL, err));
        f->mark = open_below(f, mark_name, O_RDWR | O_CREAT);
    }
    if (f->mark < 0)
        return place_error(mark_name, errno, err);
    if (flock(f->mark, LOCK_EX | LOCK_NB) != 0)
        return err_set(err, FOOTNOTE_BUSY,
                       "another backup is being written there");
    if (pwrite(f->mark, mark_text, sizeof(mark_text) - 1, 0) < 0)
        return place_error("writing the backup", errno, err);
    return FOOTNOTE_OK;
}

static enum footnote_rc remove_entry(void *arg, struct str name,
                                     struct footnote_err *err)
{
    (void)err;
    (void)unlinkat(((struct folder *)arg)->root, name.p, 0);
    return FOOTNOTE_OK;
}

static enum footnote_rc prepare_writing(struct folder *f,
                                        struct footnote_err *err)
{
    TRY(take_lock(f, err));
    if (mkdirat(f->root, "new", 0700) != 0 && errno != EEXIST)
        return place_error("making a folder of backups", errno, err);
    return walk(f, "new", "new/", remove_entry, f, err);
}

static enum footnote_rc open_root(struct folder *f, const char *path,
                                  enum place_use use, struct footnote_err *err)
{
    if (use == PLACE_WRITE && mkdir(path, 0700) != 0 && errno != EEXIST)
        return place_error("making the folder of backups", errno, err);
    f->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->root < 0)
        return place_error("the folder of backups", errno, err);
    if (snprintf(f->base.scratch, PATH_MAX, "%s/new", path) >= PATH_MAX)
        return place_error("the folder of backups", ENAMETOOLONG, err);
    return use == PLACE_WRITE ? prepare_writing(f, err) : FOOTNOTE_OK;
}

enum footnote_rc place_open_folder(const char *path, enum place_use use,
                                   struct place **out, struct footnote_err *err)
{
    AUTO(close_files)
    struct folder f = {.base.driver = &driver, .root = -1, .mark = -1};
    struct folder *kept;

    TRY(open_root(&f, path, use, err));
    kept = malloc(sizeof(*kept));
    if (!kept)
        return err_set(err, FOOTNOTE_NOMEM, "opening the backups");
    *kept = f;
    *out = &kept->base;
    f.root = f.mark = -1; /* they are the caller's now */
    return FOOTNOTE_OK;
}
