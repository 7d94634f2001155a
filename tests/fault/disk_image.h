/* disk_image.h - what was done to files, and what a power cut may leave of it.
 *
 * The model: a sync makes all that was done to its file before it durable.
 * What was not synced may be there, may be missing, or may be there in part,
 * by sectors of 512 bytes, each on its own.  After a sync that failed, what it
 * was for stays like that for ever: the system believes that it was written,
 * and the next sync succeeds without it.  A deletion is durable at once. */
#ifndef DISK_IMAGE_H
#define DISK_IMAGE_H
#include "sqlite_vfs.h"
#include <stdbool.h>
#include <stddef.h>

struct image_log; /* yours: image_log_free() */

struct image_log *image_log_new(void);
void image_log_free(struct image_log *log);
/* A log that begins with the first `n` operations of another one. */
struct image_log *image_log_copy(const struct image_log *log, size_t n);

/* A vfs_hook, whose arg is the log. */
int image_record(void *log, const struct vfs_event *e);
/* The nth sync from now on will fail, and the `more` that follow it. */
void image_fail_sync(struct image_log *log, unsigned nth, unsigned more);
/* Whether it did. */
bool image_sync_failed(const struct image_log *log);

/* Where in the log we are: what is acknowledged now was done before it. */
size_t image_mark(struct image_log *log);

/* Writes the files that survive a power cut after the first `n` operations
 * into `folder`, which has none of them yet but may have those of the last
 * call.  `seed` chooses among the many ways to survive: 0 keeps nothing that
 * was not synced, 1 keeps all of it. */
void image_survive(const struct image_log *log, size_t n, unsigned seed,
                   const char *folder);

#endif
