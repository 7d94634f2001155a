/* lock.c - one server per data folder.
 *
 * The kernel drops the lock when the process ends, even when it is killed.  The
 * file stays, so that two processes never lock two files of one name.  It holds
 * the server's address while a server runs, and keeps some blocks of the disk
 * while none does: a start needs them for SQLite's log and its shared memory,
 * so that a disk which others filled meanwhile can still be read. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    ADDRESS_BYTES_MAX = 100,
    TRIES = 50,
    TRY_AGAIN_MS = 20,
    KEPT_BYTES = 128 * 1024
};

/* Blocks beyond the end, where no reader sees them.  Not every file system can,
 * and a full one does not. */
static void keep_room(int fd)
{
    (void)fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, KEPT_BYTES);
}

/* A file that keeps its size may keep its blocks, so it grows first.  What a
 * killed server left in it stays: the block is there to be written again. */
static void give_room(int fd)
{
    struct stat st;

    if (fstat(fd, &st) == 0 && ftruncate(fd, KEPT_BYTES) == 0)
        (void)!ftruncate(fd, st.st_size);
}

/* The length of the address in the lock file; 0: there is none. */
static int read_address(int fd, char address[ADDRESS_BYTES_MAX])
{
    ssize_t n = pread(fd, address, ADDRESS_BYTES_MAX, 0);

    while (n > 0 && address[n - 1] == '\n')
        n--;
    return n > 0 ? (int)n : 0;
}

static enum footnote_rc lock_path(const struct config *c, char path[PATH_MAX],
                                  struct footnote_err *err)
{
    int n = snprintf(path, PATH_MAX, "%s/footnote.lock", c->data.p);

    if (n < 0 || n >= PATH_MAX)
        return err_set(err, FOOTNOTE_INVALID, "data: the path is too long");
    return FOOTNOTE_OK;
}

/* A shared lock is enough to see whether a server has the exclusive one, and
 * two processes can take it at the same moment. */
enum footnote_rc lock_read_address(const struct config *c, struct arena *a,
                                   struct str *url, struct footnote_err *err)
{
    char path[PATH_MAX], address[ADDRESS_BYTES_MAX];
    int fd, n = 0;

    *url = STR_NONE;
    TRY(lock_path(c, path, err));
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return FOOTNOTE_OK;
    if (flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        n = read_address(fd, address);
    close(fd);
    if (n > 0)
        *url = arena_str(a, (struct str){address, (size_t)n});
    return arena_rc(a, err);
}

/* A child of a server that was killed holds the lock until it executes its own
 * program, or ends: some milliseconds. */
static bool lock_patiently(int fd)
{
    const struct timespec pause = {.tv_nsec = TRY_AGAIN_MS * 1000000L};

    for (int i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK)
            return false;
        (void)nanosleep(&pause, NULL);
    }
    errno = EWOULDBLOCK;
    return false;
}

static enum footnote_rc refuse_second(const struct config *c, int fd,
                                      struct footnote_err *err)
{
    char address[ADDRESS_BYTES_MAX];
    int n = read_address(fd, address);

    return err_set(err, FOOTNOTE_BUSY,
                   "data: %.80s is in use by another server%s%.*s", c->data.p,
                   n ? ", " : "", n, address);
}

enum footnote_rc lock_take(const struct config *c, int *fd,
                           struct footnote_err *err)
{
    char path[PATH_MAX];
    enum footnote_rc rc;

    TRY(lock_path(c, path, err));
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd < 0)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: %s", path,
                       strerror(errno));
    if (lock_patiently(*fd)) {
        give_room(*fd);
        return FOOTNOTE_OK;
    }
    rc = errno == EWOULDBLOCK ? refuse_second(c, *fd, err)
                              : err_set(err, FOOTNOTE_INTERNAL, "%.120s: %s",
                                        path, strerror(errno));
    close(*fd);
    *fd = -1; /* it is the other's, and so is what it holds */
    return rc;
}

enum footnote_rc lock_write_address(int fd, struct str url,
                                    struct footnote_err *err)
{
    assert(fd >= 0 && url.n);
    if (pwrite(fd, url.p, url.n, 0) != (ssize_t)url.n ||
        ftruncate(fd, (off_t)url.n) != 0)
        return err_set(err, FOOTNOTE_BUSY, "writing the lock file: %s",
                       strerror(errno));
    return FOOTNOTE_OK;
}

void lock_release(const int *fd)
{
    if (*fd < 0)
        return;
    (void)!ftruncate(*fd, 0); /* the address is no longer ours */
    keep_room(*fd);
    close(*fd);
}
