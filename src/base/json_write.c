/* json_write.c - JSON into a buffer; commas are decided here. */
#include "base/json.h"

#include <assert.h>

/* Bit of a nesting level in the masks; level 1 is inside the first bracket. */
static uint64_t level_bit(const struct json_out *w)
{
    return UINT64_C(1) << (w->depth - 1);
}

/* Before each value: the comma, and the rule that members have keys. */
static void before_value(struct json_out *w)
{
    if (w->depth == 0)
        return;
    if (w->objects & level_bit(w)) {
        assert(w->after_key);
        w->after_key = false;
        return;
    }
    if (w->more & level_bit(w))
        buf_add_c(w->b, ',');
    w->more |= level_bit(w);
}

static void begin(struct json_out *w, bool object)
{
    before_value(w);
    assert(w->depth < JSON_DEPTH_MAX);
    w->depth++;
    w->more &= ~level_bit(w);
    w->objects &= ~level_bit(w);
    if (object)
        w->objects |= level_bit(w);
    buf_add_c(w->b, object ? '{' : '[');
}

void json_object(struct json_out *w)
{
    begin(w, true);
}

void json_array(struct json_out *w)
{
    begin(w, false);
}

void json_end(struct json_out *w, char bracket)
{
    assert(w->depth > 0 && !w->after_key);
    assert(bracket == (w->objects & level_bit(w) ? '}' : ']'));
    buf_add_c(w->b, bracket);
    w->depth--;
}

void json_key(struct json_out *w, struct str key)
{
    assert(w->depth > 0 && w->objects & level_bit(w) && !w->after_key);
    if (w->more & level_bit(w))
        buf_add_c(w->b, ',');
    w->more |= level_bit(w);
    w->after_key = true;
    buf_add_json(w->b, key);
    buf_add_c(w->b, ':');
}

void json_str(struct json_out *w, struct str s)
{
    if (!s.p) {
        json_null(w);
        return;
    }
    before_value(w);
    buf_add_json(w->b, s);
}

void json_i64(struct json_out *w, int64_t v)
{
    before_value(w);
    buf_add_i64(w->b, v);
}

void json_f64(struct json_out *w, double v)
{
    before_value(w);
    buf_add_f64(w->b, v);
}

void json_bool(struct json_out *w, bool v)
{
    json_raw(w, v ? STR("true") : STR("false"));
}

void json_null(struct json_out *w)
{
    json_raw(w, STR("null"));
}

void json_raw(struct json_out *w, struct str json)
{
    before_value(w);
    buf_add(w->b, json);
}

/* Sixteen bytes, which compilers keep in one register where there is one. */
typedef unsigned char lanes __attribute__((vector_size(16)));

static bool needs_escape(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\';
}

static lanes need_escape(lanes v)
{
    return (lanes)(v < 0x20) | (lanes)(v == '"') | (lanes)(v == '\\');
}

static bool any(lanes v)
{
    uint64_t halves[2];

    memcpy(halves, &v, sizeof(v));
    return (halves[0] | halves[1]) != 0;
}

static void add_escape(struct buf *b, unsigned char c)
{
    switch (c) {
    case '"': buf_add(b, STR("\\\"")); return;
    case '\\': buf_add(b, STR("\\\\")); return;
    case '\n': buf_add(b, STR("\\n")); return;
    case '\r': buf_add(b, STR("\\r")); return;
    case '\t': buf_add(b, STR("\\t")); return;
    case '\b': buf_add(b, STR("\\b")); return;
    case '\f': buf_add(b, STR("\\f")); return;
    default: break;
    }
    buf_add(b, STR("\\u00"));
    buf_add_hex(b, &c, 1);
}

static lanes copy_lanes(char *to, const char *from)
{
    lanes v;

    memcpy(&v, from, sizeof(v));
    memcpy(to, &v, sizeof(v));
    return need_escape(v);
}

/* Eight to sixteen bytes: their first eight, and their last. */
static lanes copy_halves(char *to, const char *from, size_t n)
{
    uint64_t half[2];
    lanes v;

    memcpy(&half[0], from, sizeof(half[0]));
    memcpy(&half[1], from + n - sizeof(half[1]), sizeof(half[1]));
    memcpy(to, &half[0], sizeof(half[0]));
    memcpy(to + n - sizeof(half[1]), &half[1], sizeof(half[1]));
    memcpy(&v, half, sizeof(v));
    return need_escape(v);
}

/* The last step overlaps the one before it, instead of taking what is left
 * byte by byte. */
static lanes copy_many(char *to, const char *from, size_t n)
{
    lanes found = {0};
    size_t last = n - sizeof(found);

    for (size_t i = 0; i < last; i += sizeof(found))
        found |= copy_lanes(to + i, from + i);
    return found | copy_lanes(to + last, from + last);
}

/* Copies, and tells whether nothing in it needs an escape. */
static bool copy_plain(char *to, const char *from, size_t n)
{
    bool plain = true;

    if (n >= sizeof(lanes))
        return !any(copy_many(to, from, n));
    if (n >= sizeof(lanes) / 2)
        return !any(copy_halves(to, from, n));
    for (size_t i = 0; i < n; i++) {
        to[i] = from[i];
        plain &= !needs_escape((unsigned char)from[i]);
    }
    return plain;
}

static void add_escaped(struct buf *b, struct str s)
{
    size_t from = 0;

    buf_add_c(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (!needs_escape((unsigned char)s.p[i]))
            continue;
        buf_add(b, (struct str){s.p + from, i - from});
        add_escape(b, (unsigned char)s.p[i]);
        from = i + 1;
    }
    buf_add(b, str_skip(s, from));
    buf_add_c(b, '"');
}

/* Most text needs no escape, and is there once it was looked at. */
void buf_add_json(struct buf *b, struct str s)
{
    char *to = buf_room(b, s.n + 2);

    if (!to)
        return;
    if (!copy_plain(to + 1, s.p, s.n)) {
        add_escaped(b, s);
        return;
    }
    to[0] = to[s.n + 1] = '"';
    b->n += s.n + 2;
}
