/* scripted_model.h - for tests of models: a scripted server, a loop, and
 * answers. */
#ifndef SCRIPTED_MODEL_H
#define SCRIPTED_MODEL_H
#include "base/buf.h"
#include "config/config.h"
#include "model/model.h"
#include "test.h"
#include "upstream/upstream.h"

#define KB INT64_C(1024)
#define MB (1024 * KB)

#define SCRIPTED_MODEL_KEY "sk-test-0123456789"

/* Fill `config` before the first question where a test needs other times. */
struct scripted_model {
    struct upstream *u;
    uv_loop_t uv;
    struct config config;
    struct config_model model;
    char url[128];
    struct models *models;
    struct model_loop *loop;
};
void scripted_model_open(struct scripted_model *l);
void scripted_model_close(
    struct scripted_model *l); /* fit for AUTO; everything must be free */

/* One answer as it came. */
struct answer {
    struct scripted_model *scripted;
    struct model_call *call; /* NULL when it is over */
    struct buf text;         /* all of it */
    struct buf calls;        /* id:arguments[+extra]; for each */
    size_t texts_n;
    bool ended;
    struct model_end end; /* without the calls */
    void (*on_text)(struct answer *a);
};
/* Asks with the word script:NAME. */
void ask(struct scripted_model *l, struct answer *a, const char *script);
void ask_this(struct scripted_model *l, struct answer *a,
              const struct model_ask *ask);
void wait_end(struct answer *a);
void answer_free(struct answer *a); /* fit for AUTO */

/* Runs the loop until it holds. */
#define RUN_UNTIL(model, holds)                                                \
    do {                                                                       \
        while (!(holds))                                                       \
            scripted_model_run(model);                                         \
    } while (0)
void scripted_model_run(
    struct scripted_model *l); /* once, with a wait of at most a millisecond */

#endif
