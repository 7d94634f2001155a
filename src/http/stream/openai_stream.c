/* openai_stream.c - a feed as chat completion chunks, and its JSON. */
#include "http/shape/shape.h"
#include "http/stream/openai.h"
#include "store/session/message.h"

void openai_head(struct buf *b, const struct format_state *s,
                 const char *object)
{
    buf_add(b, STR("{\"id\":\"chatcmpl-"));
    buf_add(b, s->head->answer);
    buf_printf(b, "\",\"object\":\"%s\",\"created\":%lld,\"model\":", object,
               (long long)(s->head->created_ms / 1000));
    buf_add_json(b, s->model);
}

struct str openai_finish(const struct feed_end *end)
{
    if (str_eq(end->finish, STR("length")))
        return STR("length");
    return str_eq(end->finish, STR("content-filter")) ? STR("content_filter")
                                                      : STR("stop");
}

void openai_usage(struct buf *b, const struct feed_end *end)
{
    int64_t in = end->tokens_in > 0 ? end->tokens_in : 0;
    int64_t out = end->tokens_out > 0 ? end->tokens_out : 0;

    buf_printf(b,
               "{\"prompt_tokens\":%lld,\"completion_tokens\":%lld,"
               "\"total_tokens\":%lld}",
               (long long)in, (long long)out, (long long)in + (long long)out);
}

/* ---- Citations ---------------------------------------------------------- */

static void add_url(struct buf *b, const struct format_state *s,
                    const struct reference *r)
{
    AUTO(buf_free) struct buf url = BUF((size_t)8 * 1024);

    buf_add(&url, s->public_url);
    if (s->head->session.p) {
        buf_printf(&url, "/c/");
        shape_path(&url, s->head->session);
        buf_printf(&url, "/m/");
        shape_path(&url, s->head->answer);
        buf_printf(&url, "#ref-%u", r->number);
    } else if (r->source.url.p) {
        buf_reset(&url);
        buf_add(&url, r->source.url);
    } else {
        buf_printf(&url, "/api/documents/");
        shape_path(&url, r->source.document.p  ? r->source.document
                         : r->source.lecture.p ? r->source.lecture
                                               : STR(""));
        buf_printf(&url, "/download");
    }
    buf_add_json(b, buf_str(&url));
}

static void add_annotation(struct buf *b, const struct format_state *s,
                           const struct reference *r, size_t span)
{
    buf_printf(b,
               "{\"type\":\"url_citation\",\"url_citation\":{"
               "\"start_index\":%u,\"end_index\":%u,\"url\":",
               r->spans[2 * span], r->spans[2 * span + 1]);
    add_url(b, s, r);
    buf_add(b, STR(",\"title\":"));
    buf_add_json(b, r->source.title.p ? r->source.title
                    : r->source.id.p  ? r->source.id
                                      : STR(""));
    buf_add(b, STR("}}"));
}

void openai_annotations(struct buf *b, const struct format_state *s,
                        const struct message *m)
{
    char before = '[';

    for (size_t i = 0; m && i < m->sources_n; i++)
        for (size_t k = 0; k < m->sources[i].spans_n; k++) {
            buf_add_c(b, before);
            before = ',';
            add_annotation(b, s, &m->sources[i], k);
        }
    buf_add(b, before == '[' ? STR("[]") : STR("]"));
}

/* ---- Chunks ------------------------------------------------------------- */

static void begin_chunk(struct buf *b, const struct format_state *s)
{
    buf_add(b, STR("data: "));
    openai_head(b, s, "chat.completion.chunk");
    buf_add(b, STR(",\"choices\":[{\"index\":0,\"delta\":"));
}

static void end_chunk(struct buf *b, const struct format_state *s,
                      struct str finish)
{
    buf_add(b, STR(",\"logprobs\":null,\"finish_reason\":"));
    shape_str(b, finish);
    buf_add(b, s->usage ? STR("}],\"usage\":null}\n\n") : STR("}]}\n\n"));
}

static void open_stream(struct buf *b, struct format_state *s)
{
    begin_chunk(b, s);
    buf_add(b,
            STR("{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}"));
    end_chunk(b, s, STR_NONE);
}

static void add_text(struct buf *b, const struct format_state *s,
                     struct str text)
{
    begin_chunk(b, s);
    buf_add(b, STR("{\"content\":"));
    buf_add_json(b, text);
    buf_add_c(b, '}');
    end_chunk(b, s, STR_NONE);
}

static void add_failure(struct buf *b, const struct feed_end *end)
{
    buf_add(b, STR("data: {\"error\":{\"message\":"));
    buf_add_json(b, end->failure);
    buf_add(b, STR(",\"type\":\"server_error\",\"param\":null,\"code\":"));
    shape_str(b, end->message ? end->message->failure : STR_NONE);
    buf_add(b, STR("}}\n\n"));
}

/* All annotations at once: the client's helper keeps the last list only. */
static void add_end(struct buf *b, const struct format_state *s,
                    const struct feed_end *end)
{
    if (end->failure.p) {
        add_failure(b, end);
    } else {
        begin_chunk(b, s);
        buf_add(b, STR("{\"annotations\":"));
        openai_annotations(b, s, end->message);
        buf_add_c(b, '}');
        end_chunk(b, s, STR_NONE);
        begin_chunk(b, s);
        buf_add(b, STR("{}"));
        end_chunk(b, s, openai_finish(end));
    }
    if (s->usage && !end->failure.p) {
        buf_add(b, STR("data: "));
        openai_head(b, s, "chat.completion.chunk");
        buf_add(b, STR(",\"choices\":[],\"usage\":"));
        openai_usage(b, end);
        buf_add(b, STR("}\n\n"));
    }
    buf_add(b, STR("data: [DONE]\n\n"));
}

static void add_entry(struct buf *b, struct format_state *s,
                      const struct feed_entry *e)
{
    switch (e->kind) {
    case FEED_SOURCE: break; /* they come as annotations */
    case FEED_TEXT: add_text(b, s, e->text); break;
    case FEED_END: add_end(b, s, e->end); break;
    }
}

const struct stream_format openai_format = {open_stream, add_entry};
