/* slim.c - what a turn keeps while its answer comes in.
 *
 * Most of a turn's time is waiting for the next word, and by then what was
 * read for it has done its work: the thread, the passages, the search.  What
 * is needed to the end moves to an arena of its own and the rest is freed.
 * Only a model that may yet ask for a search needs the prompt again: it is
 * kept, packed, and a dozen times smaller than what it was made from. */
#include <stdlib.h>

#include "chat/inner.h"
#include "store/store.h"

enum { LINES_BYTES_MAX = 64 * 1024 * 1024 };

/* ---- Lines as bytes ----------------------------------------------------- */

static void add_number(struct buf *b, size_t n)
{
    buf_add(b, (struct str){(const char *)&n, sizeof(n)});
}

/* Behind its length and one: zero is an absent one. */
static void add_str(struct buf *b, struct str s)
{
    add_number(b, s.p ? s.n + 1 : 0);
    if (s.p)
        buf_add(b, s);
}

static void add_line(struct buf *b, const struct model_line *l)
{
    add_number(b, (size_t)l->role);
    add_str(b, l->text);
    add_str(b, l->image_url);
    add_str(b, l->call_id);
    add_number(b, l->calls_n);
    for (size_t i = 0; i < l->calls_n; i++) {
        add_str(b, l->calls[i].id);
        add_str(b, l->calls[i].name);
        add_str(b, l->calls[i].arguments);
        add_str(b, l->calls[i].extra);
    }
}

static size_t take_number(struct str *s)
{
    size_t n;

    memcpy(&n, s->p, sizeof(n));
    *s = str_skip(*s, sizeof(n));
    return n;
}

static struct str take_str(struct str *s)
{
    size_t n = take_number(s);
    struct str out = {s->p, n ? n - 1 : 0};

    *s = str_skip(*s, out.n);
    return n ? out : STR_NONE;
}

static bool take_line(struct arena *a, struct str *s, struct model_line *l)
{
    struct model_tool_call *calls;

    *l = (struct model_line){.role = (enum model_role)take_number(s)};
    l->text = take_str(s);
    l->image_url = take_str(s);
    l->call_id = take_str(s);
    l->calls_n = take_number(s);
    calls = arena_many(a, l->calls_n + 1, struct model_tool_call);
    for (size_t i = 0; calls && i < l->calls_n; i++) {
        calls[i].id = take_str(s);
        calls[i].name = take_str(s);
        calls[i].arguments = take_str(s);
        calls[i].extra = take_str(s);
    }
    l->calls = calls;
    return calls != NULL;
}

/* ---- Packing ------------------------------------------------------------ */

/* What much of it resembles.  The passages are the better part, and the feed
 * has much of them. */
static bool add_like(const struct turn *t, struct buf *b)
{
    if (!feed_add_source_bytes(t->feed, b))
        return false;
    buf_add(b, prompt_words());
    return b->broken == FOOTNOTE_OK;
}

static bool pack_lines(struct turn *t)
{
    AUTO(buf_free) struct buf b = BUF(LINES_BYTES_MAX);
    AUTO(buf_free) struct buf like = BUF(LINES_BYTES_MAX);

    for (size_t i = 0; i < t->lines_n; i++)
        add_line(&b, &t->lines[i]);
    return b.broken == FOOTNOTE_OK && add_like(t, &like) &&
           pack(&t->packed, buf_str(&b), buf_str(&like));
}

/* If there were no sources then, but are now, it is like our words alone; a
 * checksum tells. */
static bool unpack_lines(const struct turn *t, char *out)
{
    AUTO(buf_free) struct buf like = BUF(LINES_BYTES_MAX);

    return (add_like(t, &like) && unpack(&t->packed, out, buf_str(&like))) ||
           unpack(&t->packed, out, prompt_words());
}

bool slim_undo(struct turn *t)
{
    struct packed *p = &t->packed;
    struct str left = {NULL, p->whole_n};
    char *bytes;

    t->slim = false;
    if (!p->bytes)
        return true;
    bytes = arena_alloc(&t->arena, p->whole_n);
    t->lines = arena_many(&t->arena, t->lines_cap, struct model_line);
    if (!bytes || !t->lines || !unpack_lines(t, bytes))
        return false;
    left.p = bytes;
    for (size_t i = 0; i < t->lines_n; i++)
        if (!take_line(&t->arena, &left, &t->lines[i]))
            return false;
    pack_free(p);
    return true;
}

/* ---- Moving ------------------------------------------------------------- */

/* Sources of one document are many, so that its name is copied once. */
static struct str copy_doc_ref(const struct given *before, size_t n,
                               struct str ref, struct arena *a)
{
    for (size_t i = 0; i < n; i++)
        if (before[i].doc_ref.p && str_eq(before[i].doc_ref, ref))
            return before[i].doc_ref;
    return arena_str(a, ref);
}

static struct given *copy_given(const struct turn *t, struct arena *a)
{
    struct given *given = arena_many(a, t->refs_n + 1, struct given);

    for (size_t i = 0; given && i < t->refs_n; i++)
        given[i] = (struct given){
            t->given[i].number, copy_doc_ref(given, i, t->given[i].doc_ref, a)};
    return given;
}

static void copy_ask(struct asked *ask, struct arena *a)
{
    ask->session = arena_str(a, ask->session);
    ask->course = arena_str(a, ask->course);
    ask->document = arena_str(a, ask->document);
    ask->image_s3key = arena_str(a, ask->image_s3key);
    ask->image_slide = arena_str(a, ask->image_slide);
}

static void forget(struct turn *t)
{
    t->opening = NULL;
    t->thread = NULL;
    t->thread_n = 0;
    t->question = t->course_title = STR_NONE;
    t->search = NULL;
    t->refs = t->found = NULL;
    t->hits = NULL;
    t->numbers = NULL;
    t->calls = NULL;
    t->calls_n = t->calls_at = 0;
    t->lines = NULL;
}

/* Others look for the turn by its user and session meanwhile. */
static void move(struct turn *t, struct arena *a, const struct asked *ask,
                 struct who who)
{
    struct hub *h = t->loop->chat->hub;

    hub_lock(h);
    t->ask = *ask;
    t->who = who;
    hub_unlock(h);
    arena_free(&t->arena);
    t->arena = *a;
    forget(t);
    t->slim = true;
}

/* Without memory for it the turn stays as it is. */
void slim_down(struct turn *t)
{
    struct arena a = ARENA(t->arena.max_bytes);
    struct asked ask = t->ask;
    struct given *given;
    struct str fence;
    struct who who;

    if (t->slim || t->busy || !t->stored)
        return;
    who.tenant = arena_str(&a, t->who.tenant);
    who.user = arena_str(&a, t->who.user);
    fence = arena_str(&a, t->fence);
    copy_ask(&ask, &a);
    given = copy_given(t, &a);
    if (a.failed ||
        (t->model->tools && t->rounds < CHAT_SEARCHES_MAX && !pack_lines(t))) {
        arena_free(&a);
        return;
    }
    t->fence = fence;
    t->given = given;
    move(t, &a, &ask, who);
}
