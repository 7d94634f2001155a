/* worker.c - threads that wait, so that loops need not.
 *
 * A request goes in by its queue item, its work is done, and it goes back to
 * the loop that it came from.  Users take turns (r->share), and none has all
 * threads of a pool: half of them when others are there, and one less than all
 * when nobody is. */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

#include "base/began.h"
#include "base/clock.h"
#include "http/core/loop.h"

enum {
    WAITING_MAX = 4096,
    WAITING_OF_USER = WAITING_MAX / 4,
    WORKERS_MAX = 64
};

struct workers {
    struct fair_queue *queue;
    pthread_t threads[WORKERS_MAX];
    size_t n;
};

/* Compressing much has threads of its own. */
static void return_to_loop(struct request *r)
{
    if (r->answered && !r->finished) { /* a stream is finished already */
        if (reply_is_long(r) && workers_compress(r))
            return;
        reply_finish(r);
    }
    loop_post(r->conn->loop, r);
}

static void run(struct request *r)
{
    if (r->in_cleanup) {
        r->cleanup(r);
        r->cleanup = NULL;
        request_free(r);
        return;
    }
    began_set(r->queued_ms);
    r->work(r);
    began_set(0);
    return_to_loop(r);
}

static void *work(void *arg)
{
    struct workers *w = arg;
    struct fair_item *item;

    while ((item = fair_queue_take(w->queue, 1)) != NULL) {
        struct fair_key *key = item->key;

        run((struct request *)item);
        fair_queue_done(w->queue, key);
    }
    return NULL;
}

/* Requests that come while one round is under way share the next: the slower
 * rounds are, the more share one. */
static void *work_together(void *arg)
{
    struct workers *w = arg;
    struct request *list[TOGETHER_MAX];
    struct fair_item *item;

    while ((item = fair_queue_take(w->queue, TOGETHER_MAX)) != NULL) {
        size_t n = 0;

        for (; item; item = item->next)
            list[n++] = (struct request *)item;
        assert(n <= TOGETHER_MAX);
        began_set(list[0]->queued_ms);
        list[0]->together(list, n);
        began_set(0);
        for (size_t i = 0; i < n; i++) {
            struct fair_key *key = list[i]->item.key;

            return_to_loop(list[i]);
            fair_queue_done(w->queue, key);
        }
    }
    return NULL;
}

static enum footnote_rc start(size_t threads, size_t at_once,
                              void *(*run_thread)(void *), struct workers **out,
                              struct footnote_err *err)
{
    struct fair_limits limits = {.waiting_max = WAITING_MAX,
                                 .waiting_of_key = WAITING_OF_USER,
                                 .taken_max = at_once > 1 ? at_once / 2 : 1,
                                 .taken_alone = at_once > 1 ? at_once - 1 : 1};
    struct workers *w = calloc(1, sizeof(*w));
    sigset_t all, before;

    *out = NULL;
    if (!w)
        return err_set(err, FOOTNOTE_NOMEM, "starting workers");
    *out = w;
    TRY(fair_queue_open(&limits, &w->queue, err));
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 0; i < threads && i < WORKERS_MAX; i++)
        w->n += pthread_create(&w->threads[w->n], NULL, run_thread, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (w->n == 0)
        return err_set(err, FOOTNOTE_NOMEM, "no thread for a worker");
    return FOOTNOTE_OK;
}

enum footnote_rc workers_open(size_t threads, struct workers **out,
                              struct footnote_err *err)
{
    return start(threads, threads, work, out, err);
}

enum footnote_rc workers_open_together(struct workers **out,
                                       struct footnote_err *err)
{
    return start(1, TOGETHER_MAX, work_together, out, err);
}

void workers_close(struct workers *w)
{
    if (!w)
        return;
    if (w->queue)
        fair_queue_shut(w->queue);
    for (size_t i = 0; i < w->n; i++)
        pthread_join(w->threads[i], NULL);
    fair_queue_free(w->queue);
    free(w);
}

enum footnote_rc workers_push(struct workers *w, struct request *r)
{
    r->queued_ms = clock_mono_ms();
    return fair_queue_push(w->queue, r->share, &r->item, r->in_cleanup);
}

bool workers_compress(struct request *r)
{
    r->work = reply_finish;
    return workers_push(r->server->compressing, r) == FOOTNOTE_OK;
}
