/* withdrawn_test.c - a source whose reader may no longer see it. */
#include "store/answer/event.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store_help.h"

static void check_nothing(const struct reference *r)
{
    struct source empty = {.type = r->source.type, .id = STR("withdrawn_1")};

    CHECK_INT(r->state, FOOTNOTE_WITHDRAWN);
    CHECK_INT(r->number, 1);
    CHECK(r->cited && r->spans_n == 1);
    check_source(&r->source, &empty);
}

STORED(withdrawn_source_shows_that_it_is_and_nothing_else)
{
    struct reference r = everything("an-id");
    struct str refs[] = {STR("2024-01-15:On entropy"), STR("mine")};
    struct message_save op = answered("in-physics", "m", "So [1].", &r, 1);
    struct session_counts counts = {.session = STR("in-physics")};
    struct event_list events = {.session = STR("in-physics")};
    struct event_add e = {.session = STR("in-physics"),
                          .user_message = STR("q"),
                          .query = STR("why?"),
                          .sources = &r,
                          .sources_n = 1};
    struct history h;

    r.source.type = FOOTNOTE_JOURNAL;
    r.source.date = STR("2024-01-15");
    r.source.title = STR("On entropy");
    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_READER);
    op.course = STR("physics");
    op.message.doc_refs = refs;
    op.message.doc_refs_n = 2;
    WRITE(BEN, message_save, &op);
    WRITE(BEN, event_add, &e);
    check_source(&message_of(BEN, "m").sources[0].source, &r.source);
    member(ANN, "physics", "ben", MEMBER_NONE);
    check_nothing(&message_of(BEN, "m").sources[0]);
    h = history_of(BEN, "in-physics"); /* and its digest is as it was */
    CHECK_INT(h.messages_n, 2);
    check_nothing(&h.messages[0].sources[0]);
    CHECK_INT(h.messages[0].doc_refs_n, 1);
    CHECK_TEXT(h.messages[0].doc_refs[0], STR("mine"));
    READ(BEN, session_counts, &counts);
    CHECK_INT(counts.counts_n, 1);
    CHECK_TEXT(counts.counts[0].doc_ref, STR("mine"));
    READ(BEN, event_list, &events);
    CHECK_INT(events.events_n, 1);
    CHECK_INT(events.events[0].sources[0].state, FOOTNOTE_WITHDRAWN);
    CHECK_TEXT(events.events[0].sources[0].source.title, STR_NONE);
    help_reopen();
    check_nothing(&message_of(BEN, "m").sources[0]);
    member(ANN, "physics", "ben", MEMBER_READER);
    check_source(&message_of(BEN, "m").sources[0].source, &r.source);
    CHECK_INT(message_of(BEN, "m").doc_refs_n, 2);
}
