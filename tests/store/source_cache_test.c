/* source_cache_test.c - sources that were read before, for readers of any
 * rights while documents change; and histories in brief. */
#include <stdio.h>

#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store_help.h"

static const struct reference *only_source(const struct history *h)
{
    CHECK_INT(h->messages_n, 1);
    CHECK_INT(h->messages[0].sources_n, 1);
    return &h->messages[0].sources[0];
}

static void check_slide(const struct history *h, enum footnote_state state)
{
    const struct reference *r = only_source(h);

    CHECK_INT(r->state, state);
    CHECK_TEXT(r->source.id, STR("doc_d_slide_1"));
    CHECK_TEXT(r->source.preview, STR("Heat flows."));
}

/* An answer in course `physics` that cites slide 1 of `d`, which is kept. */
static void cite_slide(void)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct message_save op = answered("s", "m", "Heat flows [1].", &r, 1);

    course_make(ANN, "physics");
    document_make(ANN, "physics", "d", "version 1");
    op.course = STR("physics");
    WRITE(ANN, message_save, &op);
}

static void change_document(int version)
{
    char bytes[32];

    snprintf(bytes, sizeof(bytes), "version %d", version);
    document_make(ANN, "physics", "d", bytes);
}

STORED(a_cached_source_follows_its_document)
{
    struct history old, now;

    cite_slide();
    for (int i = 0; i < 2; i++) {
        old = history_of(ANN, "s");
        check_slide(&old, FOOTNOTE_LIVE);
    }
    for (int i = 0; i < 5; i++) {
        change_document(i + 2);
        now = history_of(ANN, "s");
        check_slide(&now, FOOTNOTE_CHANGED);
        check_slide(&old, FOOTNOTE_LIVE); /* it is a copy */
    }
}

STORED(a_cached_source_is_not_for_those_who_may_not_see_it)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct message_save op = answered("mine", "b", "Heat [1].", &r, 1);
    struct history h;

    cite_slide();
    member(ANN, "physics", "ben", MEMBER_READER);
    op.course = STR("physics");
    WRITE(BEN, message_save, &op);
    h = history_of(BEN, "mine");
    check_slide(&h, FOOTNOTE_LIVE);
    member(ANN, "physics", "ben", MEMBER_NONE);
    h = history_of(BEN, "mine");
    CHECK_INT(only_source(&h)->state, FOOTNOTE_WITHDRAWN);
    CHECK(only_source(&h)->source.preview.p == NULL);
}

/* ---- In brief ----------------------------------------------------------- */

STORED(a_history_in_brief_is_the_same_but_for_what_it_leaves_out)
{
    struct reference r = everything("x");
    struct message_save op = answered("s", "m", "So it is [1].", &r, 1);
    struct str refs[] = {STR("d1")};
    struct history all, brief = {.session = STR("s"), .brief = true};

    op.message.doc_refs = op.message.rag_source_ids = refs;
    op.message.doc_refs_n = op.message.rag_source_ids_n = 1;
    op.message.has_image = true;
    op.message.image_s3key = STR("k.png");
    WRITE(ANN, message_save, &op);
    all = history_of(ANN, "s");
    READ(ANN, history, &brief);
    CHECK_INT(all.messages[0].doc_refs_n, 1);
    CHECK_INT(brief.messages[0].doc_refs_n, 0);
    CHECK_INT(brief.messages[0].rag_source_ids_n, 0);
    all.messages[0].doc_refs_n = all.messages[0].rag_source_ids_n = 0;
    check_message_is(&brief.messages[0], &all.messages[0]);
}

/* ---- Many threads -------------------------------------------------------- */

enum { THREADS = 4, READINGS = 300, VERSIONS = 20 };

/* Thread 0 changes the document that the others read of. */
static void read_on(size_t number)
{
    for (int i = 0; number == 0 && i < VERSIONS; i++)
        change_document(i + 2);
    for (int i = 0; number > 0 && i < READINGS; i++) {
        AUTO(arena_free) struct arena a = ARENA(1024 * 1024);
        struct history h = {.session = STR("s")};
        struct footnote_err why;

        CHECK_OK(store_read(st, ANN, &a, OP(history), &h, &why), &why);
        check_slide(&h, only_source(&h)->state);
    }
}

STORED(threads_read_cached_sources_while_documents_change)
{
    cite_slide();
    in_threads(THREADS, read_on);
}
