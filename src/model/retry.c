/* retry.c - whether and when to ask again.
 *
 * Only before anything of the answer was told: a second try would be another
 * answer.  And only as often as calls begin: each call adds one to a budget and
 * each retry takes one, so that we never send more than twice as many requests
 * as there are calls, however many fail. */
#include <assert.h>

#include "base/uuid.h"
#include "model/call.h"

enum { STEPS_MAX = 6, LOADING_MS_MAX = 5000, QUARTERS = 4 * UINT16_MAX };

void retry_started(struct model_loop *l)
{
    if (l->budget < BUDGET_MAX)
        l->budget++;
}

/* Doubles with each try, less up to a quarter, so that calls that failed
 * together are not retried together. */
static int64_t backoff(const struct model_call *c)
{
    int64_t step = c->tries - 1 < STEPS_MAX ? c->tries - 1 : STEPS_MAX;
    int64_t full = c->limits->retry_ms << step;
    uint16_t random;

    random_bytes(&random, sizeof(random));
    return full - full * random / QUARTERS;
}

/* Leaves out what was refused, once. */
static bool retry_without(bool *asked, int64_t *wait_ms)
{
    bool was = *asked;

    *asked = false;
    *wait_ms = 0;
    return was;
}

/* A model that is being loaded gets the time of a first byte. */
static bool retry_while_loading(const struct model_call *c, int64_t *wait_ms)
{
    int64_t by_ms = c->started_ms + c->limits->first_ms;

    *wait_ms = backoff(c);
    if (*wait_ms > LOADING_MS_MAX)
        *wait_ms = LOADING_MS_MAX;
    return (int64_t)uv_now(c->loop->uv) + *wait_ms < by_ms;
}

static bool retry_when_busy(struct model_call *c, int64_t *wait_ms)
{
    int64_t asked = transfer_retry_after(c);

    *wait_ms = asked >= 0 ? asked : backoff(c);
    if (asked > c->limits->wait_ms) /* sooner would fail again */
        return false;
    if (c->tries > c->limits->retries || c->loop->budget == 0)
        return false;
    c->loop->budget--;
    return true;
}

bool retry_next(struct model_call *c, int64_t *wait_ms)
{
    enum failure_kind kind = c->completion.failure.kind;

    assert(kind != FAILURE_NONE && c->tries > 0);
    if (c->completion.began || !failure_allows_retry(kind))
        return false;
    if (kind == FAILURE_NO_USAGE)
        return retry_without(&c->usage, wait_ms);
    if (kind == FAILURE_NO_TOOLS)
        return retry_without(&c->tools, wait_ms);
    if (kind == FAILURE_LOADING)
        return retry_while_loading(c, wait_ms);
    return retry_when_busy(c, wait_ms);
}
