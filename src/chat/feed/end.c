/* end.c - how a feed ended, copied from what is stored. */
#include <assert.h>

#include "chat/feed/feed_data.h"
#include "store/source/verdicts.h"

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
                           &m->parent,      &m->failure,     &m->model};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = arena_str(a, *texts[i]);
}

static const uint32_t *copy_numbers(struct arena *a, const uint32_t *list,
                                    size_t n)
{
    uint32_t *copy = arena_many(a, n + 1, uint32_t);

    if (copy && n)
        memcpy(copy, list, n * sizeof(*copy));
    return copy;
}

static bool copy_reference(struct arena *a, const struct reference *from,
                           struct reference *to)
{
    if (!feed_copy_source(a, from, to))
        return false;
    to->spans = copy_numbers(a, from->spans, 2 * from->spans_n);
    to->spans_n = from->spans_n;
    return to->spans != NULL;
}

static const struct verdict_record *copy_verdicts(
    struct arena *a, const struct verdict_record *list, size_t n)
{
    struct verdict_record *copy = arena_many(a, n + 1, struct verdict_record);

    for (size_t i = 0; copy && i < n; i++) {
        struct sentence_verdict *sentences =
            arena_many(a, list[i].n + 1, struct sentence_verdict);

        copy[i] = list[i];
        copy[i].judge = arena_str(a, list[i].judge);
        copy[i].sentences = sentences;
        if (sentences && list[i].n)
            memcpy(sentences, list[i].sentences,
                   list[i].n * sizeof(*sentences));
    }
    return copy;
}

/* NULL: no memory. */
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
    c->versions = copy_list(a, m->versions, m->versions_n);
    c->unknown = copy_numbers(a, m->unknown, m->unknown_n);
    c->verdicts = copy_verdicts(a, m->verdicts, m->verdicts_n);
    c->sources = refs;
    for (size_t i = 0; i < m->sources_n; i++)
        if (!copy_reference(a, &m->sources[i], &refs[i]))
            return NULL;
    return a->failed ? NULL : c;
}

void feed_add_end(struct feed *f, const struct feed_end *end)
{
    pthread_mutex_lock(&f->lock);
    assert(!f->ended);
    f->end = *end;
    f->end.message =
        end->message ? copy_message(&f->end_arena, end->message) : NULL;
    f->end.failure = arena_str(&f->end_arena, end->failure);
    f->end.finish = arena_str(&f->end_arena, end->finish);
    if (!f->end.finish.p)
        f->end.finish = STR("other");
    if (!f->end.message && !f->end.failure.p) /* no citations, no good end */
        f->end.failure = STR("The end of the answer could not be read. Read "
                             "the answer again.");
    f->ended = true;
    feed_wake_views(f);
    pthread_mutex_unlock(&f->lock);
}
