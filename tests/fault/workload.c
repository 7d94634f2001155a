/* workload.c - work for a store under fault, and the proof that none was lost.
 */
#include "workload.h"
#include <stdlib.h>
#include <string.h>

enum { ANSWER_EVERY = 4, CITED_FIRST = 3 };

/* --- the work ------------------------------------------------------------- */

/* Whether the call is over: acknowledged, or failed for good. */
static bool settled(struct workload *l, enum footnote_rc rc,
                    const struct footnote_err *err, bool *ok)
{
    *ok = rc == FOOTNOTE_OK;
    return *ok || !l->again(l, err);
}

static bool save(struct workload *l, const struct sample *s)
{
    struct footnote_err err = {0};
    bool ok;

    while (!settled(l, footnote_save(l->fn, &s->message, &err), &err, &ok)) {
    }
    return ok;
}

static bool begin(struct workload *l, const struct sample *question,
                  const struct sample *answer, struct footnote_answer **a)
{
    struct footnote_err err = {0};
    bool ok;

    while (!settled(
        l, footnote_answer_open(l->fn, &question->message, answer->id, a, &err),
        &err, &ok)) {
    }
    l->done.opened = ok;
    if (ok)
        l->acked(l);
    return ok;
}

static bool cite(struct workload *l, struct footnote_answer *a,
                 const struct sample *s, unsigned upto)
{
    const struct footnote_source *from = &s->sources[l->done.sources];
    unsigned n = upto - l->done.sources;
    uint32_t numbers[SAMPLE_SOURCES_MAX];
    struct footnote_err err = {0};
    bool ok;

    while (!settled(l, footnote_answer_cite(a, from, n, numbers, &err), &err,
                    &ok)) {
    }
    if (!ok)
        return false;
    for (unsigned i = 0; i < n; i++)
        CHECK_INT(numbers[i], from[i].number);
    l->done.sources = upto;
    l->acked(l);
    return true;
}

static bool write_part(struct workload *l, struct footnote_answer *a,
                       const struct sample *s)
{
    struct footnote_err err = {0};
    const char *part = s->text + l->done.bytes;
    bool ok;

    while (!settled(l, footnote_answer_write(a, part, SAMPLE_PART_BYTES, &err),
                    &err, &ok)) {
    }
    if (!ok)
        return false;
    l->done.bytes += SAMPLE_PART_BYTES;
    l->acked(l);
    return true;
}

static bool finish(struct workload *l, struct footnote_answer *a)
{
    struct footnote_err err = {0};
    bool ok;

    while (!settled(l,
                    footnote_answer_finish(a, FOOTNOTE_COMPLETE, false, &err),
                    &err, &ok)) {
    }
    return ok;
}

static bool grow(struct workload *l, struct footnote_answer *a,
                 const struct sample *s)
{
    if (!cite(l, a, s, CITED_FIRST))
        return false;
    for (int i = 0; i < SAMPLE_PARTS; i++) {
        if (i == SAMPLE_PARTS / 2 &&
            !cite(l, a, s, (unsigned)s->message.sources_n))
            return false;
        if (!write_part(l, a, s))
            return false;
    }
    return finish(l, a);
}

static bool answer(struct workload *l)
{
    struct footnote_answer *a = NULL;
    struct sample question, whole;
    bool ok;

    sample_make(&question, SAMPLE_QUESTION, l->round, l->thread, l->done.items);
    sample_make(&whole, SAMPLE_ANSWER, l->round, l->thread, l->done.items);
    ok = begin(l, &question, &whole, &a) && grow(l, a, &whole);
    footnote_answer_close(a);
    return ok;
}

bool workload_is_answer(unsigned item)
{
    return item % ANSWER_EVERY == ANSWER_EVERY - 1;
}

bool workload_item(struct workload *l)
{
    struct sample s;
    bool ok;

    sample_make(&s, SAMPLE_MESSAGE, l->round, l->thread, l->done.items);
    ok = workload_is_answer(l->done.items) ? answer(l) : save(l, &s);
    if (!ok)
        return false;
    l->done = (struct progress){.items = l->done.items + 1};
    l->acked(l);
    return true;
}

/* --- the proof ------------------------------------------------------------ */

/* Walks through the messages of a session. */
struct walk {
    const struct footnote_message *next, *end;
    unsigned round, thread;
    bool at_rest;
};

/* The next message if it is this one; it must be what it was when saved. */
static const struct footnote_message *meet(struct walk *w,
                                           enum sample_kind kind, unsigned item)
{
    char id[48];
    const char *wrong;

    snprintf(id, sizeof(id), "%c-%u-%u-%u", (int)kind, w->round, w->thread,
             item);
    if (w->next == w->end || strcmp(w->next->id, id) != 0)
        return NULL;
    wrong = sample_wrong(w->next);
    if (wrong)
        FAIL("message %s: %s", id, wrong);
    return w->next++;
}

static void need(struct walk *w, enum sample_kind kind, unsigned item)
{
    const struct footnote_message *m = meet(w, kind, item);

    if (m)
        CHECK_INT(m->status, FOOTNOTE_COMPLETE);
    else
        FAIL("acknowledged, but gone: %c-%u-%u-%u", (int)kind, w->round,
             w->thread, item);
}

/* What was under way: all that was acknowledged of it, or more. */
static void check_last(struct walk *w, const struct progress *done)
{
    const struct footnote_message *m;

    if (!workload_is_answer(done->items)) {
        (void)meet(w, SAMPLE_MESSAGE, done->items);
        return;
    }
    m = meet(w, SAMPLE_QUESTION, done->items);
    if (!m && !done->opened)
        return;
    m = meet(w, SAMPLE_ANSWER, done->items);
    if (!m)
        FAIL("the answer is gone: a-%u-%u-%u", w->round, w->thread,
             done->items);
    if (w->at_rest && m->status != FOOTNOTE_COMPLETE)
        CHECK_INT(m->status, FOOTNOTE_INTERRUPTED);
    CHECK(m->sources_n >= done->sources);
    CHECK((m->text ? strlen(m->text) : 0) >= done->bytes);
}

void workload_check(struct footnote *fn, unsigned round, unsigned thread,
                    const struct progress *done, bool at_rest)
{
    char session[32];
    struct footnote_query query = {.session = session};
    struct footnote_result *r = NULL;
    struct footnote_err err = {0};
    struct walk w = {.round = round, .thread = thread, .at_rest = at_rest};

    snprintf(session, sizeof(session), "s%u-%u", round, thread);
    enum footnote_rc rc = footnote_read(fn, &query, &r, &err);
    if (rc == FOOTNOTE_NOTFOUND && done->items == 0 && !done->opened)
        return;
    CHECK_OK(rc, &err);
    w.next = r->messages;
    w.end = r->messages + r->messages_n;
    for (unsigned i = 0; i < done->items; i++) {
        if (workload_is_answer(i)) {
            need(&w, SAMPLE_QUESTION, i);
            need(&w, SAMPLE_ANSWER, i);
        } else {
            need(&w, SAMPLE_MESSAGE, i);
        }
    }
    check_last(&w, done);
    if (w.next != w.end)
        FAIL("session %s: %s should not be there", session, w.next->id);
    footnote_result_free(r);
}

struct progress workload_found(struct footnote *fn, unsigned round,
                               unsigned thread)
{
    char session[32];
    struct footnote_query query = {.session = session};
    struct footnote_result *r = NULL;
    struct footnote_err err = {0};
    struct progress found = {.items = 0};
    size_t at = 0;

    snprintf(session, sizeof(session), "s%u-%u", round, thread);
    enum footnote_rc rc = footnote_read(fn, &query, &r, &err);
    if (rc == FOOTNOTE_NOTFOUND)
        return found;
    CHECK_OK(rc, &err);
    while (at < r->messages_n) {
        if (workload_is_answer(found.items) &&
            (++at == r->messages_n ||
             r->messages[at].status != FOOTNOTE_COMPLETE))
            break;
        found.items++;
        at++;
    }
    if (at < r->messages_n) {
        const char *text = r->messages[at].text;

        found.opened = 1;
        found.sources = (unsigned)r->messages[at].sources_n;
        found.bytes = (unsigned)(text ? strlen(text) : 0);
    }
    footnote_result_free(r);
    workload_check(fn, round, thread, &found, true);
    return found;
}

bool workload_covers(const struct progress *a, const struct progress *b)
{
    if (a->items != b->items)
        return a->items > b->items;
    return a->opened >= b->opened && a->sources >= b->sources &&
           a->bytes >= b->bytes;
}

/* --- helpers -------------------------------------------------------------- */

void *workload_need(void *p)
{
    if (!p)
        FAIL("out of memory, or not there");
    return p;
}

unsigned workload_random(unsigned *seed, unsigned limit)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed % limit;
}
