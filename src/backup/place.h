/* place.h - where backups lie: a folder, a tar or a bucket.  One thread.
 *
 *     objects/ab/cdef...      a file, by its SHA-256, shared by all backups
 *     NAME/footnote.db        a backup's database
 *     NAME/files.txt          which files it names
 *     NAME/manifest.json      written last: without it there is no backup
 *
 * What is put under a name is there whole or not at all.  Names are made by us
 * and never read from a backup. */
#ifndef BACKUP_PLACE_H
#define BACKUP_PLACE_H
#include <assert.h>
#include <limits.h>

#include "object/object.h"

enum {
    PLACE_NAME_BYTES = 23, /* 2026-11-18T21-13-06.123 */
    PLACE_PATH_BYTES = 80  /* of the longest name below a place, with NUL */
};

enum place_use {
    PLACE_WRITE, /* makes what is missing; one process at a time, else BUSY */
    PLACE_READ
};

struct place;
typedef enum footnote_rc place_each_fn(void *arg, struct str name,
                                       struct footnote_err *err);

/* All slots are mandatory. */
struct place_driver {
    /* Whether there is something under `name`, so long. */
    enum footnote_rc (*has)(struct place *p, const char *name, int64_t bytes,
                            bool *out, struct footnote_err *err);
    /* Puts the file `fd`, of which `o` has length and digest; DAMAGED when it
     * has others, and then nothing is put. */
    enum footnote_rc (*put)(struct place *p, const char *name, int fd,
                            const struct object *o, struct footnote_err *err);
    /* The same for a file that is ours, in place_scratch(): it may be moved. */
    enum footnote_rc (*take)(struct place *p, const char *name,
                             const char *path, const struct object *o,
                             struct footnote_err *err);
    /* All that was put is durable. */
    enum footnote_rc (*sync)(struct place *p, struct footnote_err *err);
    /* A descriptor for reading; NOTFOUND.  `want`, when it is known, is what
     * the caller will compare: a place that transfers it does so itself.  *fd
     * is yours. */
    enum footnote_rc (*get)(struct place *p, const char *name,
                            const struct object *want, int *fd,
                            struct footnote_err *err);
    enum footnote_rc (*remove)(struct place *p, const char *name,
                               struct footnote_err *err);
    /* Names of backups, whole or not, in no order. */
    enum footnote_rc (*each_backup)(struct place *p, place_each_fn *fn,
                                    void *arg, struct footnote_err *err);
    /* Names of files by digest, as objects/ab/cdef..., in no order. */
    enum footnote_rc (*each_file)(struct place *p, place_each_fn *fn, void *arg,
                                  struct footnote_err *err);
    /* Writing is over and was a success. */
    enum footnote_rc (*finish)(struct place *p, struct footnote_err *err);
    void (*close)(struct place *p);
};

struct place {
    const struct place_driver *driver;
    char scratch[PATH_MAX]; /* a folder for files on their way */
};

/* FILE.tar, s3://BUCKET[/PREFIX] or a folder. */
struct place_where {
    struct str url;
    const char *scratch; /* folder in which a new one is made until the place is
                            closed: for a tar that is read, and for a bucket */
    const struct objects_place *bucket; /* the settings of S3 */
};
/* *out is yours: place_close(). */
enum footnote_rc place_open(const struct place_where *w, enum place_use use,
                            struct place **out, struct footnote_err *err);
void place_close(struct place *p);
static inline void place_closep(struct place **p) /* fit for AUTO */
{
    if (*p)
        place_close(*p);
}

/* Drivers; `path` ends with NUL. */
enum footnote_rc place_open_folder(const char *path, enum place_use use,
                                   struct place **out,
                                   struct footnote_err *err);
enum footnote_rc place_open_tar(const char *path, enum place_use use,
                                const char *scratch, struct place **out,
                                struct footnote_err *err);
enum footnote_rc place_open_bucket(const struct place_where *w,
                                   struct place **out,
                                   struct footnote_err *err);

/* Makes a new folder below `scratch`; place_remove_folder() removes it. */
enum footnote_rc place_make_folder(const char *scratch, char out[PATH_MAX],
                                   struct footnote_err *err);
/* Removes all that the folder holds, and what folders of ours hold; no link is
 * followed. */
void place_empty_folder(const char *path);
void place_remove_folder(const char *path);

/* Whether it names a tar; else it names a folder. */
bool place_is_tar(struct str url);
/* Whether it is the name of a backup. */
bool place_is_backup_name(struct str name);
/* objects/ab/cdef...: the name of the file with that digest. */
void place_file_name(const struct sha256 *digest, char out[PLACE_PATH_BYTES]);
/* The digest of a name of that form; false: it has another. */
bool place_file_digest(struct str name, struct sha256 *out);
/* Whether it may be the name of something in a place. */
bool place_is_name(struct str name);

/* The error of a failed system call. */
enum footnote_rc place_explain(const char *what, int number,
                               struct footnote_err *err);
/* The same, inline, so that analysers see that it is not OK. */
static inline enum footnote_rc place_error(const char *what, int number,
                                           struct footnote_err *err)
{
    enum footnote_rc rc = place_explain(what, number, err);

    assert(rc != FOOTNOTE_OK);
    return rc;
}

#endif
