/* engine.h - struct chat: one per process, and a struct chat_loop for each of
 * its libuv loops.
 *
 * The counters of an engine are for any thread.  A loop's fields belong to its
 * thread; only `messages` is shared, under `lock`. */
#ifndef CHAT_LOOP_ENGINE_H
#define CHAT_LOOP_ENGINE_H
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <uv.h>

#include "chat/loop/counts.h"
#include "chat/loop/options.h"

struct chat {
    struct chat_options options;
    struct hub *hub; /* the turns that run, by session */
    atomic_uint_fast64_t turns, failed, unresolved;
    atomic_uint_fast64_t running;
    atomic_uint_fast64_t first[CHAT_FIRST_LIMITS + 1], first_total_ms;
    atomic_uint_fast64_t cited[CHAT_TYPES], model_answered, model_failed;
    atomic_uint_fast64_t verdicts[VERDICT_CONTRADICTS + 1];
    atomic_uint_fast64_t looks[CHAT_LOOKS], looking;
    _Atomic uint64_t look_minute; /* look_again.c */
    atomic_llong model_answered_ms, model_failed_ms;
    _Atomic(const char *) model_failure, model_cause;
    _Atomic(const struct model *) model_asked;
    atomic_int model_status;
};

struct chat_loop {
    struct chat *chat;
    uv_loop_t *uv;
    uv_async_t wake;
    struct model_loop *models;
    pthread_mutex_t lock;
    struct loop_message *messages, **messages_tail; /* under lock */
    struct turn *turns; /* all, also those that begin or end */
    size_t turns_n;
    struct follower *followers;
    struct look *looks; /* answers that a model looks at again */
    bool closing;
    int handles; /* of ours that are not closed yet */
    void (*closed)(void *arg);
    void *closed_arg;
};

/* A turn, a follower or a look has left the loop.  A loop that closes does so
 * with the last of them. */
void chat_loop_left(struct chat_loop *l);

#endif
