/* services.c - what stands behind a server. */
#include "cli/services.h"

#include "chat/chat.h"
#include "object/object.h"

static bool has_auth(const struct config *c)
{
    return (c->auth & ~(unsigned)CONFIG_AUTH_NONE) != 0;
}

/* Indexes lie beside the embedded database. */
static enum footnote_rc open_retriever(struct arena *a, const struct config *c,
                                       struct services *s,
                                       struct footnote_err *err)
{
    struct retriever_options o = {.folder = NULL};

    if (c->data.p)
        o.folder = arena_printf(a, "%.*s/index", STR_ARG(c->data)).p;
    TRY(arena_rc(a, err));
    return retriever_open(s->store, &o, &s->retriever, err);
}

static enum footnote_rc open_chat(const struct config *c, struct services *s,
                                  struct footnote_err *err)
{
    struct chat_options o = {
        .store = s->store,
        .retriever = s->retriever,
        .models = s->models,
        .turn_ms_max = c->turn_ms_max,
        .turns_per_user = has_auth(c) ? c->turns_per_user : 0};

    return chat_open(&o, &s->chat, err);
}

enum footnote_rc services_open(struct arena *a, const struct config *c,
                               struct services *s, struct footnote_err *err)
{
    if (c->objects.p)
        TRY(objects_open(c->objects, &s->objects, err));
    TRY(open_retriever(a, c, s, err));
    TRY(models_open(c, &s->models, err));
    return open_chat(c, s, err);
}

void services_close(struct services *s)
{
    chat_close(s->chat);
    models_close(s->models);
    retriever_close(s->retriever);
    objects_close(s->objects);
    *s = (struct services){.store = s->store};
}
