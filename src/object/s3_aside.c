/* s3_aside.c - whose a bucket's objects are, and those that nothing seems to
 * name.
 *
 *     PREFIX/owner              the store's id
 *     PREFIX/trash/3f90...c1    this object was set aside, when this was stored
 *
 * An object that is set aside stays where it is: moving it would mean to copy
 * it, and its mark says as much. */
#include <unistd.h>

#include "base/fd.h"
#include "object/s3.h"

static enum footnote_rc whole_key(const struct s3 *s, const char *folder,
                                  const char *name, struct buf *out,
                                  struct footnote_err *err)
{
    buf_printf(out, "%.*s%s%s", STR_ARG(s->prefix), folder, name);
    return buf_rc(out, err);
}

/* Stores a short text under a key of the bucket. */
static enum footnote_rc put_text(struct s3 *s, struct str key, struct str text,
                                 struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    struct object sent = {.bytes = (int64_t)text.n};
    struct s3_call c = {.method = "PUT", .key = key, .sent = &sent};

    TRY(s3_open_scratch(s, &fd, err));
    if (write(fd, text.n ? text.p : "", text.n) != (ssize_t)text.n)
        return err_set(err, FOOTNOTE_BUSY, "objects: a temporary file");
    TRY(sha256(text, &sent.digest, err));
    c.from = fd;
    return s3_run(s, &c, err);
}

/* ---- The owner ---------------------------------------------------------- */

enum footnote_rc s3_owner_read(struct objects *o, struct buf *out,
                               struct footnote_err *err)
{
    AUTO(buf_free) struct buf key = BUF(S3_KEY_BYTES_MAX);
    struct s3_call c = {.method = "GET", .text = out};

    TRY(whole_key((struct s3 *)o, "", "owner", &key, err));
    c.key = buf_str(&key);
    return s3_run((struct s3 *)o, &c, err);
}

/* Not every bucket can store on condition, so two stores may both write it.  A
 * caller reads it again. */
enum footnote_rc s3_owner_write(struct objects *o, struct str id, bool replace,
                                struct footnote_err *err)
{
    AUTO(buf_free) struct buf key = BUF(S3_KEY_BYTES_MAX);

    (void)replace;
    TRY(whole_key((struct s3 *)o, "", "owner", &key, err));
    return put_text((struct s3 *)o, buf_str(&key), id, err);
}

/* ---- Set aside ---------------------------------------------------------- */

static enum footnote_rc mark_call(struct s3 *s, const char *method,
                                  const char *key, struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX);
    struct s3_call c = {.method = method};

    TRY(whole_key(s, S3_ASIDE, key, &whole, err));
    c.key = buf_str(&whole);
    return s3_run(s, &c, err);
}

/* A mark that is there keeps its time. */
enum footnote_rc s3_set_aside(struct objects *o, const char *key,
                              struct footnote_err *err)
{
    AUTO(buf_free) struct buf whole = BUF(S3_KEY_BYTES_MAX);
    enum footnote_rc rc = mark_call((struct s3 *)o, "HEAD", key, err);

    if (rc != FOOTNOTE_NOTFOUND)
        return rc;
    TRY(whole_key((struct s3 *)o, S3_ASIDE, key, &whole, err));
    return put_text((struct s3 *)o, buf_str(&whole), STR("-"), err);
}

enum footnote_rc s3_put_back(struct objects *o, const char *key,
                             struct footnote_err *err)
{
    enum footnote_rc rc = mark_call((struct s3 *)o, "DELETE", key, err);

    return rc == FOOTNOTE_NOTFOUND ? FOOTNOTE_OK : rc;
}

/* The object first: a crash in between leaves a mark, which is purged again. */
enum footnote_rc s3_purge(struct objects *o, const char *key,
                          struct footnote_err *err)
{
    TRY(s3_remove(o, key, err));
    return s3_put_back(o, key, err);
}
