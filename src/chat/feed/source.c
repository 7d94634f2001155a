/* source.c - the sources of a feed: copies of what the turn has shown. */
#include <stdlib.h>

#include "chat/feed/inner.h"
#include "store/session/message.h"

struct reference *source_copy(const struct reference *r)
{
    struct reference *c = malloc(sizeof(*c) + source_texts_bytes(&r->source));

    if (!c)
        return NULL;
    *c = *r;
    c->spans = NULL;
    c->spans_n = 0;
    source_copy_texts(&c->source, (char *)(c + 1));
    return c;
}

struct reference *source_copy_to(struct arena *a, const struct reference *r)
{
    struct reference *c = arena_new(a, struct reference);
    char *texts = arena_alloc(a, source_texts_bytes(&r->source));

    if (!c || !texts)
        return NULL;
    *c = *r;
    source_copy_texts(&c->source, texts);
    return c;
}
