/* counts.c - the engine's counters, as one picture. */
#include "chat/loop/counts.h"

#include "base/clock.h"
#include "chat/loop/engine.h"

const int64_t chat_first_ms[CHAT_FIRST_LIMITS] = {50,   100,  250,   500,  1000,
                                                  2500, 5000, 10000, 30000};

void chat_count(const struct chat *c, struct chat_counts *out)
{
    *out =
        (struct chat_counts){.turns = atomic_load(&c->turns),
                             .running = atomic_load(&c->running),
                             .failed = atomic_load(&c->failed),
                             .first_total_ms = atomic_load(&c->first_total_ms),
                             .unresolved = atomic_load(&c->unresolved),
                             .model_answered = atomic_load(&c->model_answered),
                             .model_failed = atomic_load(&c->model_failed)};
    for (size_t i = 0; i <= CHAT_FIRST_LIMITS; i++)
        out->first[i] = atomic_load(&c->first[i]);
    for (size_t i = 0; i < CHAT_TYPES; i++)
        out->cited[i] = atomic_load(&c->cited[i]);
    for (size_t i = 0; i <= VERDICT_CONTRADICTS; i++)
        out->verdicts[i] = atomic_load(&c->verdicts[i]);
    for (size_t i = 0; i < CHAT_LOOKS; i++)
        out->looks[i] = atomic_load(&c->looks[i]);
}

void chat_model_look(const struct chat *c, struct chat_model_state *out)
{
    *out = (struct chat_model_state){
        atomic_load(&c->model_answered_ms), atomic_load(&c->model_failed_ms),
        atomic_load(&c->model_failure),     atomic_load(&c->model_cause),
        atomic_load(&c->model_status),      atomic_load(&c->model_asked)};
}

void chat_model_ended(struct chat *c, const struct model *m,
                      const char *failure, const char *cause, int status)
{
    atomic_store(&c->model_cause, cause);
    atomic_store(&c->model_status, status);
    atomic_store(&c->model_asked, m);
    atomic_fetch_add(failure ? &c->model_failed : &c->model_answered, 1);
    atomic_store(failure ? &c->model_failed_ms : &c->model_answered_ms,
                 clock_wall_ms());
    atomic_store(&c->model_failure, failure);
}
