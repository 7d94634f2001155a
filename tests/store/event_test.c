/* event_test.c - retrieval events, and counts over answers. */
#include "store/answer/answer.h"
#include "store/answer/event.h"
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store_help.h"

static struct event_add found(const char *session, const char *question,
                              const struct reference *r, size_t n)
{
    return (struct event_add){.session = str_c(session),
                              .user_message = str_c(question),
                              .query = STR("heat"),
                              .sources = r,
                              .sources_n = n};
}

STORED(a_callers_event_shows_on_the_answer_that_follows)
{
    struct reference r[] = {slide("d", 1, "Heat flows."),
                            slide("d", 2, "Cats sleep.")};
    struct event_add e = found("s", "q", r, 2);
    struct history h;

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    e.has_low_confidence = e.low_confidence = true;
    WRITE(ANN, event_add, &e);
    CHECK_INT(strlen(e.id_text), 36);
    say(ANN, "s", "a", FOOTNOTE_ASSISTANT, "Heat flows [1].");
    for (int i = 0; i < 2; i++) {
        h = history_of(ANN, "s");
        CHECK_INT(h.messages[0].sources_n, 0); /* questions show none */
        CHECK_INT(h.messages[1].sources_n, 2);
        check_source(&h.messages[1].sources[0].source, &r[0].source);
        CHECK(h.messages[1].sources[0].cited);
        CHECK(h.messages[1].sources[0].support > 900);
        CHECK_INT(h.messages[1].sources[0].spans[0], 11);
        CHECK(!h.messages[1].sources[1].cited);
        CHECK(h.messages[1].has_low_confidence);
        CHECK(h.messages[1].low_confidence);
        CHECK_INT(message_of(ANN, "a").sources_n, 2);
        CHECK(message_of(ANN, "a").low_confidence);
        help_reopen();
    }
}

STORED(a_callers_event_may_come_before_its_question_and_after_the_answer)
{
    struct reference r[] = {slide("d", 1, "Heat flows."),
                            slide("d", 2, "Cats sleep.")};
    struct event_add e = found("s", "q", r, 1);
    struct message m;

    WRITE(ANN, event_add, &e); /* first of all, in a new session */
    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    say(ANN, "s", "a", FOOTNOTE_ASSISTANT, "Heat flows [1]. Cats sleep [2].");
    m = history_of(ANN, "s").messages[1];
    CHECK_INT(m.sources_n, 1);
    CHECK(m.sources[0].cited);
    e = found("s", "q", &r[1], 1); /* a second search, told too late */
    WRITE(ANN, event_add, &e);
    m = history_of(ANN, "s").messages[1];
    CHECK_INT(m.sources_n, 2);
    CHECK_INT(m.sources[1].number, 2);
    CHECK(m.sources[0].cited && m.sources[1].cited);
}

STORED(the_first_answer_of_a_new_session_keeps_its_references)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct answer_begin op = begin(ANN, "new", "q", "a", ANSWER_NEW);
    struct answer_cite c = {.answer = &op.answer,
                            .sources = &r,
                            .sources_n = 1,
                            .query = STR("heat")};
    struct history h;

    WRITE(ANN, answer_cite, &c);
    append(ANN, &op.answer, "Heat flows [1].");
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    h = history_of(ANN, "new");
    CHECK_INT(h.messages[1].sources_n, 1);
    CHECK(h.messages[1].sources[0].cited);
    CHECK_INT(h.messages[1].rag_source_ids_n, 1);
    CHECK_INT(h.messages[1].web_source_ids_n, 0);
}

/* One search, two kinds of thing: each is told under its own name. */
STORED(web_pages_that_a_search_found_are_an_event_of_their_own)
{
    struct reference r[] = {web("http://a.example/", "Heat."),
                            slide("d", 1, "Heat flows."),
                            web("http://b.example/", "Cold.")};
    const double coverage[] = {.25, .5, .75};
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_cite c = {.answer = &op.answer,
                            .sources = r,
                            .sources_n = 3,
                            .coverage = coverage,
                            .query = STR("heat")};
    struct event_list list = {.session = STR("s")};
    struct message m;

    WRITE(ANN, answer_cite, &c);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    READ(ANN, event_list, &list);
    CHECK_INT(list.events_n, 2);
    CHECK(!list.events[0].web && list.events[1].web);
    CHECK_TEXT(list.events[0].numbers, STR("[2]"));
    CHECK_TEXT(list.events[0].coverage, STR("[0.5]"));
    CHECK_TEXT(list.events[1].numbers, STR("[1,3]"));
    CHECK_TEXT(list.events[1].coverage, STR("[0.25,0.75]"));
    CHECK_TEXT(list.events[1].query, STR("heat"));
    m = message_of(ANN, "a");
    CHECK_INT(m.rag_source_ids_n, 1);
    CHECK_TEXT(m.rag_source_ids[0], list.events[0].id);
    CHECK_INT(m.web_source_ids_n, 1);
    CHECK_TEXT(m.web_source_ids[0], list.events[1].id);
}

STORED(a_search_is_one_event_when_it_found_one_kind_or_nothing)
{
    struct reference r = web("http://a.example/", "Heat.");
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_cite c = {.answer = &op.answer,
                            .sources = &r,
                            .sources_n = 1,
                            .query = STR("heat")};
    struct message m;

    WRITE(ANN, answer_cite, &c);
    c.sources_n = 0;
    c.query = STR("snow");
    WRITE(ANN, answer_cite, &c);
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    m = message_of(ANN, "a");
    CHECK_INT(m.web_source_ids_n, 1); /* heat */
    CHECK_INT(m.rag_source_ids_n, 1); /* snow, which there was none of */
}

STORED(an_answer_with_sources_of_its_own_shows_those)
{
    struct reference r[] = {slide("d", 1, "found"), slide("d", 2, "own")};
    struct event_add e = found("s", "q", r, 1);
    struct message m;

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    WRITE(ANN, event_add, &e);
    answer(ANN, "s", "a", "so [1]", &r[1], 1);
    m = history_of(ANN, "s").messages[1];
    CHECK_INT(m.sources_n, 1);
    CHECK_TEXT(m.sources[0].source.preview, STR("own"));
    check_digest(&m);
}

/* What was found for one question says nothing of other answers. */
STORED(an_event_shows_on_the_first_answer_only)
{
    struct reference r = slide("d", 1, "Heat flows.");
    struct event_add e = found("s", "q", &r, 1);
    struct history h, page = {.session = STR("s"), .limit = 1};

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    e.has_low_confidence = e.low_confidence = true;
    WRITE(ANN, event_add, &e);
    say(ANN, "s", "a", FOOTNOTE_ASSISTANT, "Heat flows [1].");
    say(ANN, "s", "a2", FOOTNOTE_ASSISTANT, "More of it.");
    say(ANN, "s", "q2", FOOTNOTE_USER, "and?");
    say(ANN, "s", "a3", FOOTNOTE_ASSISTANT, "Nothing [1].");
    h = history_of(ANN, "s");
    CHECK_INT(h.messages[1].sources_n, 1);
    CHECK(h.messages[1].sources[0].cited);
    CHECK_INT(h.messages[1].sources[0].spans[0], 11);
    CHECK(h.messages[1].low_confidence);
    CHECK_INT(h.messages[2].sources_n, 0);
    CHECK(!h.messages[2].has_low_confidence);
    CHECK_INT(h.messages[4].sources_n, 0);
    CHECK(!h.messages[4].has_low_confidence);
    READ(ANN, history, &page); /* the same when read in part */
    CHECK_TEXT(page.messages[0].id, STR("a3"));
    CHECK(!page.messages[0].has_low_confidence);
    CHECK(!message_of(ANN, "a3").has_low_confidence);
    CHECK_INT(message_of(ANN, "a2").sources_n, 0);
    CHECK(!message_of(ANN, "a2").has_low_confidence);
    CHECK_INT(message_of(ANN, "a").sources_n, 1);
    page.before = STR("a2");
    READ(ANN, history, &page);
    CHECK_TEXT(page.messages[0].id, STR("a"));
    CHECK_INT(page.messages[0].sources_n, 1);
    CHECK(page.messages[0].low_confidence);
}

STORED(what_an_answer_says_itself_goes_before_the_event)
{
    struct event_add e = found("s", "q", NULL, 0);
    struct message_save op = saved("s", "a", FOOTNOTE_ASSISTANT, "so");
    struct str ids[] = {STR("mine")};
    struct message m;

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    e.has_low_confidence = e.low_confidence = true;
    WRITE(ANN, event_add, &e);
    op.message.has_low_confidence = true; /* and false */
    op.message.rag_source_ids = ids;
    op.message.rag_source_ids_n = 1;
    WRITE(ANN, message_save, &op);
    m = message_of(ANN, "a");
    CHECK(m.has_low_confidence && !m.low_confidence);
    CHECK_INT(m.rag_source_ids_n, 1);
    CHECK_TEXT(m.rag_source_ids[0], STR("mine"));
}

STORED(events_are_listed_oldest_first)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two")};
    struct event_add e = found("s", "q", r, 1);
    struct event_list op = {.session = STR("s")};

    clock_stopped(1700000000000);
    WRITE(ANN, event_add, &e);
    e = found("s", "q", r, 2);
    e.web = true;
    e.query = STR("");
    e.has_low_confidence = true;
    WRITE(ANN, event_add, &e);
    READ(ANN, event_list, &op);
    CHECK_INT(op.events_n, 2);
    CHECK_TEXT(op.events[0].user_message, STR("q"));
    CHECK_TEXT(op.events[0].answer, STR_NONE);
    CHECK_TEXT(op.events[0].query, STR("heat"));
    CHECK(!op.events[0].web && !op.events[0].has_low_confidence);
    CHECK_INT(op.events[0].created_ms, 1700000000000);
    CHECK_INT(op.events[0].sources_n, 1);
    CHECK_TEXT(op.events[1].id, str_c(e.id_text));
    CHECK_TEXT(op.events[1].query, STR(""));
    CHECK(op.events[1].web && op.events[1].has_low_confidence);
    CHECK(!op.events[1].low_confidence);
    CHECK_INT(op.events[1].sources_n, 2);
    CHECK_INT(op.events[1].sources[1].number, 2);
    REFUSE_READ(BEN, event_list, &op, FOOTNOTE_NOTFOUND, "session");
}

/* ---- Counts ------------------------------------------------------------- */

static void check_count(const struct reference_count *c, const char *doc_ref,
                        uint64_t given, uint64_t cited)
{
    CHECK_TEXT(c->doc_ref, str_c(doc_ref));
    CHECK_INT(c->given_n, given);
    CHECK_INT(c->cited_n, cited);
}

STORED(a_session_counts_the_answers_of_each_document)
{
    struct reference r[] = {slide("d", 1, "one"),
                            slide("d", 2, "two"),
                            slide("e", 1, "three"),
                            {.source = {.type = FOOTNOTE_JOURNAL,
                                        .date = STR("2024-01-15"),
                                        .title = STR("On entropy")}}};
    struct str refs[] = {STR("2024-01-15:On entropy"), STR("f")};
    struct message_save op = answered("s", "m3", "so [2]", &r[2], 2);
    struct session_counts counts = {.session = STR("s")};

    r[0].source.title = STR("Slides");
    answer(ANN, "s", "m1", "so [1][2]", r, 2); /* one document, once */
    answer(ANN, "s", "m2", "so [9]", r, 1);
    op.message.doc_refs = refs;
    op.message.doc_refs_n = 2;
    WRITE(ANN, message_save, &op);
    answer(ANN, "t", "m4", "so [1]", r, 1);
    READ(ANN, session_counts, &counts);
    CHECK_INT(counts.counts_n, 4);
    check_count(&counts.counts[0], "d", 2, 1);
    CHECK_TEXT(counts.counts[0].document, STR("d"));
    CHECK_TEXT(counts.counts[0].title, STR("Slides"));
    check_count(&counts.counts[1], "2024-01-15:On entropy", 1, 1);
    check_count(&counts.counts[2], "e", 1, 0);
    check_count(&counts.counts[3], "f", 1, 0);
    REFUSE_READ(BEN, session_counts, &counts, FOOTNOTE_NOTFOUND, "session");
}

STORED(every_answer_that_was_given_a_document_is_found)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two"),
                            slide("e", 1, "three")};
    struct document_citations op = {.document = STR("d"), .limit = 2};

    answer(ANN, "s", "m1", "so [2]", r, 2);
    answer(ANN, "s", "m2", "so", &r[2], 1);
    answer(ANN, "t", "m3", "so [1]", r, 1);
    answer(BEN, "b", "m4", "so [1]", r, 1);
    READ(ANN, document_citations, &op);
    CHECK_INT(op.citations_n, 2);
    CHECK_TEXT(op.citations[0].session, STR("s"));
    CHECK_TEXT(op.citations[0].message, STR("m1"));
    CHECK_INT(op.citations[0].number, 1);
    CHECK(!op.citations[0].cited && op.citations[1].cited);
    op.after_session = op.next_session;
    op.after_seq = op.next_seq;
    op.after_number = op.next_number;
    READ(ANN, document_citations, &op);
    CHECK_INT(op.citations_n, 1);
    CHECK_TEXT(op.citations[0].message, STR("m3"));
    op = (struct document_citations){.document = STR("d")};
    READ(BEN, document_citations, &op);
    CHECK_INT(op.citations_n, 1);
    CHECK_TEXT(op.citations[0].message, STR("m4"));
}

/* Sources of a caller's event are the answer's, also on the way back. */
STORED(a_document_that_an_event_found_is_cited_by_the_answer)
{
    struct reference r[] = {slide("d", 1, "one"), slide("e", 2, "two")};
    struct event_add e = found("s", "q", r, 1);
    struct document_citations op = {.document = STR("d")};

    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    WRITE(ANN, event_add, &e);
    say(ANN, "s", "a", FOOTNOTE_ASSISTANT, "so [1]");
    e = found("s", "q2", r, 1);
    WRITE(ANN, event_add, &e);
    answer(ANN, "s", "own", "so [1]", &r[1], 1);
    READ(ANN, document_citations, &op);
    CHECK_INT(op.citations_n, 1);
    CHECK_TEXT(op.citations[0].message, STR("a"));
    CHECK(op.citations[0].cited);
}

STORED(images_of_a_session_come_in_order)
{
    struct message_save op = saved("s", "a", FOOTNOTE_ASSISTANT, "see");
    struct session_images images = {.session = STR("s")};

    op.message.has_image = true;
    op.message.image_s3key = STR("k1");
    WRITE(ANN, message_save, &op);
    say(ANN, "s", "b", FOOTNOTE_ASSISTANT, "no picture");
    op = saved("s", "c", FOOTNOTE_ASSISTANT, "see");
    op.message.has_image = op.message.has_image_page = true;
    op.message.image_s3key = STR("k2");
    op.message.image_slide = STR("slide-1");
    op.message.image_page = 0;
    WRITE(ANN, message_save, &op);
    READ(ANN, session_images, &images);
    CHECK_INT(images.messages_n, 2);
    CHECK_TEXT(images.messages[0].id, STR("a"));
    CHECK(!images.messages[0].has_image_page);
    CHECK_TEXT(images.messages[1].image_s3key, STR("k2"));
    CHECK_TEXT(images.messages[1].image_slide, STR("slide-1"));
    CHECK(images.messages[1].has_image_page);
    REFUSE_READ(BEN, session_images, &images, FOOTNOTE_NOTFOUND, "session");
}
