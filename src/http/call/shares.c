/* shares.c - a table of users under one lock.
 *
 * A tenant is a user without a name in it.  An entry stays while something of
 * it runs, and until the end of a day on which it asked. */
#include "http/call/shares.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"

enum { SLOTS = 4096, DAY_S = 24 * 60 * 60 };

struct share_holder {
    struct share_holder *next;
    struct share_holder *tenant; /* NULL: it is one */
    int64_t running[SHARES];
    int64_t reserved_bytes;
    int64_t users; /* of a tenant: entries that point here */
    int64_t day, turns;
    size_t tenant_n, user_n;
    char text[];
};
struct shares {
    struct shares_options o;
    pthread_mutex_t lock;
    struct share_holder *slots[SLOTS];
    atomic_uint_fast64_t refused[REFUSALS];
};

enum footnote_rc shares_open(const struct shares_options *o,
                             struct shares **out, struct footnote_err *err)
{
    struct shares *s = calloc(1, sizeof(*s));

    *out = s;
    if (!s)
        return err_set(err, FOOTNOTE_NOMEM, "starting the server");
    s->o = *o;
    pthread_mutex_init(&s->lock, NULL);
    return FOOTNOTE_OK;
}

void shares_close(struct shares *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < SLOTS; i++)
        while (s->slots[i]) {
            struct share_holder *h = s->slots[i];

            s->slots[i] = h->next;
            free(h);
        }
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- Entries, under the lock --------------------------------------------- */

static struct share_holder **slot_of(struct shares *s, struct who who)
{
    return &s->slots[(str_hash(who.tenant) * 31 + str_hash(who.user)) % SLOTS];
}

static bool is_of(const struct share_holder *h, struct who who)
{
    return str_eq((struct str){h->text, h->tenant_n}, who.tenant) &&
           str_eq((struct str){h->text + h->tenant_n, h->user_n}, who.user);
}

static struct share_holder *find(struct shares *s, struct who who)
{
    struct share_holder *h = *slot_of(s, who);

    while (h && !is_of(h, who))
        h = h->next;
    return h;
}

static bool is_idle(const struct share_holder *h, int64_t day)
{
    for (int i = 0; i < SHARES; i++)
        if (h->running[i])
            return false;
    return h->reserved_bytes == 0 && h->users == 0 && h->day < day;
}

/* Frees entries of a slot that nobody needs: all that came before today. */
static void tidy(struct share_holder **at, int64_t day)
{
    while (*at) {
        struct share_holder *h = *at;

        if (!is_idle(h, day)) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        if (h->tenant)
            h->tenant->users--;
        free(h);
    }
}

static struct share_holder *find_or_new(struct shares *s, struct who who,
                                        int64_t day)
{
    struct share_holder *h = find(s, who);
    size_t n = who.tenant.n + who.user.n;

    if (h)
        return h;
    tidy(slot_of(s, who), day);
    h = calloc(1, sizeof(*h) + n + 1);
    if (!h)
        return NULL;
    h->tenant_n = who.tenant.n;
    h->user_n = who.user.n;
    memcpy(h->text, who.tenant.p, who.tenant.n);
    if (who.user.n)
        memcpy(h->text + h->tenant_n, who.user.p, who.user.n);
    h->next = *slot_of(s, who);
    *slot_of(s, who) = h;
    return h;
}

/* The user's entry, with that of the tenant behind it. */
static struct share_holder *holder_of(struct shares *s, struct who who,
                                      int64_t day)
{
    struct share_holder *h = find_or_new(s, who, day);

    if (!h || h->tenant)
        return h;
    h->users++; /* so that it is not tidied up here */
    h->tenant = find_or_new(s, (struct who){who.tenant, STR("")}, day);
    h->users--;
    if (!h->tenant)
        return NULL;
    h->tenant->users++;
    return h;
}

static bool is_over(int64_t n, int64_t limit)
{
    return limit > 0 && n >= limit;
}

/* ---- What runs ----------------------------------------------------------- */

struct share_holder *share_take(struct shares *s, struct who who,
                                enum share kind, bool *over)
{
    struct share_holder *h;

    *over = false;
    pthread_mutex_lock(&s->lock);
    h = holder_of(s, who, clock_wall_ms() / 1000 / DAY_S);
    if (h && (is_over(h->running[kind], s->o.user.running[kind]) ||
              is_over(h->tenant->running[kind], s->o.tenant.running[kind]))) {
        *over = true;
        h = NULL;
    }
    if (h) {
        h->running[kind]++;
        h->tenant->running[kind]++;
    }
    pthread_mutex_unlock(&s->lock);
    if (*over)
        shares_refused(s, (enum refusal)kind);
    return h;
}

void share_give(struct shares *s, struct share_holder *h, enum share kind)
{
    if (!h)
        return;
    pthread_mutex_lock(&s->lock);
    assert(h->running[kind] > 0 && h->tenant->running[kind] > 0);
    h->running[kind]--;
    h->tenant->running[kind]--;
    pthread_mutex_unlock(&s->lock);
}

bool share_is_free(struct shares *s, struct who who, enum share kind)
{
    const struct share_holder *h;
    bool is_free = true;

    pthread_mutex_lock(&s->lock);
    h = find(s, who);
    if (h && h->tenant)
        is_free = !is_over(h->running[kind], s->o.user.running[kind]) &&
                  !is_over(h->tenant->running[kind], s->o.tenant.running[kind]);
    pthread_mutex_unlock(&s->lock);
    if (!is_free)
        shares_refused(s, (enum refusal)kind);
    return is_free;
}

bool share_reserve(struct shares *s, struct share_holder *h, int64_t more,
                   int64_t room)
{
    bool fits;

    pthread_mutex_lock(&s->lock);
    fits = more <= room && h->reserved_bytes <= room - more;
    if (fits)
        h->reserved_bytes += more;
    pthread_mutex_unlock(&s->lock);
    return fits;
}

void share_release(struct shares *s, struct share_holder *h, int64_t bytes)
{
    if (!h)
        return;
    pthread_mutex_lock(&s->lock);
    assert(h->reserved_bytes >= bytes);
    h->reserved_bytes -= bytes;
    pthread_mutex_unlock(&s->lock);
}

/* ---- The turns of a day -------------------------------------------------- */

static int64_t turns_of(const struct share_holder *h, int64_t day)
{
    return h && h->day == day ? h->turns : 0;
}

int share_turns_wait(struct shares *s, struct who who, int64_t wall_ms)
{
    int64_t second = wall_ms / 1000, day = second / DAY_S;
    const struct share_holder *h, *tenant;
    bool over;

    pthread_mutex_lock(&s->lock);
    h = find(s, who);
    tenant = h ? h->tenant : find(s, (struct who){who.tenant, STR("")});
    over = is_over(turns_of(h, day), s->o.user.turns_a_day) ||
           is_over(turns_of(tenant, day), s->o.tenant.turns_a_day);
    pthread_mutex_unlock(&s->lock);
    return over ? (int)(DAY_S - second % DAY_S) : 0;
}

static void count_turn(struct share_holder *h, int64_t day)
{
    if (h->day != day)
        h->turns = 0;
    h->day = day;
    h->turns++;
}

void share_turn_begun(struct shares *s, struct who who, int64_t wall_ms)
{
    int64_t day = wall_ms / 1000 / DAY_S;
    struct share_holder *h;

    pthread_mutex_lock(&s->lock);
    h = holder_of(s, who, day);
    if (h) {
        count_turn(h, day);
        count_turn(h->tenant, day);
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- Counters ------------------------------------------------------------ */

struct share_counts share_count(struct shares *s, struct who who,
                                int64_t wall_ms)
{
    struct share_counts out = {.turns_today = 0};
    const struct share_holder *h;

    pthread_mutex_lock(&s->lock);
    h = find(s, who);
    for (int i = 0; h && i < SHARES; i++)
        out.running[i] = h->running[i];
    out.turns_today = turns_of(h, wall_ms / 1000 / DAY_S);
    pthread_mutex_unlock(&s->lock);
    return out;
}

const struct shares_options *shares_limits(const struct shares *s)
{
    return &s->o;
}

void shares_refused(struct shares *s, enum refusal what)
{
    atomic_fetch_add_explicit(&s->refused[what], 1, memory_order_relaxed);
}

const char *refusal_name(enum refusal what)
{
    static const char *const names[REFUSALS] = {[SHARE_STREAMS] = "streams",
                                                [SHARE_UPLOADS] = "uploads",
                                                [REFUSED_TURNS] = "turns",
                                                [REFUSED_BYTES] = "bytes",
                                                [REFUSED_DOCUMENTS] =
                                                    "documents",
                                                [REFUSED_SESSIONS] = "sessions",
                                                [REFUSED_DISK] = "disk"};

    return names[what];
}

uint64_t shares_refusals(const struct shares *s, enum refusal what)
{
    return atomic_load_explicit(&s->refused[what], memory_order_relaxed);
}
