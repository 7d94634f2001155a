/* place.c - which place it is; names in it; errors of the system. */
#include "backup/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"

bool place_is_tar(struct str url)
{
    const struct str end = STR(".tar");

    return url.n > end.n && str_eq(str_skip(url, url.n - end.n), end);
}

enum footnote_rc place_open(const struct place_where *w, enum place_use use,
                            struct place **out, struct footnote_err *err)
{
    struct str where = w->url;
    char path[PATH_MAX];

    *out = NULL;
    if (str_starts(where, STR("s3:")))
        return place_open_bucket(w, out, err);
    if (where.n == 0 || where.n >= sizeof(path) || memchr(where.p, 0, where.n))
        return err_set(err, FOOTNOTE_INVALID,
                       "a backup lies in a folder, in FILE.tar or in "
                       "s3://BUCKET[/PREFIX]");
    memcpy(path, where.p, where.n);
    path[where.n] = '\0';
    if (place_is_tar(where))
        return place_open_tar(path, use, w->scratch, out, err);
    return place_open_folder(path, use, out, err);
}

void place_close(struct place *p)
{
    p->driver->close(p);
}

/* ---- Folders for what is on its way -------------------------------------- */

enum { DEPTH = 3 }; /* of folders of ours, below the first */

static void remove_below(int folder, const char *name, int depth)
{
    int fd =
        openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *e;

    if (!dir) {
        fd_closep(&fd);
        return;
    }
    while ((e = readdir(dir))) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (unlinkat(fd, e->d_name, 0) == 0 || depth == 0)
            continue;
        remove_below(fd, e->d_name, depth - 1);
        (void)unlinkat(fd, e->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

void place_empty_folder(const char *path)
{
    remove_below(AT_FDCWD, path, DEPTH);
}

void place_remove_folder(const char *path)
{
    place_empty_folder(path);
    (void)rmdir(path);
}

enum footnote_rc place_make_folder(const char *scratch, char out[PATH_MAX],
                                   struct footnote_err *err)
{
    if (snprintf(out, PATH_MAX, "%s/backup-XXXXXX", scratch) >= PATH_MAX ||
        !mkdtemp(out))
        return place_error("making a folder", errno, err);
    return FOOTNOTE_OK;
}

/* ---- Names -------------------------------------------------------------- */

bool place_is_backup_name(struct str name)
{
    static const char form[] = "0000-00-00T00-00-00.000";

    static_assert(sizeof(form) - 1 == PLACE_NAME_BYTES, "the form of a name");
    if (name.n != PLACE_NAME_BYTES)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (form[i] == '0' ? name.p[i] < '0' || name.p[i] > '9'
                           : name.p[i] != form[i])
            return false;
    return true;
}

void place_file_name(const struct sha256 *digest, char out[PLACE_PATH_BYTES])
{
    char hex[SHA256_HEX + 1];

    sha256_hex(digest, hex);
    snprintf(out, PLACE_PATH_BYTES, "objects/%.2s/%s", hex, hex + 2);
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool place_file_digest(struct str name, struct sha256 *out)
{
    const size_t folder = STR("objects/").n;
    size_t n = 0;

    if (!str_starts(name, STR("objects/")) ||
        name.n != folder + SHA256_HEX + 1 || name.p[folder + 2] != '/')
        return false;
    for (size_t i = folder; i < name.n; i++) {
        int digit = digit_of(name.p[i]);

        if (i == folder + 2)
            continue;
        if (digit < 0)
            return false;
        out->b[n / 2] = (uint8_t)(n % 2 ? out->b[n / 2] | digit : digit << 4);
        n++;
    }
    return n == SHA256_HEX;
}

bool place_is_name(struct str name)
{
    struct sha256 digest;
    struct str backup = {name.p, str_find(name, '/')};
    struct str file = str_skip(name, backup.n);

    if (place_file_digest(name, &digest))
        return true;
    return place_is_backup_name(backup) &&
           (str_eq(file, STR("/footnote.db")) ||
            str_eq(file, STR("/files.txt")) ||
            str_eq(file, STR("/manifest.json")));
}

/* ---- Errors ------------------------------------------------------------- */

enum footnote_rc place_explain(const char *what, int number,
                               struct footnote_err *err)
{
    switch (number) {
    case ENOENT: return err_set(err, FOOTNOTE_NOTFOUND, "%s: is missing", what);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
        return err_set(err, FOOTNOTE_BUSY, "%s: %s", what, strerror(number));
    case ELOOP:
    case ENOTDIR:
    case EXDEV:
    case EIO:
        return err_set(err, FOOTNOTE_DAMAGED, "%s: %s", what, strerror(number));
    case ENOMEM: return err_set(err, FOOTNOTE_NOMEM, "%s", what);
    default:
        return err_set(err, FOOTNOTE_INVALID, "%s: %s", what, strerror(number));
    }
}
