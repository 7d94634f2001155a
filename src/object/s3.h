/* s3.h - what the files of the S3 driver share.
 *
 *     s3_address.c  where a bucket is: hosts, paths, links
 *     s3_call.c     one request: signed, sent, tried again, checked
 *     s3_list.c     lists the objects of the bucket
 *     s3_aside.c    the owner's name, and objects that are set aside
 *     s3_named.c    other names in it
 *     s3.c          the driver
 *
 * Any thread: a handle is constant but for its idle connections, which have
 * their lock inside. */
#ifndef OBJECT_S3_H
#define OBJECT_S3_H
#include <curl/curl.h>
#include <pthread.h>

#include "object/driver.h"
#include "object/sigv4.h"

enum {
    S3_KEY_BYTES_MAX = 1024, /* what S3 allows */
    S3_TEXT_BYTES_MAX = 4 * 1024 * 1024,
    S3_URL_BYTES_MAX = 16 * 1024,
    S3_TRIES = 5,
    S3_RETRY_MS = 200, /* before the second try; then twice as long each */
    S3_CONNECT_MS = 10 * 1000,
    S3_SILENT_MS = 30 * 1000, /* a transfer may stand still so long */
    S3_IDLE_MAX = 8           /* idle connections */
};

struct s3 {
    struct objects base;
    struct arena arena; /* of all texts */
    struct sigv4_keys keys;
    struct str bucket, prefix; /* prefix: empty, or ends with a slash */
    struct str external;       /* prefixes, with commas; absent: none */
    struct str origin;   /* http(s)://HOST[:PORT] with the bucket's host */
    struct str host;     /* HOST[:PORT] */
    struct str root;     /* encoded path of the bucket, "" or "/..." */
    const char *scratch; /* folder for unnamed files */
    int64_t retry_ms, silent_ms;
    pthread_mutex_t lock;
    CURL *idle[S3_IDLE_MAX];
    size_t idle_n;
};

/* ---- s3_address.c ------------------------------------------------------- */

/* Fills bucket, prefix, keys, origin, host and root.  INVALID: the settings
 * lack something. */
enum footnote_rc s3_address(struct s3 *s, const struct objects_place *p,
                            struct footnote_err *err);
/* Appends the bucket's whole key of one of our objects. */
void s3_key(const struct s3 *s, const char *key, struct buf *out);
/* Appends the encoded path of a whole key. */
void s3_path(const struct s3 *s, struct str whole, struct buf *out);
/* A link for one GET of the whole key, in `a`. */
enum footnote_rc s3_presign(const struct s3 *s, struct str whole,
                            struct str type, const struct link_lifetime *until,
                            struct arena *a, struct str *out,
                            struct footnote_err *err);
/* Whether the operator opened this key, and it is none of ours. */
bool s3_is_external(const struct s3 *s, struct str whole);

/* ---- s3_call.c ---------------------------------------------------------- */

/* One request.  With `sent`, its body is the file `from`.  With `wanted`, the
 * answer is written to the file `to`, and must be that object, or the part that
 * was asked for.  With `text`, the answer is appended there. */
struct s3_call {
    const char *method;
    struct str key; /* whole; absent: the bucket */
    struct sigv4_pairs query;
    const struct object *sent, *wanted; /* at most one of them */
    int64_t part_from, part_bytes;      /* of `wanted`; 0 bytes: all of it */
    int from, to;
    struct buf *text;
    int64_t length;    /* out: Content-Length, -1: not said */
    char checksum[64]; /* out: x-amz-checksum-sha256, or "" */
};
/* Tries S3_TRIES times.  NOTFOUND: no such key.  BUSY: the bucket is away, or
 * its connections break off; that says nothing about the bytes.  DAMAGED: they
 * came whole, and were wrong every time.  INTERNAL: the bucket refuses us;
 * the sentence has its reason. */
enum footnote_rc s3_run(struct s3 *s, struct s3_call *c,
                        struct footnote_err *err);
void s3_idle_close(struct s3 *s);

/* ---- s3_list.c ---------------------------------------------------------- */

/* Calls fn with every whole key of the bucket that begins so. */
enum footnote_rc s3_list(struct s3 *s, struct str begin, object_each_fn *fn,
                         void *arg, struct footnote_err *err);
enum footnote_rc s3_each(struct objects *o, object_each_fn *fn, void *arg,
                         struct footnote_err *err);
/* The marks of objects that are set aside, below the prefix: see s3_aside.c. */
#define S3_ASIDE "trash/"
enum footnote_rc s3_each_aside(struct objects *o, object_each_fn *fn, void *arg,
                               struct footnote_err *err);

/* ---- s3_aside.c --------------------------------------------------------- */

enum footnote_rc s3_owner_read(struct objects *o, struct buf *out,
                               struct footnote_err *err);
enum footnote_rc s3_owner_write(struct objects *o, struct str id, bool replace,
                                struct footnote_err *err);
enum footnote_rc s3_set_aside(struct objects *o, const char *key,
                              struct footnote_err *err);
enum footnote_rc s3_put_back(struct objects *o, const char *key,
                             struct footnote_err *err);
enum footnote_rc s3_purge(struct objects *o, const char *key,
                          struct footnote_err *err);

/* ---- s3.c --------------------------------------------------------------- */

/* A temporary file without a name; *fd is yours to close(). */
enum footnote_rc s3_open_scratch(const struct s3 *s, int *fd,
                                 struct footnote_err *err);
enum footnote_rc s3_remove(struct objects *o, const char *key,
                           struct footnote_err *err);

#endif
