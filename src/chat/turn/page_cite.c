/* page_cite.c - the picture of a page that came with the question.
 *
 * The picture becomes a source when the answer cites it as [^Page], and only
 * then.  The first marker is held back until the source is stored and shown;
 * later ones pass. */
#include <assert.h>

#include "chat/turn/page.h"
#include "chat/turn/text.h"
#include "chat/turn/turn.h"
#include "chat/turn/write.h"
#include "cite/marks.h"

enum { MARKS_BYTES_MAX = 64 * 1024 * 1024 };

void page_find_marker(struct turn *t)
{
    AUTO(arena_free) struct arena a = ARENA(MARKS_BYTES_MAX);
    struct mark *marks;
    size_t n = 0;

    if (t->page != PAGE_GIVEN ||
        marks_find(&a, (struct str){feed_text(t->feed, 0).p, t->settled},
                   &marks, &n, NULL) != FOOTNOTE_OK)
        return;
    for (size_t i = 0; i < n && t->page == PAGE_GIVEN; i++) {
        if (!marks[i].page)
            continue;
        t->page = PAGE_MET;
        t->page_at = marks[i].start;
    }
}

/* Early, because a search may have the arenas when the marker is met. */
void page_make_source(struct turn *t)
{
    const struct message *q = &t->ask.question;
    struct reference *r;
    struct footnote_err err;

    if (t->page == PAGE_NONE)
        return;
    r = arena_new(&t->arena, struct reference);
    if (r)
        *r = (struct reference){.support = -1,
                                .state = FOOTNOTE_LIVE,
                                .source = {.type = FOOTNOTE_IMAGE,
                                           .s3key = q->image_s3key,
                                           .document = q->image_slide,
                                           .course = t->ask.course,
                                           .has_page = q->has_image_page,
                                           .page = q->image_page}};
    if (!r ||
        source_key(&t->arena, &r->source, &r->source.id, &err) != FOOTNOTE_OK) {
        t->page = PAGE_NONE;
        turn_no_memory(t);
    }
    t->page_source = r;
}

static void show_picture(struct turn *t)
{
    struct footnote_err err;

    t->page_source->number = t->page_number;
    t->page = PAGE_CITED;
    if (feed_add_source(t->feed, t->page_source, &err) != FOOTNOTE_OK)
        turn_unshown(t);
    turn_flush(t);
}

static void stored(struct turn *t)
{
    if (t->job_rc == FOOTNOTE_OK) {
        show_picture(t);
        return;
    }
    t->page = PAGE_NONE;
    turn_lost(t);
    turn_flush(t);
}

void page_cite(struct turn *t)
{
    size_t n;
    const struct reference *sources = feed_sources(t->feed, &n);

    assert(t->page == PAGE_MET && t->sent == t->page_at && t->page_source);
    if (!t->stored) {
        t->page_number = n ? sources[n - 1].number + 1 : 1;
        show_picture(t);
        return;
    }
    t->op.cite = (struct answer_cite){.answer = &t->answer,
                                      .sources = t->page_source,
                                      .sources_n = 1,
                                      .numbers = &t->page_number};
    turn_write(t, OP(answer_cite), &t->op.cite, stored);
}
