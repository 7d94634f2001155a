/* event_stream.c - a feed as plain events, each with an id to resume from. */
#include "http/shape/shape.h"
#include "http/stream/chat.h"
#include "store/session/message.h"

static void begin_event(struct buf *b, const struct feed_entry *e,
                        const char *name)
{
    buf_printf(b, "id: %zu\nevent: %s\ndata: ", e->index, name);
}

static void add_end(struct buf *b, const struct feed_entry *e)
{
    const struct message *m = e->end->message;

    if (e->end->failure.p || !m) {
        begin_event(b, e, "error");
        buf_add(b, STR("{\"error\":"));
        buf_add_json(b, e->end->failure.p ? e->end->failure
                                          : STR("The answer was lost."));
        buf_add(b, STR(",\"code\":"));
        shape_str(b, m ? m->failure : STR_NONE);
    } else {
        begin_event(b, e, "end");
        buf_add(b, STR("{\"message\":"));
        shape_message(b, m);
        buf_add(b, STR(",\"citations\":"));
        shape_sources(b, m->sources, m->sources_n, SOURCE_CAMEL);
        buf_add(b, STR(",\"lowConfidence\":"));
        shape_flag(b, m->has_low_confidence, m->low_confidence);
        shape_unavailable(b, e->end->words_alone, e->end->not_reranked);
    }
    buf_add(b, STR("}\n\n"));
}

static void add_entry(struct buf *b, struct format_state *s,
                      const struct feed_entry *e)
{
    (void)s;
    switch (e->kind) {
    case FEED_SOURCE:
        begin_event(b, e, "source");
        shape_source(b, e->source, SOURCE_CAMEL);
        buf_add(b, STR("\n\n"));
        break;
    case FEED_TEXT:
        begin_event(b, e, "token");
        buf_add(b, STR("{\"text\":"));
        buf_add_json(b, e->text);
        buf_add(b, STR("}\n\n"));
        break;
    case FEED_END: add_end(b, e); break;
    }
}

const struct stream_format event_format = {NULL, add_entry};
