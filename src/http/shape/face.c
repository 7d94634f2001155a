/* face.c - a source as parts of a UI message, and what of them can be
 * made ahead: all of it for a reference whose number is one digit, and which
 * has no score.
 *
 *     {"type":"data-rag-source","id":"src-0","data":{...,"chunk_number":0,
 *                                         |                             |
 *                                    MARK_ID                  MARK_NUMBER
 *     "content_preview":...,"state":"live"}},{"type":"source-document",
 *                          |
 *                     MARK_STATE, behind a score
 *     "sourceId":"src-0","mediaType":...}
 *                     |
 *              MARK_LINK_ID
 *
 * A history has hundreds of sources: most of them are one copy and three
 * digits, the others the pieces between the marks. */
#include "base/json.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/read/history.h"
#include "store/session/message.h"

enum { MARK_ID, MARK_NUMBER, MARK_STATE, MARK_LINK_ID };
/* Roughly, of JSON. */
enum { MESSAGE_BYTES = 400, CITED_BYTES = 80, SOURCE_BYTES = 1000 };
#define DATA_BEGIN STR("{\"type\":\"data-rag-source\",\"id\":\"src-")
#define DATA       STR("\",\"data\":")

/* ---- One by one --------------------------------------------------------- */

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

static bool is_link(const struct source *s)
{
    return s->type == FOOTNOTE_WEB && s->url.p;
}

/* Up to the number, */
static void begin_link(struct buf *b, const struct source *s)
{
    buf_add(b, is_link(s)
                   ? STR("{\"type\":\"source-url\",\"sourceId\":\"src-")
                   : STR("{\"type\":\"source-document\",\"sourceId\":\"src-"));
}

static void end_url(struct buf *b, const struct source *s)
{
    buf_add(b, STR("\",\"url\":"));
    buf_add_json(b, s->url);
    if (s->title.p) {
        buf_add(b, STR(",\"title\":"));
        buf_add_json(b, s->title);
    }
    buf_add_c(b, '}');
}

/* Its title is needed by the client. */
static void end_file(struct buf *b, const struct source *s)
{
    buf_add(b, STR("\",\"mediaType\":"));
    buf_add(b, media_type(s->type));
    buf_add(b, STR(",\"title\":"));
    buf_add_json(b, s->title.p ? s->title : s->id.p ? s->id : STR(""));
    buf_add_c(b, '}');
}

/* and from there on. */
static void end_link(struct buf *b, const struct source *s)
{
    if (is_link(s))
        end_url(b, s);
    else
        end_file(b, s);
}

/* The source for our own clients, and the same for any other. */
void shape_ui_source(struct buf *b, const struct reference *r)
{
    buf_add(b, DATA_BEGIN);
    buf_add_i64(b, r->number);
    buf_add(b, DATA);
    shape_source(b, r, SOURCE_DATA);
    buf_add_c(b, '}');
}

void shape_ui_link(struct buf *b, const struct reference *r)
{
    begin_link(b, &r->source);
    buf_add_i64(b, r->number);
    end_link(b, &r->source);
}

/* ---- Both, made ahead ---------------------------------------------------- */

static void add_digit(struct buf *b, uint32_t *mark)
{
    *mark = (uint32_t)b->n;
    buf_add_c(b, '0');
}

void shape_face(struct buf *b, const struct source *s,
                enum footnote_state state, uint32_t marks[FACE_MARKS])
{
    buf_add(b, DATA_BEGIN);
    add_digit(b, &marks[MARK_ID]);
    buf_add(b, DATA);
    shape_source_front(b, s);
    add_digit(b, &marks[MARK_NUMBER]);
    shape_source_back(b, s);
    marks[MARK_STATE] = (uint32_t)b->n;
    buf_add(b, STR(",\"state\":\""));
    buf_add(b, state_name(state));
    buf_add(b, STR("\"}},"));
    begin_link(b, s);
    add_digit(b, &marks[MARK_LINK_ID]);
    end_link(b, s);
}

static bool fits(const struct reference *r)
{
    return r->number < 10 && !r->has_score;
}

static void add_whole(struct buf *b, const struct reference *r)
{
    const struct face *f = r->face;
    char *to = buf_room(b, f->text.n);

    if (!to)
        return;
    memcpy(to, f->text.p, f->text.n);
    to[f->marks[MARK_ID]] = to[f->marks[MARK_NUMBER]] =
        to[f->marks[MARK_LINK_ID]] = (char)('0' + r->number);
    b->n += f->text.n;
}

/* From one place to another. */
static void add_piece(struct buf *b, const struct face *f, size_t from,
                      size_t to)
{
    buf_add(b, (struct str){f->text.p + from, to - from});
}

static void add_pieces(struct buf *b, const struct reference *r)
{
    const struct face *f = r->face;

    add_piece(b, f, 0, f->marks[MARK_ID]);
    buf_add_i64(b, r->number);
    add_piece(b, f, f->marks[MARK_ID] + 1, f->marks[MARK_NUMBER]);
    buf_add_i64(b, r->number);
    add_piece(b, f, f->marks[MARK_NUMBER] + 1, f->marks[MARK_STATE]);
    if (r->has_score) {
        buf_add(b, STR(",\"score\":"));
        buf_add_f64(b, r->score);
    }
    add_piece(b, f, f->marks[MARK_STATE], f->marks[MARK_LINK_ID]);
    buf_add_i64(b, r->number);
    add_piece(b, f, f->marks[MARK_LINK_ID] + 1, f->text.n);
}

void shape_ui_both(struct buf *b, const struct reference *r)
{
    if (r->face && fits(r)) {
        add_whole(b, r);
    } else if (r->face) {
        add_pieces(b, r);
    } else {
        shape_ui_source(b, r);
        buf_add_c(b, ',');
        shape_ui_link(b, r);
    }
}

/* Without a look at each source, of which there may be hundreds. */
size_t shape_ui_bytes(const struct history *h)
{
    size_t bytes = h->messages_n * MESSAGE_BYTES + h->faces_bytes, sources = 0;

    for (size_t i = 0; i < h->messages_n; i++) {
        bytes += h->messages[i].content.n;
        sources += h->messages[i].sources_n;
    }
    bytes += sources * CITED_BYTES;
    if (sources > h->faces_n) /* these have about as much text */
        bytes += (sources - h->faces_n) * SOURCE_BYTES;
    return bytes;
}
