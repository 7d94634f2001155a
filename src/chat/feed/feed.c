/* feed.c - what a turn has shown: its life, and what the turn puts in.
 *
 * What was written and not shown is at the text's end, so that a turn needs no
 * copy. */
#include <assert.h>
#include <stdlib.h>

#include "chat/feed/feed_data.h"

enum {
    ARENA_BYTES_MAX = 64 * 1024 * 1024,
    SOURCES_FIRST = 8,
    SOURCES_MAX = 64 * 1024,
    STEP_MORE = 255, /* the next byte belongs to it */
    STEPS_BYTES_MAX = FEED_TEXT_BYTES_MAX + SOURCES_MAX,
    TEXT_SPARE_BYTES = 128, /* and a sixteenth: thousands wait for more */
    STEPS_SPARE_BYTES = 64
};

static struct str copy_text(char **at, struct str s)
{
    struct str copy = {*at, s.n};

    if (!s.p)
        return STR_NONE;
    memcpy(*at, s.p, s.n);
    *at += s.n;
    return copy;
}

struct feed *feed_new(const struct feed_head *head)
{
    size_t texts =
        head->session.n + head->answer.n + head->question.n + head->model.n;
    struct feed *f = calloc(1, sizeof(*f) + texts);
    char *at;

    if (!f)
        return NULL;
    f->sources_arena = ARENA(ARENA_BYTES_MAX);
    f->end_arena = ARENA(ARENA_BYTES_MAX);
    f->text = BUF(FEED_TEXT_BYTES_MAX);
    f->steps = BUF(STEPS_BYTES_MAX);
    at = f->texts;
    f->head = (struct feed_head){.session = copy_text(&at, head->session),
                                 .answer = copy_text(&at, head->answer),
                                 .question = copy_text(&at, head->question),
                                 .model = copy_text(&at, head->model),
                                 .created_ms = head->created_ms};
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
    assert(!f->views);
    arena_free(&f->sources_arena);
    arena_free(&f->end_arena);
    buf_free(&f->text);
    buf_free(&f->steps);
    free(f->sources);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

bool feed_is_watched(struct feed *f)
{
    return atomic_load(&f->refs) > 1;
}

const struct feed_head *feed_head(const struct feed *f)
{
    return &f->head;
}

/* ---- Appending ---------------------------------------------------------- */

/* A refusal is for the caller, who may come again. */
static enum footnote_rc recover(struct buf *b)
{
    enum footnote_rc rc = b->broken;

    b->broken = FOOTNOTE_OK;
    return rc;
}

/* Room for a step of so many bytes of text. */
static bool has_room(struct feed *f, size_t text_bytes)
{
    size_t n = f->steps.n + text_bytes / STEP_MORE + 1;

    if (n >= f->steps.cap)
        buf_reserve(&f->steps, n + n / 8 + STEPS_SPARE_BYTES);
    return recover(&f->steps) == FOOTNOTE_OK && n < f->steps.cap;
}

static bool has_room_for_source(struct feed *f)
{
    size_t cap = f->sources_cap + f->sources_cap / 4 + SOURCES_FIRST;
    struct reference *p;

    if (f->sources_n < f->sources_cap)
        return true;
    p = cap <= SOURCES_MAX ? realloc(f->sources, cap * sizeof(struct reference))
                           : NULL;
    if (!p)
        return false;
    f->sources = p;
    f->sources_cap = cap;
    return true;
}

/* There is room for it. */
static void add_step(struct feed *f, size_t text_bytes)
{
    size_t n = text_bytes;

    for (; n >= STEP_MORE; n -= STEP_MORE)
        f->steps.p[f->steps.n++] = (char)STEP_MORE;
    f->steps.p[f->steps.n++] = (char)n;
    f->steps_n++;
    feed_wake_views(f);
}

size_t feed_read_step(const struct feed *f, size_t *at)
{
    size_t n = 0;
    unsigned char c;

    assert(*at < f->steps.n);
    do {
        c = (unsigned char)f->steps.p[(*at)++];
        n += c;
    } while (c == STEP_MORE);
    return n;
}

bool feed_copy_source(struct arena *a, const struct reference *r,
                      struct reference *out)
{
    char *texts = arena_alloc(a, source_texts_bytes(&r->source));

    if (!texts)
        return false;
    *out = *r;
    source_copy_texts(&out->source, texts);
    out->spans = NULL;
    out->spans_n = 0;
    return true;
}

enum footnote_rc feed_add_source(struct feed *f, const struct reference *r,
                                 struct footnote_err *err)
{
    bool ok;

    pthread_mutex_lock(&f->lock);
    ok = has_room(f, 0) && has_room_for_source(f) &&
         feed_copy_source(&f->sources_arena, r, &f->sources[f->sources_n]);
    if (ok) {
        f->sources_n++;
        add_step(f, 0);
    }
    pthread_mutex_unlock(&f->lock);
    return ok ? FOOTNOTE_OK : err_set(err, FOOTNOTE_NOMEM, "showing a source");
}

const struct reference *feed_sources(const struct feed *f, size_t *n)
{
    *n = f->sources_n;
    return f->sources;
}

enum footnote_rc feed_write(struct feed *f, struct str text)
{
    enum footnote_rc rc;
    size_t n = f->text.n + text.n;

    pthread_mutex_lock(&f->lock);
    if (n >= f->text.cap)
        buf_reserve(&f->text, n + n / 16 + TEXT_SPARE_BYTES);
    buf_add(&f->text, text);
    rc = recover(&f->text);
    pthread_mutex_unlock(&f->lock);
    return rc;
}

size_t feed_text_bytes(const struct feed *f)
{
    return f->text.n;
}

struct str feed_text(const struct feed *f, size_t from)
{
    assert(from <= f->text.n);
    return str_skip(buf_str(&f->text), from);
}

enum footnote_rc feed_show(struct feed *f, size_t upto,
                           struct footnote_err *err)
{
    bool ok;

    pthread_mutex_lock(&f->lock);
    assert(upto > f->shown && upto <= f->text.n);
    ok = has_room(f, upto - f->shown);
    if (ok) {
        add_step(f, upto - f->shown);
        f->shown = upto;
    }
    pthread_mutex_unlock(&f->lock);
    return ok ? FOOTNOTE_OK : err_set(err, FOOTNOTE_NOMEM, "showing text");
}

enum footnote_rc feed_add_text(struct feed *f, struct str text,
                               struct footnote_err *err)
{
    enum footnote_rc rc = feed_write(f, text);

    if (rc != FOOTNOTE_OK)
        return err_set(err, rc, "showing text");
    return feed_show(f, f->text.n, err);
}
