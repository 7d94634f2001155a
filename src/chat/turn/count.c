/* count.c - what turns did, in numbers for the operator of the server.
 *
 * A number without a source stays plain text for the reader; that a model
 * makes up sources is worth knowing all the same. */
#include "chat/turn/count.h"

#include "chat/turn/turn.h"
#include "cite/marks.h"
#include "store/session/message.h"
#include "store/source/verdicts.h"

void count_first_text(const struct turn *t)
{
    struct chat *c = t->loop->chat;
    int64_t ms = (int64_t)uv_now(t->loop->uv) - t->started_ms;
    size_t i = 0;

    while (i < CHAT_FIRST_LIMITS && ms > chat_first_ms[i])
        i++;
    atomic_fetch_add(&c->first[i], 1);
    atomic_fetch_add(&c->first_total_ms, (uint64_t)ms);
}

static bool has_source(const struct message *m, uint32_t number)
{
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].number == number)
            return true;
    return false;
}

static uint64_t count_unresolved(const struct message *m,
                                 const struct mark *marks, size_t marks_n)
{
    uint64_t n = 0;

    for (size_t i = 0; i < marks_n; i++) {
        if (marks[i].page)
            continue;
        for (uint32_t k = marks[i].from; k <= marks[i].to; k++)
            n += !has_source(m, k);
    }
    return n;
}

static void count_verdicts(struct chat *c, const struct message *m)
{
    for (size_t i = 0; i < m->verdicts_n; i++)
        for (size_t k = 0; k < m->verdicts[i].n; k++)
            atomic_fetch_add(&c->verdicts[m->verdicts[i].sentences[k].kind], 1);
}

void count_end(struct turn *t)
{
    struct chat *c = t->loop->chat;
    const struct message *m = t->end_message;
    struct mark *marks;
    size_t n;

    if (!m)
        return;
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].cited)
            atomic_fetch_add(&c->cited[m->sources[i].source.type], 1);
    count_verdicts(c, m);
    if (m->content.n &&
        marks_find(&t->arena, m->content, &marks, &n, NULL) == FOOTNOTE_OK)
        atomic_fetch_add(&c->unresolved, count_unresolved(m, marks, n));
}
