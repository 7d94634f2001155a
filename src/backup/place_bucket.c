/* place_bucket.c - backups in a bucket of any server that speaks S3.
 *
 * A bucket has no locks: let one server, or one person, write to a prefix.  If
 * two do, a backup that is under way is protected by its age alone: what is
 * younger than a day is never taken for garbage. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backup/place.h"
#include "base/clock.h"
#include "base/fd.h"
#include "object/named.h"

enum { TEXT_BYTES_MAX = 64 * 1024, DAY_MS = 24 * 3600 * 1000 };

struct bucket {
    struct place base;
    struct objects *objects;
};

static struct objects *of(struct place *p)
{
    return ((struct bucket *)p)->objects;
}

/* ---- Writing ------------------------------------------------------------ */

static enum footnote_rc bucket_has(struct place *p, const char *name,
                                   int64_t bytes, bool *out,
                                   struct footnote_err *err)
{
    struct footnote_err why;
    int64_t there = -1;
    enum footnote_rc rc = named_head(of(p), name, &there, &why);

    *out = rc == FOOTNOTE_OK && there == bytes;
    if (rc == FOOTNOTE_OK || rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    if (err)
        *err = why;
    return rc;
}

/* Our own file is looked at first: the bucket refuses wrong bytes as often as
 * they are sent. */
static enum footnote_rc bucket_put(struct place *p, const char *name, int fd,
                                   const struct object *o,
                                   struct footnote_err *err)
{
    TRY(object_check(fd, o, err));
    return named_put(of(p), name, fd, o, err);
}

static enum footnote_rc bucket_take(struct place *p, const char *name,
                                    const char *path, const struct object *o,
                                    struct footnote_err *err)
{
    AUTO(fd_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return place_error("writing the backup", errno, err);
    TRY(named_put(of(p), name, fd, o, err));
    (void)unlink(path);
    return FOOTNOTE_OK;
}

/* What a bucket has taken is durable. */
static enum footnote_rc bucket_done(struct place *p, struct footnote_err *err)
{
    (void)p;
    (void)err;
    return FOOTNOTE_OK;
}

static enum footnote_rc bucket_remove(struct place *p, const char *name,
                                      struct footnote_err *err)
{
    return named_remove(of(p), name, err);
}

/* ---- Reading ------------------------------------------------------------ */

/* Only of a manifest nothing is known, and it is short. */
static enum footnote_rc read_text(struct place *p, const char *name, int *fd,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    enum footnote_rc rc = named_read(of(p), name, &b, err);

    if (rc == FOOTNOTE_TOOBIG)
        return err_set(err, FOOTNOTE_DAMAGED, "is too long for a manifest");
    TRY(rc);
    *fd = memfd_create("manifest", MFD_CLOEXEC);
    if (*fd >= 0 && pwrite(*fd, b.p ? b.p : "", b.n, 0) == (ssize_t)b.n)
        return FOOTNOTE_OK;
    rc = place_error("reading the manifest", errno, err);
    fd_closep(fd);
    *fd = -1;
    return rc;
}

static enum footnote_rc bucket_get(struct place *p, const char *name,
                                   const struct object *want, int *fd,
                                   struct footnote_err *err)
{
    enum footnote_rc rc = want ? named_get(of(p), name, want, fd, err)
                               : read_text(p, name, fd, err);

    if (rc != FOOTNOTE_OK)
        err_prefix(err, "%s", name);
    return rc;
}

struct each {
    place_each_fn *fn;
    void *arg;
    int64_t now_ms;
};

/* A whole backup has a manifest; what else there is may be one under way. */
static enum footnote_rc if_backup(void *arg, struct str name,
                                  int64_t changed_ms, struct footnote_err *err)
{
    const struct each *e = arg;
    struct str backup = {name.p, str_find(name, '/')};

    if (!place_is_name(name) || !place_is_backup_name(backup))
        return FOOTNOTE_OK;
    if (!str_eq(str_skip(name, backup.n), STR("/manifest.json")) &&
        e->now_ms - changed_ms < DAY_MS)
        return FOOTNOTE_OK;
    return e->fn(e->arg, backup, err);
}

/* Backups are named by their year first. */
static enum footnote_rc bucket_each_backup(struct place *p, place_each_fn *fn,
                                           void *arg, struct footnote_err *err)
{
    struct each e = {fn, arg, clock_wall_ms()};

    return named_each(of(p), "2", if_backup, &e, err);
}

static enum footnote_rc if_old(void *arg, struct str name, int64_t changed_ms,
                               struct footnote_err *err)
{
    const struct each *e = arg;
    char text[PLACE_PATH_BYTES];

    if (!place_is_name(name) || e->now_ms - changed_ms < DAY_MS)
        return FOOTNOTE_OK;
    snprintf(text, sizeof(text), "%.*s", STR_ARG(name));
    return e->fn(e->arg, str_c(text), err);
}

static enum footnote_rc bucket_each_file(struct place *p, place_each_fn *fn,
                                         void *arg, struct footnote_err *err)
{
    struct each e = {fn, arg, clock_wall_ms()};

    return named_each(of(p), "objects/", if_old, &e, err);
}

/* ---- Opening ------------------------------------------------------------ */

static void bucket_close(struct place *p)
{
    objects_close(of(p));
    place_remove_folder(p->scratch);
    free(p);
}

static const struct place_driver driver = {.has = bucket_has,
                                           .put = bucket_put,
                                           .take = bucket_take,
                                           .sync = bucket_done,
                                           .get = bucket_get,
                                           .remove = bucket_remove,
                                           .each_backup = bucket_each_backup,
                                           .each_file = bucket_each_file,
                                           .finish = bucket_done,
                                           .close = bucket_close};

static void close_objects(struct objects **o)
{
    objects_close(*o);
}

enum footnote_rc place_open_bucket(const struct place_where *w,
                                   struct place **out, struct footnote_err *err)
{
    struct objects_place at = *w->bucket;
    AUTO(close_objects) struct objects *objects = NULL;
    char folder[PATH_MAX];
    struct bucket *b;

    at.url = w->url;
    TRY(named_open(&at, &objects, err));
    TRY(place_make_folder(w->scratch, folder, err));
    b = malloc(sizeof(*b));
    if (!b) {
        place_remove_folder(folder);
        return err_set(err, FOOTNOTE_NOMEM, "opening the backups");
    }
    *b = (struct bucket){.base.driver = &driver, .objects = objects};
    memcpy(b->base.scratch, folder, sizeof(folder));
    *out = &b->base;
    objects = NULL; /* they are the caller's now */
    return FOOTNOTE_OK;
}
