/* worker.c - threads that wait, so that loops need not.
 *
 * A request goes in by its queue item, its work is done, and it goes back to
 * the loop that it came from. */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

#include "http/core/loop.h"

enum { WAITING_MAX = 4096, WORKERS_MAX = 64 };

struct workers {
    struct queue *queue;
    pthread_t threads[WORKERS_MAX];
    size_t n;
};

static void return_to_loop(struct request *r)
{
    if (r->answered && !r->finished) /* a stream is finished already */
        reply_finish(r);
    loop_post(r->conn->loop, r);
}

static void *work(void *arg)
{
    struct workers *w = arg;

    for (;;) {
        struct queue_item *item = queue_take(w->queue, 1, -1);
        struct request *r = (struct request *)item;

        if (!item)
            return NULL;
        if (r->in_cleanup) {
            r->cleanup(r);
            r->cleanup = NULL;
            request_free(r);
            continue;
        }
        r->work(r);
        return_to_loop(r);
    }
}

/* Requests that come while one round is under way share the next: the slower
 * rounds are, the more share one. */
static void *work_together(void *arg)
{
    struct workers *w = arg;
    struct request *list[TOGETHER_MAX];

    for (;;) {
        struct queue_item *item = queue_take(w->queue, TOGETHER_MAX, -1);
        size_t n = 0;

        if (!item)
            return NULL;
        for (; item; item = item->next)
            list[n++] = (struct request *)item;
        assert(n <= TOGETHER_MAX);
        list[0]->together(list, n);
        for (size_t i = 0; i < n; i++)
            return_to_loop(list[i]);
    }
}

static enum footnote_rc start(size_t threads, void *(*run)(void *),
                              struct workers **out, struct footnote_err *err)
{
    struct workers *w = calloc(1, sizeof(*w));
    sigset_t all, before;

    *out = NULL;
    if (!w)
        return err_set(err, FOOTNOTE_NOMEM, "starting workers");
    *out = w;
    TRY(queue_open(WAITING_MAX, &w->queue, err));
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 0; i < threads && i < WORKERS_MAX; i++)
        w->n += pthread_create(&w->threads[w->n], NULL, run, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (w->n == 0)
        return err_set(err, FOOTNOTE_NOMEM, "no thread for a worker");
    return FOOTNOTE_OK;
}

enum footnote_rc workers_open(size_t threads, struct workers **out,
                              struct footnote_err *err)
{
    return start(threads, work, out, err);
}

enum footnote_rc workers_open_together(struct workers **out,
                                       struct footnote_err *err)
{
    return start(1, work_together, out, err);
}

void workers_close(struct workers *w)
{
    if (!w)
        return;
    if (w->queue)
        queue_shut(w->queue);
    for (size_t i = 0; i < w->n; i++)
        pthread_join(w->threads[i], NULL);
    queue_free(w->queue);
    free(w);
}

bool workers_push(struct workers *w, struct request *r)
{
    return queue_try_push(w->queue, &r->item, NULL) == FOOTNOTE_OK;
}
