/* services.c - what stands behind a server besides its store. */
#include "cli/services.h"

static bool has_auth(const struct config *c)
{
    return (c->auth & ~(unsigned)CONFIG_AUTH_NONE) != 0;
}

/* Indexes lie beside the embedded database. */
static enum footnote_rc open_retriever(struct arena *a, const struct config *c,
                                       struct store *st,
                                       struct retriever **out,
                                       struct footnote_err *err)
{
    struct str folder = arena_printf(a, "%.*s/index", STR_ARG(c->data));
    struct retriever_options o = {.folder = folder.p};

    TRY(arena_rc(a, err));
    return retriever_open(st, &o, out, err);
}

enum footnote_rc services_open(struct arena *a, const struct config *c,
                               struct store *st, struct services *out,
                               struct footnote_err *err)
{
    struct chat_options o = {
        .store = st,
        .turn_ms_max = c->turn_ms_max,
        .turns_per_user = has_auth(c) ? c->turns_per_user : 0};

    *out = (struct services){.retriever = NULL};
    TRY(models_open(c, &out->models, err));
    TRY(open_retriever(a, c, st, &out->retriever, err));
    o.retriever = out->retriever;
    o.models = out->models;
    return chat_open(&o, &out->chat, err);
}

void services_close(struct services *s)
{
    chat_close(s->chat);
    retriever_close(s->retriever);
    models_close(s->models);
    *s = (struct services){.retriever = NULL};
}
