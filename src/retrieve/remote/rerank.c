/* rerank.c - one request to /v1/rerank.
 *
 * The endpoint is not trusted: each text must have its score, once, and a
 * number.  All of them are asked for (top_n), so what it leaves out is an
 * answer that makes no sense. */
#include "retrieve/remote/rerank.h"

#include <math.h>

#include "base/json.h"

static void write_request(struct buf *b, const struct reranking *op)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    if (op->model.n) {
        json_key(&w, STR("model"));
        json_str(&w, op->model);
    }
    json_key(&w, STR("query"));
    json_str(&w, op->query);
    json_key(&w, STR("documents"));
    json_array(&w);
    for (size_t i = 0; i < op->n; i++)
        json_str(&w, op->texts[i]);
    json_end(&w, ']');
    json_key(&w, STR("top_n"));
    json_i64(&w, (int64_t)op->n);
    json_key(&w, STR("return_documents"));
    json_bool(&w, false);
    json_end(&w, '}');
}

static bool read_scores(struct arena *a, const struct json *list,
                        struct reranking *op)
{
    bool *has = arena_many(a, op->n + 1, bool);
    size_t seen = 0;

    if (!has || !list || list->type != JSON_ARRAY)
        return false;
    for (const struct json *r = list->first; r; r = r->next, seen++) {
        const struct json *index = json_get(r, STR("index"));
        const struct json *score = json_get(r, STR("relevance_score"));
        double value = json_number(score ? score : json_get(r, STR("score")));

        if (!index || index->type != JSON_I64 || index->i < 0 ||
            (uint64_t)index->i >= op->n || has[index->i] || !isfinite(value))
            return false;
        has[index->i] = true;
        op->scores[index->i] = value;
    }
    return seen == op->n;
}

/* TEI has the list alone. */
static enum footnote_rc read_answer(struct arena *a, struct str text,
                                    struct reranking *op,
                                    struct footnote_err *err)
{
    struct json *o;

    if (json_read(a, text, &o, NULL) != FOOTNOTE_OK)
        return err_set(err, FOOTNOTE_BUSY, "the reranker: this is no JSON");
    op->scores = arena_many(a, op->n + 1, double);
    TRY(arena_rc(a, err));
    if (!read_scores(a, o->type == JSON_ARRAY ? o : json_get(o, STR("results")),
                     op))
        return err_set(err, FOOTNOTE_BUSY, "the reranker: not what was asked");
    return FOOTNOTE_OK;
}

static enum footnote_rc ask(struct endpoint *e, struct arena *a,
                            struct endpoint_call *call, struct reranking *op,
                            struct footnote_err *err)
{
    AUTO(buf_free) struct buf request = BUF(ENDPOINT_BYTES_MAX);

    write_request(&request, op);
    TRY(buf_rc(&request, err));
    call->body = buf_str(&request);
    TRY(endpoint_post(e, call, err));
    return read_answer(a, buf_str(call->answer), op, err);
}

enum footnote_rc rerank(struct endpoint *e, struct arena *a,
                        struct reranking *op, struct footnote_err *err)
{
    AUTO(buf_free) struct buf answer = BUF(ENDPOINT_BYTES_MAX);
    struct endpoint_call call = {.lane = ENDPOINT_QUESTIONS,
                                 .timeout_ms = op->timeout_ms,
                                 .answer = &answer};
    struct footnote_err why = {.text = ""};
    enum footnote_rc rc = ask(e, a, &call, op, &why);

    endpoint_ended(e, &call, rc == FOOTNOTE_OK ? NULL : &why, false);
    return rc == FOOTNOTE_OK ? rc : err_set(err, rc, "%s", why.text);
}
