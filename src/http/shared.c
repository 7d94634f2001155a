/* shared.c - bytes that several replies share. */
#include <stdlib.h>

#include "http/http.h"

struct shared *shared_new(size_t n)
{
    struct shared *s = malloc(sizeof(*s) + n);

    if (!s)
        return NULL;
    s->refs = 1;
    s->n = n;
    return s;
}

void shared_hold(struct shared *s)
{
    s->refs++;
}

void shared_drop(struct shared *s)
{
    if (s && --s->refs == 0)
        free(s);
}
