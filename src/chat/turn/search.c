/* search.c - one search of a turn.
 *
 * A thread of libuv's, which may wait for the store, reads what was said before
 * (the first time), searches, and picks the sentences of an extractive answer.
 * The turn's arenas belong to that thread meanwhile.  Back on the loop the
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

enum {
    PAUSE_MS = 5, /* before the first of further tries, then longer */
    /* While the database is away: as long as another node may take to become
     * the primary, twice. */
    AWAY_MS = 30 * 1000,
    AWAY_PAUSE_MS = 50,
    AWAY_PAUSE_MS_MAX = 1000
};

/* ---- In the thread ------------------------------------------------------ */

/* What the question was limited to when it was asked counts for all its
 * answers. */
static enum footnote_rc take_scope(struct turn *t, struct str packed,
                                   struct footnote_err *err)
{
    if (!packed.p)
        return FOOTNOTE_OK;
    packed = arena_str(&t->arena, packed);
    TRY(arena_rc(&t->arena, err));
    TRY(filter_unpack(&t->arena, packed, &t->ask.filter, err));
    if (t->ask.filter.course.p)
        t->ask.course = t->ask.filter.course;
    return FOOTNOTE_OK;
}

/* The question, and the messages before it that may be shown to a model. */
static enum footnote_rc take_thread(struct turn *t, const struct history *h,
                                    struct footnote_err *err)
{
    struct str id = feed_head(t->feed)->question;
    size_t n = h->messages_n;

    while (n > 0 && !str_eq(h->messages[n - 1].id, id))
        n--;
    if (n == 0)
        return FOOTNOTE_OK;
    TRY(take_scope(t, h->messages[n - 1].scope, err));
    t->question_text = h->messages[n - 1].content;
    page_take_stored(t, &h->messages[n - 1]);
    t->thread = h->messages;
    t->thread_n = n - 1;
    if (t->ask.mode != ANSWER_CONTINUE)
        return FOOTNOTE_OK;
    /* All that was answered so far stands before it. */
    t->thread_n = n;
    while (t->thread_n < h->messages_n &&
           h->messages[t->thread_n].status != FOOTNOTE_STREAMING)
        t->thread_n++;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_course(struct turn *t, struct footnote_err *err)
{
    struct course_get get = {.id = t->ask.course};
    enum footnote_rc rc;

    if (!get.id.p)
        return FOOTNOTE_OK;
    rc = store_read(t->loop->chat->options.store, t->ask.who, &t->search_arena,
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
        TRY(store_read(t->loop->chat->options.store, t->ask.who,
                       &t->search_arena, OP(history), &h, err));
        TRY(take_thread(t, &h, err));
        if (!t->ask.course.p)
            t->ask.course = arena_str(&t->arena, h.head.course);
    }
    TRY(page_load(t, err));
    return read_course(t, err);
}

/* What the user asked before this, on the path to it. */
static enum footnote_rc take_earlier(struct turn *t, struct search *s,
                                     struct footnote_err *err)
{
    const struct chat_ask *ask = &t->ask;
    struct str *earlier = arena_many(
        &t->search_arena, ask->before_n + t->thread_n + 1, struct str);

    TRY(arena_rc(&t->search_arena, err));
    s->earlier = earlier;
    for (size_t i = 0; i < ask->before_n; i++)
        if (ask->before[i].role == FOOTNOTE_USER)
            earlier[s->earlier_n++] = ask->before[i].text;
    for (size_t i = 0; i < t->thread_n; i++)
        if (t->thread[i].role == FOOTNOTE_USER &&
            !str_eq(t->thread[i].id, feed_head(t->feed)->question))
            earlier[s->earlier_n++] = t->thread[i].content;
    return FOOTNOTE_OK;
}

/* Documents that are ready are still being indexed, and there is time. */
static bool must_try_again(const struct search *s)
{
    return s->indexing && s->patience == SEARCH_LATER;
}

static enum footnote_rc search(struct turn *t, struct footnote_err *err)
{
    struct retriever *r = t->loop->chat->options.retriever;
    struct search *s = t->search;

    if (!t->has_thread) {
        TRY(read_thread(t, err));
        t->has_thread = true;
        s->query = t->question_text;
        TRY(take_earlier(t, s, err));
    }
    s->who = t->ask.who;
    s->course = t->ask.course;
    s->filter = &t->ask.filter;
    s->kept = true;
    s->session = t->ask.question.session;
    s->limit = t->ask.limit ? t->ask.limit : CHAT_SOURCES_DEFAULT;
    s->outline_max = t->model->extractive && t->searches == 0
                         ? t->ask.limit ? t->ask.limit : CHAT_OUTLINE_DEFAULT
                         : 0;
    s->thread_hits = t->searches == 0 && !t->model->extractive;
    TRY(retriever_search(r, &t->search_arena, s, err));
    if (!t->model->extractive || must_try_again(s))
        return FOOTNOTE_OK;
    size_t most = s->outline ? s->hits_n : EXTRACTIVE_SENTENCES;
    t->picked = arena_many(&t->search_arena, most, struct best_sentence);
    TRY(arena_rc(&t->search_arena, err));
    return retriever_sentences(r, s, t->picked, most, &t->picked_n, err);
}

static void search_work(uv_work_t *w)
{
    struct turn *t = w->data;
    struct footnote_err err;

    t->work_rc = search(t, &err);
}

/* ---- Back on the loop --------------------------------------------------- */

/* The database may be back soon, and the question is stored. */
static bool may_pass(enum footnote_rc rc)
{
    return rc == FOOTNOTE_BUSY || rc == FOOTNOTE_UNSURE ||
           rc == FOOTNOTE_READONLY;
}

/* Returns false when it has been away for long enough. */
static bool await_database(struct turn *t)
{
    int64_t now = (int64_t)uv_now(t->loop->uv);
    int64_t pause = (int64_t)AWAY_PAUSE_MS
                    << (t->away_tries < 5 ? t->away_tries : 5);

    if (t->away_tries++ == 0)
        t->away_until_ms = now + AWAY_MS;
    if (t->ending || now >= t->away_until_ms)
        return false;
    t->again_ms = now + (pause < AWAY_PAUSE_MS_MAX ? pause : AWAY_PAUSE_MS_MAX);
    turn_timer(t);
    return true;
}

/* Tries again after a pause, which holds no thread. */
static void try_later(struct turn *t)
{
    int64_t now = (int64_t)uv_now(t->loop->uv);
    int64_t pause = (int64_t)PAUSE_MS
                    << (t->index_tries < 5 ? t->index_tries : 5);

    if (t->index_tries++ == 0)
        t->again_until_ms = now + t->loop->chat->options.index_wait_ms;
    t->again_ms =
        now + pause < t->again_until_ms ? now + pause : t->again_until_ms;
    turn_timer(t);
}

static bool was_shown(const struct turn *t, uint32_t number)
{
    size_t n;
    const struct reference *sources = feed_sources(t->feed, &n);

    for (size_t i = 0; i < n; i++)
        if (sources[i].number == number)
            return true;
    return false;
}

static void add_doc_ref(struct turn *t, struct str ref)
{
    for (size_t i = 0; i < t->doc_refs_n; i++)
        if (str_eq(t->doc_refs[i], ref))
            return;
    if (ref.p)
        t->doc_refs[t->doc_refs_n++] = arena_str(&t->arena, ref);
}

/* The sources are stored, so they may be seen.  A source that was found before
 * keeps its number and is not shown twice. */
static void show_sources(struct turn *t)
{
    struct footnote_err err;

    for (size_t i = 0; i < t->search->hits_n; i++) {
        struct reference *r = &t->found[i];

        r->number = t->numbers[i];
        r->state = FOOTNOTE_LIVE;
        r->support = -1;
        if (was_shown(t, r->number))
            continue;
        t->new_hits[t->new_hits_n++] = i;
        add_doc_ref(t, t->search->hits[i].doc_ref);
        if (feed_add_source(t->feed, r, &err) != FOOTNOTE_OK)
            turn_unshown(t);
    }
    if (t->arena.failed)
        turn_no_memory(t);
    turn_go_on(t, TURN_ANSWERING);
    if (t->state != TURN_ANSWERING)
        return;
    if (t->searches == 1)
        turn_answer(t);
    else
        turn_answer_on(t);
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

/* The hits as references.  A source without an id is known by its key, as when
 * it is read back. */
static enum footnote_rc take_hits(struct turn *t, struct footnote_err *err)
{
    struct arena *a = &t->search_arena;
    size_t n = t->search->hits_n;
    struct str *doc_refs =
        arena_many(&t->arena, t->doc_refs_n + n + 1, struct str);

    t->found = arena_many(a, n + 1, struct reference);
    t->numbers = arena_many(a, n + 1, uint32_t);
    t->coverage = arena_many(a, n + 1, double);
    t->new_hits = arena_many(a, n + 1, size_t);
    t->new_hits_n = 0;
    TRY(arena_rc(a, err));
    TRY(arena_rc(&t->arena, err));
    for (size_t i = 0; i < t->doc_refs_n; i++)
        doc_refs[i] = t->doc_refs[i];
    t->doc_refs = doc_refs;
    for (size_t i = 0; i < n; i++) {
        struct reference *r = &t->found[i];

        r->source = t->search->hits[i].source;
        r->version = t->search->hits[i].version;
        r->has_score = true;
        r->score = t->search->hits[i].score;
        if (!r->source.id.p)
            TRY(source_key(a, &r->source, &r->source.id, err));
    }
    return FOOTNOTE_OK;
}

static void on_found(uv_work_t *w, int status)
{
    struct turn *t = w->data;
    struct footnote_err err;

    (void)status;
    if (t->work_rc == FOOTNOTE_OK && must_try_again(t->search)) {
        try_later(t);
        return;
    }
    if (may_pass(t->work_rc) && await_database(t))
        return;
    t->searches++;
    if (t->work_rc != FOOTNOTE_OK || take_hits(t, &err) != FOOTNOTE_OK) {
        turn_fail(t, "search_failed", "The search failed.");
        turn_go_on(t, TURN_ANSWERING);
        return;
    }
    /* One search that is confident is enough. */
    t->low_confidence =
        t->search->low_confidence && (t->searches == 1 || t->low_confidence);
    t->words_alone |= t->search->words_alone;
    t->not_reranked |= t->search->not_reranked;
    if (t->searches == 1)
        page_make_source(t);
    turn_go_on(t, TURN_CITING);
    if (t->state != TURN_CITING)
        return;
    if (t->stored) {
        t->cite_waits = true;
        turn_flush(t);
    } else if (unstored_number(t, &err) == FOOTNOTE_OK) {
        show_sources(t);
    } else {
        turn_no_memory(t);
        turn_go_on(t, TURN_ANSWERING);
    }
}

void turn_forget_search(struct turn *t)
{
    arena_free(&t->search_arena);
    t->search = NULL;
    t->question_text = t->course_title = t->page_words = STR_NONE;
    t->thread = NULL;
    t->found = NULL;
    t->numbers = NULL;
    t->coverage = NULL;
    t->new_hits = NULL;
    t->thread_n = t->new_hits_n = 0;
}

static void queue_search(struct turn *t)
{
    if (uv_queue_work(t->loop->uv, &t->work, search_work, on_found) == 0)
        return;
    turn_no_memory(t);
    turn_go_on(t, TURN_ANSWERING);
}

void turn_search(struct turn *t, struct str query,
                 const struct search_filter *within)
{
    t->search = arena_new(&t->search_arena, struct search);
    t->work.data = t;
    if (t->search) {
        t->search->query = query;
        t->search->within = within;
        t->search->patience = SEARCH_LATER;
        t->index_tries = t->away_tries = 0;
        queue_search(t);
        return;
    }
    turn_no_memory(t);
    turn_go_on(t, TURN_ANSWERING);
}

/* A turn that is to end does not wait. */
void turn_search_again(struct turn *t)
{
    if (t->ending && t->away_tries > 0) {
        turn_go_on(t, TURN_ANSWERING);
        return;
    }
    if (t->index_tries > 0 &&
        (t->ending || (int64_t)uv_now(t->loop->uv) >= t->again_until_ms))
        t->search->patience = SEARCH_NOW;
    queue_search(t);
}
