/* s3.c - objects in a bucket of any server that speaks S3.
 *
 *     s3://BUCKET/PREFIX/3f/3f90...c1     an object
 *
 * An upload waits in an unnamed file until its digest is known: the digest is
 * signed, so the bucket checks it; afterwards the bucket is asked for the
 * length.  A download goes to an unnamed file as well, and is handed on only
 * when length and digest are right.  A crash leaves no file, and in the bucket
 * at most an object without a row. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "object/s3.h"

enum { TEXTS_BYTES_MAX = 64 * 1024, SCRATCH_BYTES_MAX = 1024 };

struct s3_put {
    struct object_put base;
    int fd;
};

/* ---- Unnamed files ------------------------------------------------------ */

static int open_unlinked(const char *folder)
{
    char path[SCRATCH_BYTES_MAX];
    int fd, n = snprintf(path, sizeof(path), "%s/footnote-XXXXXX", folder);

    if (n < 0 || (size_t)n >= sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

enum footnote_rc s3_open_scratch(const struct s3 *s, int *fd,
                                 struct footnote_err *err)
{
    *fd = open(s->scratch, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (*fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        *fd = open_unlinked(s->scratch);
    if (*fd >= 0)
        return FOOTNOTE_OK;
    return err_set(err, errno == ENOSPC ? FOOTNOTE_BUSY : FOOTNOTE_INTERNAL,
                   "objects: a temporary file in %.80s: %s", s->scratch,
                   strerror(errno));
}

/* ---- The bucket --------------------------------------------------------- */

static void s3_close(struct objects *o)
{
    struct s3 *s = (struct s3 *)o;

    s3_idle_close(s);
    pthread_mutex_destroy(&s->lock);
    arena_free(&s->arena);
    free(s);
}

static void closep(struct s3 **s)
{
    if (*s)
        s3_close(&(*s)->base);
}

/* Does not connect: a server can start while its bucket is away. */
static enum footnote_rc s3_open(const struct objects_place *p,
                                struct objects **out, struct footnote_err *err)
{
    AUTO(closep) struct s3 *s = calloc(1, sizeof(*s));

    if (!s)
        return err_set(err, FOOTNOTE_NOMEM, "opening objects");
    pthread_mutex_init(&s->lock, NULL);
    s->arena = ARENA(TEXTS_BYTES_MAX);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "opening objects");
    TRY(s3_address(s, p, err));
    s->scratch =
        arena_str(&s->arena, p->scratch.n ? p->scratch : STR("/tmp")).p;
    s->retry_ms = p->s3_retry_ms ? p->s3_retry_ms : S3_RETRY_MS;
    s->silent_ms = p->s3_silent_ms ? p->s3_silent_ms : S3_SILENT_MS;
    TRY(arena_rc(&s->arena, err));
    *out = &s->base;
    s = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

/* ---- Writing ------------------------------------------------------------ */

static enum footnote_rc s3_begin(struct objects *o, const char *key,
                                 struct object_put **out,
                                 struct footnote_err *err)
{
    struct s3_put *p = calloc(1, sizeof(*p));
    enum footnote_rc rc;

    (void)key;
    if (!p)
        return err_set(err, FOOTNOTE_NOMEM, "storing a file");
    rc = s3_open_scratch((struct s3 *)o, &p->fd, err);
    if (rc != FOOTNOTE_OK) {
        free(p);
        return rc;
    }
    *out = &p->base;
    return FOOTNOTE_OK;
}

static enum footnote_rc s3_write(struct object_put *put, struct str bytes,
                                 struct footnote_err *err)
{
    const struct s3_put *p = (struct s3_put *)put;

    while (bytes.n > 0) {
        ssize_t n = write(p->fd, bytes.p, bytes.n);

        if (n < 0 && errno != EINTR)
            return err_set(err,
                           errno == ENOSPC ? FOOTNOTE_BUSY : FOOTNOTE_INTERNAL,
                           "storing a file: %s", strerror(errno));
        if (n > 0)
            bytes = str_skip(bytes, (size_t)n);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc s3_head(struct objects *o, const char *key,
                                int64_t *bytes, struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX + 1);
    struct s3_call c = {.method = "HEAD"};

    s3_key((struct s3 *)o, key, &whole);
    TRY(buf_rc(&whole, err));
    c.key = buf_str(&whole);
    TRY(s3_run((struct s3 *)o, &c, err));
    if (c.length < 0)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "objects: the bucket does not say how long an object "
                       "is");
    *bytes = c.length;
    return FOOTNOTE_OK;
}

enum footnote_rc s3_remove(struct objects *o, const char *key,
                           struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX + 1);
    struct s3_call c = {.method = "DELETE"};
    enum footnote_rc rc;

    s3_key((struct s3 *)o, key, &whole);
    TRY(buf_rc(&whole, err));
    c.key = buf_str(&whole);
    rc = s3_run((struct s3 *)o, &c, err);
    return rc == FOOTNOTE_NOTFOUND ? FOOTNOTE_OK : rc;
}

static enum footnote_rc s3_finish(struct object_put *put,
                                  const struct object *object,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX + 1);
    struct s3_call c = {
        .method = "PUT", .sent = object, .from = ((struct s3_put *)put)->fd};
    int64_t bytes = -1;

    s3_key((struct s3 *)put->objects, object->key, &whole);
    TRY(buf_rc(&whole, err));
    c.key = buf_str(&whole);
    TRY(s3_run((struct s3 *)put->objects, &c, err));
    /* A server may take less than was sent, and still say 200. */
    TRY(s3_head(put->objects, object->key, &bytes, err));
    if (bytes == object->bytes)
        return FOOTNOTE_OK;
    (void)s3_remove(put->objects, object->key, NULL);
    return err_set(err, FOOTNOTE_DAMAGED,
                   "object %s: the bucket kept %lld of %lld bytes", object->key,
                   (long long)bytes, (long long)object->bytes);
}

static void s3_end(struct object_put *put)
{
    struct s3_put *p = (struct s3_put *)put;

    close(p->fd);
    free(p);
}

/* ---- Reading ------------------------------------------------------------ */

static enum footnote_rc s3_get(struct objects *o, const struct object *want,
                               int *fd, struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX + 1);
    AUTO(fd_closep) int to = -1;
    struct s3_call c = {.method = "GET", .wanted = want};

    s3_key((struct s3 *)o, want->key, &whole);
    TRY(buf_rc(&whole, err));
    c.key = buf_str(&whole);
    TRY(s3_open_scratch((struct s3 *)o, &to, err));
    c.to = to;
    TRY(s3_run((struct s3 *)o, &c, err));
    *fd = to;
    to = -1; /* it is the caller's now */
    return FOOTNOTE_OK;
}

/* An object that fits into a window is read as a whole, so that its digest can
 * be compared. */
static enum footnote_rc s3_window(struct objects *o, const struct object *want,
                                  int64_t from, int64_t n,
                                  struct object_window *out,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX + 1);
    AUTO(fd_closep) int to = -1;
    struct s3_call c = {.method = "GET", .wanted = want, .part_from = from};

    if (n > OBJECT_WINDOW_BYTES_MAX)
        n = OBJECT_WINDOW_BYTES_MAX;
    *out = (struct object_window){-1, from, n};
    if (n == want->bytes)
        return s3_get(o, want, &out->fd, err);
    s3_key((struct s3 *)o, want->key, &whole);
    TRY(buf_rc(&whole, err));
    c.key = buf_str(&whole);
    c.part_bytes = n;
    TRY(s3_open_scratch((struct s3 *)o, &to, err));
    c.to = to;
    TRY(s3_run((struct s3 *)o, &c, err));
    out->fd = to;
    to = -1; /* it is the caller's now */
    return FOOTNOTE_OK;
}

/* ---- Links -------------------------------------------------------------- */

static struct str s3_origin(const struct objects *o)
{
    return ((const struct s3 *)o)->origin;
}

static enum footnote_rc s3_link(struct objects *o, const char *key,
                                struct str type,
                                const struct link_lifetime *until,
                                struct arena *a, struct str *out,
                                struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX + 1);

    s3_key((struct s3 *)o, key, &whole);
    TRY(buf_rc(&whole, err));
    return s3_presign((struct s3 *)o, buf_str(&whole), type, until, a, out,
                      err);
}

static enum footnote_rc s3_link_check(struct objects *o, const char *key,
                                      const struct object_claim *claim,
                                      struct footnote_err *err)
{
    (void)o;
    (void)key;
    (void)claim;
    return err_field(err, FOOTNOTE_INVALID, "link",
                     "the bucket serves its own");
}

static void s3_shared_key(const struct objects *o, const char *key,
                          struct buf *out)
{
    s3_key((const struct s3 *)o, key, out);
}

static enum footnote_rc s3_external(struct objects *o, struct str key,
                                    const struct link_lifetime *until,
                                    struct arena *a, struct str *out,
                                    struct footnote_err *err)
{
    *out = STR_NONE;
    if (!s3_is_external((struct s3 *)o, key))
        return FOOTNOTE_OK;
    return s3_presign((struct s3 *)o, key, STR_NONE, until, a, out, err);
}

static enum footnote_rc s3_external_read(struct objects *o, struct str key,
                                         struct buf *out,
                                         struct footnote_err *err)
{
    struct s3_call c = {.method = "GET", .key = key, .text = out};

    if (!s3_is_external((struct s3 *)o, key))
        return err_field(err, FOOTNOTE_NOTFOUND, "object", "is not there");
    return s3_run((struct s3 *)o, &c, err);
}

const struct objects_driver objects_s3 = {.scheme = "s3:",
                                          .open = s3_open,
                                          .close = s3_close,
                                          .begin = s3_begin,
                                          .write = s3_write,
                                          .finish = s3_finish,
                                          .end = s3_end,
                                          .get = s3_get,
                                          .window = s3_window,
                                          .head = s3_head,
                                          .remove = s3_remove,
                                          .each = s3_each,
                                          .owner_read = s3_owner_read,
                                          .owner_write = s3_owner_write,
                                          .set_aside = s3_set_aside,
                                          .put_back = s3_put_back,
                                          .each_aside = s3_each_aside,
                                          .purge = s3_purge,
                                          .origin = s3_origin,
                                          .shared_key = s3_shared_key,
                                          .link = s3_link,
                                          .link_check = s3_link_check,
                                          .external = s3_external,
                                          .external_read = s3_external_read};
