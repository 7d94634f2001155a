/* store_write.c - a request's write goes to the store's writer and comes back
 * after its COMMIT. */
#include <assert.h>

#include "http/call/caller.h"
#include "http/call/services.h"

/* What is made of a larger body before the writer gets it (digests, markers,
 * support) would hold up the loop. */
enum { PREPARE_BYTES_MAX = 16 * 1024 };

bool caller_new(struct request *r)
{
    struct caller *c = arena_new(&r->arena, struct caller);

    if (c)
        c->request = r;
    r->app = c;
    return c != NULL;
}

/* In the writer's thread. */
static void on_written(struct store_job *job, enum footnote_rc rc,
                       const struct footnote_err *err)
{
    struct caller *c =
        (struct caller *)((char *)job - offsetof(struct caller, job));

    c->request->rc = rc;
    c->request->err = *err;
    request_return(c->request);
}

/* In a worker: it prepares, and waits for the commit. */
static void write_here(struct request *r)
{
    const struct store_job *j = &caller(r)->job;

    r->rc = store_write_noted(services(r)->store, j->who, j->kind, j->op,
                              j->note, &r->err);
}

void request_write(struct request *r, const struct store_op *kind, void *op,
                   request_fn *then)
{
    struct caller *c = caller(r);
    struct footnote_err err;
    enum footnote_rc rc = arena_rc(&r->arena, &err);

    assert(c->request == r);
    c->job = (struct store_job){.who = c->who,
                                .kind = kind,
                                .op = op,
                                .note = c->noted ? &c->note : NULL,
                                .no_wait = true,
                                .done = on_written};
    if (rc == FOOTNOTE_OK && r->body.n > PREPARE_BYTES_MAX) {
        request_work_then(r, write_here, then);
        return;
    }
    if (rc == FOOTNOTE_OK) /* else the body may have been misread */
        rc = store_submit(services(r)->store, &c->job, &err);
    if (rc == FOOTNOTE_OK) { /* it comes back to this loop, so not before */
        r->then = then;
        request_park(r);
        return;
    }
    r->rc = rc;
    r->err = err;
    then(r);
}
