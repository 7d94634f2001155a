/* hub.c - a small table under one lock.
 *
 * A turn is in it from its begin to the commit of its end: a reader that finds
 * none finds the answer in the history. */
#include "chat/turn/hub.h"

#include <assert.h>
#include <stdlib.h>

#include "chat/turn/turn.h"

enum { SLOTS = 1024 };

struct hub {
    pthread_mutex_t lock;
    struct turn *slots[SLOTS];
    struct turn *entered; /* all, by their entered_next */
};

enum footnote_rc hub_open(struct hub **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "starting chat");
    pthread_mutex_init(&(*out)->lock, NULL);
    return FOOTNOTE_OK;
}

void hub_close(struct hub *h)
{
    pthread_mutex_destroy(&h->lock);
    free(h);
}

void hub_lock(struct hub *h)
{
    pthread_mutex_lock(&h->lock);
}

void hub_unlock(struct hub *h)
{
    pthread_mutex_unlock(&h->lock);
}

static struct turn **slot(struct hub *h, struct str session)
{
    return &h->slots[str_hash(session) % SLOTS];
}

static bool is_users(const struct turn *t, struct who who)
{
    return str_eq(t->ask.who.user, who.user) &&
           str_eq(t->ask.who.tenant, who.tenant);
}

/* A key that is confined sees the turns that were begun with its like alone: of
 * others the store tells it. */
static bool is_of(const struct turn *t, struct who who)
{
    return is_users(t, who) &&
           (!who.scope.p || str_eq(t->ask.who.scope, who.scope));
}

void hub_add(struct hub *h, struct turn *t)
{
    struct turn **s = slot(h, t->ask.question.session);

    hub_lock(h);
    assert(!t->in_hub);
    t->hub_next = *s;
    *s = t;
    t->in_hub = true;
    t->begins = false;
    hub_unlock(h);
}

void hub_remove(struct hub *h, struct turn *t)
{
    struct turn **s = slot(h, t->ask.question.session);

    hub_lock(h);
    while (t->in_hub && *s != t)
        s = &(*s)->hub_next;
    if (t->in_hub)
        *s = t->hub_next;
    t->in_hub = false;
    hub_unlock(h);
}

struct turn *hub_find(struct hub *h, struct who who, struct str session)
{
    struct turn *t = *slot(h, session);

    while (t && !(str_eq(t->ask.question.session, session) && is_of(t, who)))
        t = t->hub_next;
    return t;
}

static struct turn *find_beginning(struct hub *h, struct who who,
                                   struct str session)
{
    struct turn *t = h->entered;

    while (t && !(t->begins && str_eq(t->ask.question.session, session) &&
                  is_of(t, who)))
        t = t->entered_next;
    return t;
}

struct turn *hub_find_to_stop(struct hub *h, struct who who, struct str session,
                              struct str answer)
{
    struct turn *t = hub_find(h, who, session);

    if (!answer.p)
        return t ? t : find_beginning(h, who, session);
    while (t && !(str_eq(feed_head(t->feed)->answer, answer) &&
                  str_eq(t->ask.question.session, session) && is_of(t, who)))
        t = t->hub_next;
    return t;
}

void hub_each(struct hub *h, void (*fn)(struct turn *t, void *arg), void *arg)
{
    hub_lock(h);
    for (size_t i = 0; i < SLOTS; i++)
        for (struct turn *t = h->slots[i]; t; t = t->hub_next)
            fn(t, arg);
    hub_unlock(h);
}

struct feed *hub_find_feed(struct hub *h, struct who who, struct str session)
{
    struct turn *t;
    struct feed *f = NULL;

    hub_lock(h);
    t = hub_find(h, who, session);
    if (t)
        f = feed_hold(t->feed);
    hub_unlock(h);
    return f;
}

/* Under the lock. */
static size_t count(const struct hub *h, struct who who)
{
    size_t n = 0;

    for (const struct turn *t = h->entered; t; t = t->entered_next)
        n += is_users(t, who);
    return n;
}

bool hub_enter(struct hub *h, struct turn *t, size_t max)
{
    bool fits;

    hub_lock(h);
    fits = max == 0 || count(h, t->ask.who) < max;
    if (fits) {
        t->entered_next = h->entered;
        if (t->entered_next)
            t->entered_next->entered_link = &t->entered_next;
        t->entered_link = &h->entered;
        h->entered = t;
        t->begins = true;
    }
    hub_unlock(h);
    return fits;
}

void hub_leave(struct hub *h, struct turn *t)
{
    hub_lock(h);
    if (t->entered_link) {
        *t->entered_link = t->entered_next;
        if (t->entered_next)
            t->entered_next->entered_link = t->entered_link;
        t->entered_link = NULL;
    }
    hub_unlock(h);
}

void hub_repeats(struct hub *h, struct turn *t)
{
    hub_lock(h);
    t->begins = false;
    hub_unlock(h);
}

size_t hub_count(struct hub *h, struct who who)
{
    size_t n;

    hub_lock(h);
    n = count(h, who);
    hub_unlock(h);
    return n;
}
