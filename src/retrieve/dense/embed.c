/* embed.c - one request to /v1/embeddings.
 *
 * The endpoint is not trusted: its answer's size is limited and its shape
 * checked, and redirects are not followed. */
#include "retrieve/dense/embed.h"

#include <curl/curl.h>
#include <math.h>
#include <pthread.h>

#include "base/json.h"

static void free_easy(CURL **c)
{
    curl_easy_cleanup(*c);
}

static void free_list(struct curl_slist **l)
{
    curl_slist_free_all(*l);
}

static void init_curl(void)
{
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t on_bytes(char *p, size_t size, size_t n, void *arg)
{
    struct buf *b = arg;

    buf_add(b, (struct str){p, size * n});
    return b->broken == FOOTNOTE_OK ? size * n : 0;
}

/* ---- Asking ------------------------------------------------------------- */

static void write_request(struct buf *b, const struct embedder *e,
                          const struct str *texts, size_t n)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, STR("model"));
    json_str(&w, str_c(e->model));
    json_key(&w, STR("input"));
    json_array(&w);
    for (size_t i = 0; i < n; i++)
        json_str(&w, texts[i]);
    json_end(&w, ']');
    json_end(&w, '}');
}

static struct str full_url(struct arena *a, const struct embedder *e)
{
    struct str url = str_c(e->url), tail = STR("/embeddings");

    while (url.n && url.p[url.n - 1] == '/')
        url.n--;
    if (url.n >= tail.n && str_eq(str_skip(url, url.n - tail.n), tail))
        return arena_str(a, url);
    if (url.n >= 3 && str_eq(str_skip(url, url.n - 3), STR("/v1")))
        return arena_printf(a, "%.*s/embeddings", STR_ARG(url));
    return arena_printf(a, "%.*s/v1/embeddings", STR_ARG(url));
}

struct embed_request {
    struct str url, request;
    int timeout_ms;
    struct curl_slist *headers;
    struct buf *answer;
};

static CURLcode set_options(CURL *c, const struct embed_request *r)
{
    CURLcode rc = curl_easy_setopt(c, CURLOPT_URL, r->url.p);

#define SET(option, value)                                                     \
    rc = rc == CURLE_OK ? curl_easy_setopt(c, option, value) : rc
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)EMBED_CONNECT_MS);
    SET(CURLOPT_TIMEOUT_MS, (long)r->timeout_ms);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_USERAGENT, "footnote");
    SET(CURLOPT_HTTPHEADER, r->headers);
    SET(CURLOPT_POSTFIELDS, r->request.p);
    SET(CURLOPT_POSTFIELDSIZE, (long)r->request.n);
    SET(CURLOPT_WRITEFUNCTION, on_bytes);
    SET(CURLOPT_WRITEDATA, r->answer);
#undef SET
    return rc;
}

static enum footnote_rc transfer(const struct embed_request *r,
                                 struct footnote_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    AUTO(free_easy) CURL *c = NULL;
    CURLcode rc;
    long status = 0;

    pthread_once(&once, init_curl);
    c = curl_easy_init();
    if (!c)
        return err_set(err, FOOTNOTE_NOMEM, "embeddings: libcurl");
    rc = set_options(c, r);
    if (rc == CURLE_OK)
        rc = curl_easy_perform(c);
    TRY(buf_rc(r->answer, err));
    if (rc != CURLE_OK)
        return err_set(err, FOOTNOTE_BUSY, "embeddings: %s",
                       curl_easy_strerror(rc));
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200)
        return err_set(err, FOOTNOTE_BUSY, "embeddings: the endpoint says %ld",
                       status);
    return FOOTNOTE_OK;
}

static enum footnote_rc send_request(const struct embedder *e, struct arena *a,
                                     struct embed_request *c,
                                     struct footnote_err *err)
{
    AUTO(free_list)
    struct curl_slist *headers =
        curl_slist_append(NULL, "Content-Type: application/json");
    struct str key =
        e->key ? arena_printf(a, "Authorization: Bearer %s", e->key) : STR_NONE;

    if (headers && key.p) {
        struct curl_slist *more = curl_slist_append(headers, key.p);

        headers = more ? more : headers;
    }
    if (!headers)
        return err_set(err, FOOTNOTE_NOMEM, "embeddings");
    c->url = full_url(a, e);
    c->headers = headers;
    TRY(arena_rc(a, err));
    return transfer(c, err);
}

/* ---- Reading ------------------------------------------------------------ */

/* One vector, scaled to length one. */
static bool read_vector(const struct json *list, float *out, size_t size)
{
    double sum = 0;
    size_t i = 0;

    if (!list || list->type != JSON_ARRAY || list->n != size)
        return false;
    for (const struct json *v = list->first; v; v = v->next) {
        out[i] = (float)(v->type == JSON_F64   ? v->f
                         : v->type == JSON_I64 ? (double)v->i
                                               : (double)NAN);
        sum += (double)out[i] * (double)out[i];
        i++;
    }
    if (!(isfinite(sum) && sum > 0))
        return false;
    for (i = 0; i < size; i++)
        out[i] = (float)((double)out[i] / sqrt(sum));
    return true;
}

static bool read_vectors(const struct json *data, float *out, size_t n,
                         size_t size)
{
    size_t seen = 0;

    for (const struct json *d = data->first; d; d = d->next, seen++) {
        const struct json *index = json_get(d, STR("index"));
        size_t at = index && index->type == JSON_I64 ? (size_t)index->i : seen;

        if (at >= n ||
            !read_vector(json_get(d, STR("embedding")), out + at * size, size))
            return false;
    }
    return seen == n;
}

static enum footnote_rc read_answer(struct arena *a, struct str text,
                                    struct embedding *op,
                                    struct footnote_err *err)
{
    const struct json *data, *first;
    struct json *o;

    if (json_read(a, text, &o, NULL) != FOOTNOTE_OK)
        return err_set(err, FOOTNOTE_BUSY, "embeddings: this is no JSON");
    data = json_get(o, STR("data"));
    first = data && data->type == JSON_ARRAY && data->first
                ? json_get(data->first, STR("embedding"))
                : NULL;
    op->size = first && first->type == JSON_ARRAY ? first->n : 0;
    if (op->size == 0 || op->size > EMBED_FLOATS_MAX)
        return err_set(err, FOOTNOTE_BUSY, "embeddings: there is no vector");
    op->floats = arena_many(a, op->n * op->size, float);
    TRY(arena_rc(a, err));
    if (!read_vectors(data, op->floats, op->n, op->size))
        return err_set(err, FOOTNOTE_BUSY, "embeddings: not what was asked");
    return FOOTNOTE_OK;
}

enum footnote_rc embed(const struct embedder *e, struct arena *a,
                       struct embedding *op, struct footnote_err *err)
{
    AUTO(buf_free) struct buf request = BUF(EMBED_BYTES_MAX);
    AUTO(buf_free) struct buf answer = BUF(EMBED_BYTES_MAX);
    struct embed_request c = {.timeout_ms = op->timeout_ms, .answer = &answer};

    write_request(&request, e, op->texts, op->n);
    TRY(buf_rc(&request, err));
    c.request = buf_str(&request);
    TRY(send_request(e, a, &c, err));
    return read_answer(a, buf_str(&answer), op, err);
}
