/* ui_source.c - a source as parts of a UI message. */
#include "base/json.h"
#include "http/shape/shape.h"
#include "store/session/message.h"

/* Of the file that a source speaks of; clients choose a picture by it. */
static struct str media_type(enum footnote_type type)
{
    switch (type) {
    case FOOTNOTE_SLIDE: return STR("\"application/pdf\"");
    case FOOTNOTE_LECTURE: return STR("\"video/mp4\"");
    case FOOTNOTE_WEB: return STR("\"text/html\"");
    case FOOTNOTE_IMAGE: return STR("\"image/png\"");
    case FOOTNOTE_TEXT:
    case FOOTNOTE_JOURNAL: break;
    }
    return STR("\"text/plain\"");
}

/* The source for our own clients. */
void shape_ui_source(struct buf *b, const struct reference *r)
{
    buf_add(b, STR("{\"type\":\"data-rag-source\",\"id\":\"src-"));
    buf_add_i64(b, r->number);
    buf_add(b, STR("\",\"data\":"));
    shape_source(b, r, SOURCE_DATA);
    buf_add_c(b, '}');
}

static void add_url(struct buf *b, const struct reference *r)
{
    buf_add(b, STR("{\"type\":\"source-url\",\"sourceId\":\"src-"));
    buf_add_i64(b, r->number);
    buf_add(b, STR("\",\"url\":"));
    buf_add_json(b, r->source.url);
    if (r->source.title.p) {
        buf_add(b, STR(",\"title\":"));
        buf_add_json(b, r->source.title);
    }
    buf_add_c(b, '}');
}

/* The same source for any other client, which needs a title. */
void shape_ui_link(struct buf *b, const struct reference *r)
{
    const struct source *s = &r->source;

    if (s->type == FOOTNOTE_WEB && s->url.p) {
        add_url(b, r);
        return;
    }
    buf_add(b, STR("{\"type\":\"source-document\",\"sourceId\":\"src-"));
    buf_add_i64(b, r->number);
    buf_add(b, STR("\",\"mediaType\":"));
    buf_add(b, media_type(s->type));
    buf_add(b, STR(",\"title\":"));
    buf_add_json(b, s->title.p ? s->title : s->id.p ? s->id : STR(""));
    buf_add_c(b, '}');
}
