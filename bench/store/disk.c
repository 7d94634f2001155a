/* disk.c - what a flush costs here, and a disk on which it costs more.
 *
 * What group commit gains depends on the flush.  So its price is printed, and
 * saves are measured again with SQLite's own files on a disk that is slower by
 * agreement: after the real flush, every xSync waits until the clock says that
 * the time is over. */
#include <fcntl.h>
#include <sqlite3.h>
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

static sqlite3_vfs slow_vfs;
static sqlite3_io_methods slow_methods;
static const sqlite3_io_methods *real_methods;
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
    double until = seconds_now() + flush_seconds;
    int code = real_methods->xSync(f, flags);

    wait_until(until);
    return code;
}

/* The system's files all have one table of methods; ours differs in one. */
static int open_slow(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f,
                     int flags, int *out_flags)
{
    sqlite3_vfs *real = vfs->pAppData;
    int code = real->xOpen(real, name, f, flags, out_flags);

    if (code == SQLITE_OK && f->pMethods == real_methods)
        f->pMethods = &slow_methods;
    return code;
}

/* Finds the table by opening a file. */
static void learn_methods(sqlite3_vfs *real, const char *url)
{
    sqlite3_file *f = NULL;
    sqlite3 *c = NULL;

    if (sqlite3_open(url + strlen("sqlite:"), &c) != SQLITE_OK ||
        sqlite3_exec(c, "PRAGMA user_version;", NULL, NULL, NULL) !=
            SQLITE_OK ||
        sqlite3_file_control(c, "main", SQLITE_FCNTL_FILE_POINTER, &f) !=
            SQLITE_OK)
        die("disk", "cannot be slowed down");
    real_methods = f->pMethods;
    slow_methods = *real_methods;
    slow_methods.xSync = sync_slowly;
    slow_vfs = *real;
    slow_vfs.zName = "slow";
    slow_vfs.pAppData = real;
    slow_vfs.xOpen = open_slow;
    (void)sqlite3_close(c);
}

void disk_slow(const struct place *p, double ms)
{
    if (ms > 0) {
        flush_seconds = ms / 1e3;
        learn_methods(sqlite3_vfs_find(NULL), p->url);
        (void)sqlite3_vfs_register(&slow_vfs, 1);
    } else {
        (void)sqlite3_vfs_unregister(&slow_vfs);
    }
}
