/* object.h - where files live: documents, recordings, pictures.  Any thread.
 *
 * An object is bytes under a key that we make: 32 hex digits, never from a
 * user's text.  It is written once and never changed.
 *
 *     begin --> write... --> finish --> a row may name it
 *                   \------> abort      (also what a crash amounts to)
 *
 * object_finish() returns when the object would survive a power cut, so a row
 * that names it comes after; an object without a row is garbage, never the
 * other way round.  What is read is compared with what the row says: another
 * length, or another digest, is DAMAGED and never handed on as good. */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H
#include "base/arena.h"
#include "base/buf.h"
#include "base/sha256.h"

enum { OBJECT_KEY_BYTES = 32 };

/* What a row says of an object. */
struct object {
    char key[OBJECT_KEY_BYTES + 1];
    int64_t bytes;
    struct sha256 digest;
};
/* From columns of a row; INVALID when the key cannot be one of ours. */
enum footnote_rc object_of(struct str key, int64_t bytes,
                           const struct sha256 *digest, struct object *out,
                           struct footnote_err *err);

struct objects;    /* a place that keeps them */
struct object_put; /* one that is being written; one thread at a time */

/* Where that is.  Zero values are the defaults. */
enum objects_style { OBJECTS_S3_AUTO, OBJECTS_S3_PATH, OBJECTS_S3_VIRTUAL };
struct objects_place {
    struct str url;                  /* files:FOLDER or s3://BUCKET[/PREFIX] */
    struct str s3_endpoint;          /* default: Amazon's of the region */
    struct str s3_key_id, s3_secret; /* needed */
    struct str s3_token, s3_region;  /* default: none; us-east-1 */
    enum objects_style s3_style;     /* auto: virtual host for Amazon alone */
    int64_t s3_retry_ms, s3_silent_ms;
    struct str external; /* see object_external(); default: snapshots/ */
    struct str scratch;  /* folder for temporary files; default: /tmp */
};
/* A folder is made (0700) when it is missing; a bucket is not asked yet.  *out
 * is yours: objects_close(). */
enum footnote_rc objects_open_place(const struct objects_place *p,
                                    struct objects **out,
                                    struct footnote_err *err);
/* The same for what needs no more than its URL. */
enum footnote_rc objects_open(struct str url, struct objects **out,
                              struct footnote_err *err);
void objects_close(struct objects *o); /* NULL is fine */

/* *out is yours: object_finish() or object_abort(), either of which ends it. */
enum footnote_rc object_begin(struct objects *o, struct object_put **out,
                              struct footnote_err *err);
enum footnote_rc object_write(struct object_put *p, struct str bytes,
                              struct footnote_err *err);
/* On failure nothing is left of it. */
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

/* A descriptor for reading, at its start, that is known to have o's length;
 * NOTFOUND when there is no such object.  *fd is yours to close(). */
enum footnote_rc object_get(struct objects *o, const struct object *want,
                            int *fd, struct footnote_err *err);
/* A part of an object, or all of it: byte i is at i - from of `fd`. */
struct object_window {
    int fd; /* -1: none */
    int64_t from, bytes;
};
/* One that begins at `from` or before and goes on for up to n bytes, at least
 * one; the object has them all.  A bucket is asked for that part alone, up to
 * OBJECT_WINDOW_BYTES_MAX.  The lengths of part and whole are compared; the
 * digest only of a whole object that came in one window.  *out is yours:
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
/* Appends the whole object to `out`, whose limit is the caller's.  On failure
 * `out` may hold some of it. */
enum footnote_rc object_read(struct objects *o, const struct object *want,
                             struct buf *out, struct footnote_err *err);
/* The length of what is there under the key. */
enum footnote_rc object_head(struct objects *o, struct str key, int64_t *bytes,
                             struct footnote_err *err);
/* Already gone is OK. */
enum footnote_rc object_delete(struct objects *o, struct str key,
                               struct footnote_err *err);

/* Stores the same object, under the same key, in another place; OK when it is
 * there already.  What is read is compared. */
enum footnote_rc object_copy(struct objects *from, struct objects *to,
                             const struct object *o, struct footnote_err *err);

/* ---- Links --------------------------------------------------------------
 *
 * For one GET of one object by whoever has the link, until its time is over:
 * make one only for who may see the object, never keep or log it.  A bucket's
 * is a URL; a folder's is a path on our own server, "/api/objects/KEY?...". */
enum { OBJECT_LINK_S_MAX = 5 * 60 };
struct object_until {
    int64_t now_ms, seconds; /* at most OBJECT_LINK_S_MAX */
};
/* Where links lead when that is not our own server: http(s)://HOST[:PORT],
 * absent for a folder.  It lives as long as `o`. */
struct str objects_origin(const struct objects *o);
/* `type` is what the object is served as.  *out lives in `a`. */
enum footnote_rc object_link(struct objects *o, struct str key, struct str type,
                             const struct object_until *until, struct arena *a,
                             struct str *out, struct footnote_err *err);
/* What a request for such a path brought.  INVALID: we have not made it.
 * ENDED: we have, but its time is over. */
struct object_claim {
    struct str expires, signature;
    int64_t now_ms;
};
enum footnote_rc object_link_check(struct objects *o, struct str key,
                                   const struct object_claim *claim,
                                   struct footnote_err *err);
/* A link for a key of the bucket that somebody else put there, if it lies
 * inside of the prefix that the operator opened; else absent. */
enum footnote_rc object_external(struct objects *o, struct str key,
                                 const struct object_until *until,
                                 struct arena *a, struct str *out,
                                 struct footnote_err *err);

/* The same key's bytes, appended to `out`; NOTFOUND when it is not open.  We
 * know no digest of them: what they are is for the caller to see. */
enum footnote_rc object_external_read(struct objects *o, struct str key,
                                      struct buf *out,
                                      struct footnote_err *err);

/* Every object, in no order; a code that is not OK ends the walk.  For those
 * who look for garbage: objects come and go meanwhile. */
typedef enum footnote_rc object_each_fn(void *arg, struct str key,
                                        int64_t changed_ms,
                                        struct footnote_err *err);
enum footnote_rc object_each(struct objects *o, object_each_fn *fn, void *arg,
                             struct footnote_err *err);

#endif
