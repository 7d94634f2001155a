/* source.c - a source as JSON, in its three styles, from one list. */
#include <assert.h>

#include "base/json.h"
#include "base/number.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/session/message.h"

/* A column's name in both spellings, as it stands before its value. */
struct column_name {
    struct str camel, snake;
};
#define NAME(camel, snake)                                                     \
    ((struct column_name){STR(",\"" camel "\":"), STR(",\"" snake "\":")})

/* Everything below is compiled for each style on its own: the names of a source
 * are more bytes than its values, and constants cost next to nothing. */
#define FOR_STYLE static inline __attribute__((always_inline))

/* The name, and null behind it when there is no value; whether there is one. */
FOR_STYLE bool add_name(struct buf *b, enum source_style style,
                        struct column_name name, bool has)
{
    bool camel = style == SOURCE_CAMEL || style == SOURCE_KEPT;
    bool nulls = style == SOURCE_CAMEL || style == SOURCE_SNAKE;

    if (has || nulls)
        buf_add(b, camel ? name.camel : name.snake);
    if (!has && nulls)
        buf_add(b, STR("null"));
    return has;
}

FOR_STYLE void text(struct buf *b, enum source_style style,
                    struct column_name name, struct str value)
{
    if (add_name(b, style, name, value.p != NULL))
        buf_add_json(b, value);
}

FOR_STYLE void integer(struct buf *b, enum source_style style,
                       struct column_name name, bool has, int64_t value)
{
    if (add_name(b, style, name, has))
        buf_add_i64(b, value);
}

FOR_STYLE void decimal(struct buf *b, enum source_style style,
                       struct column_name name, bool has, double value)
{
    if (add_name(b, style, name, has))
        buf_add_f64(b, value);
}

/* Whether it can stand in a line, and as deep as an export has it. */
static bool is_plain_object(struct str object)
{
    enum { DEEP = JSON_DEPTH_MAX / 2 };
    size_t brackets = 0;

    for (size_t i = 0; i < object.n; i++) {
        char c = object.p[i];

        if (c == '\n' || c == '\r')
            return false;
        brackets += c == '{' || c == '[';
    }
    return brackets < DEEP;
}

/* Verbatim: its bytes are under a digest.  What is kept may be the text of an
 * object, too. */
FOR_STYLE void object(struct buf *b, enum source_style style, struct str value)
{
    if (style == SOURCE_KEPT && !is_plain_object(value))
        buf_add_json(b, value);
    else
        buf_add(b, value);
}

/* ---- What an answer made of it ------------------------------------------ */

enum { SUPPORT_BYTES = 5 }; /* 0.875 */

/* These write into room that is there, and return where they end. */
static inline char *put(char *to, struct str s)
{
    memcpy(to, s.p, s.n);
    return to + s.n;
}

/* Thousandths as the shortest decimal: zeros at its end do not count. */
static char *put_support(char *to, int thousandths)
{
    unsigned v = (unsigned)thousandths, tenths = v / 100, rest = v % 100;

    assert(thousandths >= 0 && thousandths < 10000);
    if (rest == 0 && tenths % 10 == 0) {
        *to = (char)('0' + tenths / 10);
        return to + 1;
    }
    to[0] = (char)('0' + tenths / 10);
    to[1] = '.';
    to[2] = (char)('0' + tenths % 10);
    number_put_pair(to + 3, rest);
    return to + SUPPORT_BYTES - (rest % 10 == 0) - (rest == 0);
}

static size_t spans_bytes(const struct reference *r)
{
    return 2 + r->spans_n * (2 * NUMBER_BYTES + 4);
}

static char *put_spans(char *to, const struct reference *r)
{
    *to++ = '[';
    for (size_t i = 0; i < r->spans_n; i++) {
        if (i)
            *to++ = ',';
        *to++ = '[';
        to += number_print_i64(r->spans[2 * i], to);
        *to++ = ',';
        to += number_print_i64(r->spans[2 * i + 1], to);
        *to++ = ']';
    }
    *to++ = ']';
    return to;
}

/* Room for all of it is asked for once. */
void shape_cited(struct buf *b, const struct reference *r)
{
    enum { NAMES_BYTES = 64 };
    char *to = buf_room(b, NAMES_BYTES + NUMBER_BYTES + SUPPORT_BYTES +
                               spans_bytes(r));

    if (!to)
        return;
    to = put(to, STR("{\"chunk_number\":"));
    to += number_print_i64(r->number, to);
    if (r->support >= 0)
        to = put_support(put(to, STR(",\"support\":")), r->support);
    to = put_spans(put(to, STR(",\"spans\":")), r);
    *to++ = '}';
    b->n = (size_t)(to - b->p);
}

void shape_support(struct buf *b, int thousandths)
{
    char *to = buf_room(b, SUPPORT_BYTES);

    if (to)
        b->n = (size_t)(put_support(to, thousandths) - b->p);
}

/* Columns that are known when the answer has ended. */
FOR_STYLE void add_use(struct buf *b, const struct reference *r,
                       enum source_style style)
{
    if (add_name(b, style, NAME("cited", "cited"), true))
        shape_flag(b, true, r->cited);
    if (add_name(b, style, NAME("support", "support"), r->support >= 0))
        shape_support(b, r->support);
    if (add_name(b, style, NAME("spans", "spans"), true)) {
        char *to = buf_room(b, spans_bytes(r));

        if (to)
            b->n = (size_t)(put_spans(to, r) - b->p);
    }
}

/* ---- All of it ---------------------------------------------------------- */

/* A row of the table of fields as calls of the functions above. */
#define SHOW(line, kind, member, camel, snake, max)                            \
    SHOW_##kind(NAME(camel, snake), member)
#define SHOW_TEXT(name, member) text(b, style, name, s->member);
#define SHOW_ID(name, member)   SHOW_TEXT(name, member)
#define SHOW_WHOLE(name, member)                                               \
    integer(b, style, name, s->has_##member, s->member);
#define SHOW_SECONDS(name, member)                                             \
    decimal(b, style, name, s->has_##member, s->member);
#define SHOW_COUNT(name, member)                                               \
    integer(b, style, name, s->member != 0, s->member);
#define SHOW_OBJECT(name, member)                                              \
    if (add_name(b, style, name, s->member.p != NULL))                         \
        object(b, style, s->member);

FOR_STYLE void add_columns(struct buf *b, const struct reference *r,
                           enum source_style style)
{
    const struct source *s = &r->source;

    SOURCE_FIELD_ID(SHOW);
    text(b, style, NAME("sourceType", "source_type"),
         source_type_name(s->type));
    integer(b, style, NAME("chunkNumber", "chunk_number"), r->number != 0,
            r->number);
    SOURCE_FIELDS_REST(SHOW);
    decimal(b, style, NAME("score", "score"), r->has_score, r->score);
    if (style != SOURCE_KEPT) {
        text(b, style, NAME("state", "state"), state_name(r->state));
        integer(b, style, NAME("documentVersion", "document_version"),
                r->version != 0, r->version);
    }
    if (style != SOURCE_DATA)
        add_use(b, r, style);
}

void shape_source(struct buf *b, const struct reference *r,
                  enum source_style style)
{
    size_t at = b->n;

    switch (style) {
    case SOURCE_CAMEL: add_columns(b, r, SOURCE_CAMEL); break;
    case SOURCE_SNAKE: add_columns(b, r, SOURCE_SNAKE); break;
    case SOURCE_DATA: add_columns(b, r, SOURCE_DATA); break;
    case SOURCE_KEPT: add_columns(b, r, SOURCE_KEPT); break;
    }
    if (b->broken == FOOTNOTE_OK)
        b->p[at] = '{'; /* instead of the first comma */
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
