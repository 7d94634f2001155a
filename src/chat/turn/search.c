/* search.c - one search of a turn.
 *
 * A thread of libuv's, which may wait for the store, reads what was said before
 * (the first time), searches, and picks the sentences of an extractive answer.
 * The turn's arena belongs to that thread meanwhile.  Back on the loop the
 * sources are stored, get their numbers, and are shown. */
#include "chat/turn/search.h"

#include <assert.h>

#include "chat/turn/extractive.h"
#include "chat/turn/model.h"
#include "chat/turn/page.h"
#include "chat/turn/text.h"
#include "chat/turn/turn.h"
#include "chat/turn/unstored.h"
#include "chat/turn/write.h"
#include "store/read/history.h"
#include "store/session/course.h"

/* ---- In the thread ------------------------------------------------------ */

/* The question, and the messages before it that may be shown to a model. */
static void take_thread(struct turn *t, const struct history *h)
{
    struct str id = feed_head(t->feed)->question;
    size_t n = h->messages_n;

    while (n > 0 && !str_eq(h->messages[n - 1].id, id))
        n--;
    if (n == 0)
        return;
    t->question_text = h->messages[n - 1].content;
    page_take_stored(t, &h->messages[n - 1]);
    t->thread = h->messages;
    t->thread_n = n - 1;
    if (t->ask.mode != ANSWER_CONTINUE)
        return;
    /* All that was answered so far stands before it. */
    t->thread_n = n;
    while (t->thread_n < h->messages_n &&
           h->messages[t->thread_n].status != FOOTNOTE_STREAMING)
        t->thread_n++;
}

static enum footnote_rc read_course(struct turn *t, struct footnote_err *err)
{
    struct course_get get = {.id = t->ask.course};
    enum footnote_rc rc;

    if (!get.id.p)
        return FOOTNOTE_OK;
    rc = store_read(t->loop->chat->options.store, t->ask.who, &t->arena,
                    OP(course_get), &get, err);
    if (rc == FOOTNOTE_OK)
        t->course_title = get.course.title;
    return rc == FOOTNOTE_NOTFOUND ? FOOTNOTE_OK : rc;
}

static enum footnote_rc read_thread(struct turn *t, struct footnote_err *err)
{
    struct history h = {.session = t->ask.question.session,
                        .limit = CHAT_HISTORY_MESSAGES + 2,
                        .settled = true};

    t->question_text = t->ask.question.content;
    if (t->stored) {
        TRY(store_read(t->loop->chat->options.store, t->ask.who, &t->arena,
                       OP(history), &h, err));
        take_thread(t, &h);
        if (!t->ask.course.p)
            t->ask.course = h.head.course;
    }
    TRY(page_load(t, err));
    return read_course(t, err);
}

/* What the user asked before this. */
static struct str previous_question(const struct turn *t)
{
    const struct chat_ask *ask = &t->ask;

    for (size_t i = t->thread_n; i > 0; i--)
        if (t->thread[i - 1].role == FOOTNOTE_USER &&
            !str_eq(t->thread[i - 1].id, feed_head(t->feed)->question))
            return t->thread[i - 1].content;
    for (size_t i = ask->before_n; i > 0; i--)
        if (ask->before[i - 1].role == FOOTNOTE_USER)
            return ask->before[i - 1].text;
    return STR_NONE;
}

static enum footnote_rc search(struct turn *t, struct footnote_err *err)
{
    struct retriever *r = t->loop->chat->options.retriever;
    struct search *s = t->search;

    if (t->searches == 0) {
        TRY(read_thread(t, err));
        s->query = t->question_text;
        s->previous = previous_question(t);
        s->document = t->ask.document;
    }
    s->who = t->ask.who;
    s->course = t->ask.course;
    s->session = t->ask.question.session;
    s->limit = t->ask.limit ? t->ask.limit : CHAT_SOURCES_DEFAULT;
    s->thread_hits = t->searches == 0 && !t->model->extractive;
    TRY(retriever_search(r, &t->arena, s, err));
    if (!t->model->extractive)
        return FOOTNOTE_OK;
    t->picked =
        arena_many(&t->arena, EXTRACTIVE_SENTENCES, struct best_sentence);
    if (!t->picked)
        return arena_rc(&t->arena, err);
    return retriever_sentences(r, s, t->picked, EXTRACTIVE_SENTENCES,
                               &t->picked_n, err);
}

static void search_work(uv_work_t *w)
{
    struct turn *t = w->data;
    struct footnote_err err;

    t->work_rc = search(t, &err);
}

/* ---- Back on the loop --------------------------------------------------- */

bool turn_room(struct turn *t, size_t more)
{
    size_t cap = t->refs_n + more;
    struct reference *refs = arena_many(&t->arena, cap + 1, struct reference);
    struct hit *hits = arena_many(&t->arena, cap + 1, struct hit);

    t->found = arena_many(&t->arena, more + 1, struct reference);
    t->numbers = arena_many(&t->arena, more + 1, uint32_t);
    t->coverage = arena_many(&t->arena, more + 1, double);
    if (!refs || !hits || !t->found || !t->numbers || !t->coverage)
        return false;
    for (size_t i = 0; i < t->refs_n; i++) {
        refs[i] = t->refs[i];
        hits[i] = t->hits[i];
    }
    t->refs = refs;
    t->hits = hits;
    return true;
}

static bool has_number(const struct turn *t, uint32_t number)
{
    for (size_t i = 0; i < t->refs_n; i++)
        if (t->refs[i].number == number)
            return true;
    return false;
}

/* The sources are stored, so they may be seen.  A source that was found before
 * keeps its number and is not shown twice. */
static void show_sources(struct turn *t)
{
    size_t from = t->refs_n;
    struct footnote_err err;

    for (size_t i = 0; i < t->search->hits_n; i++) {
        struct reference *r = &t->refs[t->refs_n];

        if (has_number(t, t->numbers[i]))
            continue;
        *r = t->found[i];
        r->number = t->numbers[i];
        r->state = FOOTNOTE_LIVE;
        r->support = -1;
        t->hits[t->refs_n++] = t->search->hits[i];
        if (feed_add_source(t->feed, r, &err) != FOOTNOTE_OK)
            turn_unshown(t);
    }
    turn_go_on(t, TURN_ANSWERING);
    if (t->state != TURN_ANSWERING)
        return;
    if (t->searches == 1)
        turn_answer(t);
    else
        turn_answer_on(t, from);
}

static void cited(struct turn *t)
{
    if (t->job_rc == FOOTNOTE_OK) {
        show_sources(t);
        return;
    }
    turn_lost(t);
    turn_go_on(t, TURN_ANSWERING);
}

void turn_cite(struct turn *t)
{
    struct search *s = t->search;

    assert(t->state == TURN_CITING && t->sent == t->settled);
    t->cite_waits = false;
    for (size_t i = 0; i < s->hits_n; i++)
        t->coverage[i] = s->hits[i].coverage;
    t->op.cite = (struct answer_cite){.answer = &t->answer,
                                      .coverage = t->coverage,
                                      .sources = t->found,
                                      .sources_n = s->hits_n,
                                      .numbers = t->numbers,
                                      .query = s->query,
                                      .low_confidence = s->low_confidence};
    turn_write(t, OP(answer_cite), &t->op.cite, cited);
}

/* As they will be read back: a source without an id is known by its key. */
static enum footnote_rc take_hits(struct turn *t, struct footnote_err *err)
{
    for (size_t i = 0; i < t->search->hits_n; i++) {
        struct reference *r = &t->found[i];

        r->source = t->search->hits[i].source;
        r->has_score = true;
        r->score = t->search->hits[i].score;
        if (!r->source.id.p)
            TRY(source_key(&t->arena, &r->source, &r->source.id, err));
    }
    return FOOTNOTE_OK;
}

static void on_found(uv_work_t *w, int status)
{
    struct turn *t = w->data;
    struct footnote_err err;

    (void)status;
    t->searches++;
    if (t->work_rc != FOOTNOTE_OK || !turn_room(t, t->search->hits_n)) {
        turn_fail(t, "search_failed", "The search failed.");
        turn_go_on(t, TURN_ANSWERING);
        return;
    }
    /* One search that is confident is enough. */
    t->low_confidence =
        t->search->low_confidence && (t->searches == 1 || t->low_confidence);
    turn_go_on(t, TURN_CITING);
    if (t->state != TURN_CITING)
        return;
    if (take_hits(t, &err) != FOOTNOTE_OK) {
        turn_fail(t, "search_failed", "The search failed.");
        turn_go_on(t, TURN_ANSWERING);
    } else if (t->stored) {
        t->cite_waits = true;
        turn_flush(t);
    } else if (unstored_number(t, &err) == FOOTNOTE_OK) {
        show_sources(t);
    } else {
        turn_no_memory(t);
        turn_go_on(t, TURN_ANSWERING);
    }
}

void turn_search(struct turn *t, struct str query, struct str document)
{
    t->search = arena_new(&t->arena, struct search);
    t->work.data = t;
    if (t->search) {
        t->search->query = query;
        t->search->document = document;
        if (uv_queue_work(t->loop->uv, &t->work, search_work, on_found) == 0)
            return;
    }
    turn_no_memory(t);
    turn_go_on(t, TURN_ANSWERING);
}
