/* files_aside.c - whose a folder of objects is, and objects that nothing seems
 * to name (docs/adr/0017-files-have-an-owner.md).
 *
 * An object is moved into trash/ and has there the time at which it was moved.
 * Reading still finds it. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/uuid.h"
#include "object/files.h"

static const char owner[] = "owner", trash[] = "trash";

/* ---- The owner ---------------------------------------------------------- */

enum footnote_rc files_owner_read(struct objects *o, struct buf *out,
                                  struct footnote_err *err)
{
    AUTO(fd_closep)
    int fd = files_open_below(((struct files *)o)->root, owner, O_RDONLY);
    char text[OBJECTS_OWNER_BYTES_MAX];
    ssize_t n;

    if (fd < 0)
        return files_error("whose objects they are", errno, err);
    do
        n = read(fd, text, sizeof(text));
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return files_error("whose objects they are", errno, err);
    buf_add(out, (struct str){text, (size_t)n});
    return buf_rc(out, err);
}

/* A link is made only when no other is there, so one of two nodes wins. */
static int publish(const struct files *f, const char *name, bool replace)
{
    int rc = replace ? renameat(f->unfinished, name, f->root, owner)
                     : linkat(f->unfinished, name, f->root, owner, 0);

    return rc != 0 ? rc : fsync(f->root);
}

enum footnote_rc files_owner_write(struct objects *o, struct str id,
                                   bool replace, struct footnote_err *err)
{
    const struct files *f = (struct files *)o;
    AUTO(fd_closep) int fd = -1;
    char name[UUID_BYTES + 1];
    int number = 0;

    uuid_v7(name);
    fd = files_open_below(f->unfinished, name, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        return files_error("naming the owner of objects", errno, err);
    if (write(fd, id.p, id.n) != (ssize_t)id.n || fsync(fd) != 0 ||
        publish(f, name, replace) != 0)
        number = errno;
    unlinkat(f->unfinished, name, 0);
    if (number == EEXIST)
        return err_set(err, FOOTNOTE_CONFLICT, "objects: they have an owner");
    return number ? files_error("naming the owner of objects", number, err)
                  : FOOTNOTE_OK;
}

/* ---- Set aside ---------------------------------------------------------- */

static enum footnote_rc open_trash(const struct files *f, int *out,
                                   struct footnote_err *err)
{
    if (mkdirat(f->root, trash, 0700) != 0 && errno != EEXIST)
        return files_error("setting an object aside", errno, err);
    *out = files_open_below(f->root, trash, O_RDONLY | O_DIRECTORY);
    return *out >= 0 ? FOOTNOTE_OK
                     : files_error("setting an object aside", errno, err);
}

/* Its time is set first: a kill in between leaves a young object in place. */
enum footnote_rc files_set_aside(struct objects *o, const char *key,
                                 struct footnote_err *err)
{
    const struct files *f = (struct files *)o;
    AUTO(fd_closep) int shard = -1;
    AUTO(fd_closep) int folder = -1;

    TRY(open_trash(f, &folder, err));
    TRY(files_open_shard(f, key, &shard, err));
    if (utimensat(shard, key, NULL, AT_SYMLINK_NOFOLLOW) != 0 ||
        renameat(shard, key, folder, key) != 0)
        return errno == ENOENT
                   ? FOOTNOTE_OK /* another node was faster */
                   : files_error("setting an object aside", errno, err);
    return fsync(folder) == 0 && fsync(shard) == 0 && fsync(f->root) == 0
               ? FOOTNOTE_OK
               : files_error("setting an object aside", errno, err);
}

enum footnote_rc files_put_back(struct objects *o, const char *key,
                                struct footnote_err *err)
{
    const struct files *f = (struct files *)o;
    AUTO(fd_closep) int shard = -1;
    AUTO(fd_closep) int folder = -1;

    TRY(open_trash(f, &folder, err));
    TRY(files_open_shard(f, key, &shard, err));
    if (renameat(folder, key, shard, key) != 0)
        return errno == ENOENT
                   ? FOOTNOTE_OK
                   : files_error("putting an object back", errno, err);
    return fsync(shard) == 0 && fsync(folder) == 0
               ? FOOTNOTE_OK
               : files_error("putting an object back", errno, err);
}

enum footnote_rc files_each_aside(struct objects *o, object_each_fn *fn,
                                  void *arg, struct footnote_err *err)
{
    struct files_each e = {fn, arg};

    return files_walk((struct files *)o, trash, files_each_one, &e, err);
}

enum footnote_rc files_purge(struct objects *o, const char *key,
                             struct footnote_err *err)
{
    AUTO(fd_closep) int folder = -1;

    TRY(open_trash((struct files *)o, &folder, err));
    if (unlinkat(folder, key, 0) != 0 && errno != ENOENT)
        return files_error("removing an object", errno, err);
    return FOOTNOTE_OK; /* one that a power cut brings back is purged again */
}

int files_open_aside(const struct files *f, const char *key)
{
    char path[sizeof(trash) + 1 + OBJECT_KEY_BYTES];

    snprintf(path, sizeof(path), "%s/%s", trash, key);
    return files_open_below(f->root, path, O_RDONLY);
}
