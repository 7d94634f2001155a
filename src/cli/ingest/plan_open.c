/* plan_open.c - opens the files of a plan.
 *
 * A folder may come from anybody: an archive, a share, a download.  A link in
 * it that leads to a file elsewhere would put that file into a course, for all
 * its members.  openat2() keeps every step inside of the folder, also when
 * somebody changes it meanwhile; comparing real paths first would not. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/fd.h"
#include "cli/ingest/plan.h"

/* With RESOLVE_BENEATH the kernel gives up when something is renamed. */
enum { TRIES = 16 };

int plan_open(struct str root, struct str path, int flags)
{
    /* A pipe in the place of a file must not make us wait. */
    int more = O_CLOEXEC | (flags & O_PATH ? 0 : O_NONBLOCK);
    struct open_how how = {.flags = (uint64_t)(flags | more),
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    AUTO(fd_closep) int folder = -1;
    long fd = -1;

    if (!root.p)
        return open(path.p, flags | more);
    folder = open(root.n ? root.p : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    for (int i = 0; i < TRIES; i++) {
        fd = syscall(SYS_openat2, folder, path.p + root.n + 1, &how,
                     sizeof(how));
        if (fd >= 0 || (errno != EINTR && errno != EAGAIN))
            break;
    }
    return (int)fd;
}

bool plan_stat(struct str root, struct str path, struct stat *out)
{
    AUTO(fd_closep) int fd = plan_open(root, path, O_PATH);

    return fd >= 0 && fstat(fd, out) == 0;
}

struct str plan_base_name(struct str path)
{
    for (size_t i = path.n; i > 0; i--)
        if (path.p[i - 1] == '/')
            return str_skip(path, i);
    return path;
}
