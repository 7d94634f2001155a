/* s3_named.c - names of a bucket that are no keys of objects; see named.h. */
#include <assert.h>

#include "base/fd.h"
#include "object/named.h"
#include "object/s3.h"

static struct s3 *of(struct objects *o)
{
    assert(o->driver == &objects_s3);
    return (struct s3 *)o;
}

static enum footnote_rc run(struct objects *o, const char *name,
                            struct s3_call *c, struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX + 1);

    buf_add(&whole, of(o)->prefix);
    buf_add(&whole, str_c(name));
    TRY(buf_rc(&whole, err));
    c->key = buf_str(&whole);
    return s3_run(of(o), c, err);
}

enum footnote_rc named_open(const struct objects_place *p, struct objects **out,
                            struct footnote_err *err)
{
    *out = NULL;
    if (!str_starts(p->url, STR("s3:")))
        return err_set(err, FOOTNOTE_INVALID, "it is not in a bucket");
    return objects_open_place(p, out, err);
}

enum footnote_rc named_head(struct objects *o, const char *name, int64_t *bytes,
                            struct footnote_err *err)
{
    struct s3_call c = {.method = "HEAD"};

    TRY(run(o, name, &c, err));
    *bytes = c.length;
    return FOOTNOTE_OK;
}

enum footnote_rc named_put(struct objects *o, const char *name, int fd,
                           const struct object *what, struct footnote_err *err)
{
    struct s3_call c = {.method = "PUT", .sent = what, .from = fd};
    int64_t bytes = -1;

    TRY(run(o, name, &c, err));
    /* A server may take less than was sent, and still say 200. */
    TRY(named_head(o, name, &bytes, err));
    return bytes == what->bytes
               ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_DAMAGED,
                         "%.80s: the bucket kept %lld of %lld bytes", name,
                         (long long)bytes, (long long)what->bytes);
}

enum footnote_rc named_get(struct objects *o, const char *name,
                           const struct object *want, int *fd,
                           struct footnote_err *err)
{
    AUTO(fd_closep) int to = -1;
    struct s3_call c = {.method = "GET", .wanted = want};

    TRY(s3_open_scratch(of(o), &to, err));
    c.to = to;
    TRY(run(o, name, &c, err));
    *fd = to;
    to = -1; /* it is the caller's now */
    return FOOTNOTE_OK;
}

enum footnote_rc named_read(struct objects *o, const char *name,
                            struct buf *out, struct footnote_err *err)
{
    return run(o, name, &(struct s3_call){.method = "GET", .text = out}, err);
}

enum footnote_rc named_remove(struct objects *o, const char *name,
                              struct footnote_err *err)
{
    enum footnote_rc rc =
        run(o, name, &(struct s3_call){.method = "DELETE"}, err);

    return rc == FOOTNOTE_NOTFOUND ? FOOTNOTE_OK : rc;
}

struct each_name {
    const struct s3 *s;
    object_each_fn *fn;
    void *arg;
};

static enum footnote_rc report_name(void *arg, struct str key,
                                    int64_t changed_ms,
                                    struct footnote_err *err)
{
    const struct each_name *e = arg;

    return str_starts(key, e->s->prefix)
               ? e->fn(e->arg, str_skip(key, e->s->prefix.n), changed_ms, err)
               : FOOTNOTE_OK;
}

enum footnote_rc named_each(struct objects *o, const char *begin,
                            object_each_fn *fn, void *arg,
                            struct footnote_err *err)
{
    AUTO(buf_free) struct buf prefix = BUF(S3_KEY_BYTES_MAX + 1);
    struct each_name e = {of(o), fn, arg};

    buf_add(&prefix, of(o)->prefix);
    buf_add(&prefix, str_c(begin));
    TRY(buf_rc(&prefix, err));
    return s3_list(of(o), buf_str(&prefix), report_name, &e, err);
}
