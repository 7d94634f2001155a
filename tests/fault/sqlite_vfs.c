/* sqlite_vfs.c - a layer below SQLite: every call goes to the real file, and
 * those that change one are shown to the hook first. */
#include "sqlite_vfs.h"
#include "test.h"
#include <pthread.h>

struct file {
    sqlite3_file base;
    const char *path;   /* SQLite keeps it as long as the file is open */
    sqlite3_file *real; /* lies behind this struct */
};

static sqlite3_vfs *under;
static vfs_hook *hook;
static void *hook_arg;
static pthread_mutex_t hook_lock = PTHREAD_MUTEX_INITIALIZER;

static int ask(const struct vfs_event *e)
{
    pthread_mutex_lock(&hook_lock);
    int code = hook(hook_arg, e);
    pthread_mutex_unlock(&hook_lock);
    return code;
}

int vfs_no_sync(void *arg, const struct vfs_event *e)
{
    (void)arg;
    return e->op == VFS_SYNC ? VFS_SKIP : SQLITE_OK;
}

/* --- files ---------------------------------------------------------------- */

static sqlite3_file *real(sqlite3_file *f)
{
    return ((struct file *)f)->real;
}

/* What is left to do: SQLITE_OK, nothing; SQLITE_ROW, the real call; else the
 * error.  A temporary file has no path and is nobody's concern. */
static int see(sqlite3_file *f, struct vfs_event e)
{
    e.path = ((struct file *)f)->path;
    int code = e.path ? ask(&e) : SQLITE_OK;
    return code == SQLITE_OK ? SQLITE_ROW : code == VFS_SKIP ? SQLITE_OK : code;
}

static int do_close(sqlite3_file *f)
{
    return real(f)->pMethods->xClose(real(f));
}

static int do_read(sqlite3_file *f, void *to, int n, sqlite3_int64 offset)
{
    return real(f)->pMethods->xRead(real(f), to, n, offset);
}

static int do_write(sqlite3_file *f, const void *from, int n,
                    sqlite3_int64 offset)
{
    int code = see(
        f, (struct vfs_event){
               .op = VFS_WRITE, .data = from, .bytes = n, .offset = offset});
    return code == SQLITE_ROW
               ? real(f)->pMethods->xWrite(real(f), from, n, offset)
               : code;
}

static int do_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    int code = see(f, (struct vfs_event){.op = VFS_TRUNCATE, .offset = size});
    return code == SQLITE_ROW ? real(f)->pMethods->xTruncate(real(f), size)
                              : code;
}

static int do_sync(sqlite3_file *f, int flags)
{
    int code = see(f, (struct vfs_event){.op = VFS_SYNC});
    return code == SQLITE_ROW ? real(f)->pMethods->xSync(real(f), flags) : code;
}

static int do_size(sqlite3_file *f, sqlite3_int64 *size)
{
    return real(f)->pMethods->xFileSize(real(f), size);
}

static int do_lock(sqlite3_file *f, int level)
{
    return real(f)->pMethods->xLock(real(f), level);
}

static int do_unlock(sqlite3_file *f, int level)
{
    return real(f)->pMethods->xUnlock(real(f), level);
}

static int do_check_lock(sqlite3_file *f, int *out)
{
    return real(f)->pMethods->xCheckReservedLock(real(f), out);
}

static int do_control(sqlite3_file *f, int op, void *arg)
{
    return real(f)->pMethods->xFileControl(real(f), op, arg);
}

static int do_sector(sqlite3_file *f)
{
    return real(f)->pMethods->xSectorSize(real(f));
}

static int do_device(sqlite3_file *f)
{
    return real(f)->pMethods->xDeviceCharacteristics(real(f));
}

static int do_shm_map(sqlite3_file *f, int region, int bytes, int extend,
                      void volatile **out)
{
    return real(f)->pMethods->xShmMap(real(f), region, bytes, extend, out);
}

static int do_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}

static void do_shm_barrier(sqlite3_file *f)
{
    real(f)->pMethods->xShmBarrier(real(f));
}

static int do_shm_unmap(sqlite3_file *f, int remove)
{
    return real(f)->pMethods->xShmUnmap(real(f), remove);
}

static const sqlite3_io_methods methods = {.iVersion = 2,
                                           .xClose = do_close,
                                           .xRead = do_read,
                                           .xWrite = do_write,
                                           .xTruncate = do_truncate,
                                           .xSync = do_sync,
                                           .xFileSize = do_size,
                                           .xLock = do_lock,
                                           .xUnlock = do_unlock,
                                           .xCheckReservedLock = do_check_lock,
                                           .xFileControl = do_control,
                                           .xSectorSize = do_sector,
                                           .xDeviceCharacteristics = do_device,
                                           .xShmMap = do_shm_map,
                                           .xShmLock = do_shm_lock,
                                           .xShmBarrier = do_shm_barrier,
                                           .xShmUnmap = do_shm_unmap};

/* --- the layer ------------------------------------------------------------ */

static int do_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *out,
                   int flags, int *out_flags)
{
    struct file *f = (struct file *)out;

    (void)vfs;
    *f = (struct file){.path = name, .real = (sqlite3_file *)(f + 1)};
    int code = under->xOpen(under, name, f->real, flags, out_flags);
    if (f->real->pMethods)
        f->base.pMethods = &methods;
    return code;
}

static int do_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
    struct vfs_event e = {.op = VFS_DELETE, .path = name};
    int code = ask(&e);

    (void)vfs;
    return code == SQLITE_OK  ? under->xDelete(under, name, sync_folder)
           : code == VFS_SKIP ? SQLITE_OK
                              : code;
}

void vfs_install(vfs_hook *fn, void *arg)
{
    static sqlite3_vfs layer;

    hook = fn;
    hook_arg = arg;
    if (under)
        return;
    under = sqlite3_vfs_find(NULL);
    CHECK(under != NULL);
    layer = *under;
    layer.zName = "fault";
    layer.szOsFile = (int)sizeof(struct file) + under->szOsFile;
    layer.xOpen = do_open;
    layer.xDelete = do_delete;
    layer.pNext = NULL;
    CHECK_INT(sqlite3_vfs_register(&layer, 1), SQLITE_OK);
}
