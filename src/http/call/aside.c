/* aside.c - writes that nothing waits for. */
#include "http/call/aside.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/audit.h"

enum { SLOTS = 1024 };

struct aside {
    struct store_job job;
    char tenant[STORE_ID_BYTES_MAX], user[STORE_ID_BYTES_MAX];
    _Alignas(16) char op[ASIDE_BYTES_MAX];
};

static _Atomic uint64_t lost;
/* When things were last due, by the hash of their names: two that share a slot
 * are due a little less often. */
static _Atomic int64_t due_ms[SLOTS];

uint64_t aside_lost(void)
{
    return atomic_load(&lost);
}

bool aside_is_due(struct str thing, int64_t ms)
{
    _Atomic int64_t *slot = &due_ms[str_hash(thing) % SLOTS];
    int64_t last = atomic_load(slot), now = clock_mono_ms();

    return (last == 0 || now - last >= ms) &&
           atomic_compare_exchange_strong(slot, &last, now);
}

static void give_up(const struct store_op *kind, enum footnote_rc rc)
{
    if (kind != OP(audit_add))
        return;
    atomic_fetch_add(&lost, 1);
    log_write(LOG_WARN, "a row of the audit was lost",
              LOG_TEXT("code", str_c(rc_code(rc))));
}

static void done(struct store_job *job, enum footnote_rc rc,
                 const struct footnote_err *err)
{
    (void)err;
    if (rc != FOOTNOTE_OK)
        give_up(job->kind, rc);
    free(job);
}

void aside_write(struct store *st, struct who who, const struct store_op *kind,
                 const void *op, size_t bytes)
{
    struct aside *a = malloc(sizeof(*a));
    enum footnote_rc rc = FOOTNOTE_NOMEM;

    assert(bytes <= ASIDE_BYTES_MAX && who.tenant.n <= STORE_ID_BYTES_MAX &&
           who.user.n <= STORE_ID_BYTES_MAX);
    if (a) {
        memcpy(a->tenant, who.tenant.p, who.tenant.n);
        memcpy(a->user, who.user.p, who.user.n);
        memcpy(a->op, op, bytes);
        a->job = (struct store_job){.who = {.tenant = {a->tenant, who.tenant.n},
                                            .user = {a->user, who.user.n}},
                                    .kind = kind,
                                    .op = a->op,
                                    .no_wait = true,
                                    .done = done};
        rc = store_submit(st, &a->job, NULL);
    }
    if (rc == FOOTNOTE_OK)
        return;
    give_up(kind, rc);
    free(a);
}
