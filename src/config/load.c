/* load.c - the bytes of a file, and of a file that holds a secret. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
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

enum footnote_rc config_load_secret(struct arena *a, const char *path,
                                    struct str *out, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    struct stat st;

    TRY(open_file(path, &fd, err));
    if (fstat(fd, &st) != 0)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: %s", path,
                       strerror(errno));
    if (S_ISREG(st.st_mode) && (st.st_mode & (S_IROTH | S_IWOTH)))
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
