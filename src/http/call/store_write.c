/* store_write.c - a request's write goes to the store's writer and comes back
 * after its COMMIT. */
#include <assert.h>

#include "http/call/caller.h"
#include "http/call/services.h"

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
                                .no_wait = true,
                                .done = on_written};
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
