/* disk.c - asks the file system, and remembers the answer for a second. */
#include "base/disk.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "base/clock.h"

enum {
    LOOK_MS = 1000,
    PATH_BYTES = 4096,
    LEAST_BYTES = 1024 * 1024 /* with less, writes fail here and there */
};

struct disk {
    int64_t reserve_bytes;
    size_t folders_n;
    char folders[DISK_FOLDERS_MAX][PATH_BYTES];
    _Atomic int64_t looked_ms; /* 0: never */
    _Atomic int64_t free_bytes;
};

enum footnote_rc disk_open(const struct str folders[DISK_FOLDERS_MAX],
                           int64_t reserve_bytes, struct disk **out,
                           struct footnote_err *err)
{
    struct disk *d = calloc(1, sizeof(*d));

    assert(reserve_bytes >= 0);
    *out = d;
    if (!d)
        return err_set(err, FOOTNOTE_NOMEM, "looking at the disk");
    d->reserve_bytes =
        reserve_bytes > LEAST_BYTES ? reserve_bytes : LEAST_BYTES;
    d->free_bytes = -1;
    for (size_t i = 0; i < DISK_FOLDERS_MAX; i++)
        if (folders[i].n > 0 && folders[i].n < PATH_BYTES)
            memcpy(d->folders[d->folders_n++], folders[i].p, folders[i].n);
    return FOOTNOTE_OK;
}

void disk_close(struct disk *d)
{
    free(d);
}

/* What a process that is not root may use.  A folder that cannot be asked says
 * nothing: writing to it will. */
static int64_t free_of(const char *folder)
{
    struct statvfs s;

    if (statvfs(folder, &s) != 0)
        return -1;
    return (int64_t)((uint64_t)s.f_bavail * s.f_frsize);
}

static int64_t least_free(const struct disk *d)
{
    int64_t least = -1;

    for (size_t i = 0; i < d->folders_n; i++) {
        int64_t n = free_of(d->folders[i]);

        if (n >= 0 && (least < 0 || n < least))
            least = n;
    }
    return least;
}

/* Two threads that look at once both ask, which harms nobody. */
struct disk_state disk_look(struct disk *d)
{
    struct disk_state s = {.free_bytes = -1};
    int64_t now_ms = clock_mono_ms();

    if (!d)
        return s;
    if (d->looked_ms == 0 || now_ms - d->looked_ms >= LOOK_MS) {
        d->free_bytes = least_free(d);
        d->looked_ms = now_ms;
    }
    s.free_bytes = d->free_bytes;
    s.full = s.free_bytes >= 0 && s.free_bytes < d->reserve_bytes;
    return s;
}
