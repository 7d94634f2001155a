/* object.h - where files live: documents, recordings, pictures.  Any thread.
 *
 * An object is bytes under a key that we make: 32 hex digits, never from a
 * user's text.  It is written once and never changed.
 *
 *     begin --> write... --> finish --> a row may name it
 *                   \------> abort      (a crash has the same effect)
 *
 * object_finish() returns when the object would survive a power cut; a row that
 * names it is stored afterwards.  So an object without a row is garbage, and a
 * row without its object cannot be.  What is read is compared with the row: a
 * wrong length or digest is DAMAGED. */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H
#include "base/arena.h"
#include "base/buf.h"
#include "base/sha256.h"

enum { OBJECT_KEY_BYTES = 32, OBJECTS_STORE_BYTES = 32 };

/* An object as its row describes it. */
struct object {
    char key[OBJECT_KEY_BYTES + 1];
    int64_t bytes;
    struct sha256 digest;
};
/* From the columns of a row; INVALID when the key is none of ours. */
enum footnote_rc object_of(struct str key, int64_t bytes,
                           const struct sha256 *digest, struct object *out,
                           struct footnote_err *err);

struct objects;    /* a place for objects: a folder or a bucket */
struct object_put; /* an object that is being written; one thread at a time */

/* Where the place is.  Zero values are the defaults. */
enum objects_style { OBJECTS_S3_AUTO, OBJECTS_S3_PATH, OBJECTS_S3_VIRTUAL };
struct objects_place {
    struct str url;                  /* files:FOLDER or s3://BUCKET[/PREFIX] */
    struct str s3_endpoint;          /* default: Amazon's of the region */
    struct str s3_key_id, s3_secret; /* needed */
    struct str s3_token, s3_region;  /* default: none; us-east-1 */
    enum objects_style s3_style;     /* auto: virtual host for Amazon alone */
    int64_t s3_retry_ms, s3_silent_ms;
    struct str external; /* prefixes of object_external(): a/,b/c/ */
    struct str scratch;  /* folder for temporary files; default: /tmp */
    struct str store; /* id of the store that uses it, see identity.h; absent:
                         nobody claims it, and nothing is tidied */
};
/* A folder is made (0700) when it is missing; a bucket is not asked yet.  *out
 * is yours: objects_close(). */
enum footnote_rc objects_open_place(const struct objects_place *p,
                                    struct objects **out,
                                    struct footnote_err *err);
/* The same for a place that needs only its URL. */
enum footnote_rc objects_open(struct str url, struct objects **out,
                              struct footnote_err *err);
void objects_close(struct objects *o); /* NULL is fine */

/* ---- Whose they are -----------------------------------------------------
 *
 * A place names the store that it belongs to.  The first store that writes into
 * an empty place claims it.  Another one can read there, and is refused when it
 * writes, because the owner removes what its own rows do not name; or when it
 * removes.  So a copy of a store that was given an id of its own does no harm
 * beside its original. */

/* FOREIGN, with a sentence for the operator, unless the store that opened the
 * place owns it.  Asks the place each time. */
enum footnote_rc objects_check_owner(struct objects *o,
                                     struct footnote_err *err);
/* Makes the store that opened the place its owner, whoever was before. */
enum footnote_rc objects_adopt(struct objects *o, struct footnote_err *err);
/* The same for a store that is being made, and has not opened the place. */
enum footnote_rc objects_give(struct objects *o, struct str store,
                              struct footnote_err *err);

/* *out is yours: object_finish() or object_abort(), either of which ends it.
 * READONLY: the place belongs to another store. */
enum footnote_rc object_begin(struct objects *o, struct object_put **out,
                              struct footnote_err *err);
enum footnote_rc object_write(struct object_put *p, struct str bytes,
                              struct footnote_err *err);
/* On failure the object does not exist. */
enum footnote_rc object_finish(struct object_put *p, struct object *out,
                               struct footnote_err *err);
void object_abort(struct object_put *p);                /* NULL is fine */
static inline void object_abortp(struct object_put **p) /* fit for AUTO */
{
    object_abort(*p);
}
/* All four steps, for bytes in memory. */
enum footnote_rc object_store(struct objects *o, struct str bytes,
                              struct object *out, struct footnote_err *err);

/* A descriptor for reading, at its start; the length is right, the digest is
 * not compared.  NOTFOUND when there is no such object.  *fd is yours to
 * close(). */
enum footnote_rc object_get(struct objects *o, const struct object *want,
                            int *fd, struct footnote_err *err);
/* A part of an object, or all of it: byte i is at i - from of `fd`. */
struct object_window {
    int fd; /* -1: none */
    int64_t from, bytes;
};
/* A window that begins at `from` or before, with at least one and up to n bytes
 * from there on; the object must have all n.  A bucket sends only this part, up
 * to OBJECT_WINDOW_BYTES_MAX.  The lengths of part and object are compared; the
 * digest only when the window is the whole object.  *out is yours:
 * object_window_close(). */
enum { OBJECT_WINDOW_BYTES_MAX = 4 * 1024 * 1024 };
enum footnote_rc object_window(struct objects *o, const struct object *want,
                               int64_t from, int64_t n,
                               struct object_window *out,
                               struct footnote_err *err);
void object_window_close(struct object_window *w);
/* Reads the whole object at `fd` and compares it: DAMAGED when it differs.
 * The descriptor is at its start again. */
enum footnote_rc object_check(int fd, const struct object *want,
                              struct footnote_err *err);
/* Appends the whole object to `out`; TOOBIG when it does not fit.  On failure
 * `out` may hold some of it. */
enum footnote_rc object_read(struct objects *o, const struct object *want,
                             struct buf *out, struct footnote_err *err);
/* The length of the object under this key. */
enum footnote_rc object_head(struct objects *o, struct str key, int64_t *bytes,
                             struct footnote_err *err);
/* OK also when there is no such object. */
enum footnote_rc object_delete(struct objects *o, struct str key,
                               struct footnote_err *err);

/* ---- Set aside ----------------------------------------------------------
 *
 * What no row seems to name is set aside first, and purged days later.  Until
 * then it can be read as before, and be put back. */
enum footnote_rc object_set_aside(struct objects *o, struct str key,
                                  struct footnote_err *err);
enum footnote_rc object_put_back(struct objects *o, struct str key,
                                 struct footnote_err *err);
enum footnote_rc object_purge(struct objects *o, struct str key,
                              struct footnote_err *err);

/* Stores the same object, under the same key, in another place, unless it is
 * there already.  The bytes are compared on both sides. */
enum footnote_rc object_copy(struct objects *from, struct objects *to,
                             const struct object *o, struct footnote_err *err);
/* Stores the file `fd` as that object, under its key; DAMAGED when it is
 * another one. */
enum footnote_rc object_put_file(struct objects *to, const struct object *o,
                                 int fd, struct footnote_err *err);

/* ---- Links --------------------------------------------------------------
 *
 * A link allows anyone who has it to GET one object until it expires.  Make one
 * only for a person who may see the object; never store or log it.  The link of
 * a bucket is a URL; that of a folder is a path on our own server,
 * "/api/objects/KEY?...". */
enum { OBJECT_LINK_S_MAX = 5 * 60 };
struct link_lifetime {
    int64_t now_ms, seconds; /* at most OBJECT_LINK_S_MAX */
};
/* The origin of links, http(s)://HOST[:PORT]; absent for a folder, whose links
 * lead to our own server.  It lives as long as `o`. */
struct str objects_origin(const struct objects *o);
/* The whole key of an object in its bucket, by which other programs that may
 * read the bucket find it; absent in a folder.  *out lives in `a`. */
enum footnote_rc object_shared_key(const struct objects *o, struct str key,
                                   struct arena *a, struct str *out,
                                   struct footnote_err *err);
/* The object is served with media type `type`.  *out lives in `a`. */
enum footnote_rc object_link(struct objects *o, struct str key, struct str type,
                             const struct link_lifetime *until, struct arena *a,
                             struct str *out, struct footnote_err *err);
/* The query of a request for such a path.  INVALID: the link is not ours.
 * ENDED: it has expired. */
struct object_claim {
    struct str expires, signature;
    int64_t now_ms;
};
enum footnote_rc object_link_check(struct objects *o, struct str key,
                                   const struct object_claim *claim,
                                   struct footnote_err *err);
/* A link for a key of the bucket that another program put there, if it is below
 * a prefix that the operator opened; else absent. */
enum footnote_rc object_external(struct objects *o, struct str key,
                                 const struct link_lifetime *until,
                                 struct arena *a, struct str *out,
                                 struct footnote_err *err);

/* Appends the bytes of such a key to `out`; NOTFOUND when it is not open. There
 * is no digest to compare: the caller must check what they are. */
enum footnote_rc object_external_read(struct objects *o, struct str key,
                                      struct buf *out,
                                      struct footnote_err *err);

/* Calls fn for every object, in no order, while objects come and go; a code
 * that is not OK ends the walk. */
typedef enum footnote_rc object_each_fn(void *arg, struct str key,
                                        int64_t changed_ms,
                                        struct footnote_err *err);
enum footnote_rc object_each(struct objects *o, object_each_fn *fn, void *arg,
                             struct footnote_err *err);
/* The same for objects that are set aside; changed_ms is when they were. */
enum footnote_rc object_each_aside(struct objects *o, object_each_fn *fn,
                                   void *arg, struct footnote_err *err);

#endif
