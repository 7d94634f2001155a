/* files.h - what the files of the driver for folders share.
 *
 *     files.c        objects: writing, reading, walking
 *     files_aside.c  the owner's name, and objects that are set aside */
#ifndef OBJECT_FILES_H
#define OBJECT_FILES_H
#include <fcntl.h>

#include "object/driver.h"

enum {
    FILES_SHARD_BYTES = 2,
    FILES_PATH_BYTES = FILES_SHARD_BYTES + 1 + OBJECT_KEY_BYTES + 1
};

struct files {
    struct objects base;
    int root, unfinished; /* folders */
    struct sha256 secret; /* that links are signed with */
};

/* ---- files.c ------------------------------------------------------------ */

/* Opens what lies below `folder`, never through a link; -1 and errno. */
int files_open_below(int folder, const char *path, int flags);
/* What an errno means to us. */
enum footnote_rc files_error(const char *what, int number,
                             struct footnote_err *err);
/* Opens the folder of a key, and makes it when it is missing. */
enum footnote_rc files_open_shard(const struct files *f, const char *key,
                                  int *out, struct footnote_err *err);
/* Calls fn for every regular file of a folder; files may go away meanwhile. */
typedef enum footnote_rc files_fn(void *arg, int folder, const char *name,
                                  int64_t changed_ms, struct footnote_err *err);
enum footnote_rc files_walk(const struct files *f, const char *name,
                            files_fn *fn, void *arg, struct footnote_err *err);
/* Tells an object_each_fn of a file, if it has the name of an object. */
struct files_each {
    object_each_fn *fn;
    void *arg;
};
enum footnote_rc files_each_one(void *arg, int folder, const char *name,
                                int64_t changed_ms, struct footnote_err *err);

/* ---- files_aside.c ------------------------------------------------------ */

enum footnote_rc files_owner_read(struct objects *o, struct buf *out,
                                  struct footnote_err *err);
enum footnote_rc files_owner_write(struct objects *o, struct str id,
                                   bool replace, struct footnote_err *err);
enum footnote_rc files_set_aside(struct objects *o, const char *key,
                                 struct footnote_err *err);
enum footnote_rc files_put_back(struct objects *o, const char *key,
                                struct footnote_err *err);
enum footnote_rc files_each_aside(struct objects *o, object_each_fn *fn,
                                  void *arg, struct footnote_err *err);
enum footnote_rc files_purge(struct objects *o, const char *key,
                             struct footnote_err *err);
/* The descriptor of an object that is set aside; -1 and errno. */
int files_open_aside(const struct files *f, const char *key);

#endif
