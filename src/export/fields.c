/* fields.c - members of a JSON object, each with the comma before it. */
#include "export/fields.h"

#include "base/json.h"
#include "http/shape/shape.h"

void field_name(struct buf *b, struct str key)
{
    buf_add(b, STR(",\""));
    buf_add(b, key);
    buf_add(b, STR("\":"));
}

void field_text(struct buf *b, struct str key, struct str value)
{
    if (!value.p)
        return;
    field_name(b, key);
    buf_add_json(b, value);
}

void field_number(struct buf *b, struct str key, bool has, int64_t value)
{
    if (!has)
        return;
    field_name(b, key);
    buf_add_i64(b, value);
}

void field_flag(struct buf *b, struct str key, bool has, bool value)
{
    if (!has)
        return;
    field_name(b, key);
    shape_flag(b, true, value);
}

void field_time(struct buf *b, struct str key, int64_t ms)
{
    field_name(b, key);
    shape_time(b, ms);
}

void field_texts(struct buf *b, struct str key, const struct str *s, size_t n)
{
    if (n == 0)
        return;
    field_name(b, key);
    shape_strings(b, s, n);
}
