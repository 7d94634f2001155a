/* started.c - the line that says what was started.
 *
 * The model's server is asked whether it is there, which may take seconds, so a
 * thread does it: nobody waits for that.  The line comes when it is known. */
#include <assert.h>

#include "base/log.h"
#include "chat/chat.h"
#include "cli/started.h"
#include "config/table.h"
#include "model/model.h"

enum { REACH_MS = 10 * 1000, LINE_BYTES_MAX = 64 * 1024 };

/* A setting's value as `config show` has it, without its quotes. */
static struct str value_of(struct buf *b, const char *name,
                           const struct config *c)
{
    size_t from = b->n;
    const struct setting *s = config_find_setting(str_c(name));
    struct str text;

    assert(s);
    config_print(b, s, c);
    text = str_skip(buf_str(b), from);
    if (text.n >= 2 && text.p[0] == '"')
        return (struct str){text.p + 1, text.n - 2};
    return text;
}

static void say(const struct started *s, const struct model *m,
                const char *answers)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    const struct config *c = s->config;
    struct config_build build = config_build();
    struct str database, auth;

    buf_reserve(&b, LINE_BYTES_MAX / 2); /* the values stay where they are */
    database = value_of(&b, "database", c);
    auth = value_of(&b, "auth", c);
    log_write(LOG_INFO, "started", LOG_TEXT("version", build.version),
              LOG_TEXT("git", build.git), LOG_TEXT("data", c->data),
              LOG_TEXT("database", database), LOG_TEXT("auth", auth),
              LOG_TEXT("model", m->name),
              LOG_TEXT("model_answers", str_c(answers)));
}

static void *reach(void *arg)
{
    struct started *s = arg;
    const struct model *m = models_find(s->services->models, STR_NONE);
    char cause[MODEL_CAUSE_BYTES];
    struct model_reach r;

    model_reach(m, REACH_MS, &s->stop, &r);
    if (atomic_load(&s->stop))
        return NULL;
    chat_model_ended(s->services->chat, m, r.ok ? NULL : "model_unavailable",
                     r.cause, r.status);
    say(s, m, r.ok ? "yes" : "no");
    if (!r.ok)
        log_write(LOG_WARN, "the model does not answer",
                  LOG_TEXT("model", m->name), LOG_TEXT("url", m->url),
                  LOG_TEXT("cause", model_cause(r.cause, r.status, cause)));
    return NULL;
}

void started_open(struct started *s, const struct config *c,
                  const struct services *services)
{
    const struct model *m = models_find(services->models, STR_NONE);

    assert(!s->runs);
    s->config = c;
    s->services = services;
    if (!m->extractive)
        s->runs = pthread_create(&s->thread, NULL, reach, s) == 0;
    if (!s->runs)
        say(s, m, m->extractive ? "it is built in" : "unknown");
}

void started_close(struct started *s)
{
    atomic_store(&s->stop, true);
    if (s->runs)
        pthread_join(s->thread, NULL);
    s->runs = false;
}
