/* watch.c - telling watchers that a document has changed.
 *
 * They are told after the commit, by the thread that knows the outcome, and
 * also when it is UNSURE: looking once too often does no harm. */
#include <assert.h>

#include "store/document/document.h"
#include "store/document/job.h"
#include "store/document/library.h"
#include "store/idempotency.h"
#include "store/session/course.h"
#include "store/state.h"
#include "store/watch.h"

void store_watch(struct store *st, store_watch_fn *fn, void *arg)
{
    pthread_mutex_lock(&st->watch_lock);
    assert(st->watchers_n < WATCHERS_MAX);
    st->watchers[st->watchers_n++] = (struct watcher){fn, arg};
    pthread_mutex_unlock(&st->watch_lock);
}

void store_unwatch(struct store *st, const void *arg)
{
    size_t kept = 0;

    pthread_mutex_lock(&st->watch_lock);
    for (size_t i = 0; i < st->watchers_n; i++)
        if (st->watchers[i].arg != arg)
            st->watchers[kept++] = st->watchers[i];
    st->watchers_n = kept;
    pthread_mutex_unlock(&st->watch_lock);
}

static bool of_put(const struct document_put *op, struct document_change *c)
{
    c->course = str_c(op->course_text);
    c->document = str_c(op->id_text);
    c->status = DOCUMENT_QUEUED;
    return op->made || op->retried;
}

static bool of_set(const struct document_status_set *op,
                   struct document_change *c)
{
    c->course = str_c(op->course_text);
    c->document = op->document;
    c->status = op->status;
    return true;
}

static bool of_delete(const struct document_delete *op,
                      struct document_change *c)
{
    c->course = str_c(op->course_text);
    c->document = op->id;
    c->deleted = true;
    return c->course.n > 0;
}

static bool of_edit(const struct document_edit *op, struct document_change *c)
{
    c->course = str_c(op->course_text);
    c->document = op->id;
    c->status = op->status;
    return op->moved;
}

static bool of_again(const struct document_again *op, struct document_change *c)
{
    c->course = str_c(op->course_text);
    c->document = op->id;
    c->status = DOCUMENT_QUEUED;
    return true;
}

static bool of_course(const struct course_delete *op, struct document_change *c)
{
    c->course = op->id;
    c->course_key = op->key;
    c->deleted = true;
    return true;
}

static bool of_job(const struct job *j, enum document_status status,
                   struct document_change *c)
{
    c->tenant = j->tenant;
    c->course = j->document.course;
    c->document = j->document.id;
    c->status = status;
    return true;
}

static bool change_of(const struct store_op *kind, const void *op,
                      struct document_change *c)
{
    const struct keyed_write *keyed = op;
    const struct job_claim *claim = op;
    const struct job_end *end = op;
    const struct job_release *release = op;

    if (kind == OP(keyed_write))
        return keyed->first && change_of(keyed->kind, keyed->op, c);
    if (kind == OP(document_put))
        return of_put(op, c);
    if (kind == OP(document_status_set))
        return of_set(op, c);
    if (kind == OP(document_delete))
        return of_delete(op, c);
    if (kind == OP(document_edit))
        return of_edit(op, c);
    if (kind == OP(document_again))
        return of_again(op, c);
    if (kind == OP(course_delete))
        return of_course(op, c);
    if (kind == OP(job_claim))
        return claim->found && of_job(&claim->job, DOCUMENT_INDEXING, c);
    if (kind == OP(job_end))
        return of_job(end->job, end->status, c);
    if (kind == OP(job_release))
        return of_job(release->job, DOCUMENT_QUEUED, c);
    return false;
}

void watch_after_write(struct store *st, struct who who,
                       const struct store_op *kind, const void *op,
                       enum footnote_rc rc)
{
    struct document_change c = {.tenant = who.tenant};

    if ((rc != FOOTNOTE_OK && rc != FOOTNOTE_UNSURE) ||
        !change_of(kind, op, &c))
        return;
    pthread_mutex_lock(&st->watch_lock);
    for (size_t i = 0; i < st->watchers_n; i++)
        st->watchers[i].fn(st->watchers[i].arg, &c);
    pthread_mutex_unlock(&st->watch_lock);
}
