/* ui_stream.c - a feed as the AI SDK's UI message stream.
 *
 * The strict subset that versions 5, 6 and 7 accept: `start` first, no key
 * that is not documented, no nulls.  The parts are those of ?as=ui, so a client
 * has the same message from the stream and after a reload. */
#include "http/shape/shape.h"
#include "http/stream/chat.h"
#include "store/session/message.h"

static void begin_event(struct buf *b)
{
    buf_add(b, STR("data: "));
}

static void end_event(struct buf *b)
{
    buf_add(b, STR("\n\n"));
}

static void open_stream(struct buf *b, struct format_state *s)
{
    begin_event(b);
    buf_add(b, STR("{\"type\":\"start\",\"messageId\":"));
    buf_add_json(b, s->head->answer);
    buf_add_c(b, '}');
    end_event(b);
}

static void add_text(struct buf *b, struct format_state *s, struct str text)
{
    if (!s->text_open)
        buf_add(b, STR("data: {\"type\":\"text-start\",\"id\":\"t0\"}\n\n"));
    s->text_open = true;
    buf_add(b, STR("data: {\"type\":\"text-delta\",\"id\":\"t0\",\"delta\":"));
    buf_add_json(b, text);
    buf_add(b, STR("}\n\n"));
}

static void add_finish(struct buf *b, const struct feed_end *end)
{
    begin_event(b);
    buf_add(b, STR("{\"type\":\"finish\",\"finishReason\":"));
    buf_add_json(b, end->finish);
    if (end->message) {
        buf_add(b, STR(",\"messageMetadata\":{"));
        shape_ui_metadata_fields(b, end->message);
        shape_unavailable(b, end->words_alone, end->not_reranked);
        buf_add_c(b, '}');
    }
    buf_add_c(b, '}');
    end_event(b);
}

static void add_end(struct buf *b, struct format_state *s,
                    const struct feed_end *end)
{
    if (s->text_open)
        buf_add(b, STR("data: {\"type\":\"text-end\",\"id\":\"t0\"}\n\n"));
    if (end->message && end->message->content.p) {
        begin_event(b);
        shape_ui_citations(b, end->message);
        end_event(b);
    }
    if (end->failure.p) {
        begin_event(b);
        buf_add(b, STR("{\"type\":\"error\",\"errorText\":"));
        buf_add_json(b, end->failure);
        buf_add_c(b, '}');
        end_event(b);
    } else {
        add_finish(b, end);
    }
    buf_add(b, STR("data: [DONE]\n\n"));
}

static void add_entry(struct buf *b, struct format_state *s,
                      const struct feed_entry *e)
{
    switch (e->kind) {
    case FEED_SOURCE:
        begin_event(b);
        shape_ui_source(b, e->source);
        end_event(b);
        begin_event(b);
        shape_ui_link(b, e->source);
        end_event(b);
        break;
    case FEED_TEXT: add_text(b, s, e->text); break;
    case FEED_END: add_end(b, s, e->end); break;
    }
}

const struct stream_format ui_format = {open_stream, add_entry};
