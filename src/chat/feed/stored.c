/* stored.c - a stored answer as a feed: at once, or as it grows. */
#include "chat/feed/stored.h"

#include "store/session/message.h"

static enum footnote_rc add_sources(struct feed *f, const struct message *m,
                                    bool late, struct stored_progress *p)
{
    uint32_t above = p->number;

    for (size_t i = 0; i < m->sources_n; i++) {
        const struct reference *r = &m->sources[i];

        if (r->number <= above || r->late != late)
            continue;
        TRY(feed_add_source(f, r, NULL));
        if (r->number > p->number)
            p->number = r->number;
    }
    return FOOTNOTE_OK;
}

/* The end may have cut white space that was shown. */
static enum footnote_rc add_text(struct feed *f, struct str text,
                                 struct stored_progress *p)
{
    if (text.n <= p->bytes)
        return FOOTNOTE_OK;
    TRY(feed_add_text(f, str_skip(text, p->bytes), NULL));
    p->bytes = text.n;
    return FOOTNOTE_OK;
}

struct feed *stored_feed(const struct message *m, struct str session)
{
    return feed_new(&(struct feed_head){.session = session,
                                        .answer = m->id,
                                        .model = m->model,
                                        .created_ms = m->created_ms});
}

enum footnote_rc stored_show(struct feed *f, const struct message *m,
                             struct stored_progress *p)
{
    TRY(add_sources(f, m, false, p));
    TRY(add_text(f, m->content, p));
    return add_sources(f, m, true, p);
}

/* What a reader was told when it ended; the code is all that is stored. */
static struct str sentence(const struct message *m)
{
    switch (m->status) {
    case FOOTNOTE_FAILED: return STR("The answer failed.");
    case FOOTNOTE_INTERRUPTED: return STR("The answer was interrupted.");
    case FOOTNOTE_COMPLETE:
    case FOOTNOTE_STOPPED:
    case FOOTNOTE_STREAMING: break;
    }
    return STR_NONE;
}

void stored_end(struct feed *f, const struct message *m)
{
    feed_add_end(f, &(struct feed_end){.message = m,
                                       .failure = sentence(m),
                                       .finish = STR("stop"),
                                       .tokens_in = m->tokens_in,
                                       .tokens_out = m->tokens_out});
}

struct feed *feed_of_message(const struct message *m, struct str session)
{
    struct feed *f = stored_feed(m, session);
    struct stored_progress progress = {0};

    if (f && stored_show(f, m, &progress) == FOOTNOTE_OK) {
        stored_end(f, m);
        return f;
    }
    feed_drop(f);
    return NULL;
}
