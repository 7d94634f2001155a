/* strings.c - lists as they are stored, or given to a statement: JSON arrays.
 */
#include "store/strings.h"
#include "base/json.h"
#include "store/store.h"

enum { LIST_BYTES_MAX = 8 * 1024 * 1024 };

enum footnote_rc strings_pack(struct tx *tx, const struct str *s, size_t n,
                              struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(LIST_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    *out = STR_NONE;
    if (n == 0)
        return FOOTNOTE_OK;
    json_array(&w);
    for (size_t i = 0; i < n; i++)
        json_str(&w, s[i]);
    json_end(&w, ']');
    TRY(buf_rc(&b, err));
    *out = arena_str(tx->scratch, buf_str(&b));
    return arena_rc(tx->scratch, err);
}

enum footnote_rc strings_unpack(struct arena *a, struct str text,
                                const struct str **out, size_t *n,
                                struct footnote_err *err)
{
    struct json *list;
    struct str *s;

    *out = NULL;
    *n = 0;
    if (!text.p)
        return FOOTNOTE_OK;
    text = arena_str(a, text);
    TRY(arena_rc(a, err));
    TRY(json_read(a, text, &list, err));
    if (list->type != JSON_ARRAY)
        return err_set(err, FOOTNOTE_DAMAGED, "a list of strings is none");
    s = arena_many(a, list->n + 1, struct str);
    if (!s)
        return arena_rc(a, err);
    for (struct json *v = list->first; v; v = v->next)
        s[(*n)++] = v->type == JSON_STR ? v->s : v->raw;
    *out = s;
    return FOOTNOTE_OK;
}

enum footnote_rc keys_pack(struct arena *a, const int64_t *keys, size_t n,
                           struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(LIST_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_array(&w);
    for (size_t i = 0; i < n; i++)
        json_i64(&w, keys[i]);
    json_end(&w, ']');
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    return arena_rc(a, err);
}
