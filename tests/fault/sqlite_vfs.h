/* sqlite_vfs.h - a layer below SQLite that sees, and may refuse, all that
 * changes a file. */
#ifndef SQLITE_VFS_H
#define SQLITE_VFS_H
#include <sqlite3.h>
#include <stdint.h>

enum vfs_op { VFS_WRITE, VFS_SYNC, VFS_TRUNCATE, VFS_DELETE };

struct vfs_event {
    enum vfs_op op;
    const char *path;
    const void *data; /* of a write */
    int bytes;        /* of a write */
    int64_t offset;   /* of a write; the new size when truncating */
};

/* Returns SQLITE_OK to let it happen, VFS_SKIP to let it seem to happen, or
 * the error that SQLite gets.  Called in any thread, one at a time. */
enum { VFS_SKIP = -1 };
typedef int vfs_hook(void *arg, const struct vfs_event *e);

/* From now on every file that SQLite opens goes through the hook. */
void vfs_install(vfs_hook *hook, void *arg);
/* A hook that makes syncing free, for tests that never lose power. */
int vfs_no_sync(void *arg, const struct vfs_event *e);

#endif
