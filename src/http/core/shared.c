/* shared.c - bytes that several replies share. */
#include <stdlib.h>

#include "http/core/http.h"

/* It may be kept for long: what the buffer has beyond its text is let go. */
struct shared *shared_new(struct buf *text)
{
    struct shared *s = malloc(sizeof(*s));
    struct str taken;
    char *fit;

    if (!s || buf_take(text, &taken, NULL) != FOOTNOTE_OK) {
        free(s);
        return NULL;
    }
    *s = (struct shared){1, taken.n, (char *)(uintptr_t)taken.p};
    fit = realloc(s->bytes, s->n + 1);
    if (fit)
        s->bytes = fit;
    return s;
}

void shared_hold(struct shared *s)
{
    s->refs++;
}

void shared_drop(struct shared *s)
{
    if (!s || --s->refs > 0)
        return;
    free(s->bytes);
    free(s);
}
