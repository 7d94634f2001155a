/* limits.h - the limits of a call, and the list of models with them. */
#ifndef MODEL_LIMITS_H
#define MODEL_LIMITS_H
#include "model/model.h"

struct model_limits {
    int64_t connect_ms, first_ms, idle_ms, total_ms;
    int64_t retries, retry_ms, wait_ms, bytes_max;
};

struct models {
    struct arena a;
    struct model *items; /* the default is the first */
    size_t n;
    struct model_limits limits;
};

#endif
