/* indexes.c - the indexes of all courses that are searched here. */
#include "retrieve/index/indexes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "retrieve/index/course_index.h"
#include "store/document/document.h"

/* ---- Courses ------------------------------------------------------------ */

static void course_index_free(struct course_index *c)
{
    if (!c)
        return;
    index_snapshot_drop(c->snapshot);
    pthread_mutex_destroy(&c->update_lock);
    free(c->tenant);
    free(c->id);
    free(c->folder);
    free(c->live);
    free(c);
}

enum footnote_rc course_index_name(struct str tenant, struct str id,
                                   struct sha256 *out)
{
    AUTO(buf_free) struct buf name = BUF(4096);

    buf_add(&name, tenant);
    buf_add_c(&name, '\0');
    buf_add(&name, id);
    TRY(buf_rc(&name, NULL));
    return sha256(buf_str(&name), out, NULL);
}

char *course_index_folder(const char *folder, const struct sha256 *name)
{
    char hex[SHA256_HEX + 1], *path;

    sha256_hex(name, hex);
    return asprintf(&path, "%s/%.32s", folder, hex) < 0 ? NULL : path;
}

static bool name_course(const struct indexes *ix, struct course_index *c)
{
    if (course_index_name(str_c(c->tenant), str_c(c->id), &c->name) !=
        FOOTNOTE_OK)
        return false;
    if (!ix->folder)
        return true;
    c->folder = course_index_folder(ix->folder, &c->name);
    return c->folder != NULL;
}

static struct course_index *course_index_new(const struct indexes *ix,
                                             struct str tenant, struct str id)
{
    struct course_index *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    pthread_mutex_init(&c->update_lock, NULL);
    c->tenant = strndup(tenant.p, tenant.n);
    c->id = strndup(id.p, id.n);
    if (c->tenant && c->id && name_course(ix, c))
        return c;
    course_index_free(c);
    return NULL;
}

struct course_index *course_index_find(struct indexes *ix, struct str tenant,
                                       struct str id)
{
    struct course_index *
        *chain =
           &ix->chains[(str_hash(tenant) * 31 + str_hash(id)) % COURSE_CHAINS],
       *c = *chain;

    while (c &&
           (!str_eq(str_c(c->id), id) || !str_eq(str_c(c->tenant), tenant)))
        c = c->chain;
    if (c)
        return c;
    c = course_index_new(ix, tenant, id);
    if (!c)
        return NULL;
    c->chain = *chain;
    *chain = c;
    c->next = ix->courses;
    ix->courses = c;
    return c;
}

/* A course that never had a document has version 0, and nothing to index.  The
 * caller holds the lock. */
static bool is_behind(const struct course_index *c, int64_t index_version)
{
    return index_version > (c->snapshot ? c->snapshot->index_version : 0);
}

/* Waits until the course has been indexed once more.  The caller holds the
 * lock. */
static enum footnote_rc wait_for(struct indexes *ix, struct course_index *c,
                                 int64_t index_version,
                                 struct footnote_err *err)
{
    uint64_t failures = c->failures;

    while (is_behind(c, index_version)) {
        if (ix->closing)
            return err_set(err, FOOTNOTE_BUSY, "the retriever is closing");
        if (c->failures != failures)
            return err_set(err, c->failure.rc, "%s", c->failure.text);
        c->asked = true;
        if (!c->working[INDEX_SYNC])
            index_queue(ix, c, INDEX_SYNC);
        pthread_cond_wait(&ix->done, &ix->lock);
    }
    return FOOTNOTE_OK;
}

enum footnote_rc indexes_get(struct indexes *ix, struct str tenant,
                             const struct scope_course *course, bool wait,
                             struct index_snapshot **out, bool *behind,
                             struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_OK;
    struct course_index *c;

    *out = NULL;
    pthread_mutex_lock(&ix->lock);
    c = course_index_find(ix, tenant, course->id);
    if (!c) {
        rc = err_set(err, FOOTNOTE_NOMEM, "opening the index of a course");
    } else {
        c->used = ++ix->searches_n;
        if (wait)
            rc = wait_for(ix, c, course->index_version, err);
        *behind = is_behind(c, course->index_version);
        if (*behind && rc == FOOTNOTE_OK) {
            c->asked = true;
            index_queue(ix, c, INDEX_SYNC);
        }
        *out = rc == FOOTNOTE_OK ? c->snapshot : NULL;
        if (*out)
            (*out)->refs++;
    }
    pthread_mutex_unlock(&ix->lock);
    return rc;
}

void indexes_changed(struct indexes *ix, const struct document_change *change)
{
    struct course_index *c;

    if (!change->deleted && change->status != DOCUMENT_READY)
        return;
    pthread_mutex_lock(&ix->lock);
    c = course_index_find(ix, change->tenant, change->course);
    if (c) /* else a search tries again */
        index_queue(ix, c, INDEX_SYNC);
    pthread_mutex_unlock(&ix->lock);
}

void indexes_all(struct indexes *ix)
{
    pthread_mutex_lock(&ix->lock);
    ix->walking = true;
    pthread_cond_broadcast(&ix->work);
    pthread_mutex_unlock(&ix->lock);
}

void indexes_watch(struct indexes *ix, indexes_watch_fn *fn, void *arg)
{
    pthread_mutex_lock(&ix->watch_lock);
    ix->watch = fn;
    ix->watch_arg = arg;
    pthread_mutex_unlock(&ix->watch_lock);
}

void indexes_wait_idle(struct indexes *ix)
{
    pthread_mutex_lock(&ix->lock);
    while (!ix->closing && (ix->working_n || ix->walking ||
                            ix->queue[INDEX_SYNC] || ix->queue[INDEX_KEEP]))
        pthread_cond_wait(&ix->done, &ix->lock);
    pthread_mutex_unlock(&ix->lock);
}

uint64_t indexes_damaged(const struct indexes *ix)
{
    return atomic_load(&ix->damaged_n);
}

/* ---- Analysers ---------------------------------------------------------- */

struct analyser *indexes_borrow_analyser(struct indexes *ix)
{
    struct analyser *a = NULL;

    pthread_mutex_lock(&ix->lock);
    if (ix->analysers_n)
        a = ix->analysers[--ix->analysers_n];
    pthread_mutex_unlock(&ix->lock);
    if (!a)
        (void)analyser_open(&a, NULL);
    return a;
}

void indexes_return_analyser(struct indexes *ix, struct analyser *a)
{
    pthread_mutex_lock(&ix->lock);
    if (a && ix->analysers_n < ANALYSERS) {
        ix->analysers[ix->analysers_n++] = a;
        a = NULL;
    }
    pthread_mutex_unlock(&ix->lock);
    analyser_close(a);
}

/* ---- Life --------------------------------------------------------------- */

static void closep(struct indexes **ix)
{
    indexes_close(*ix);
}

enum footnote_rc indexes_open(struct store *st, const struct indexes_options *o,
                              struct indexes **out, struct footnote_err *err)
{
    AUTO(closep) struct indexes *ix = calloc(1, sizeof(*ix));

    *out = NULL;
    if (!ix)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    pthread_mutex_init(&ix->lock, NULL);
    pthread_mutex_init(&ix->watch_lock, NULL);
    pthread_cond_init(&ix->work, NULL);
    pthread_cond_init(&ix->done, NULL);
    ix->store = st;
    ix->bytes_max = o->bytes_max;
    ix->folder = o->folder ? strdup(o->folder) : NULL;
    if (o->folder && !ix->folder)
        return err_set(err, FOOTNOTE_NOMEM, "opening the retriever");
    TRY(index_threads_start(ix, err));
    *out = ix;
    ix = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void indexes_close(struct indexes *ix)
{
    if (!ix)
        return;
    index_threads_stop(ix);
    while (ix->courses) {
        struct course_index *c = ix->courses;

        ix->courses = c->next;
        course_index_free(c);
    }
    while (ix->owners) {
        struct index_owner *o = ix->owners;

        ix->owners = o->next;
        free(o->tenant);
        free(o);
    }
    while (ix->analysers_n)
        analyser_close(ix->analysers[--ix->analysers_n]);
    pthread_cond_destroy(&ix->work);
    pthread_cond_destroy(&ix->done);
    pthread_mutex_destroy(&ix->watch_lock);
    pthread_mutex_destroy(&ix->lock);
    free(ix->folder);
    free(ix);
}
