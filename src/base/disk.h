/* disk.h - whether the disks that we write to still have room.  Any thread.
 *
 * A disk is asked at most once a second, so a disk that fills up is noticed a
 * second late: the reserve is for that, and for what is under way. */
#ifndef BASE_DISK_H
#define BASE_DISK_H
#include "base/err.h"

enum { DISK_FOLDERS_MAX = 2 };

struct disk;
struct disk_state {
    bool full;          /* a folder has less than the reserve */
    int64_t free_bytes; /* of the folder that has least; -1: none is watched */
};

/* Watches the disks of the folders, of which absent ones are left out.
 * With less than 1 MB a disk is full whatever the reserve.  *out is yours:
 * disk_close(). */
enum footnote_rc disk_open(const struct str folders[DISK_FOLDERS_MAX],
                           int64_t reserve_bytes, struct disk **out,
                           struct footnote_err *err);
void disk_close(struct disk *d); /* NULL is fine */
/* `d` NULL: there is room. */
struct disk_state disk_look(struct disk *d);

#endif
