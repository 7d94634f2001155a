/* driver.h - what a place for objects fills in.  Any thread.
 *
 * A driver's handle begins with struct objects and its writing with struct
 * object_put, so a pointer to one is a pointer to the other.  object.c makes
 * keys, counts and hashes, so that drivers only move bytes.  All slots are
 * mandatory. */
#ifndef OBJECT_DRIVER_H
#define OBJECT_DRIVER_H
#include <stdatomic.h>

#include "object/object.h"

struct objects_driver {
    const char *scheme; /* "files:" */
    /* *out is untouched on failure. */
    enum footnote_rc (*open)(const struct objects_place *p,
                             struct objects **out, struct footnote_err *err);
    void (*close)(struct objects *o);

    enum footnote_rc (*begin)(struct objects *o, const char *key,
                              struct object_put **out,
                              struct footnote_err *err);
    enum footnote_rc (*write)(struct object_put *p, struct str bytes,
                              struct footnote_err *err);
    /* Durable, and under its key, when it returns. */
    enum footnote_rc (*finish)(struct object_put *p, const struct object *o,
                               struct footnote_err *err);
    void (*end)(struct object_put *p); /* frees; removes an unfinished object */

    /* A regular file with the whole object.  A driver that has to transfer it
     * compares the digest; object.c compares the length. */
    enum footnote_rc (*get)(struct objects *o, const struct object *want,
                            int *fd, struct footnote_err *err);
    /* object_window(); the whole object where that costs nothing. */
    enum footnote_rc (*window)(struct objects *o, const struct object *want,
                               int64_t from, int64_t n,
                               struct object_window *out,
                               struct footnote_err *err);
    enum footnote_rc (*head)(struct objects *o, const char *key, int64_t *bytes,
                             struct footnote_err *err);
    enum footnote_rc (*remove)(struct objects *o, const char *key,
                               struct footnote_err *err);
    enum footnote_rc (*each)(struct objects *o, object_each_fn *fn, void *arg,
                             struct footnote_err *err);

    /* The text that names the owner; NOTFOUND when there is none.  CONFLICT:
     * there is one, and it is not to be replaced. */
    enum footnote_rc (*owner_read)(struct objects *o, struct buf *out,
                                   struct footnote_err *err);
    enum footnote_rc (*owner_write)(struct objects *o, struct str id,
                                    bool replace, struct footnote_err *err);
    /* An object that is set aside can be read as before, and `each` may still
     * tell of it; `each_aside` tells when that was.  `put_back` undoes it,
     * `purge` removes an object that is set aside.  OK also when another node
     * did it first. */
    enum footnote_rc (*set_aside)(struct objects *o, const char *key,
                                  struct footnote_err *err);
    enum footnote_rc (*put_back)(struct objects *o, const char *key,
                                 struct footnote_err *err);
    enum footnote_rc (*each_aside)(struct objects *o, object_each_fn *fn,
                                   void *arg, struct footnote_err *err);
    enum footnote_rc (*purge)(struct objects *o, const char *key,
                              struct footnote_err *err);

    struct str (*origin)(const struct objects *o); /* objects_origin() */
    /* object_shared_key(); NULL: there is none. */
    void (*shared_key)(const struct objects *o, const char *key,
                       struct buf *out);
    /* object_link(), object_link_check(), object_external() and
     * object_external_read(). */
    enum footnote_rc (*link)(struct objects *o, const char *key,
                             struct str type, const struct link_lifetime *until,
                             struct arena *a, struct str *out,
                             struct footnote_err *err);
    enum footnote_rc (*link_check)(struct objects *o, const char *key,
                                   const struct object_claim *claim,
                                   struct footnote_err *err);
    enum footnote_rc (*external)(struct objects *o, struct str key,
                                 const struct link_lifetime *until,
                                 struct arena *a, struct str *out,
                                 struct footnote_err *err);
    enum footnote_rc (*external_read)(struct objects *o, struct str key,
                                      struct buf *out,
                                      struct footnote_err *err);
};

/* Room for what stands in the place of an owner's id. */
enum { OBJECTS_OWNER_BYTES_MAX = 256 };

struct objects {
    const struct objects_driver *driver;
    char store[OBJECTS_STORE_BYTES + 1]; /* "": not said */
    atomic_bool claimed; /* this store is their owner, and may write */
};
struct object_put {
    struct objects *objects;
    struct sha256_ctx *hasher;
    struct object object; /* so far */
    bool failed;          /* a write failed: it cannot be finished */
};

extern const struct objects_driver objects_files, objects_s3;

#endif
