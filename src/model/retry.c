/* retry.c - whether and when to ask again.
 *
 * Only before anything of the answer was told: after that a second try would
 * be another answer.  And only as often as calls are begun: each call puts
 * one try into a budget that each repetition takes one from, so that we never
 * send more than twice of what was asked for, however many calls fail. */
#include "base/uuid.h"
#include "model/call.h"

enum { STEPS_MAX = 6, LOADING_MS_MAX = 5000, QUARTERS = 4 * UINT16_MAX };

void retry_started(struct model_loop *l)
{
    if (l->budget < BUDGET_MAX)
        l->budget++;
}

/* Doubles with each try, less up to a quarter so that calls which failed
 * together do not come back together. */
static int64_t backoff(const struct model_call *c)
{
    int64_t step = c->tries - 1 < STEPS_MAX ? c->tries - 1 : STEPS_MAX;
    int64_t full = c->limits->retry_ms << step;
    uint16_t random;

    random_bytes(&random, sizeof(random));
    return full - full * random / QUARTERS;
}

/* What was refused is left out; each of them once. */
static bool leave_out(bool *asked, int64_t *wait_ms)
{
    bool was = *asked;

    *asked = false;
    *wait_ms = 0;
    return was;
}

/* A model that is being loaded gets the time of a first byte. */
static bool while_loading(const struct model_call *c, int64_t *wait_ms)
{
    int64_t by_ms = c->started_ms + c->limits->first_ms;

    *wait_ms = backoff(c);
    if (*wait_ms > LOADING_MS_MAX)
        *wait_ms = LOADING_MS_MAX;
    return (int64_t)uv_now(c->loop->uv) + *wait_ms < by_ms;
}

static bool when_busy(struct model_call *c, int64_t *wait_ms)
{
    int64_t asked = transfer_retry_after(c);

    *wait_ms = asked >= 0 ? asked : backoff(c);
    if (asked > c->limits->wait_ms) /* sooner would be of no use */
        return false;
    if (c->tries > c->limits->retries || c->loop->budget == 0)
        return false;
    c->loop->budget--;
    return true;
}

bool retry_next(struct model_call *c, int64_t *wait_ms)
{
    enum failure_kind kind = c->reply.failure.kind;

    if (c->reply.began || !failure_may_pass(kind))
        return false;
    if (kind == FAILURE_NO_USAGE)
        return leave_out(&c->usage, wait_ms);
    if (kind == FAILURE_NO_TOOLS)
        return leave_out(&c->tools, wait_ms);
    if (kind == FAILURE_LOADING)
        return while_loading(c, wait_ms);
    return when_busy(c, wait_ms);
}
