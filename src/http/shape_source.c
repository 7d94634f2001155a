/* shape_source.c - a source as JSON, in its three styles, from one table. */
#include "base/json.h"
#include "http/names.h"
#include "http/shape.h"

enum kind {
    K_TEXT,
    K_JSON,
    K_TYPE,
    K_NUMBER,
    K_SLIDE,
    K_START,
    K_END,
    K_PART,
    K_SCORE,
    K_STATE,
    K_CITED,
    K_SUPPORT,
    K_SPANS
};
struct column {
    struct str camel, snake; /* as in ,"name":null */
    enum kind kind;
    size_t offset; /* of its text in struct source */
};

/* Most columns of a source are null: then this is all there is to write. */
#define COLUMN_TEXT(name)                                                      \
    {                                                                          \
        ",\"" name "\":null", sizeof(name) + 7                                 \
    }
#define COLUMN(camel, snake, kind, member)                                     \
    {                                                                          \
        COLUMN_TEXT(camel), COLUMN_TEXT(snake), kind,                          \
            offsetof(struct source, member)                                    \
    }

// clang-format off
static const struct column columns[] = {
    COLUMN("sourceId",       "source_id",       K_TEXT,    id),
    COLUMN("sourceType",     "source_type",     K_TYPE,    type),
    COLUMN("chunkNumber",    "chunk_number",    K_NUMBER,  id),
    COLUMN("contentPreview", "content_preview", K_TEXT,    preview),
    COLUMN("documentId",     "document_id",     K_TEXT,    document),
    COLUMN("slideNumber",    "slide_number",    K_SLIDE,   slide),
    COLUMN("lectureId",      "lecture_id",      K_TEXT,    lecture),
    COLUMN("startSeconds",   "start_seconds",   K_START,   start),
    COLUMN("endSeconds",     "end_seconds",     K_END,     end),
    COLUMN("courseId",       "course_id",       K_TEXT,    course),
    COLUMN("ownerId",        "owner_id",        K_TEXT,    owner),
    COLUMN("title",          "title",           K_TEXT,    title),
    COLUMN("url",            "url",             K_TEXT,    url),
    COLUMN("date",           "date",            K_TEXT,    date),
    COLUMN("s3key",          "s3key",           K_TEXT,    s3key),
    COLUMN("part",           "part",            K_PART,    part),
    COLUMN("meta",           "meta",            K_JSON,    meta),
    COLUMN("score",          "score",           K_SCORE,   id),
    COLUMN("state",          "state",           K_STATE,   id),
    /* What follows is known when the answer has ended. */
    COLUMN("cited",          "cited",           K_CITED,   id),
    COLUMN("support",        "support",         K_SUPPORT, id),
    COLUMN("spans",          "spans",           K_SPANS,   id),
};
// clang-format on
enum { COLUMNS_N = sizeof(columns) / sizeof(columns[0]) };

static struct str text_at(const struct source *s, const struct column *c)
{
    struct str text;

    memcpy(&text, (const char *)s + c->offset, sizeof(text));
    return text;
}

static bool has_value(const struct reference *r, const struct column *c)
{
    const struct source *s = &r->source;

    switch (c->kind) {
    case K_TEXT:
    case K_JSON: return text_at(s, c).p != NULL;
    case K_SLIDE: return s->has_slide;
    case K_START: return s->has_start;
    case K_END: return s->has_end;
    case K_PART: return s->part != 0;
    case K_SCORE: return r->has_score;
    case K_SUPPORT: return r->support >= 0;
    case K_NUMBER: return r->number != 0;
    case K_TYPE:
    case K_STATE:
    case K_CITED:
    case K_SPANS: break;
    }
    return true;
}

/* Thousandths as the shortest decimal. */
void shape_support(struct buf *b, int thousandths)
{
    int rest = thousandths % 1000;

    buf_add_i64(b, thousandths / 1000);
    if (rest == 0)
        return;
    buf_add_c(b, '.');
    for (int unit = 100; rest > 0; unit /= 10) {
        buf_add_c(b, (char)('0' + rest / unit));
        rest %= unit;
    }
}

void shape_spans(struct buf *b, const struct reference *r)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < r->spans_n; i++) {
        buf_add(b, i ? STR(",[") : STR("["));
        buf_add_i64(b, r->spans[2 * i]);
        buf_add_c(b, ',');
        buf_add_i64(b, r->spans[2 * i + 1]);
        buf_add_c(b, ']');
    }
    buf_add_c(b, ']');
}

static void add_value(struct buf *b, const struct reference *r,
                      const struct column *c)
{
    const struct source *s = &r->source;

    switch (c->kind) {
    case K_TEXT: buf_add_json(b, text_at(s, c)); break;
    case K_JSON: buf_add(b, text_at(s, c)); break;
    case K_TYPE: buf_add_json(b, source_type_name(s->type)); break;
    case K_NUMBER: buf_add_i64(b, r->number); break;
    case K_SLIDE: buf_add_i64(b, s->slide); break;
    case K_START: buf_add_f64(b, s->start); break;
    case K_END: buf_add_f64(b, s->end); break;
    case K_PART: buf_add_i64(b, s->part); break;
    case K_SCORE: buf_add_f64(b, r->score); break;
    case K_STATE: buf_add_json(b, state_name(r->state)); break;
    case K_CITED: shape_flag(b, true, r->cited); break;
    case K_SUPPORT: shape_support(b, r->support); break;
    case K_SPANS: shape_spans(b, r); break;
    }
}

void shape_source(struct buf *b, const struct reference *r,
                  enum source_style style)
{
    size_t comma = 1; /* that the first one has not */

    buf_add_c(b, '{');
    for (size_t i = 0; i < COLUMNS_N; i++) {
        const struct column *c = &columns[i];
        struct str text = style == SOURCE_CAMEL ? c->camel : c->snake;
        bool has = has_value(r, c);

        if (style == SOURCE_DATA && (!has || c->kind >= K_CITED))
            continue;
        if (has)
            text.n -= STR("null").n;
        buf_add(b, str_skip(text, comma));
        comma = 0;
        if (has)
            add_value(b, r, c);
    }
    buf_add_c(b, '}');
}

void shape_sources(struct buf *b, const struct reference *r, size_t n,
                   enum source_style style)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(b, ',');
        shape_source(b, &r[i], style);
    }
    buf_add_c(b, ']');
}
