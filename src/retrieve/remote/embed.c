/* embed.c - one request to /v1/embeddings.
 *
 * The endpoint is not trusted: the shape of its answer is checked, number by
 * number. */
#include "retrieve/remote/embed.h"

#include <math.h>

#include "base/json.h"

static void write_request(struct buf *b, const struct embedding *op)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, STR("model"));
    json_str(&w, op->model);
    json_key(&w, STR("input"));
    json_array(&w);
    for (size_t i = 0; i < op->n; i++)
        json_str(&w, op->texts[i]);
    json_end(&w, ']');
    json_end(&w, '}');
}

/* One vector, scaled to length one. */
static bool read_vector(const struct json *list, float *out, size_t size)
{
    double sum = 0;
    size_t i = 0;

    if (!list || list->type != JSON_ARRAY || list->n != size)
        return false;
    for (const struct json *v = list->first; v; v = v->next) {
        out[i] = (float)json_number(v);
        sum += (double)out[i] * (double)out[i];
        i++;
    }
    if (!(isfinite(sum) && sum > 0))
        return false;
    for (i = 0; i < size; i++)
        out[i] = (float)((double)out[i] / sqrt(sum));
    return true;
}

/* Each text has its vector, once. */
static bool read_vectors(struct arena *a, const struct json *data,
                         struct embedding *op)
{
    bool *has = arena_many(a, op->n + 1, bool);
    size_t seen = 0;

    if (!has)
        return false;
    for (const struct json *d = data->first; d; d = d->next, seen++) {
        const struct json *index = json_get(d, STR("index"));
        size_t at = index && index->type == JSON_I64 ? (size_t)index->i : seen;

        if (at >= op->n || has[at] ||
            !read_vector(json_get(d, STR("embedding")),
                         op->floats + at * op->size, op->size))
            return false;
        has[at] = true;
    }
    return seen == op->n;
}

static enum footnote_rc read_answer(struct arena *a, struct str text,
                                    struct embedding *op,
                                    struct footnote_err *err)
{
    const struct json *data, *first;
    struct json *o;

    if (json_read(a, text, &o, NULL) != FOOTNOTE_OK)
        return err_set(err, FOOTNOTE_BUSY, "the embedder: this is no JSON");
    data = json_get(o, STR("data"));
    first = data && data->type == JSON_ARRAY && data->first
                ? json_get(data->first, STR("embedding"))
                : NULL;
    if (!first || first->type != JSON_ARRAY || first->n == 0 ||
        first->n > EMBED_FLOATS_MAX)
        return err_set(err, FOOTNOTE_BUSY, "the embedder: there is no vector");
    op->size = first->n;
    op->floats = arena_many(a, op->n * op->size, float);
    TRY(arena_rc(a, err));
    if (!read_vectors(a, data, op))
        return err_set(err, FOOTNOTE_BUSY, "the embedder: not what was asked");
    if (op->want && op->size != op->want)
        return err_set(err, FOOTNOTE_BUSY,
                       "the embedder: vectors of %zu numbers, not %zu",
                       op->size, op->want);
    return FOOTNOTE_OK;
}

static enum footnote_rc ask(struct endpoint *e, struct arena *a,
                            struct endpoint_call *call, struct embedding *op,
                            struct footnote_err *err)
{
    AUTO(buf_free) struct buf request = BUF(ENDPOINT_BYTES_MAX);

    write_request(&request, op);
    TRY(buf_rc(&request, err));
    call->body = buf_str(&request);
    TRY(endpoint_post(e, call, err));
    return read_answer(a, buf_str(call->answer), op, err);
}

enum footnote_rc embed(struct endpoint *e, struct arena *a,
                       struct embedding *op, struct footnote_err *err)
{
    AUTO(buf_free) struct buf answer = BUF(ENDPOINT_BYTES_MAX);
    struct endpoint_call call = {
        .lane = op->lane, .timeout_ms = op->timeout_ms, .answer = &answer};
    struct footnote_err why = {.text = ""};
    enum footnote_rc rc;

    op->size = op->want;
    op->floats = NULL;
    rc = ask(e, a, &call, op, &why);
    op->refused =
        endpoint_refused(&call) ||
        (call.status == 200 && rc != FOOTNOTE_OK && op->size == op->want);
    endpoint_ended(e, &call, rc == FOOTNOTE_OK ? NULL : &why, op->refused);
    return rc == FOOTNOTE_OK ? rc : err_set(err, rc, "%s", why.text);
}
