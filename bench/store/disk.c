/* disk.c - what a flush costs here, and a disk on which it costs more.
 *
 * The gain of group commit depends on the flush.  So its cost is printed, and
 * saves are measured again on a disk that is made slow: after the real flush,
 * every xSync of SQLite's files waits until a fixed time is over. */
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum { FLUSHES = 200, PAGE = 4096 };

static double flush_once(int fd, const char *page)
{
    double begun = seconds_now();

    if (write(fd, page, PAGE) != PAGE || fdatasync(fd) != 0)
        die("disk", "cannot be written");
    return (seconds_now() - begun) * 1e3;
}

double disk_flush_ms(const struct bench *b)
{
    static const char page[PAGE];
    double ms[FLUSHES];
    char path[300];
    int fd;

    snprintf(path, sizeof(path), "%s/flush", b->folder);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        die(path, "cannot be made");
    for (size_t i = 0; i < FLUSHES; i++)
        ms[i] = flush_once(fd, page);
    (void)close(fd);
    (void)unlink(path);
    return median(ms, FLUSHES);
}

/* ---- A slower one ------------------------------------------------------- */

/* The system's VFS has one table of methods for databases and another for logs.
 * Our tables differ from them in one method. */
static struct slowed {
    const sqlite3_io_methods *real;
    sqlite3_io_methods slow;
} slowed[8];
static size_t slowed_n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs slow_vfs;
static double flush_seconds;

static void wait_until(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};

    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
        ;
}

static int sync_slowly(sqlite3_file *f, int flags)
{
    const struct slowed *s = (const void *)((const char *)f->pMethods -
                                            offsetof(struct slowed, slow));
    double until = seconds_now() + flush_seconds;
    int code = s->real->xSync(f, flags);

    wait_until(until);
    return code;
}

static const sqlite3_io_methods *slow_down(const sqlite3_io_methods *real)
{
    size_t i = 0;

    pthread_mutex_lock(&lock);
    while (i < slowed_n && slowed[i].real != real)
        i++;
    if (i == sizeof(slowed) / sizeof(slowed[0]))
        die("disk", "has too many kinds of files");
    if (i == slowed_n) {
        slowed[i] = (struct slowed){real, *real};
        slowed[i].slow.xSync = sync_slowly;
        slowed_n++;
    }
    pthread_mutex_unlock(&lock);
    return &slowed[i].slow;
}

static int open_slow(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f,
                     int flags, int *out_flags)
{
    sqlite3_vfs *real = vfs->pAppData;
    int code = real->xOpen(real, name, f, flags, out_flags);

    if (f->pMethods)
        f->pMethods = slow_down(f->pMethods);
    return code;
}

void disk_slow(double ms)
{
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);

    if (ms > 0) {
        flush_seconds = ms / 1e3;
        slow_vfs = *real;
        slow_vfs.zName = "slow";
        slow_vfs.pAppData = real;
        slow_vfs.xOpen = open_slow;
        (void)sqlite3_vfs_register(&slow_vfs, 1);
    } else {
        (void)sqlite3_vfs_unregister(&slow_vfs);
    }
}
