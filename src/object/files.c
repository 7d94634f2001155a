/* files.c - objects as files of a folder.
 *
 *     FOLDER/3f/3f90...c1     an object: its folder is its first two digits
 *     FOLDER/new/3f90...c1    one that is being written
 *     FOLDER/secret           32 bytes that links are signed with
 *     FOLDER/owner            the store that they belong to
 *     FOLDER/trash/3f90...c1  an object that was set aside
 *
 * A file is written, fsynced and renamed, then its folder is fsynced: without
 * the last step a power cut can lose a file that was acknowledged.  openat2()
 * resolves names below FOLDER and never through a link, so that a person who
 * can write there cannot make us read another file.
 *
 * Files that a killed process left in new/ are removed a day later: another
 * node may be writing there now. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "object/files.h"
#include "object/link.h"

enum {
    SHARD_BYTES = FILES_SHARD_BYTES,
    PATH_BYTES = FILES_PATH_BYTES,
    SHARDS = 256,
    STALE_MS = 24 * 3600 * 1000
};
static const char unfinished[] = "new";

struct files_put {
    struct object_put base;
    int fd;
    bool finished;
};

/* ---- Errors ------------------------------------------------------------- */

enum footnote_rc files_error(const char *what, int number,
                             struct footnote_err *err)
{
    switch (number) {
    case ENOENT: return err_set(err, FOOTNOTE_NOTFOUND, "object: is not there");
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
        return err_set(err, FOOTNOTE_BUSY, "%s: %s", what, strerror(number));
    case EROFS:
        return err_set(err, FOOTNOTE_READONLY, "%s: %s", what,
                       strerror(number));
    case ENOMEM: return err_set(err, FOOTNOTE_NOMEM, "%s", what);
    case ELOOP:
    case ENOTDIR:
    case EXDEV:
    case EIO:
        return err_set(err, FOOTNOTE_DAMAGED, "%s: %s", what, strerror(number));
    default:
        return err_set(err, FOOTNOTE_INTERNAL, "%s: %s", what,
                       strerror(number));
    }
}

/* ---- Names -------------------------------------------------------------- */

/* O_NONBLOCK, because opening a pipe in the place of a file would wait forever.
 */
int files_open_below(int folder, const char *path, int flags)
{
    struct open_how how = {.flags = (uint64_t)flags | O_CLOEXEC | O_NONBLOCK |
                                    O_NOFOLLOW,
                           .mode = flags & O_CREAT ? 0600 : 0,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    long fd;

    do
        fd = syscall(SYS_openat2, folder, path, &how, sizeof(how));
    while (fd < 0 && errno == EINTR);
    return (int)fd;
}

/* Opens the folder of a key, and makes it when it is missing; the new name is
 * durable before anything goes into the folder. */
enum footnote_rc files_open_shard(const struct files *f, const char *key,
                                  int *out, struct footnote_err *err)
{
    char name[SHARD_BYTES + 1] = {key[0], key[1], '\0'};

    *out = files_open_below(f->root, name, O_RDONLY | O_DIRECTORY);
    if (*out >= 0)
        return FOOTNOTE_OK;
    if (errno != ENOENT)
        return files_error("opening a folder of objects", errno, err);
    if (mkdirat(f->root, name, 0700) != 0 && errno != EEXIST)
        return files_error("making a folder of objects", errno, err);
    if (fsync(f->root) != 0)
        return files_error("making a folder of objects", errno, err);
    *out = files_open_below(f->root, name, O_RDONLY | O_DIRECTORY);
    return *out >= 0 ? FOOTNOTE_OK
                     : files_error("opening a folder of objects", errno, err);
}

/* ---- Walking ------------------------------------------------------------ */

static void close_dir(DIR **d)
{
    if (*d)
        closedir(*d);
}

enum footnote_rc files_walk(const struct files *f, const char *name,
                            files_fn *fn, void *arg, struct footnote_err *err)
{
    AUTO(close_dir) DIR *dir = NULL;
    int fd = files_open_below(f->root, name, O_RDONLY | O_DIRECTORY);
    const struct dirent *e;

    if (fd < 0 && errno == ENOENT)
        return FOOTNOTE_OK;
    dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        enum footnote_rc rc =
            files_error("reading a folder of objects", errno, err);
        fd_closep(&fd);
        return rc;
    }
    while ((e = readdir(dir))) {
        struct stat st;

        if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        TRY(fn(arg, fd, e->d_name,
               (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000,
               err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc files_each_one(void *arg, int folder, const char *name,
                                int64_t changed_ms, struct footnote_err *err)
{
    const struct files_each *e = arg;

    (void)folder;
    if (strlen(name) != OBJECT_KEY_BYTES)
        return FOOTNOTE_OK; /* not ours */
    return e->fn(e->arg, str_c(name), changed_ms, err);
}

static enum footnote_rc files_each(struct objects *o, object_each_fn *fn,
                                   void *arg, struct footnote_err *err)
{
    struct files_each e = {fn, arg};

    for (int i = 0; i < SHARDS; i++) {
        char name[SHARD_BYTES + 1];

        snprintf(name, sizeof(name), "%02x", (unsigned)i);
        TRY(files_walk((struct files *)o, name, files_each_one, &e, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc remove_stale(void *arg, int folder, const char *name,
                                     int64_t changed_ms,
                                     struct footnote_err *err)
{
    (void)arg;
    (void)err;
    if (clock_wall_ms() - changed_ms > STALE_MS)
        unlinkat(folder, name, 0); /* the next start tries again */
    return FOOTNOTE_OK;
}

/* ---- The folder --------------------------------------------------------- */

static void close_folders(const struct files *f)
{
    fd_closep(&f->unfinished);
    fd_closep(&f->root);
}

static void files_close(struct objects *o)
{
    close_folders((struct files *)o);
    free(o);
}

static enum footnote_rc open_folder(struct files *f, const char *path,
                                    struct footnote_err *err)
{
    const char *what = "opening the folder of objects";

    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return err_set(err, FOOTNOTE_INVALID, "objects: %.120s: %s", path,
                       strerror(errno));
    f->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->root < 0)
        return err_set(err, FOOTNOTE_INVALID, "objects: %.120s: %s", path,
                       strerror(errno));
    if (mkdirat(f->root, unfinished, 0700) != 0 && errno != EEXIST)
        return files_error(what, errno, err);
    f->unfinished =
        files_open_below(f->root, unfinished, O_RDONLY | O_DIRECTORY);
    if (f->unfinished < 0 && (errno == ENOSYS || errno == EPERM))
        return err_set(err, FOOTNOTE_INVALID,
                       "objects: openat2 is missing: Linux 5.6 or newer is "
                       "needed, and a container that allows it");
    return f->unfinished >= 0 ? FOOTNOTE_OK : files_error(what, errno, err);
}

/* The name of FOLDER must survive a power cut as well. */
static enum footnote_rc sync_parent(const struct files *f,
                                    struct footnote_err *err)
{
    AUTO(fd_closep)
    int parent = openat(f->root, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fsync(f->root) != 0 || (parent >= 0 && fsync(parent) != 0))
        return files_error("syncing the folder of objects", errno, err);
    return FOOTNOTE_OK; /* a parent that we may not open is not ours to sync */
}

static enum footnote_rc files_open(const struct objects_place *p,
                                   struct objects **out,
                                   struct footnote_err *err)
{
    AUTO(close_folders) struct files f = {.root = -1, .unfinished = -1};
    struct files *kept;
    struct str place = str_skip(p->url, strlen("files:"));
    char path[PATH_MAX];

    if (place.n == 0 || place.n >= sizeof(path) || memchr(place.p, 0, place.n))
        return err_set(err, FOOTNOTE_INVALID,
                       "objects: files: takes the path of a folder");
    memcpy(path, place.p, place.n);
    path[place.n] = '\0';
    TRY(open_folder(&f, path, err));
    TRY(sync_parent(&f, err));
    TRY(files_walk(&f, unfinished, remove_stale, NULL, err));
    TRY(link_secret(f.root, &f.secret, err));
    kept = malloc(sizeof(*kept));
    if (!kept)
        return err_set(err, FOOTNOTE_NOMEM, "opening objects");
    *kept = f;
    *out = &kept->base;
    f.root = f.unfinished = -1; /* they are the caller's now */
    return FOOTNOTE_OK;
}

/* ---- Writing ------------------------------------------------------------ */

static enum footnote_rc files_begin(struct objects *o, const char *key,
                                    struct object_put **out,
                                    struct footnote_err *err)
{
    const struct files *f = (struct files *)o;
    struct files_put *p = calloc(1, sizeof(*p));

    if (!p)
        return err_set(err, FOOTNOTE_NOMEM, "storing a file");
    p->fd = files_open_below(f->unfinished, key, O_WRONLY | O_CREAT | O_EXCL);
    if (p->fd < 0) {
        int number = errno;
        free(p);
        return files_error("storing a file", number, err);
    }
    *out = &p->base;
    return FOOTNOTE_OK;
}

static enum footnote_rc files_write(struct object_put *put, struct str bytes,
                                    struct footnote_err *err)
{
    const struct files_put *p = (struct files_put *)put;

    while (bytes.n > 0) {
        ssize_t n = write(p->fd, bytes.p, bytes.n);

        if (n < 0 && errno != EINTR)
            return files_error("storing a file", errno, err);
        if (n > 0)
            bytes = str_skip(bytes, (size_t)n);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc files_finish(struct object_put *put,
                                     const struct object *object,
                                     struct footnote_err *err)
{
    struct files_put *p = (struct files_put *)put;
    const struct files *f = (struct files *)put->objects;
    AUTO(fd_closep) int shard = -1;

    assert(!p->finished && strcmp(object->key, put->object.key) == 0);
    if (fsync(p->fd) != 0)
        return files_error("storing a file", errno, err);
    TRY(files_open_shard(f, object->key, &shard, err));
    if (renameat(f->unfinished, object->key, shard, object->key) != 0)
        return files_error("storing a file", errno, err);
    if (fsync(shard) != 0) {
        int number = errno;
        unlinkat(shard, object->key, 0);
        return files_error("storing a file", number, err);
    }
    p->finished = true;
    return FOOTNOTE_OK;
}

static void files_end(struct object_put *put)
{
    struct files_put *p = (struct files_put *)put;
    const struct files *f = (struct files *)put->objects;

    close(p->fd);
    if (!p->finished)
        unlinkat(f->unfinished, put->object.key, 0);
    free(p);
}

/* ---- Reading and removing ----------------------------------------------- */

static enum footnote_rc open_object(struct objects *o, const char *key, int *fd,
                                    struct footnote_err *err)
{
    char path[PATH_BYTES];

    snprintf(path, PATH_BYTES, "%.*s/%s", SHARD_BYTES, key, key);
    *fd = files_open_below(((struct files *)o)->root, path, O_RDONLY);
    if (*fd < 0 && errno == ENOENT)
        *fd = files_open_aside((struct files *)o, key);
    return *fd >= 0 ? FOOTNOTE_OK
                    : files_error("opening an object", errno, err);
}

static enum footnote_rc files_get(struct objects *o, const struct object *want,
                                  int *fd, struct footnote_err *err)
{
    return open_object(o, want->key, fd, err);
}

static enum footnote_rc files_window(struct objects *o,
                                     const struct object *want, int64_t from,
                                     int64_t n, struct object_window *out,
                                     struct footnote_err *err)
{
    (void)from;
    (void)n;
    TRY(open_object(o, want->key, &out->fd, err));
    out->from = 0;
    out->bytes = want->bytes;
    return FOOTNOTE_OK;
}

static enum footnote_rc files_head(struct objects *o, const char *key,
                                   int64_t *bytes, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    struct stat st;

    TRY(open_object(o, key, &fd, err));
    if (fstat(fd, &st) != 0)
        return files_error("opening an object", errno, err);
    *bytes = st.st_size;
    return FOOTNOTE_OK;
}

static enum footnote_rc files_remove(struct objects *o, const char *key,
                                     struct footnote_err *err)
{
    char name[SHARD_BYTES + 1] = {key[0], key[1], '\0'};
    AUTO(fd_closep)
    int shard = files_open_below(((struct files *)o)->root, name,
                                 O_RDONLY | O_DIRECTORY);

    if (shard < 0)
        return errno == ENOENT ? FOOTNOTE_OK
                               : files_error("removing an object", errno, err);
    if (unlinkat(shard, key, 0) != 0)
        return errno == ENOENT ? FOOTNOTE_OK
                               : files_error("removing an object", errno, err);
    return fsync(shard) == 0 ? FOOTNOTE_OK
                             : files_error("removing an object", errno, err);
}

/* ---- Links -------------------------------------------------------------- */

static struct str files_origin(const struct objects *o)
{
    (void)o;
    return STR_NONE;
}

static enum footnote_rc files_link(struct objects *o, const char *key,
                                   struct str type,
                                   const struct link_lifetime *until,
                                   struct arena *a, struct str *out,
                                   struct footnote_err *err)
{
    (void)type; /* our own server knows it */
    return link_make(&((struct files *)o)->secret, key, until, a, out, err);
}

static enum footnote_rc files_link_check(struct objects *o, const char *key,
                                         const struct object_claim *claim,
                                         struct footnote_err *err)
{
    return link_check(&((struct files *)o)->secret, key, claim, err);
}

/* No other program puts objects into the folder. */
static enum footnote_rc files_external(struct objects *o, struct str key,
                                       const struct link_lifetime *until,
                                       struct arena *a, struct str *out,
                                       struct footnote_err *err)
{
    (void)o;
    (void)key;
    (void)until;
    (void)a;
    (void)err;
    *out = STR_NONE;
    return FOOTNOTE_OK;
}

static enum footnote_rc files_external_read(struct objects *o, struct str key,
                                            struct buf *out,
                                            struct footnote_err *err)
{
    (void)o;
    (void)key;
    (void)out;
    return err_set(err, FOOTNOTE_NOTFOUND, "object: is not there");
}

const struct objects_driver objects_files = {.scheme = "files:",
                                             .open = files_open,
                                             .close = files_close,
                                             .begin = files_begin,
                                             .write = files_write,
                                             .finish = files_finish,
                                             .end = files_end,
                                             .get = files_get,
                                             .window = files_window,
                                             .head = files_head,
                                             .remove = files_remove,
                                             .each = files_each,
                                             .owner_read = files_owner_read,
                                             .owner_write = files_owner_write,
                                             .set_aside = files_set_aside,
                                             .put_back = files_put_back,
                                             .each_aside = files_each_aside,
                                             .purge = files_purge,
                                             .origin = files_origin,
                                             .link = files_link,
                                             .link_check = files_link_check,
                                             .external = files_external,
                                             .external_read =
                                                 files_external_read};
