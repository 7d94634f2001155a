/* named.h - files under names of ours in a bucket, beside its objects.  Any
 * thread.
 *
 * A name goes behind the prefix of the place, as "backups/1/manifest.json".  A
 * backup lies in a bucket so; all else are objects (object.h). */
#ifndef OBJECT_NAMED_H
#define OBJECT_NAMED_H
#include "object/object.h"

/* Opens "s3://BUCKET[/PREFIX]"; INVALID for any other place. */
enum footnote_rc named_open(const struct objects_place *p, struct objects **out,
                            struct footnote_err *err);
/* Puts the file `fd`, of which `what` has length and digest.  The bucket
 * compares the digest; the length is asked for afterwards. */
enum footnote_rc named_put(struct objects *o, const char *name, int fd,
                           const struct object *what, struct footnote_err *err);
enum footnote_rc named_head(struct objects *o, const char *name, int64_t *bytes,
                            struct footnote_err *err);
/* *fd is yours; DAMAGED when it is not what `want` says. */
enum footnote_rc named_get(struct objects *o, const char *name,
                           const struct object *want, int *fd,
                           struct footnote_err *err);
/* The same for a short text, of which nothing is known. */
enum footnote_rc named_read(struct objects *o, const char *name,
                            struct buf *out, struct footnote_err *err);
/* OK also when there is none. */
enum footnote_rc named_remove(struct objects *o, const char *name,
                              struct footnote_err *err);
/* Calls fn for every name that begins so, in no order. */
enum footnote_rc named_each(struct objects *o, const char *begin,
                            object_each_fn *fn, void *arg,
                            struct footnote_err *err);

#endif
