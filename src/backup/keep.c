/* keep.c - which backups stay.
 *
 * A backup goes manifest first: a kill in between leaves one that was never
 * finished, and the next writer removes the rest.  Files go last, when every
 * backup that is left has told which it needs; if one cannot tell, all stay. */
#include <stdio.h>
#include <stdlib.h>

#include "backup/backup.h"
#include "backup/digests.h"
#include "backup/files.h"

enum { BACKUPS_MAX = 100000 };

struct names {
    char (*all)[PLACE_NAME_BYTES + 1];
    size_t n;
};

static void names_free(struct names *l)
{
    free(l->all);
}

static enum footnote_rc add_name(void *arg, struct str name,
                                 struct footnote_err *err)
{
    struct names *l = arg;

    if (l->n % 64 == 0) {
        void *more = l->n < BACKUPS_MAX
                         ? realloc(l->all, (l->n + 64) * sizeof(*l->all))
                         : NULL;

        if (!more)
            return err_set(err, FOOTNOTE_NOMEM, "too many backups");
        l->all = more;
    }
    memcpy(l->all[l->n], name.p, PLACE_NAME_BYTES);
    l->all[l->n++][PLACE_NAME_BYTES] = '\0';
    return FOOTNOTE_OK;
}

static int newest_first(const void *a, const void *b)
{
    return strcmp(b, a);
}

static enum footnote_rc list_names(struct place *p, struct names *out,
                                   struct footnote_err *err)
{
    TRY(p->driver->each_backup(p, add_name, out, err));
    if (out->n)
        qsort(out->all, out->n, sizeof(*out->all), newest_first);
    for (size_t i = 0, n = out->n, kept = out->n = 0; i < n; i++) {
        if (i > 0 && strcmp(out->all[i], out->all[kept - 1]) == 0)
            continue; /* a bucket tells a name for each of its files */
        memmove(out->all[kept++], out->all[i], sizeof(*out->all));
        out->n = kept;
    }
    return FOOTNOTE_OK;
}

enum footnote_rc backup_newest(struct place *p, char out[PLACE_NAME_BYTES + 1],
                               struct footnote_err *err)
{
    AUTO(names_free) struct names l = {.n = 0};

    TRY(list_names(p, &l, err));
    for (size_t i = 0; i < l.n; i++) {
        struct manifest m;

        if (manifest_read(p, l.all[i], &m, NULL) == FOOTNOTE_NOTFOUND)
            continue; /* was not finished */
        memcpy(out, l.all[i], PLACE_NAME_BYTES + 1);
        return FOOTNOTE_OK;
    }
    return err_set(err, FOOTNOTE_NOTFOUND, "there is no backup");
}

static enum footnote_rc remove_backup(struct place *p, const char *name,
                                      struct footnote_err *err)
{
    static const char *const parts[] = {"manifest.json", "footnote.db",
                                        "files.txt"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        char path[PLACE_PATH_BYTES];

        snprintf(path, sizeof(path), "%s/%s", name, parts[i]);
        TRY(p->driver->remove(p, path, err));
    }
    return FOOTNOTE_OK;
}

/* ---- Files that no backup names ----------------------------------------- */

struct unnamed {
    struct place *place;
    struct digests named;
};

static void unnamed_free(struct unnamed *u)
{
    digests_free(&u->named);
}

static enum footnote_rc add_named(void *arg, const struct object *o,
                                  struct footnote_err *err)
{
    return digests_add(&((struct unnamed *)arg)->named, &o->digest, err);
}

static enum footnote_rc remove_unnamed(void *arg, struct str name,
                                       struct footnote_err *err)
{
    const struct unnamed *u = arg;
    struct sha256 digest;

    if (!place_file_digest(name, &digest) || digests_has(&u->named, &digest))
        return FOOTNOTE_OK;
    return u->place->driver->remove(u->place, name.p, err);
}

/* ---- Both --------------------------------------------------------------- */

enum footnote_rc backup_tidy(struct place *p, const char *store, int64_t keep,
                             int64_t *removed, struct footnote_err *err)
{
    AUTO(names_free) struct names l = {.n = 0};
    AUTO(unnamed_free) struct unnamed u = {.place = p};
    int64_t ours = 0, before = *removed = 0;

    TRY(list_names(p, &l, err));
    for (size_t i = 0; i < l.n; i++) {
        struct manifest m;
        enum footnote_rc rc = manifest_read(p, l.all[i], &m, err);
        bool is_ours = rc == FOOTNOTE_OK && strcmp(m.store, store) == 0;

        if (rc == FOOTNOTE_NOTFOUND) {
            TRY(remove_backup(p, l.all[i], err));
        } else if (keep && is_ours && ++ours > keep) {
            TRY(remove_backup(p, l.all[i], err));
            ++*removed;
        } else if (keep) {
            TRY(rc);
            TRY(files_read_list(p, &m, add_named, &u, err));
        }
    }
    if (*removed == before)
        return FOOTNOTE_OK;
    return p->driver->each_file(p, remove_unnamed, &u, err);
}
