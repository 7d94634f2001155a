/* view.c - the viewers of a feed.
 *
 * A viewer is woken once and then reads all there is.  A message that is on its
 * way cannot be taken back, so a view that is closed meanwhile is freed when
 * its message arrives. */
#include <stdlib.h>

#include "chat/feed/feed_data.h"

static void view_free(struct view *v)
{
    feed_drop(v->feed);
    free(v);
}

static void on_message(struct loop_message *m)
{
    struct view *v = (struct view *)m;
    bool closed;

    pthread_mutex_lock(&v->feed->lock);
    v->posted = false;
    closed = !v->link;
    pthread_mutex_unlock(&v->feed->lock);
    if (closed)
        view_free(v);
    else
        v->wake(v->arg);
}

struct view *view_open(struct feed *f, struct chat_loop *l, view_fn *wake,
                       void *arg)
{
    struct view *v = calloc(1, sizeof(*v));

    if (!v)
        return NULL;
    v->message.deliver = on_message;
    v->feed = feed_hold(f);
    v->loop = l;
    v->wake = wake;
    v->arg = arg;
    pthread_mutex_lock(&f->lock);
    v->next = f->views;
    if (v->next)
        v->next->link = &v->next;
    v->link = &f->views;
    f->views = v;
    pthread_mutex_unlock(&f->lock);
    return v;
}

void view_close(struct view *v)
{
    bool posted;

    if (!v)
        return;
    pthread_mutex_lock(&v->feed->lock);
    *v->link = v->next;
    if (v->next)
        v->next->link = v->link;
    v->link = NULL;
    posted = v->posted;
    pthread_mutex_unlock(&v->feed->lock);
    if (!posted)
        view_free(v);
}

/* The entry at v->at; its text and source begin where the last ones ended. */
static struct feed_entry entry_at(const struct view *v)
{
    const struct feed *f = v->feed;
    struct feed_entry e = {.kind = FEED_END, .index = v->at + 1};
    size_t at = v->step_at, n;

    if (v->at == f->steps_n) {
        e.end = &f->end;
        return e;
    }
    n = feed_read_step(f, &at);
    e.kind = n ? FEED_TEXT : FEED_SOURCE;
    if (n)
        e.text = (struct str){f->text.p + v->text_at, n};
    else
        e.source = &f->sources[v->source_at];
    return e;
}

static void move_on(struct view *v)
{
    size_t n;

    if (v->at++ == v->feed->steps_n) {
        v->over = true;
        return;
    }
    n = feed_read_step(v->feed, &v->step_at);
    v->text_at += n;
    v->source_at += n == 0;
}

static bool has_more(const struct view *v)
{
    return v->at < v->feed->steps_n || (v->feed->ended && !v->over);
}

bool view_read(struct view *v, feed_fn *each, void *arg)
{
    bool fit;

    pthread_mutex_lock(&v->feed->lock);
    fit = !v->caught_up || v->feed->shown - v->text_at <= FEED_BEHIND_BYTES_MAX;
    while (fit && has_more(v)) {
        struct feed_entry e = entry_at(v);

        if (!each(arg, &e))
            break;
        move_on(v);
    }
    v->caught_up = v->caught_up || !has_more(v);
    pthread_mutex_unlock(&v->feed->lock);
    return fit;
}

size_t feed_last(struct feed *f)
{
    size_t n;

    pthread_mutex_lock(&f->lock);
    n = f->steps_n + f->ended;
    pthread_mutex_unlock(&f->lock);
    return n;
}

void view_skip(struct view *v, size_t index)
{
    pthread_mutex_lock(&v->feed->lock);
    while (v->at < index && v->at < v->feed->steps_n)
        move_on(v);
    pthread_mutex_unlock(&v->feed->lock);
}

static void post(struct view *v)
{
    if (!v->posted)
        loop_message_send(v->loop, &v->message);
    v->posted = true;
}

void feed_wake_views(struct feed *f)
{
    for (struct view *v = f->views; v; v = v->next)
        post(v);
}

void view_wake(struct view *v)
{
    pthread_mutex_lock(&v->feed->lock);
    post(v);
    pthread_mutex_unlock(&v->feed->lock);
}

const struct feed_end *feed_end(const struct feed *f)
{
    return &f->end;
}

bool view_is_over(const struct view *v)
{
    return v->over;
}
