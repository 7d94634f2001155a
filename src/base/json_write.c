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

/* Sixteen bytes, which compilers turn into one register where there is one. */
typedef unsigned char lanes __attribute__((vector_size(16)));

static bool any(lanes v)
{
    uint64_t halves[2];

    memcpy(halves, &v, sizeof(v));
    return (halves[0] | halves[1]) != 0;
}

/* How many bytes from p on need no escape. */
static size_t plain_run(const char *p, size_t n)
{
    size_t i = 0;

    for (lanes v; n - i >= sizeof(v); i += sizeof(v)) {
        memcpy(&v, p + i, sizeof(v));
        if (any((lanes)(v < 0x20) | (lanes)(v == '"') | (lanes)(v == '\\')))
            break;
    }
    while (i < n && (unsigned char)p[i] >= 0x20 && p[i] != '"' && p[i] != '\\')
        i++;
    return i;
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

/* Most text needs no escape, and goes out in one step. */
static void add_plain(struct buf *b, struct str s)
{
    char *to = buf_room(b, s.n + 2);

    if (!to)
        return;
    to[0] = '"';
    if (s.n)
        memcpy(to + 1, s.p, s.n);
    to[s.n + 1] = '"';
    b->n += s.n + 2;
}

void buf_add_json(struct buf *b, struct str s)
{
    size_t plain = plain_run(s.p, s.n);

    if (plain == s.n) {
        add_plain(b, s);
        return;
    }
    buf_add_c(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        plain = plain_run(s.p + i, s.n - i);
        buf_add(b, (struct str){s.p + i, plain});
        i += plain;
        if (i < s.n)
            add_escape(b, (unsigned char)s.p[i]);
    }
    buf_add_c(b, '"');
}
