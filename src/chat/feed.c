/* feed.c - what a turn has shown.
 *
 * Text is one buffer, and an entry is a range of it: a token costs eight bytes
 * more than its letters.  A viewer is woken once and then reads all there is;
 * `posted` says that its letter is on the way.  A letter cannot be taken back,
 * so a view that is closed meanwhile is freed when it arrives. */
#include "chat/feed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/buf.h"

enum {
    ARENA_BYTES_MAX = 64 * 1024 * 1024,
    ENTRIES_FIRST = 64,
    ENTRIES_MAX = 4 * 1024 * 1024
};

struct entry {
    uint32_t kind : 2;  /* enum feed_kind */
    uint32_t upto : 30; /* bytes of text, or sources, with this one */
};

struct feed {
    atomic_int refs;
    struct feed_head head;
    pthread_mutex_t lock; /* of all that follows */
    struct arena arena;
    struct entry *entries;
    size_t entries_n, entries_cap;
    struct buf text;
    const struct reference **sources;
    size_t sources_n, sources_cap;
    bool ended;
    struct feed_end end;
    struct view *views;
};

struct view {
    struct mail mail;
    struct feed *feed;
    struct chat_loop *loop;
    view_fn *wake;
    void *arg;
    struct view *next, **link; /* in the feed; link NULL: closed */
    size_t at;                 /* entries read */
    size_t text_at;            /* bytes of text read */
    bool posted, met;          /* met: it had read all there was */
    bool over;
};

static struct feed_head copy_head(struct arena *a, const struct feed_head *h)
{
    return (struct feed_head){.session = arena_str(a, h->session),
                              .answer = arena_str(a, h->answer),
                              .question = arena_str(a, h->question),
                              .model = arena_str(a, h->model),
                              .created_ms = h->created_ms};
}

struct feed *feed_new(const struct feed_head *head)
{
    struct feed *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->arena = ARENA(ARENA_BYTES_MAX);
    f->text = BUF(FEED_TEXT_BYTES_MAX);
    f->head = copy_head(&f->arena, head);
    if (f->arena.failed) {
        arena_free(&f->arena);
        free(f);
        return NULL;
    }
    atomic_init(&f->refs, 1);
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

struct feed *feed_hold(struct feed *f)
{
    atomic_fetch_add(&f->refs, 1);
    return f;
}

void feed_drop(struct feed *f)
{
    if (!f || atomic_fetch_sub(&f->refs, 1) > 1)
        return;
    arena_free(&f->arena);
    buf_free(&f->text);
    free(f->entries);
    free(f->sources);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

const struct feed_head *feed_head(const struct feed *f)
{
    return &f->head;
}

/* ---- Appending ---------------------------------------------------------- */

/* Room for one more in an array that doubles. */
static bool grow(void **items, size_t n, size_t *cap, size_t bytes)
{
    size_t next = *cap ? 2 * *cap : ENTRIES_FIRST;
    void *p;

    if (n < *cap)
        return true;
    p = next <= ENTRIES_MAX ? realloc(*items, next * bytes) : NULL;
    if (!p)
        return false;
    *items = p;
    *cap = next;
    return true;
}

static bool has_room(struct feed *f)
{
    return grow((void **)&f->entries, f->entries_n, &f->entries_cap,
                sizeof(*f->entries));
}

static void tell(struct feed *f)
{
    for (struct view *v = f->views; v; v = v->next) {
        if (v->posted)
            continue;
        v->posted = true;
        mail_send(v->loop, &v->mail);
    }
}

static void add(struct feed *f, enum feed_kind kind, size_t upto)
{
    f->entries[f->entries_n++] =
        (struct entry){.kind = kind, .upto = (uint32_t)upto & 0x3fffffff};
    tell(f);
}

static void copy_source(struct arena *a, struct source *s)
{
    struct str *texts[] = {&s->id,     &s->preview, &s->title,    &s->url,
                           &s->course, &s->owner,   &s->document, &s->lecture,
                           &s->date,   &s->s3key,   &s->meta};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = arena_str(a, *texts[i]);
}

static struct reference *copy_reference(struct arena *a,
                                        const struct reference *r)
{
    struct reference *c = arena_new(a, struct reference);

    if (!c)
        return NULL;
    *c = *r;
    copy_source(a, &c->source);
    c->spans = NULL;
    c->spans_n = 0;
    return a->failed ? NULL : c;
}

enum footnote_rc feed_add_source(struct feed *f, const struct reference *r,
                                 struct footnote_err *err)
{
    const struct reference *copy;

    pthread_mutex_lock(&f->lock);
    copy = copy_reference(&f->arena, r);
    if (copy && has_room(f) &&
        grow((void **)&f->sources, f->sources_n, &f->sources_cap,
             sizeof(const struct reference *))) {
        f->sources[f->sources_n++] = copy;
        add(f, FEED_SOURCE, f->sources_n);
    } else {
        copy = NULL;
    }
    pthread_mutex_unlock(&f->lock);
    return copy ? FOOTNOTE_OK
                : err_set(err, FOOTNOTE_NOMEM, "showing a source");
}

enum footnote_rc feed_add_text(struct feed *f, struct str text,
                               struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_NOMEM;

    pthread_mutex_lock(&f->lock);
    if (has_room(f)) {
        buf_add(&f->text, text);
        rc = f->text.broken;
        if (rc == FOOTNOTE_OK)
            add(f, FEED_TEXT, f->text.n);
    }
    pthread_mutex_unlock(&f->lock);
    return rc == FOOTNOTE_OK ? rc : err_set(err, rc, "showing text");
}

static const uint32_t *copy_spans(struct arena *a, const struct reference *r)
{
    uint32_t *spans = arena_many(a, 2 * r->spans_n, uint32_t);

    if (spans && r->spans_n)
        memcpy(spans, r->spans, 2 * r->spans_n * sizeof(*spans));
    return spans;
}

static const struct str *copy_list(struct arena *a, const struct str *list,
                                   size_t n)
{
    struct str *copy = arena_many(a, n + 1, struct str);

    for (size_t i = 0; copy && i < n; i++)
        copy[i] = arena_str(a, list[i]);
    return copy;
}

static void copy_texts(struct arena *a, struct message *m)
{
    struct str *texts[] = {&m->id,          &m->session,     &m->content,
                           &m->image_s3key, &m->image_slide, &m->replaced_by,
                           &m->failure,     &m->model};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        *texts[i] = arena_str(a, *texts[i]);
}

/* The sources are those that were shown; what the end adds is where and how
 * well they carry. */
static const struct message *copy_message(struct arena *a,
                                          const struct message *m)
{
    struct message *c = arena_new(a, struct message);
    struct reference *refs = arena_many(a, m->sources_n + 1, struct reference);

    if (!c || !refs)
        return NULL;
    *c = *m;
    copy_texts(a, c);
    c->doc_refs = copy_list(a, m->doc_refs, m->doc_refs_n);
    c->rag_source_ids = copy_list(a, m->rag_source_ids, m->rag_source_ids_n);
    c->web_source_ids = copy_list(a, m->web_source_ids, m->web_source_ids_n);
    c->sources = refs;
    for (size_t i = 0; i < m->sources_n; i++) {
        struct reference *r = copy_reference(a, &m->sources[i]);

        if (!r)
            return NULL;
        refs[i] = *r;
        refs[i].spans = copy_spans(a, &m->sources[i]);
        refs[i].spans_n = refs[i].spans ? m->sources[i].spans_n : 0;
    }
    return a->failed ? NULL : c;
}

void feed_add_end(struct feed *f, const struct feed_end *end)
{
    pthread_mutex_lock(&f->lock);
    f->end = *end;
    f->end.message =
        end->message ? copy_message(&f->arena, end->message) : NULL;
    f->end.failure = arena_str(&f->arena, end->failure);
    f->end.finish = arena_str(&f->arena, end->finish);
    if (!f->end.finish.p)
        f->end.finish = STR("other");
    if (!f->end.message && !f->end.failure.p) /* no citations, no good end */
        f->end.failure = STR("The end of the answer could not be read. Read "
                             "the answer again.");
    f->ended = true;
    tell(f);
    pthread_mutex_unlock(&f->lock);
}

/* ---- Viewing ------------------------------------------------------------ */

static void view_free(struct view *v)
{
    feed_drop(v->feed);
    free(v);
}

static void view_woken(struct mail *m)
{
    struct view *v = (struct view *)m;
    bool closed;

    pthread_mutex_lock(&v->feed->lock);
    v->posted = false;
    closed = !v->link;
    pthread_mutex_unlock(&v->feed->lock);
    if (closed)
        view_free(v);
    else
        v->wake(v->arg);
}

struct view *view_open(struct feed *f, struct chat_loop *l, view_fn *wake,
                       void *arg)
{
    struct view *v = calloc(1, sizeof(*v));

    if (!v)
        return NULL;
    v->mail.deliver = view_woken;
    v->feed = feed_hold(f);
    v->loop = l;
    v->wake = wake;
    v->arg = arg;
    pthread_mutex_lock(&f->lock);
    v->next = f->views;
    if (v->next)
        v->next->link = &v->next;
    v->link = &f->views;
    f->views = v;
    pthread_mutex_unlock(&f->lock);
    return v;
}

void view_close(struct view *v)
{
    bool posted;

    if (!v)
        return;
    pthread_mutex_lock(&v->feed->lock);
    *v->link = v->next;
    if (v->next)
        v->next->link = v->link;
    v->link = NULL;
    posted = v->posted;
    pthread_mutex_unlock(&v->feed->lock);
    if (!posted)
        view_free(v);
}

/* The entry at v->at; its text and source begin where the last ones ended. */
static struct feed_entry look(const struct view *v)
{
    const struct feed *f = v->feed;
    struct feed_entry e = {.kind = FEED_END, .index = v->at + 1};

    if (v->at == f->entries_n) {
        e.end = &f->end;
        return e;
    }
    e.kind = (enum feed_kind)f->entries[v->at].kind;
    if (e.kind == FEED_SOURCE)
        e.source = f->sources[f->entries[v->at].upto - 1];
    else
        e.text = (struct str){f->text.p + v->text_at,
                              f->entries[v->at].upto - v->text_at};
    return e;
}

static void step(struct view *v)
{
    const struct feed *f = v->feed;

    if (v->at == f->entries_n)
        v->over = true;
    else if (f->entries[v->at].kind == FEED_TEXT)
        v->text_at = f->entries[v->at].upto;
    v->at++;
}

static bool has_more(const struct view *v)
{
    return v->at < v->feed->entries_n || (v->feed->ended && !v->over);
}

bool view_read(struct view *v, feed_fn *each, void *arg)
{
    bool behind;

    pthread_mutex_lock(&v->feed->lock);
    behind = v->met && v->feed->text.n - v->text_at > FEED_BEHIND_BYTES_MAX;
    while (!behind && has_more(v)) {
        struct feed_entry e = look(v);

        if (!each(arg, &e))
            break;
        step(v);
    }
    v->met = v->met || !has_more(v);
    pthread_mutex_unlock(&v->feed->lock);
    return !behind;
}

size_t feed_last(struct feed *f)
{
    size_t n;

    pthread_mutex_lock(&f->lock);
    n = f->entries_n + f->ended;
    pthread_mutex_unlock(&f->lock);
    return n;
}

void view_skip(struct view *v, size_t index)
{
    pthread_mutex_lock(&v->feed->lock);
    while (v->at < index && v->at < v->feed->entries_n)
        step(v);
    pthread_mutex_unlock(&v->feed->lock);
}

void view_poke(struct view *v)
{
    pthread_mutex_lock(&v->feed->lock);
    if (!v->posted)
        mail_send(v->loop, &v->mail);
    v->posted = true;
    pthread_mutex_unlock(&v->feed->lock);
}

const struct feed_end *feed_end(const struct feed *f)
{
    return &f->end;
}

bool view_is_over(const struct view *v)
{
    return v->over;
}
