/* end.c - how a feed ended, copied from what is stored. */
#include "chat/feed/inner.h"
#include "store/session/message.h"

static const uint32_t *copy_spans(struct arena *a, const struct reference *r)
{
    uint32_t *spans = arena_many(a, 2 * r->spans_n, uint32_t);

    if (spans && r->spans_n)
        memcpy(spans, r->spans, 2 * r->spans_n * sizeof(*spans));
    return spans;
}

static const struct str *copy_list(struct arena *a, const struct str *list,
                                   size_t n)
{
    struct str *copy = arena_many(a, n + 1, struct str);

    for (size_t i = 0; copy && i < n; i++)
        copy[i] = arena_str(a, list[i]);
    return copy;
}

static void copy_texts(struct arena *a, struct message *m)
{
    struct str *texts[] = {&m->id,          &m->session,     &m->content,
                           &m->image_s3key, &m->image_slide, &m->replaced_by,
                           &m->failure,     &m->model};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = arena_str(a, *texts[i]);
}

/* The sources are those that were shown; what the end adds is where and how
 * well they carry. */
static const struct message *copy_message(struct arena *a,
                                          const struct message *m)
{
    struct message *c = arena_new(a, struct message);
    struct reference *refs = arena_many(a, m->sources_n + 1, struct reference);

    if (!c || !refs)
        return NULL;
    *c = *m;
    copy_texts(a, c);
    c->doc_refs = copy_list(a, m->doc_refs, m->doc_refs_n);
    c->rag_source_ids = copy_list(a, m->rag_source_ids, m->rag_source_ids_n);
    c->web_source_ids = copy_list(a, m->web_source_ids, m->web_source_ids_n);
    c->sources = refs;
    for (size_t i = 0; i < m->sources_n; i++) {
        struct reference *r = source_copy_to(a, &m->sources[i]);

        if (!r)
            return NULL;
        refs[i] = *r;
        refs[i].spans = copy_spans(a, &m->sources[i]);
        refs[i].spans_n = refs[i].spans ? m->sources[i].spans_n : 0;
    }
    return a->failed ? NULL : c;
}

void feed_add_end(struct feed *f, const struct feed_end *end)
{
    pthread_mutex_lock(&f->lock);
    f->end = *end;
    f->end.message =
        end->message ? copy_message(&f->arena, end->message) : NULL;
    f->end.failure = arena_str(&f->arena, end->failure);
    f->end.finish = arena_str(&f->arena, end->finish);
    if (!f->end.finish.p)
        f->end.finish = STR("other");
    if (!f->end.message && !f->end.failure.p) /* no citations, no good end */
        f->end.failure = STR("The end of the answer could not be read. Read "
                             "the answer again.");
    f->ended = true;
    feed_tell(f);
    pthread_mutex_unlock(&f->lock);
}
