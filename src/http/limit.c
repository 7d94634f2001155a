/* limit.c - what one user or one address may ask for.
 *
 * Fixed tables of counters: two that share a slot share a limit, which is
 * rare and errs on the side of refusing.  The lock is held for a few
 * instructions. */
#include <stdlib.h>

#include "http/loop.h"

enum { SLOTS = 4096, MINUTE_MS = 60 * 1000 };

struct limits {
    pthread_mutex_t lock;
    int64_t requests_max, connections_max;
    struct {
        int64_t minute;
        int64_t n;
    } users[SLOTS];
    int64_t addresses[SLOTS];
};

enum footnote_rc limits_open(const struct config *c, struct limits **out,
                             struct footnote_err *err)
{
    struct limits *l = calloc(1, sizeof(*l));

    *out = l;
    if (!l)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    pthread_mutex_init(&l->lock, NULL);
    l->requests_max = c->requests_per_minute;
    l->connections_max = c->connections_per_address;
    return FOOTNOTE_OK;
}

void limits_close(struct limits *l)
{
    if (l)
        pthread_mutex_destroy(&l->lock);
    free(l);
}

int limits_request(struct limits *l, struct who who, int64_t now_ms)
{
    uint64_t slot = (str_hash(who.tenant) * 31 + str_hash(who.user)) % SLOTS;
    int64_t minute = now_ms / MINUTE_MS;
    bool over;

    if (l->requests_max <= 0)
        return 0;
    pthread_mutex_lock(&l->lock);
    if (l->users[slot].minute != minute) {
        l->users[slot].minute = minute;
        l->users[slot].n = 0;
    }
    over = ++l->users[slot].n > l->requests_max;
    pthread_mutex_unlock(&l->lock);
    return over ? (int)((MINUTE_MS - now_ms % MINUTE_MS) / 1000) + 1 : 0;
}

/* This machine itself, and whatever proxy runs on it, is not one client. */
static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
           strncmp(address, "::ffff:127.", 11) == 0;
}

bool limits_connect(struct limits *l, const char *address)
{
    uint64_t slot = str_hash(str_c(address)) % SLOTS;
    bool fits;

    if (l->connections_max <= 0 || is_loopback(address))
        return true;
    pthread_mutex_lock(&l->lock);
    fits = l->addresses[slot] < l->connections_max;
    l->addresses[slot] += fits;
    pthread_mutex_unlock(&l->lock);
    return fits;
}

void limits_disconnect(struct limits *l, const char *address)
{
    uint64_t slot = str_hash(str_c(address)) % SLOTS;

    if (l->connections_max <= 0 || is_loopback(address))
        return;
    pthread_mutex_lock(&l->lock);
    l->addresses[slot]--;
    pthread_mutex_unlock(&l->lock);
}
