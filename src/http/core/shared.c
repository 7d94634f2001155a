/* shared.c - bytes that several replies share. */
#include <assert.h>
#include <stdlib.h>

#include "http/core/http.h"

/* A body may be kept for long, so the unused end of the buffer is freed. */
struct shared_body *shared_body_new(struct buf *text)
{
    struct shared_body *s = malloc(sizeof(*s));
    struct str taken;
    char *fit;

    if (!s || buf_take(text, &taken, NULL) != FOOTNOTE_OK) {
        free(s);
        return NULL;
    }
    *s = (struct shared_body){1, taken.n, (char *)(uintptr_t)taken.p};
    fit = realloc(s->bytes, s->n + 1);
    if (fit)
        s->bytes = fit;
    return s;
}

void shared_body_hold(struct shared_body *s)
{
    assert(s->refs > 0);
    s->refs++;
}

void shared_body_drop(struct shared_body *s)
{
    if (!s || --s->refs > 0)
        return;
    free(s->bytes);
    free(s);
}
