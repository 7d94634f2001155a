/* target_local.c - puts documents into the data folder; workers of this process
 * read them in.  The folder's lock keeps servers out meanwhile.
 *
 * After a kill the documents stay queued: the next run or a server goes on. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "cli/ingest/target.h"
#include "cli/services.h"
#include "ingest/format/formats.h"
#include "ingest/work/ingest.h"
#include "store/document/document.h"
#include "store/session/course.h"

enum {
    PART_BYTES = 64 * 1024,
    LOOK_BYTES_MAX = 1024 * 1024,
    ARENA_BYTES_MAX = 512 * 1024 * 1024
};

struct local_target {
    struct target base;
    struct cli *c;
    struct who who;
    int lock;
    struct store *store;
    struct objects *objects;
    struct ingest *ingest;
    struct arena arena;                  /* `documents` */
    char course[STORE_ID_BYTES_MAX + 1]; /* "": a dry run, it would be made */
    const struct document *documents;    /* of the course, as listed */
    size_t documents_n;
};

/* ---- Documents of the course -------------------------------------------- */

static const struct document *find_same_bytes(const struct local_target *l,
                                              const struct plan_item *item,
                                              const struct sha256 *digest)
{
    for (size_t i = 0; i < l->documents_n; i++) {
        const struct document *d = &l->documents[i];

        if (!sha256_eq(&d->digest, digest) || d->status == DOCUMENT_FAILED ||
            (item->recording.p && !d->media.object_key.p))
            continue;
        if (item->kind != DOCUMENT_JOURNAL ||
            (str_eq(d->date, item->date) && str_eq(d->title, item->title)))
            return d;
    }
    return NULL;
}

static const struct document *find_by_name(const struct local_target *l,
                                           const struct plan_item *item)
{
    for (size_t i = 0; i < l->documents_n && item->from_folder; i++)
        if (item->kind != DOCUMENT_JOURNAL &&
            str_eq(l->documents[i].filename, item->name) &&
            l->documents[i].kind == item->kind)
            return &l->documents[i];
    return NULL;
}

/* ---- Files -------------------------------------------------------------- */

typedef enum footnote_rc part_fn(void *arg, struct str part,
                                 struct footnote_err *err);

static enum footnote_rc each_part(struct str root, struct str path, part_fn *fn,
                                  void *arg, struct footnote_err *err)
{
    AUTO(fd_closep) int fd = plan_open(root, path, O_RDONLY);
    char part[PART_BYTES];
    ssize_t n = 1;

    if (fd < 0)
        return err_set(err, FOOTNOTE_INVALID, "%s", strerror(errno));
    while (n > 0) {
        n = read(fd, part, sizeof(part));
        if (n < 0 && errno == EINTR)
            n = 1;
        else if (n < 0)
            return err_set(err, FOOTNOTE_INVALID, "%s", strerror(errno));
        else
            TRY(fn(arg, (struct str){part, (size_t)n}, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc hash_part(void *arg, struct str part,
                                  struct footnote_err *err)
{
    (void)err;
    sha256_add(arg, part);
    return FOOTNOTE_OK;
}

static enum footnote_rc hash(const struct plan_item *item, struct sha256 *out,
                             struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;

    if (item->text.p)
        return sha256(item->text, out, err);
    TRY(sha256_open(&h, err));
    sha256_begin(h);
    TRY(each_part(item->root, item->path, hash_part, h, err));
    sha256_end(h, out);
    return FOOTNOTE_OK;
}

static enum footnote_rc put_part(void *arg, struct str part,
                                 struct footnote_err *err)
{
    return object_write(arg, part, err);
}

static enum footnote_rc store_file(struct local_target *l, struct str root,
                                   struct str path, struct object *out,
                                   struct footnote_err *err)
{
    AUTO(object_abortp) struct object_put *p = NULL;
    struct object_put *whole;

    TRY(object_begin(l->objects, &p, err));
    TRY(each_part(root, path, put_part, p, err));
    whole = p;
    p = NULL; /* object_finish() ends it, even when it fails */
    return object_finish(whole, out, err);
}

/* ---- Putting ------------------------------------------------------------ */

/* Objects of one document that no row names yet. */
struct stored {
    struct objects *objects;
    struct object file, recording;
    bool has_file, has_recording;
};

static void delete_stored(struct stored *s)
{
    if (s->has_file)
        (void)object_delete(s->objects, str_c(s->file.key), NULL);
    if (s->has_recording)
        (void)object_delete(s->objects, str_c(s->recording.key), NULL);
}

static enum footnote_rc store_item(struct local_target *l,
                                   const struct plan_item *item,
                                   struct stored *s, struct footnote_err *err)
{
    s->objects = l->objects;
    if (item->text.p)
        TRY(object_store(l->objects, item->text, &s->file, err));
    else
        TRY(store_file(l, item->root, item->path, &s->file, err));
    s->has_file = true;
    if (!item->recording.p)
        return FOOTNOTE_OK;
    TRY(store_file(l, item->recording_root, item->recording, &s->recording,
                   err));
    s->has_recording = true;
    return FOOTNOTE_OK;
}

static void describe(struct document *d, const struct plan_item *item,
                     const struct stored *s)
{
    d->kind = item->kind;
    d->title = item->title;
    d->date = item->date;
    d->filename = item->name;
    d->media_type = format_of(item->format)->media_type;
    d->object_key = str_c(s->file.key);
    d->digest = s->file.digest;
    d->has_bytes = true;
    d->bytes = s->file.bytes;
    if (!s->has_recording)
        return;
    d->media = (struct document_media){
        .object_key = str_c(s->recording.key),
        .filename = plan_base_name(item->recording),
        .media_type = recording_media_type(item->recording),
        .digest = s->recording.digest,
        .bytes = s->recording.bytes};
}

static enum footnote_rc put_new(struct local_target *l,
                                const struct plan_item *item,
                                struct target_put *out,
                                struct footnote_err *err)
{
    AUTO(delete_stored) struct stored s = {.has_file = false};
    const struct document *old = find_by_name(l, item);
    struct document_put put = {.queue = true};
    enum footnote_rc rc;

    assert(l->course[0] && l->ingest); /* not a dry run */
    TRY(store_item(l, item, &s, err));
    describe(&put.document, item, &s);
    put.document.course = str_c(l->course);
    if (old)
        put.document.id = old->id;
    rc = store_write(l->store, l->who, OP(document_put), &put, err);
    s.has_file &= rc != FOOTNOTE_UNSURE && !put.keeps;
    s.has_recording &= rc != FOOTNOTE_UNSURE && !put.keeps_media;
    TRY(rc);
    memcpy(out->id, put.id_text, sizeof(out->id));
    out->same = !put.made && !put.retried;
    return FOOTNOTE_OK;
}

static enum footnote_rc local_put(struct target *t,
                                  const struct plan_item *item, bool dry,
                                  struct target_put *out,
                                  struct footnote_err *err)
{
    struct local_target *l = (struct local_target *)t;
    const struct document *same;
    struct sha256 digest;

    *out = (struct target_put){.same = true};
    TRY(hash(item, &digest, err));
    same = find_same_bytes(l, item, &digest);
    if (same) {
        assert(same->id.n < sizeof(out->id));
        memcpy(out->id, same->id.p, same->id.n);
        return FOOTNOTE_OK;
    }
    out->same = false;
    return dry ? FOOTNOTE_OK : put_new(l, item, out, err);
}

/* ---- States ------------------------------------------------------------- */

static void copy(char *to, size_t bytes, struct str s)
{
    size_t n = s.n < bytes - 1 ? s.n : bytes - 1;

    if (s.p)
        memcpy(to, s.p, n);
    to[s.p ? n : 0] = '\0';
}

static enum footnote_rc local_state(struct target *t, const char *id,
                                    struct target_state *out,
                                    struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(LOOK_BYTES_MAX);
    struct local_target *l = (struct local_target *)t;
    struct document_get get = {.id = str_c(id), .course = str_c(l->course)};

    TRY(store_read(l->store, l->who, &a, OP(document_get), &get, err));
    out->status = get.document.status;
    out->progress = get.document.progress;
    out->pages = get.document.pages;
    copy(out->error, sizeof(out->error), get.document.error);
    copy(out->warning, sizeof(out->warning), get.document.warning);
    return FOOTNOTE_OK;
}

static void local_pause(struct target *t, int ms)
{
    (void)t;
    poll(NULL, 0, ms);
}

/* ---- Opening and closing ------------------------------------------------ */

static void local_close(struct target *t)
{
    struct local_target *l = (struct local_target *)t;

    ingest_close(l->ingest);
    if (l->store)
        store_close(l->store);
    objects_close(l->objects);
    lock_release(&l->lock);
    arena_free(&l->arena);
    free(l);
}

/* Finds it by its id, else by its title; l->course is "" when there is none. */
static enum footnote_rc find_course(struct local_target *l, struct str name,
                                    struct footnote_err *err)
{
    struct course_get get = {.id = name};
    struct course_list list = {.limit = 0};
    enum footnote_rc rc =
        store_read(l->store, l->who, &l->arena, OP(course_get), &get, err);

    if (rc == FOOTNOTE_OK) {
        copy(l->course, sizeof(l->course), get.course.id);
        return FOOTNOTE_OK;
    }
    if (rc != FOOTNOTE_NOTFOUND)
        return rc;
    TRY(store_read(l->store, l->who, &l->arena, OP(course_list), &list, err));
    for (size_t i = 0; i < list.courses_n && !l->course[0]; i++)
        if (str_eq(list.courses[i].title, name))
            copy(l->course, sizeof(l->course), list.courses[i].id);
    return FOOTNOTE_OK;
}

static enum footnote_rc find_or_make_course(struct local_target *l,
                                            const struct target_options *o,
                                            struct footnote_err *err)
{
    struct course_put put = {.id = o->course, .title = o->course};

    TRY(find_course(l, o->course, err));
    if (!l->course[0] && o->dry)
        return FOOTNOTE_OK;
    if (!l->course[0]) {
        TRY(store_write(l->store, l->who, OP(course_put), &put, err));
        copy(l->course, sizeof(l->course), str_c(put.id_text));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc local_list(struct target *t, struct footnote_err *err)
{
    struct local_target *l = (struct local_target *)t;
    struct document_list list = {.course = str_c(l->course)};

    arena_reset(&l->arena);
    l->documents_n = 0;
    if (!l->course[0])
        return FOOTNOTE_OK;
    TRY(store_read(l->store, l->who, &l->arena, OP(document_list), &list, err));
    l->documents = list.documents;
    l->documents_n = list.documents_n;
    return FOOTNOTE_OK;
}

static const struct target_kind local_kind = {
    local_list, local_put, local_state, local_pause, local_close};

enum footnote_rc target_local(struct cli *c, const struct target_options *o,
                              struct target **out, struct footnote_err *err)
{
    struct local_target *l = calloc(1, sizeof(*l));
    int64_t n = c->config.ingest_workers;
    struct ingest_options workers;

    if (!l)
        return err_set(err, FOOTNOTE_NOMEM, "opening the data folder");
    *l = (struct local_target){.base = {.kind = &local_kind},
                               .c = c,
                               .who = o->who,
                               .lock = -1,
                               .arena = ARENA(ARENA_BYTES_MAX)};
    *out = &l->base; /* the caller closes it, even when this fails */
    TRY(folder_enter(&c->config, err));
    TRY(lock_take(&c->config, &l->lock, err));
    TRY(folder_open_locked(&c->arena, &c->config, STR_NONE, &l->store, err));
    TRY(services_objects(&c->config, l->store, c->config.objects, &l->objects,
                         err));
    TRY(find_or_make_course(l, o, err));
    workers = (struct ingest_options){.store = l->store,
                                      .objects = l->objects,
                                      .ocr_languages = services_ocr(&c->config),
                                      .workers = n > 0 ? (int)n : 1};
    return o->dry ? FOOTNOTE_OK : ingest_open(&workers, &l->ingest, err);
}
