/* json_edit.c - writes JSON with one value changed. */
#include "json_edit.h"

#include "test.h"

enum { TEXT_BYTES_MAX = 8 * 1024 * 1024 };

const char *const edit_values[] = {"null",
                                   "true",
                                   "-1",
                                   "0",
                                   "1.5",
                                   "1e308",
                                   "9223372036854775807",
                                   "\"\"",
                                   "\"x\"",
                                   "\"\\u0000\"",
                                   "\"\\ud83d\\ude00\"",
                                   "[]",
                                   "[null]",
                                   "[[[]]]",
                                   "{}",
                                   "{\"a\":1}"};
const size_t edit_values_n = sizeof(edit_values) / sizeof(edit_values[0]);

void edit_write(struct buf *b, const struct json *v, struct edit *e)
{
    bool object = v->type == JSON_OBJECT, here = e->seen++ == e->at;
    char before = object ? '{' : '[';

    if (here && e->change == REPLACE) {
        buf_add(b, e->with);
        return;
    }
    if (!object && v->type != JSON_ARRAY) {
        buf_add(b, v->raw);
        return;
    }
    for (const struct json *m = v->first; m; m = m->next) {
        if (e->change == LEAVE_OUT && e->seen == e->at) {
            e->seen++;
            continue;
        }
        buf_add_c(b, before);
        before = ',';
        if (object) {
            buf_add_json(b, m->key);
            buf_add_c(b, ':');
        }
        edit_write(b, m, e);
    }
    if (here && e->change == ADD_MEMBER && object) {
        buf_add_c(b, before);
        buf_add(b, e->with);
        before = ',';
    }
    if (before != ',')
        buf_add_c(b, before);
    buf_add_c(b, object ? '}' : ']');
}

size_t edit_count(const struct json *v)
{
    struct edit e = {.at = SIZE_MAX};
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);

    edit_write(&b, v, &e);
    CHECK_INT(buf_rc(&b, NULL), FOOTNOTE_OK);
    return e.seen;
}
