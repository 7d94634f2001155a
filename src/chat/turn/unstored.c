/* unstored.c - a turn that is not stored: numbers, and markers at the end.
 *
 * Support is not measured: nobody will read it. */
#include "chat/turn/unstored.h"

#include "chat/turn/count.h"
#include "chat/turn/turn.h"
#include "cite/marks.h"

/* A source that was found before keeps its number; others count up. */
static uint32_t number_of(const struct turn *t, size_t i, uint32_t *last)
{
    size_t n;
    const struct reference *sources = feed_sources(t->feed, &n);

    for (size_t k = 0; k < n; k++)
        if (sha256_eq(&sources[k].digest, &t->found[i].digest))
            return sources[k].number;
    for (size_t k = 0; k < i; k++)
        if (sha256_eq(&t->found[k].digest, &t->found[i].digest))
            return t->numbers[k];
    return ++*last;
}

enum footnote_rc unstored_number(struct turn *t, struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    size_t n;
    const struct reference *sources = feed_sources(t->feed, &n);
    uint32_t last = n ? sources[n - 1].number : 0;

    TRY(sha256_open(&c, err));
    for (size_t i = 0; i < t->search->hits_n; i++) {
        struct reference *r = &t->found[i];
        struct str key;

        TRY(source_key(&t->search_arena, &r->source, &key, err));
        source_digest(c, &r->source, key, &r->digest);
        t->numbers[i] = number_of(t, i, &last);
    }
    return FOOTNOTE_OK;
}

/* ---- The end ------------------------------------------------------------ */

static enum footnote_rc set_spans(struct turn *t, struct reference *r,
                                  const struct mark *marks, size_t n,
                                  struct footnote_err *err)
{
    uint32_t *spans = arena_many(&t->arena, 2 * n + 1, uint32_t);

    if (!spans)
        return arena_rc(&t->arena, err);
    r->spans = spans;
    for (size_t i = 0; i < n; i++) {
        if (marks[i].page || r->number < marks[i].from ||
            r->number > marks[i].to)
            continue;
        spans[2 * r->spans_n] = (uint32_t)marks[i].start_utf16;
        spans[2 * r->spans_n + 1] = (uint32_t)marks[i].end_utf16;
        r->spans_n++;
    }
    r->cited = r->spans_n > 0;
    return FOOTNOTE_OK;
}

static enum footnote_rc make_message(struct turn *t, struct footnote_err *err)
{
    size_t n, sources_n;
    const struct reference *sources = feed_sources(t->feed, &sources_n);
    struct message *m = arena_new(&t->arena, struct message);
    struct reference *refs =
        arena_many(&t->arena, sources_n + 1, struct reference);
    struct mark *marks;

    TRY(arena_rc(&t->arena, err));
    TRY(marks_find(&t->arena, feed_text(t->feed, 0), &marks, &n, err));
    for (size_t i = 0; i < sources_n; i++) {
        refs[i] = sources[i];
        TRY(set_spans(t, &refs[i], marks, n, err));
    }
    *m = (struct message){.id = feed_head(t->feed)->answer,
                          .role = FOOTNOTE_ASSISTANT,
                          .status = t->status,
                          .content = feed_text(t->feed, 0),
                          .created_ms = feed_head(t->feed)->created_ms,
                          .has_low_confidence = true,
                          .low_confidence = t->low_confidence,
                          .failure = str_c(t->failure),
                          .model = t->model->name,
                          .sources = refs,
                          .sources_n = sources_n};
    t->end_message = m;
    return FOOTNOTE_OK;
}

void unstored_end(struct turn *t)
{
    struct footnote_err err;

    (void)make_message(t, &err); /* without it the end has no citations */
    count_end(t);
    turn_show_end(t);
}
