/* load.c - the bytes of a file, and of a file that holds a secret. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/fd.h"
#include "config/table.h"

enum { SECRET_BYTES_MAX = 16 * 1024 };

static enum footnote_rc open_file(const char *path, int *fd,
                                  struct footnote_err *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: %s", path,
                       strerror(errno));
    return FOOTNOTE_OK;
}

/* Reads to the end; the length of a pipe is not known before. */
static enum footnote_rc read_all(struct arena *a, int fd, const char *path,
                                 size_t bytes_max, struct str *out,
                                 struct footnote_err *err)
{
    char *to = arena_alloc(a, bytes_max + 2);
    size_t n = 0;
    ssize_t got;

    if (!to)
        return arena_rc(a, err);
    do {
        got = read(fd, to + n, bytes_max + 1 - n);
        n += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got < 0)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: %s", path,
                       strerror(errno));
    if (n > bytes_max)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: over %zu bytes", path,
                       bytes_max);
    *out = (struct str){to, n};
    return FOOTNOTE_OK;
}

enum footnote_rc config_load(struct arena *a, const char *path,
                             size_t bytes_max, struct str *out,
                             struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;

    TRY(open_file(path, &fd, err));
    return read_all(a, fd, path, bytes_max, out, err);
}

static bool is_device_of(const char *folder, dev_t device)
{
    struct stat st;

    return stat(folder, &st) == 0 && st.st_dev == device;
}

/* Containers get secrets that everybody in them may read: 0444 below
 * /run/secrets, or a read-only file system in memory that has nothing else.  A
 * hardened service sees /run and /tmp of its machine read-only, too, so these
 * do not count. */
static bool is_mounted_for_us(int fd, const struct stat *st)
{
    char name[64], path[PATH_MAX];
    struct statfs fs;
    ssize_t n;

    if (st->st_mode & (S_IWGRP | S_IWOTH) || fstatfs(fd, &fs) != 0)
        return false;
    if (fs.f_type == TMPFS_MAGIC && (fs.f_flags & ST_RDONLY) &&
        !is_device_of("/", st->st_dev) && !is_device_of("/run", st->st_dev) &&
        !is_device_of("/tmp", st->st_dev) &&
        !is_device_of("/dev/shm", st->st_dev))
        return true;
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    n = readlink(name, path, sizeof(path) - 1);
    return n > 0 &&
           str_starts((struct str){path, (size_t)n}, STR("/run/secrets/"));
}

enum footnote_rc config_load_secret(struct arena *a, const char *path,
                                    struct str *out, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    struct stat st;

    TRY(open_file(path, &fd, err));
    if (fstat(fd, &st) != 0)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: %s", path,
                       strerror(errno));
    if (S_ISREG(st.st_mode) && (st.st_mode & (S_IROTH | S_IWOTH)) &&
        !is_mounted_for_us(fd, &st))
        return err_set(err, FOOTNOTE_INVALID,
                       "%.120s: everybody can read or write it; chmod 600 it",
                       path);
    TRY(read_all(a, fd, path, SECRET_BYTES_MAX, out, err));
    while (out->n && (out->p[out->n - 1] == '\n' || out->p[out->n - 1] == '\r'))
        out->n--;
    if (out->n == 0)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: it is empty", path);
    return FOOTNOTE_OK;
}
