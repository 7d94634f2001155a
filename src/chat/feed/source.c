/* source.c - the sources of a feed, in few bytes.
 *
 * Most viewers have seen them when text follows, and then they are packed; one
 * that comes later unpacks its own. */
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

/* ---- Packed ------------------------------------------------------------- */

/* All structs, then all their texts in the same order.  Where the texts were
 * says nothing later, and would differ each time. */
static void add_all(struct buf *b, const struct feed *f)
{
    for (size_t i = 0; i < f->sources_n; i++) {
        struct reference r = *f->sources[i];

        for (size_t k = 0; k < SOURCE_FIELDS_N; k++) {
            struct source_value v = source_get(&r.source, &source_fields[k]);

            v.text.p = "";
            source_set(&r.source, &source_fields[k], &v);
        }
        buf_add(b, (struct str){(const char *)&r, sizeof(r)});
    }
    for (size_t i = 0; i < f->sources_n; i++) {
        const struct reference *r = f->sources[i];

        buf_add(b, (struct str){(const char *)(r + 1),
                                source_texts_bytes(&r->source)});
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
    const char *at;

    if (!refs || !unpack(&f->packed, refs, STR_NONE)) {
        free(refs);
        return NULL;
    }
    at = (const char *)(refs + f->packed_n);
    for (size_t i = 0; i < f->packed_n; i++) {
        source_move_texts(&refs[i].source, at);
        at += source_texts_bytes(&refs[i].source);
    }
    return refs;
}
