/* disk_image.c - what was done to files, and what a power cut may leave of it.
 */
#include "disk_image.h"
#include "workload.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 4, SECTOR = 512, NAME_BYTES = 64 };

struct op {
    enum vfs_op kind;
    int file;
    int64_t offset;
    size_t bytes;
    char *data;
    bool failed; /* a sync */
};

struct image_log {
    struct op *ops;
    size_t n, room;
    char names[FILES_MAX][NAME_BYTES];
    int files_n;
    unsigned syncs_n, fail_from, fail_to; /* syncs that fail, from 1 */
    bool sync_failed;
};

/* A file as it is rebuilt. */
struct image {
    char *bytes;
    size_t n, room;
    bool exists;
};

/* --- recording ------------------------------------------------------------ */

struct image_log *image_log_new(void)
{
    return workload_need(calloc(1, sizeof(struct image_log)));
}

void image_log_free(struct image_log *log)
{
    for (size_t i = 0; i < log->n; i++)
        free(log->ops[i].data);
    free(log->ops);
    free(log);
}

static int file_of(struct image_log *log, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    for (int i = 0; i < log->files_n; i++)
        if (strcmp(log->names[i], name) == 0)
            return i;
    CHECK(log->files_n < FILES_MAX);
    snprintf(log->names[log->files_n], NAME_BYTES, "%s", name);
    return log->files_n++;
}

static struct op *new_op(struct image_log *log)
{
    if (log->n == log->room) {
        log->room = log->room ? 2 * log->room : 1024;
        log->ops =
            workload_need(realloc(log->ops, log->room * sizeof(*log->ops)));
    }
    return &log->ops[log->n++];
}

int image_record(void *arg, const struct vfs_event *e)
{
    struct image_log *log = arg;
    int file = file_of(log, e->path);
    struct op *op = new_op(log);

    *op = (struct op){.kind = e->op,
                      .file = file,
                      .offset = e->offset,
                      .bytes = (size_t)e->bytes};
    if (e->op == VFS_WRITE) {
        op->data = workload_need(malloc(op->bytes));
        memcpy(op->data, e->data, op->bytes);
    }
    if (e->op != VFS_SYNC)
        return SQLITE_OK;
    log->syncs_n++;
    op->failed = log->syncs_n >= log->fail_from && log->syncs_n < log->fail_to;
    log->sync_failed |= op->failed;
    return op->failed ? SQLITE_IOERR_FSYNC : VFS_SKIP;
}

void image_fail_sync(struct image_log *log, unsigned nth, unsigned more)
{
    log->fail_from = log->syncs_n + nth;
    log->fail_to = log->fail_from + more + 1;
}

bool image_sync_failed(const struct image_log *log)
{
    return log->sync_failed;
}

size_t image_mark(struct image_log *log)
{
    return log->n;
}

struct image_log *image_log_copy(const struct image_log *log, size_t n)
{
    struct image_log *copy = image_log_new();

    memcpy(copy->names, log->names, sizeof(copy->names));
    copy->files_n = log->files_n;
    for (size_t i = 0; i < n; i++) {
        struct op *op = new_op(copy);
        *op = log->ops[i];
        if (!op->data)
            continue;
        op->data = workload_need(malloc(op->bytes));
        memcpy(op->data, log->ops[i].data, op->bytes);
    }
    return copy;
}

/* --- rebuilding ----------------------------------------------------------- */

static void put(struct image *im, size_t offset, const char *data, size_t n)
{
    size_t end = offset + n;

    if (!im->bytes || end > im->room) {
        im->room = 2 * end;
        im->bytes = workload_need(realloc(im->bytes, im->room));
    }
    if (offset > im->n)
        memset(im->bytes + im->n, 0, offset - im->n);
    memcpy(im->bytes + offset, data, n);
    if (end > im->n)
        im->n = end;
    im->exists = true;
}

static void apply(struct image *im, const struct op *op)
{
    switch (op->kind) {
    case VFS_WRITE: put(im, (size_t)op->offset, op->data, op->bytes); break;
    case VFS_TRUNCATE:
        if ((size_t)op->offset < im->n)
            im->n = (size_t)op->offset;
        break;
    case VFS_DELETE:
        im->n = 0;
        im->exists = false;
        break;
    case VFS_SYNC: break;
    }
}

/* Each sector by itself. */
static void apply_torn(struct image *im, const struct op *op, unsigned *seed)
{
    for (size_t done = 0; done < op->bytes;) {
        size_t at = (size_t)op->offset + done;
        size_t n = SECTOR - at % SECTOR;

        if (n > op->bytes - done)
            n = op->bytes - done;
        if (workload_random(seed, 2))
            put(im, at, op->data + done, n);
        done += n;
    }
}

static void apply_perhaps(struct image *im, const struct op *op, unsigned *seed)
{
    switch (workload_random(seed, 3)) {
    case 0: return;
    case 1: apply(im, op); return;
    default:
        if (op->kind == VFS_WRITE)
            apply_torn(im, op, seed);
    }
}

/* Which of the first n operations are durable: those whose next sync, if there
 * was one, succeeded.  Yours: free(). */
static bool *find_durable(const struct image_log *log, size_t n)
{
    bool *durable = workload_need(calloc(n + 1, sizeof(*durable)));
    bool synced[FILES_MAX] = {false};

    for (size_t i = n; i-- > 0;) {
        const struct op *op = &log->ops[i];
        if (op->kind == VFS_SYNC)
            synced[op->file] = !op->failed;
        else if (op->kind == VFS_DELETE)
            synced[op->file] = true;
        durable[i] = synced[op->file];
    }
    return durable;
}

static void write_file(const struct image *im, const char *folder,
                       const char *name)
{
    char path[400];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    unlink(path); /* some file systems flush what was cut and written anew */
    if (!im->exists)
        return;
    FILE *f = fopen(path, "we");
    CHECK(f != NULL);
    CHECK_INT(fwrite(im->bytes, 1, im->n, f), im->n);
    CHECK(fclose(f) == 0);
}

void image_survive(const struct image_log *log, size_t n, unsigned seed,
                   const char *folder)
{
    struct image images[FILES_MAX] = {0};
    bool *durable = find_durable(log, n);
    unsigned state = (unsigned)n * 2654435761u ^ seed * 40503u ^ 1u;

    for (size_t i = 0; i < n; i++) {
        const struct op *op = &log->ops[i];
        if (durable[i] || seed == 1)
            apply(&images[op->file], op);
        else if (seed > 1)
            apply_perhaps(&images[op->file], op, &state);
    }
    for (int i = 0; i < log->files_n; i++) {
        write_file(&images[i], folder, log->names[i]);
        free(images[i].bytes);
    }
    free(durable);
}
