/* started.h - the line that says what was started, and whether the model
 * answers.  One thread. */
#ifndef CLI_STARTED_H
#define CLI_STARTED_H
#include <pthread.h>
#include <stdatomic.h>

#include "http/call/services.h"

struct started {
    const struct config *config;
    const struct services *services;
    pthread_t thread;
    bool runs;
    atomic_bool stop;
};
/* Begins with zeros.  All three live until started_close(), which waits. */
void started_open(struct started *s, const struct config *c,
                  const struct services *services);
void started_close(struct started *s);

#endif
