/* files.c - the objects: each row's file, files without a row, and whether the
 * place takes and gives back an object. */
#include <stdio.h>

#include "base/clock.h"
#include "cli/doctor/doctor.h"
#include "cli/services.h"
#include "object/walk.h"
#include "store/document/snapshot.h"

enum {
    ARENA_BYTES_MAX = 1024 * 1024,
    NAMES_BYTES = 400,
    RETRY_MS = 200,  /* a bucket that fails is asked again soon, */
    SILENT_MS = 5000 /* and one that says nothing is given up */
};

static void closep(struct objects **o)
{
    objects_close(*o);
}

/* A folder that is not there would be made: that is for a server to do. */
static enum footnote_rc open_place(const struct doctor *d, struct objects **out,
                                   struct footnote_err *err)
{
    const struct config *c = &d->c->config;
    struct objects_place place = services_place(c, c->objects);

    place.s3_retry_ms = RETRY_MS;
    place.s3_silent_ms = SILENT_MS;
    return objects_open_place(&place, out, err);
}

/* ---- Rows and files ------------------------------------------------------ */

struct objects_walk {
    struct doctor *d;
    struct objects *objects;
    struct object_count all;
    int64_t done, missing, damaged, named;
    char names[NAMES_BYTES];
};

static void name_it(struct objects_walk *w, const struct object *o)
{
    size_t n = strlen(w->names);

    if (w->named++ < DOCTOR_NAMED_MAX)
        snprintf(w->names + n, sizeof(w->names) - n, "%s%s", n ? ", " : "",
                 o->key);
}

static enum footnote_rc look_at(struct objects_walk *w, const struct object *o,
                                struct footnote_err *err)
{
    int64_t bytes = 0;

    if (!w->d->quick)
        return object_verify(w->objects, o, err);
    TRY(object_head(w->objects, str_c(o->key), &bytes, err));
    return bytes == o->bytes
               ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_DAMAGED, "object: has another length");
}

static enum footnote_rc visit(void *arg, const struct object *o,
                              struct footnote_err *err)
{
    struct objects_walk *w = arg;
    enum footnote_rc rc = look_at(w, o, err);

    w->done++;
    doctor_progress(w->d, "%lld of %lld files", (long long)w->done,
                    (long long)w->all.objects);
    if (rc != FOOTNOTE_NOTFOUND && rc != FOOTNOTE_DAMAGED)
        return rc;
    w->missing += rc == FOOTNOTE_NOTFOUND;
    w->damaged += rc == FOOTNOTE_DAMAGED;
    name_it(w, o);
    return FOOTNOTE_OK;
}

static void report_objects(struct doctor *d, const struct objects_walk *w)
{
    if (w->named == 0)
        doctor_ok(d, "%lld files, %lld bytes%s", (long long)w->all.objects,
                  (long long)w->all.bytes,
                  d->quick ? ": all are there" : ", as their rows say");
    else
        doctor_bad(d, CLI_DAMAGED,
                   "put them back from a backup, or upload these documents "
                   "again",
                   "of %lld files %lld are missing and %lld damaged: %s%s",
                   (long long)w->done, (long long)w->missing,
                   (long long)w->damaged, w->names,
                   w->named > DOCTOR_NAMED_MAX ? ", ..." : "");
}

static enum footnote_rc walk_all(struct objects_walk *w, int64_t *unknown,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);

    TRY(store_own_read(w->d->store, &a, OP(object_count), &w->all, err));
    if (w->all.objects == 0 && !w->d->has_folder)
        return FOOTNOTE_OK;
    TRY(open_place(w->d, &w->objects, err));
    TRY(object_each_row(w->d->store, visit, w, err));
    return object_count_unknown(w->d->store, w->objects, unknown, err);
}

void check_objects(struct doctor *d)
{
    struct objects_walk w = {.d = d};
    struct footnote_err err;
    int64_t unknown = 0;
    enum footnote_rc rc = walk_all(&w, &unknown, &err);

    objects_close(w.objects);
    if (rc == FOOTNOTE_OK || w.named > 0)
        report_objects(d, &w);
    if (rc != FOOTNOTE_OK)
        doctor_failed(d, &err);
    else if (unknown > 0)
        doctor_warning(d, "footnote objects gc",
                       "%lld files are of no document or picture",
                       (long long)unknown);
}

/* ---- The place ----------------------------------------------------------- */

static enum footnote_rc try_place(struct objects *o, const char **step,
                                  struct footnote_err *err)
{
    AUTO(buf_free) struct buf back = BUF(4096);
    struct str bytes = STR("footnote doctor\n");
    struct object probe;
    enum footnote_rc rc;

    *step = "writing";
    TRY(object_store(o, bytes, &probe, err));
    *step = "reading";
    rc = object_read(o, &probe, &back, err);
    if (rc == FOOTNOTE_OK && !str_eq(buf_str(&back), bytes))
        rc = err_set(err, FOOTNOTE_DAMAGED, "other bytes came back");
    if (rc != FOOTNOTE_OK) {
        (void)object_delete(o, str_c(probe.key), NULL);
        return rc;
    }
    *step = "deleting";
    return object_delete(o, str_c(probe.key), err);
}

void check_storage(struct doctor *d)
{
    AUTO(closep) struct objects *o = NULL;
    struct str place = d->c->config.objects;
    bool bucket = str_starts(place, STR("s3:"));
    const char *step = "opening";
    struct footnote_err err;
    enum footnote_rc rc;
    int64_t began_ms = clock_mono_ms();

    if (!bucket && !d->has_folder) {
        doctor_skipped(d, "there is no data folder yet");
        return;
    }
    rc = open_place(d, &o, &err);
    if (rc == FOOTNOTE_OK)
        rc = try_place(o, &step, &err);
    if (rc == FOOTNOTE_OK)
        doctor_ok(d, "%.*s takes, gives back and deletes an object: %lld ms",
                  STR_ARG(place), (long long)(clock_mono_ms() - began_ms));
    else
        doctor_bad(d, rc == FOOTNOTE_INVALID ? CLI_CONFIG : CLI_FAILED,
                   bucket ? "see --s3-endpoint, AWS_* and what the key may do "
                            "in the bucket"
                          : "see footnote doctor disk",
                   "%.*s: %s: %s", STR_ARG(place), step, err.text);
}
