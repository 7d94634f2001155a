/* source.c - the sources of a feed, in few bytes.
 *
 * Most viewers have seen them when text follows, and then they are packed; one
 * that comes later unpacks its own. */
#include <stdlib.h>

#include "chat/feed/inner.h"
#include "store/session/message.h"

enum { SOURCE_TEXTS = 11 };

static void list_texts(struct source *s, struct str *out[SOURCE_TEXTS])
{
    struct str *texts[SOURCE_TEXTS] = {
        &s->id,       &s->preview, &s->title, &s->url,   &s->course, &s->owner,
        &s->document, &s->lecture, &s->date,  &s->s3key, &s->meta};

    memcpy(out, texts, sizeof(texts));
}

struct reference *source_copy(const struct reference *r)
{
    struct reference copy = *r, *c;
    struct str *texts[SOURCE_TEXTS];
    size_t bytes = sizeof(copy);
    char *at;

    copy.spans = NULL;
    copy.spans_n = 0;
    list_texts(&copy.source, texts);
    for (size_t i = 0; i < SOURCE_TEXTS; i++)
        bytes += texts[i]->p ? texts[i]->n + 1 : 0;
    c = malloc(bytes);
    if (!c)
        return NULL;
    at = (char *)(c + 1);
    for (size_t i = 0; i < SOURCE_TEXTS; i++) {
        if (!texts[i]->p)
            continue;
        memcpy(at, texts[i]->p, texts[i]->n);
        at[texts[i]->n] = '\0';
        texts[i]->p = at;
        at += texts[i]->n + 1;
    }
    *c = copy;
    return c;
}

struct reference *source_copy_to(struct arena *a, const struct reference *r)
{
    struct reference *c = arena_new(a, struct reference);
    struct str *texts[SOURCE_TEXTS];

    if (!c)
        return NULL;
    *c = *r;
    list_texts(&c->source, texts);
    for (size_t i = 0; i < SOURCE_TEXTS; i++)
        *texts[i] = arena_str(a, *texts[i]);
    return a->failed ? NULL : c;
}

/* ---- Packed ------------------------------------------------------------- */

/* All structs, then all their texts in the same order.  Where the texts were
 * says nothing later, and would differ each time. */
static void add_all(struct buf *b, const struct feed *f)
{
    struct str *texts[SOURCE_TEXTS];

    for (size_t i = 0; i < f->sources_n; i++) {
        struct reference r = *f->sources[i];

        list_texts(&r.source, texts);
        for (size_t k = 0; k < SOURCE_TEXTS; k++)
            texts[k]->p = texts[k]->p ? "" : NULL;
        buf_add(b, (struct str){(const char *)&r, sizeof(r)});
    }
    for (size_t i = 0; i < f->sources_n; i++) {
        list_texts(&f->sources[i]->source, texts);
        for (size_t k = 0; k < SOURCE_TEXTS; k++)
            if (texts[k]->p)
                buf_add(b, (struct str){texts[k]->p, texts[k]->n + 1});
    }
}

void sources_free(struct feed *f)
{
    for (size_t i = 0; i < f->sources_n; i++)
        free(f->sources[i]);
    free(f->sources);
    f->sources = NULL;
    f->sources_n = f->sources_cap = 0;
}

void sources_pack(struct feed *f)
{
    AUTO(buf_free) struct buf b = BUF(FEED_ARENA_BYTES_MAX);

    if (f->packed_n || !f->sources_n)
        return;
    add_all(&b, f);
    if (b.broken != FOOTNOTE_OK || !pack(&f->packed, buf_str(&b), STR_NONE))
        return; /* they stay as they are */
    f->packed_n = f->sources_n;
    sources_free(f);
}

struct reference *sources_unpack(const struct feed *f)
{
    struct reference *refs = malloc(f->packed.whole_n);
    struct str *texts[SOURCE_TEXTS];
    char *at;

    if (!refs || !unpack(&f->packed, refs, STR_NONE)) {
        free(refs);
        return NULL;
    }
    at = (char *)(refs + f->packed_n);
    for (size_t i = 0; i < f->packed_n; i++) {
        list_texts(&refs[i].source, texts);
        for (size_t k = 0; k < SOURCE_TEXTS; k++) {
            if (!texts[k]->p)
                continue;
            texts[k]->p = at;
            at += texts[k]->n + 1;
        }
    }
    return refs;
}

bool feed_add_source_bytes(struct feed *f, struct buf *b)
{
    char *room;
    bool ok;

    pthread_mutex_lock(&f->lock);
    sources_pack(f);
    ok = f->packed_n || !f->sources_n;
    if (f->packed_n) {
        room = buf_room(b, f->packed.whole_n);
        ok = room && unpack(&f->packed, room, STR_NONE);
        b->n += ok ? f->packed.whole_n : 0;
    }
    pthread_mutex_unlock(&f->lock);
    return ok;
}
