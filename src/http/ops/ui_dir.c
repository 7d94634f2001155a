/* ui_dir.c - the same pages out of a folder, for people who change them.
 *
 * Files are read for every request and never kept by browsers, so the last
 * build is seen.  In a worker's thread, because disks may be slow. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "config/config.h"
#include "http/call/services.h"
#include "http/ops/ui.h"

/* Names as Vite makes them, and no path to another folder. */
static bool is_asset_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!letter && !(c >= '0' && c <= '9') && !strchr("._-", c))
            return false;
    }
    return s.n > 0 && s.p[0] != '.';
}

/* All of a regular file, in the arena; absent when it cannot be had. */
static struct str read_whole(struct arena *a, const char *path)
{
    AUTO(fd_closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat st;
    size_t n = 0, want;
    char *bytes;

    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
        st.st_size > UI_FILE_BYTES_MAX)
        return STR_NONE;
    want = (size_t)st.st_size;
    bytes = arena_alloc(a, want + 1);
    while (bytes && n < want) {
        ssize_t got = read(fd, bytes + n, want - n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return STR_NONE; /* it was cut while it was read */
        n += (size_t)got;
    }
    return (struct str){bytes, n};
}

static void send_from_folder(struct request *r, const char *folder,
                             struct str name)
{
    struct str dir = services(r)->config->ui_dir;
    struct str path = arena_printf(&r->arena, "%.*s/%s%.*s", STR_ARG(dir),
                                   folder, STR_ARG(name));
    struct str body = path.p ? read_whole(&r->arena, path.p) : STR_NONE;

    if (!body.p) {
        ui_missing(r);
        return;
    }
    if (!*folder)
        ui_page_headers(r);
    r->reply.no_store = *folder != '\0';
    reply_text(r, 200, ui_type(name), body);
}

void ui_dir_page(struct request *r)
{
    send_from_folder(r, "", STR("index.html"));
}

void ui_dir_asset(struct request *r)
{
    if (is_asset_name(r->params[0]))
        send_from_folder(r, "assets/", r->params[0]);
    else
        ui_missing(r);
}
