/* object.c - what all places share: keys, digests, comparing. */
#include "object/object.h"

#include <assert.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/uuid.h"
#include "object/driver.h"
#include "object/owner.h"

enum { READ_BYTES = 64 * 1024 };

static const struct objects_driver *const drivers[] = {&objects_files,
                                                       &objects_s3};

/* ---- Keys --------------------------------------------------------------- */

enum { SHARED_KEY_BYTES_MAX = 1024 };

static enum footnote_rc copy_key(struct str key, char out[OBJECT_KEY_BYTES + 1],
                                 struct footnote_err *err)
{
    bool ours = key.n == OBJECT_KEY_BYTES;

    for (size_t i = 0; ours && i < key.n; i++)
        ours = (key.p[i] >= '0' && key.p[i] <= '9') ||
               (key.p[i] >= 'a' && key.p[i] <= 'f');
    if (!ours)
        return err_field(err, FOOTNOTE_INVALID, "object", "not a key of ours");
    memcpy(out, key.p, OBJECT_KEY_BYTES);
    out[OBJECT_KEY_BYTES] = '\0';
    return FOOTNOTE_OK;
}

enum footnote_rc object_of(struct str key, int64_t bytes,
                           const struct sha256 *digest, struct object *out,
                           struct footnote_err *err)
{
    if (bytes < 0)
        return err_set(err, FOOTNOTE_DAMAGED,
                       "the stored length of a file is damaged");
    *out = (struct object){.bytes = bytes, .digest = *digest};
    return copy_key(key, out->key, err);
}

/* ---- The place ---------------------------------------------------------- */

enum footnote_rc objects_open_place(const struct objects_place *p,
                                    struct objects **out,
                                    struct footnote_err *err)
{
    *out = NULL;
    for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
        struct str scheme = str_c(drivers[i]->scheme);

        if (!str_starts(p->url, scheme))
            continue;
        if (p->store.n > OBJECTS_STORE_BYTES)
            return err_set(err, FOOTNOTE_INVALID,
                           "objects: a store's id has "
                           "%d digits",
                           OBJECTS_STORE_BYTES);
        TRY(drivers[i]->open(p, out, err));
        (*out)->driver = drivers[i];
        if (p->store.n)
            memcpy((*out)->store, p->store.p, p->store.n);
        return FOOTNOTE_OK;
    }
    return err_set(err, FOOTNOTE_INVALID,
                   "objects: it takes files:FOLDER or s3://BUCKET[/PREFIX]");
}

enum footnote_rc objects_open(struct str url, struct objects **out,
                              struct footnote_err *err)
{
    return objects_open_place(&(struct objects_place){.url = url}, out, err);
}

void objects_close(struct objects *o)
{
    if (o)
        o->driver->close(o);
}

/* ---- Writing ------------------------------------------------------------ */

static enum footnote_rc begin_put(struct objects *o, const char *key,
                                  struct object_put **out,
                                  struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *hasher = NULL;

    *out = NULL;
    TRY(owner_claim(o, err));
    TRY(sha256_open(&hasher, err));
    TRY(o->driver->begin(o, key, out, err));
    assert(*out);
    sha256_begin(hasher);
    (*out)->objects = o;
    (*out)->hasher = hasher;
    memcpy((*out)->object.key, key, OBJECT_KEY_BYTES + 1);
    hasher = NULL; /* object_abort() closes it */
    return FOOTNOTE_OK;
}

enum footnote_rc object_begin(struct objects *o, struct object_put **out,
                              struct footnote_err *err)
{
    static const char digits[] = "0123456789abcdef";
    char key[OBJECT_KEY_BYTES + 1] = "";
    uint8_t b[OBJECT_KEY_BYTES / 2];

    random_bytes(b, sizeof(b));
    for (size_t i = 0; i < sizeof(b); i++) {
        key[2 * i] = digits[b[i] >> 4];
        key[2 * i + 1] = digits[b[i] & 15];
    }
    return begin_put(o, key, out, err);
}

enum footnote_rc object_write(struct object_put *p, struct str bytes,
                              struct footnote_err *err)
{
    enum footnote_rc rc;

    assert(!p->failed);
    if (bytes.n == 0)
        return FOOTNOTE_OK;
    rc = p->objects->driver->write(p, bytes, err);
    p->failed = rc != FOOTNOTE_OK;
    sha256_add(p->hasher, bytes);
    p->object.bytes += (int64_t)bytes.n;
    return rc;
}

void object_abort(struct object_put *p)
{
    if (!p)
        return;
    sha256_close(p->hasher);
    p->objects->driver->end(p);
}

enum footnote_rc object_finish(struct object_put *p, struct object *out,
                               struct footnote_err *err)
{
    AUTO(object_abortp) struct object_put *ends = p; /* either way */

    assert(!ends->failed);
    sha256_end(p->hasher, &p->object.digest);
    TRY(p->objects->driver->finish(p, &p->object, err));
    *out = p->object;
    return FOOTNOTE_OK;
}

enum footnote_rc object_store(struct objects *o, struct str bytes,
                              struct object *out, struct footnote_err *err)
{
    AUTO(object_abortp) struct object_put *p = NULL;
    struct object_put *whole;

    TRY(object_begin(o, &p, err));
    TRY(object_write(p, bytes, err));
    whole = p;
    p = NULL; /* finishing ends it, either way */
    return object_finish(whole, out, err);
}

/* ---- Reading ------------------------------------------------------------ */

static enum footnote_rc damaged(const struct object *want,
                                struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_DAMAGED,
                   "object %s: its bytes are not those that were stored",
                   want->key);
}

static enum footnote_rc check_length(int fd, const struct object *want,
                                     struct footnote_err *err)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return err_set(err, FOOTNOTE_INTERNAL, "object %s: %s", want->key,
                       strerror(errno));
    return S_ISREG(st.st_mode) && st.st_size == want->bytes
               ? FOOTNOTE_OK
               : damaged(want, err);
}

enum footnote_rc object_get(struct objects *o, const struct object *want,
                            int *fd, struct footnote_err *err)
{
    enum footnote_rc rc;

    *fd = -1;
    TRY(o->driver->get(o, want, fd, err));
    rc = check_length(*fd, want, err);
    if (rc != FOOTNOTE_OK) {
        close(*fd);
        *fd = -1;
    }
    return rc;
}

enum footnote_rc object_window(struct objects *o, const struct object *want,
                               int64_t from, int64_t n,
                               struct object_window *out,
                               struct footnote_err *err)
{
    struct object_window w = {.fd = -1};
    enum footnote_rc rc = FOOTNOTE_OK;

    assert(from >= 0 && n > 0 && n <= want->bytes - from);
    *out = w;
    TRY(o->driver->window(o, want, from, n, &w, err));
    if (w.bytes == want->bytes)
        rc = check_length(w.fd, want, err);
    if (rc != FOOTNOTE_OK) {
        object_window_close(&w);
        return rc;
    }
    assert(w.from <= from && from - w.from < w.bytes);
    *out = w;
    return FOOTNOTE_OK;
}

void object_window_close(struct object_window *w)
{
    fd_closep(&w->fd);
    w->fd = -1;
}

/* Reads up to `n` bytes at `from`; *got is 0 at the end. */
static enum footnote_rc read_at(int fd, char *p, size_t n, int64_t from,
                                size_t *got, struct footnote_err *err)
{
    ssize_t r;

    do
        r = pread(fd, p, n, from);
    while (r < 0 && errno == EINTR);
    if (r < 0)
        return err_set(err, FOOTNOTE_DAMAGED, "reading an object: %s",
                       strerror(errno));
    *got = (size_t)r;
    return FOOTNOTE_OK;
}

/* Reads on at the expected end: a file that is too long is wrong too. */
static enum footnote_rc read_whole(int fd, const struct object *want,
                                   struct buf *out, struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;
    char part[READ_BYTES];
    struct sha256 digest;
    int64_t from = 0;
    size_t n = 1;

    TRY(sha256_open(&h, err));
    sha256_begin(h);
    for (; n > 0 && from <= want->bytes; from += (int64_t)n) {
        TRY(read_at(fd, part, sizeof(part), from, &n, err));
        sha256_add(h, (struct str){part, n});
        if (out)
            buf_add(out, (struct str){part, n});
    }
    sha256_end(h, &digest);
    if (from != want->bytes || !sha256_eq(&digest, &want->digest))
        return damaged(want, err);
    return out ? buf_rc(out, err) : FOOTNOTE_OK;
}

enum footnote_rc object_check(int fd, const struct object *want,
                              struct footnote_err *err)
{
    return read_whole(fd, want, NULL, err);
}

enum footnote_rc object_read(struct objects *o, const struct object *want,
                             struct buf *out, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;

    if (want->bytes < 0 || (size_t)want->bytes > out->max - out->n)
        return err_set(err, FOOTNOTE_TOOBIG,
                       "object %s: %lld bytes do not fit into memory",
                       want->key, (long long)want->bytes);
    TRY(object_get(o, want, &fd, err));
    return read_whole(fd, want, out, err);
}

/* ---- To another place --------------------------------------------------- */

/* Whether it is there and whole.  A damaged copy is made again. */
static enum footnote_rc is_stored(struct objects *o, const struct object *want,
                                  bool *out, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    enum footnote_rc rc = object_get(o, want, &fd, err);

    if (rc == FOOTNOTE_OK)
        rc = object_check(fd, want, err);
    *out = rc == FOOTNOTE_OK;
    return rc == FOOTNOTE_NOTFOUND || rc == FOOTNOTE_DAMAGED ? FOOTNOTE_OK : rc;
}

/* What is read is compared first: a damaged object is not copied. */
enum footnote_rc object_put_file(struct objects *to, const struct object *o,
                                 int fd, struct footnote_err *err)
{
    AUTO(object_abortp) struct object_put *p = NULL;
    struct object_put *whole;
    struct object made;
    char part[READ_BYTES];
    size_t n = 1;

    TRY(object_check(fd, o, err));
    TRY(begin_put(to, o->key, &p, err));
    for (int64_t at = 0; n > 0 && at <= o->bytes; at += (int64_t)n) {
        TRY(read_at(fd, part, sizeof(part), at, &n, err));
        TRY(object_write(p, (struct str){part, n}, err));
    }
    whole = p;
    p = NULL; /* finishing ends it, either way */
    TRY(object_finish(whole, &made, err));
    return made.bytes == o->bytes && sha256_eq(&made.digest, &o->digest)
               ? FOOTNOTE_OK
               : damaged(o, err);
}

enum footnote_rc object_copy(struct objects *from, struct objects *to,
                             const struct object *o, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    bool there;

    TRY(is_stored(to, o, &there, err));
    if (there)
        return FOOTNOTE_OK;
    TRY(object_get(from, o, &fd, err));
    return object_put_file(to, o, fd, err);
}

/* ---- By key alone ------------------------------------------------------- */

enum footnote_rc object_head(struct objects *o, struct str key, int64_t *bytes,
                             struct footnote_err *err)
{
    char text[OBJECT_KEY_BYTES + 1];

    TRY(copy_key(key, text, err));
    return o->driver->head(o, text, bytes, err);
}

enum footnote_rc object_delete(struct objects *o, struct str key,
                               struct footnote_err *err)
{
    char text[OBJECT_KEY_BYTES + 1];

    TRY(copy_key(key, text, err));
    return o->driver->remove(o, text, err);
}

enum footnote_rc object_set_aside(struct objects *o, struct str key,
                                  struct footnote_err *err)
{
    char text[OBJECT_KEY_BYTES + 1];

    TRY(copy_key(key, text, err));
    return o->driver->set_aside(o, text, err);
}

enum footnote_rc object_put_back(struct objects *o, struct str key,
                                 struct footnote_err *err)
{
    char text[OBJECT_KEY_BYTES + 1];

    TRY(copy_key(key, text, err));
    return o->driver->put_back(o, text, err);
}

enum footnote_rc object_purge(struct objects *o, struct str key,
                              struct footnote_err *err)
{
    char text[OBJECT_KEY_BYTES + 1];

    TRY(copy_key(key, text, err));
    return o->driver->purge(o, text, err);
}

enum footnote_rc object_each(struct objects *o, object_each_fn *fn, void *arg,
                             struct footnote_err *err)
{
    return o->driver->each(o, fn, arg, err);
}

enum footnote_rc object_each_aside(struct objects *o, object_each_fn *fn,
                                   void *arg, struct footnote_err *err)
{
    return o->driver->each_aside(o, fn, arg, err);
}

/* ---- Links -------------------------------------------------------------- */

struct str objects_origin(const struct objects *o)
{
    return o->driver->origin(o);
}

enum footnote_rc object_shared_key(const struct objects *o, struct str key,
                                   struct arena *a, struct str *out,
                                   struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(SHARED_KEY_BYTES_MAX);
    char text[OBJECT_KEY_BYTES + 1];

    *out = STR_NONE;
    TRY(copy_key(key, text, err));
    if (!o->driver->shared_key)
        return FOOTNOTE_OK;
    o->driver->shared_key(o, text, &b);
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    return arena_rc(a, err);
}

enum footnote_rc object_link(struct objects *o, struct str key, struct str type,
                             const struct link_lifetime *until, struct arena *a,
                             struct str *out, struct footnote_err *err)
{
    char text[OBJECT_KEY_BYTES + 1];

    assert(until->seconds > 0 && until->seconds <= OBJECT_LINK_S_MAX);
    TRY(copy_key(key, text, err));
    return o->driver->link(o, text, type, until, a, out, err);
}

enum footnote_rc object_link_check(struct objects *o, struct str key,
                                   const struct object_claim *claim,
                                   struct footnote_err *err)
{
    char text[OBJECT_KEY_BYTES + 1];

    TRY(copy_key(key, text, err));
    return o->driver->link_check(o, text, claim, err);
}

enum footnote_rc object_external_read(struct objects *o, struct str key,
                                      struct buf *out, struct footnote_err *err)
{
    return o->driver->external_read(o, key, out, err);
}

enum footnote_rc object_external(struct objects *o, struct str key,
                                 const struct link_lifetime *until,
                                 struct arena *a, struct str *out,
                                 struct footnote_err *err)
{
    assert(until->seconds > 0 && until->seconds <= OBJECT_LINK_S_MAX);
    return o->driver->external(o, key, until, a, out, err);
}
