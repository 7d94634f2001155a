/* reach.c - whether a model's server is there.
 *
 * Every server with OpenAI's API lists its models, and no question is paid for.
 * A wrong path, as one without /v1, answers 404. */
#include <curl/curl.h>
#include <stdio.h>

#include "base/buf.h"
#include "model/model.h"

enum { URL_BYTES_MAX = 2048 };

#define CHAT   "/chat/completions"
#define MODELS "/models"

struct str model_cause(const char *cause, int status,
                       char out[MODEL_CAUSE_BYTES])
{
    if (cause)
        snprintf(out, MODEL_CAUSE_BYTES, "%s", cause);
    else if (status >= 300)
        snprintf(out, MODEL_CAUSE_BYTES, "HTTP %d", status);
    else
        snprintf(out, MODEL_CAUSE_BYTES, "its answer makes no sense");
    return str_c(out);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t ignore(char *p, size_t size, size_t n, void *arg)
{
    (void)p;
    (void)arg;
    return size * n;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static int stops(void *arg, curl_off_t down, curl_off_t down_now, curl_off_t up,
                 curl_off_t up_now)
{
    const atomic_bool *stop = arg;

    (void)down, (void)down_now, (void)up, (void)up_now;
    return atomic_load(stop);
}

static CURLcode ask(CURL *easy, const struct model *m, const char *url,
                    int64_t wait_ms, const atomic_bool *stop)
{
    CURLcode rc = curl_easy_setopt(easy, CURLOPT_URL, url);

#define SET(option, value)                                                     \
    rc = rc == CURLE_OK ? curl_easy_setopt(easy, option, value) : rc
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TIMEOUT_MS, (long)wait_ms);
    SET(CURLOPT_USERAGENT, "footnote");
    SET(CURLOPT_HTTPHEADER, m->headers);
    SET(CURLOPT_WRITEFUNCTION, ignore);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, stops);
    SET(CURLOPT_XFERINFODATA, (void *)(uintptr_t)stop);
    if (m->direct)
        SET(CURLOPT_PROXY, "");
#undef SET
    return rc == CURLE_OK ? curl_easy_perform(easy) : rc;
}

void model_reach(const struct model *m, int64_t wait_ms,
                 const atomic_bool *stop, struct model_reach *out)
{
    AUTO(buf_free) struct buf url = BUF(URL_BYTES_MAX);
    struct str base = m->url;
    CURL *easy = curl_easy_init();
    CURLcode rc = CURLE_OUT_OF_MEMORY;
    long status = 0;

    base.n -= strlen(CHAT);
    buf_add(&url, base);
    buf_add(&url, STR(MODELS));
    buf_add_c(&url, '\0');
    if (easy && !url.broken)
        rc = ask(easy, m, url.p, wait_ms, stop);
    if (rc == CURLE_OK)
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(easy);
    *out = (struct model_reach){
        .ok = rc == CURLE_OK && status >= 200 && status < 300,
        .cause = rc == CURLE_OK ? NULL : curl_easy_strerror(rc),
        .status = (int)status};
}
