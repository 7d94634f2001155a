/* face_test.c - what a reader makes of a source, kept for the next one. */
#include <stdio.h>

#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/store.h"
#include "store_help.h"

/* "<id|" and the state, with marks around the id. */
static void make_face(struct buf *b, const struct source *s,
                      enum footnote_state state, uint32_t marks[FACE_MARKS])
{
    buf_add_c(b, '<');
    marks[0] = (uint32_t)b->n;
    buf_add(b, s->id);
    marks[1] = (uint32_t)b->n;
    buf_add_c(b, '|');
    buf_add_i64(b, (int64_t)state);
}

/* What it makes of the slide. */
static void check_face(const struct reference *r, enum footnote_state state)
{
    AUTO(buf_free) struct buf b = BUF(64);

    buf_printf(&b, "<doc_d_slide_1|%d", (int)state);
    CHECK_INT(r->state, state);
    CHECK(r->face != NULL);
    CHECK_TEXT(r->face->text, buf_str(&b));
    CHECK_INT(r->face->marks[0], 1);
    CHECK_INT(r->face->marks[1], 14);
}

static struct history with_faces(const char *session)
{
    return (struct history){.session = str_c(session), .face = make_face};
}

static struct history read_faces(struct who who, const char *session)
{
    struct history h = with_faces(session);

    READ(who, history, &h);
    return h;
}

static const struct reference *only_source(const struct history *h)
{
    CHECK_INT(h->messages_n, 1);
    CHECK_INT(h->messages[0].sources_n, 1);
    return &h->messages[0].sources[0];
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

STORED(a_face_is_made_once_and_lent_to_the_next)
{
    struct history first, second;

    cite_slide();
    first = read_faces(ANN, "s");
    CHECK(only_source(&first)->face == NULL);
    CHECK_TEXT(only_source(&first)->source.id, STR("doc_d_slide_1"));
    history_end(&first);
    second = read_faces(ANN, "s");
    check_face(only_source(&second), FOOTNOTE_LIVE);
    history_end(&second);
    history_end(&second); /* nothing is left to end */
}

STORED(a_face_that_was_lent_stays_until_it_is_given_back)
{
    struct history old, now;

    cite_slide();
    history_end(&(struct history){.lender = NULL});
    now = read_faces(ANN, "s");
    history_end(&now);
    old = read_faces(ANN, "s");
    for (int i = 0; i < 5; i++) { /* each takes the place of the one before */
        char bytes[32];

        snprintf(bytes, sizeof(bytes), "version %d", i + 2);
        document_make(ANN, "physics", "d", bytes);
        now = read_faces(ANN, "s");
        CHECK_INT(only_source(&now)->state, FOOTNOTE_CHANGED);
        history_end(&now);
        check_face(only_source(&old), FOOTNOTE_LIVE);
    }
    history_end(&old);
    now = read_faces(ANN, "s");
    check_face(only_source(&now), FOOTNOTE_CHANGED);
    history_end(&now);
}

STORED(a_face_is_not_for_those_who_may_not_see_it)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct message_save op = answered("mine", "b", "Heat [1].", &r, 1);
    struct history h;

    cite_slide();
    member(ANN, "physics", "ben", MEMBER_READER);
    op.course = STR("physics");
    WRITE(BEN, message_save, &op);
    for (int i = 0; i < 2; i++) {
        h = read_faces(BEN, "mine");
        CHECK((only_source(&h)->face != NULL) == (i > 0));
        history_end(&h);
    }
    member(ANN, "physics", "ben", MEMBER_NONE);
    h = read_faces(BEN, "mine");
    CHECK(only_source(&h)->face == NULL);
    CHECK_INT(only_source(&h)->state, FOOTNOTE_WITHDRAWN);
    CHECK(only_source(&h)->source.preview.p == NULL);
    history_end(&h);
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

static void change_documents(void)
{
    for (int i = 0; i < VERSIONS; i++) {
        char bytes[32];

        snprintf(bytes, sizeof(bytes), "next version %d", i);
        document_make(ANN, "physics", "d", bytes);
    }
}

static void read_on(size_t number)
{
    if (number == 0) {
        change_documents();
        return;
    }
    for (int i = 0; i < READINGS; i++) {
        AUTO(arena_free) struct arena a = ARENA(1024 * 1024);
        struct footnote_err why;
        struct history h = with_faces("s");
        const struct reference *r;

        CHECK_OK(store_read(st, ANN, &a, OP(history), &h, &why), &why);
        r = only_source(&h);
        if (r->face)
            check_face(r, r->state);
        history_end(&h);
    }
}

STORED(threads_read_faces_while_documents_change)
{
    cite_slide();
    in_threads(THREADS, read_on);
}
