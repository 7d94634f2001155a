/* limit.c - how much one user or one address may ask for, and how many failed
 * sign-ins it may have.
 *
 * Fixed tables of counters: two users that share a slot share a limit, which is
 * rare and refuses too much rather than too little.  The lock is held for a few
 * instructions. */
#include "http/auth/limit.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "http/core/net.h"

enum { SLOTS = 4096, MINUTE_MS = 60 * 1000 };

struct limits {
    pthread_mutex_t lock;
    int64_t requests_max, connections_max, failures_max;
    struct per_minute {
        int64_t minute;
        int64_t n;
    } users[SLOTS], failures[SLOTS];
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
    l->failures_max = c->failed_sign_ins_per_minute;
    return FOOTNOTE_OK;
}

void limits_close(struct limits *l)
{
    if (l)
        pthread_mutex_destroy(&l->lock);
    free(l);
}

/* Adds `more` to the count of this minute, and returns it. */
static int64_t count(struct limits *l, struct per_minute *p, int64_t more,
                     int64_t now_ms)
{
    int64_t minute = now_ms / MINUTE_MS, n;

    pthread_mutex_lock(&l->lock);
    if (p->minute != minute)
        *p = (struct per_minute){.minute = minute};
    n = p->n += more;
    pthread_mutex_unlock(&l->lock);
    return n;
}

static int seconds_left(int64_t now_ms)
{
    return (int)((MINUTE_MS - now_ms % MINUTE_MS) / 1000) + 1;
}

uint64_t limits_key(struct who who)
{
    return str_hash(who.tenant) * 31 + str_hash(who.user);
}

int limits_request(struct limits *l, struct who who, int64_t now_ms)
{
    uint64_t slot = limits_key(who) % SLOTS;

    if (l->requests_max <= 0 ||
        count(l, &l->users[slot], 1, now_ms) <= l->requests_max)
        return 0;
    return seconds_left(now_ms);
}

/* This machine and a proxy on it are not one client. */
static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
           strncmp(address, "::ffff:127.", 11) == 0;
}

static struct per_minute *failures_of(struct limits *l, struct str client)
{
    return &l->failures[net_client_hash(client) % SLOTS];
}

int limits_failed(struct limits *l, struct str client, int64_t now_ms)
{
    if (l->failures_max <= 0 ||
        count(l, failures_of(l, client), 1, now_ms) <= l->failures_max)
        return 0;
    return seconds_left(now_ms);
}

bool limits_suspects(struct limits *l, struct str client, int64_t now_ms)
{
    return l->failures_max > 0 &&
           count(l, failures_of(l, client), 0, now_ms) >= l->failures_max;
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
    assert(l->addresses[slot] > 0);
    l->addresses[slot]--;
    pthread_mutex_unlock(&l->lock);
}
