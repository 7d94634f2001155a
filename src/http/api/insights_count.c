/* insights_count.c - how a course is used, counted without names. */
#include "http/api/insights_count.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "store/list.h"
#include "store/source/verdicts.h"

enum { WEEK_MS = 7 * 24 * 3600 * 1000, LIKE = 50 /* of 100 */ };

/* ---- Likeness ----------------------------------------------------------- */

static uint64_t hash_of(struct str s)
{
    uint64_t h = 14695981039346656037ull; /* FNV-1a: nothing depends on it but
                                             which questions are alike */

    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 1099511628211ull;
    return h;
}

static bool has_stem(const uint64_t *stems, size_t n, uint64_t stem)
{
    for (size_t i = 0; i < n; i++)
        if (stems[i] == stem)
            return true;
    return false;
}

static size_t stems_of(const struct insights *in, struct str text,
                       uint64_t stems[INSIGHTS_STEMS_MAX])
{
    struct token token;
    size_t n = 0;

    analyse(in->words, text, language_guess(in->words, text));
    while (n < INSIGHTS_STEMS_MAX && analyse_next(in->words, &token)) {
        uint64_t stem = hash_of(token.term);

        if (!token.stop && !has_stem(stems, n, stem))
            stems[n++] = stem;
    }
    return n;
}

static bool is_alike(const struct insights_group *g, const uint64_t *stems,
                     size_t n)
{
    size_t both = 0;

    for (size_t i = 0; i < n; i++)
        both += has_stem(g->stems, g->stems_n, stems[i]);
    return both * 100 >= (n + g->stems_n - both) * LIKE && both > 0;
}

/* NULL: no memory, or there are too many groups. */
static struct insights_group *group_of(struct insights *in, struct str text,
                                       enum feedback_rating rating)
{
    uint64_t stems[INSIGHTS_STEMS_MAX];
    size_t n = stems_of(in, text, stems);
    struct insights_group *g;

    for (size_t i = 0; i < in->groups_n; i++)
        if (in->groups[i].rating == rating &&
            is_alike(&in->groups[i], stems, n))
            return &in->groups[i];
    if (in->groups_n == INSIGHTS_GROUPS_MAX)
        return NULL;
    g = list_add(in->a, &in->groups, &in->groups_n, sizeof(*g));
    if (!g)
        return NULL;
    *g = (struct insights_group){.rating = rating, .stems_n = n};
    memcpy(g->stems, stems, n * sizeof(*stems));
    return g;
}

static void add_person(struct insights *in, struct insights_group *g,
                       struct str person)
{
    for (size_t i = 0; i < g->people_n; i++)
        if (str_eq(g->people[i], person))
            return;
    if (g->people_n < INSIGHTS_PEOPLE_MIN)
        g->people[g->people_n++] = arena_str(in->a, person);
}

static void add_way(struct insights *in, struct insights_group *g,
                    struct str text)
{
    for (size_t i = 0; i < g->ways_n; i++)
        if (str_eq(g->ways[i], text))
            return;
    if (g->ways_n < INSIGHTS_WAYS_MAX)
        g->ways[g->ways_n++] = arena_str(in->a, text);
}

static void add_question(struct insights *in, struct str owner,
                         const struct message *question, int64_t at_ms,
                         enum feedback_rating rating)
{
    struct str text = question->content;
    struct insights_group *g;

    if (text.n > INSIGHTS_QUESTION_BYTES_MAX) {
        text.n = INSIGHTS_QUESTION_BYTES_MAX;
        text.n = utf8_whole(text);
    }
    g = group_of(in, text, rating);
    if (!g)
        return;
    g->asked++;
    if (at_ms > g->last_ms)
        g->last_ms = at_ms;
    add_person(in, g, owner);
    add_way(in, g, text);
}

/* ---- Answers ------------------------------------------------------------ */

static void add_verdicts(struct insights *in, const struct message *m)
{
    for (size_t i = 0; i < m->verdicts_n; i++) {
        const struct verdict_record *r = &m->verdicts[i];
        bool contradicts = false;

        if (!str_eq(r->judge, STR(VERDICT_JUDGE_TEXT)))
            continue;
        for (size_t k = 0; k < r->n; k++)
            contradicts =
                contradicts || r->sentences[k].kind == VERDICT_CONTRADICTS;
        in->uncarried += r->carried < r->n;
        in->contradicting += contradicts;
    }
}

static struct insights_resting *resting_at(struct insights *in, struct str id,
                                           enum footnote_state state)
{
    struct insights_resting *r;

    for (size_t i = 0; i < in->resting_n; i++)
        if (in->resting[i].state == state &&
            str_eq(in->resting[i].document, id))
            return &in->resting[i];
    if (in->resting_n == INSIGHTS_RESTING_MAX)
        return NULL;
    r = list_add(in->a, &in->resting, &in->resting_n, sizeof(*r));
    if (r)
        *r = (struct insights_resting){.document = arena_str(in->a, id),
                                       .state = state};
    return r;
}

static bool is_cited_before(const struct message *m, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (m->sources[k].cited && m->sources[k].state == m->sources[i].state &&
            str_eq(m->sources[k].source.document,
                   m->sources[i].source.document))
            return true;
    return false;
}

/* Of this course alone: a source may say that it is of another. */
static void add_resting(struct insights *in, const struct message *m)
{
    for (size_t i = 0; i < m->sources_n; i++) {
        const struct reference *s = &m->sources[i];
        struct insights_resting *r;

        if (!s->cited || !s->source.document.p ||
            (s->state != FOOTNOTE_CHANGED && s->state != FOOTNOTE_DELETED &&
             s->state != FOOTNOTE_REDACTED) ||
            !str_eq(s->source.course, in->course) || is_cited_before(m, i))
            continue;
        r = resting_at(in, s->source.document, s->state);
        if (!r)
            continue;
        r->answers++;
        if (!r->title.p && s->source.title.p)
            r->title = arena_str(in->a, s->source.title);
    }
}

static void add_feedback(struct insights *in, struct str owner,
                         const struct message *question,
                         const struct message *m)
{
    bool wrong = false;

    for (size_t i = 0; i < m->feedback_n; i++) {
        const struct feedback *f = &m->feedback[i];

        if (f->rating == FEEDBACK_GOOD)
            continue;
        wrong = true;
        add_question(in, owner, question, f->at_ms, f->rating);
    }
    in->marked_wrong += wrong;
}

static void add_answer(struct insights *in, struct str owner,
                       const struct message *question, const struct message *m)
{
    struct insights_week *week;
    bool nothing = m->sources_n == 0 || m->low_confidence;

    if (m->created_ms < in->since_ms)
        return;
    week = &in->weeks[(size_t)((m->created_ms - in->since_ms) / WEEK_MS) %
                      INSIGHTS_WEEKS_MAX];
    week->questions++;
    week->nothing += nothing;
    in->questions++;
    in->nothing += nothing;
    if (nothing)
        add_question(in, owner, question, m->created_ms, FEEDBACK_NONE);
    add_feedback(in, owner, question, m);
    add_verdicts(in, m);
    add_resting(in, m);
}

enum footnote_rc insights_add(struct insights *in, struct str owner,
                              const struct history *h, struct footnote_err *err)
{
    const struct message *question = NULL;

    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        if (m->role == FOOTNOTE_USER)
            question = m;
        else if (m->role == FOOTNOTE_ASSISTANT && question &&
                 question->content.p && status_is_end(m->status))
            add_answer(in, owner, question, m);
    }
    return arena_rc(in->a, err);
}

/* ---- In order ----------------------------------------------------------- */

static int by_asked(const void *x, const void *y)
{
    const struct insights_group *a = x, *b = y;

    if (a->asked != b->asked)
        return a->asked < b->asked ? 1 : -1;
    return (a->last_ms < b->last_ms) - (a->last_ms > b->last_ms);
}

static int by_answers(const void *x, const void *y)
{
    const struct insights_resting *a = x, *b = y;

    if (a->answers != b->answers)
        return a->answers < b->answers ? 1 : -1;
    return str_cmp(a->document, b->document);
}

void insights_sort(struct insights *in)
{
    if (in->groups_n)
        qsort(in->groups, in->groups_n, sizeof(*in->groups), by_asked);
    if (in->resting_n)
        qsort(in->resting, in->resting_n, sizeof(*in->resting), by_answers);
}
