/* transfer.c - one try over HTTP, by libcurl.
 *
 * The key goes to the configured address and nowhere else: redirects are not
 * followed.  The write callback only puts bytes aside; they are read when
 * libcurl has returned, because the caller that is told of them may cancel. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/call.h"

/* A word is some 200 bytes on the wire, and thousands of calls wait for one at
 * a time: small buffers, because libcurl keeps them for each. */
enum { CURL_READ_BYTES = 1024, CURL_SEND_BYTES = 16 * 1024 };

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t on_bytes(char *p, size_t size, size_t n, void *arg)
{
    struct model_call *c = arg;

    n *= size;
    if (c->state == CALL_ENDED)
        return n; /* only the connection is still needed */
    if (c->paused || c->in.n > IN_BYTES_MAX) {
        c->curl_paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    buf_add(&c->in, (struct str){p, n});
    c->progress_ms = (int64_t)uv_now(c->loop->uv);
    call_ready(c);
    if (c->in.broken == FOOTNOTE_OK)
        return n;
    failure_set(&c->completion.failure, FAILURE_NO_MEMORY,
                STR("bytes of an answer"));
    return 0;
}

/* We watch the time ourselves: each limit of libcurl's is an entry in a tree
 * that it splays with each word of any call. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static int on_connected(void *arg, char *to, char *from, int to_port,
                        int from_port)
{
    struct model_call *c = arg;

    (void)to, (void)from, (void)to_port, (void)from_port;
    c->connected = true;
    return CURL_PREREQFUNC_OK;
}

static void on_done(struct curl_transfer *t, CURLcode rc)
{
    struct model_call *c =
        (struct model_call *)(void *)((char *)t -
                                      offsetof(struct model_call, transfer));

    c->curl_done = true;
    c->result = rc;
    call_ready(c);
}

/* ---- Options ---------------------------------------------------------------
 */

/* Every handle and connection copies the paths of certificate authorities.
 * Where no certificate is ever checked, these are dropped. */
static CURLcode drop_authorities(const struct model_call *c)
{
    bool plain = str_starts(c->model->url, STR("http:"));
    CURLcode rc = CURLE_OK;

#define DROP(option)                                                           \
    rc = rc == CURLE_OK ? curl_easy_setopt(c->easy, option, NULL) : rc
    if (plain) {
        DROP(CURLOPT_CAINFO);
        DROP(CURLOPT_CAPATH);
    }
    if (c->model->direct) {
        DROP(CURLOPT_PROXY_CAINFO);
        DROP(CURLOPT_PROXY_CAPATH);
    }
#undef DROP
    return rc;
}

static CURLcode set_options(struct model_call *c)
{
    CURLcode rc = curl_easy_setopt(c->easy, CURLOPT_URL, c->model->url.p);

#define SET(option, value)                                                     \
    rc = rc == CURLE_OK ? curl_easy_setopt(c->easy, option, value) : rc
    SET(CURLOPT_PRIVATE, &c->transfer);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_PREREQFUNCTION, on_connected);
    SET(CURLOPT_PREREQDATA, c);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_BUFFERSIZE, (long)CURL_READ_BYTES);
    SET(CURLOPT_UPLOAD_BUFFERSIZE, (long)CURL_SEND_BYTES);
    SET(CURLOPT_USERAGENT, "footnote");
    SET(CURLOPT_HTTPHEADER, c->model->headers);
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_WRITEFUNCTION, on_bytes);
    SET(CURLOPT_WRITEDATA, c);
    if (c->model->direct)
        SET(CURLOPT_PROXY, "");
#undef SET
    return rc == CURLE_OK ? drop_authorities(c) : rc;
}

enum footnote_rc transfer_open(struct model_call *c, struct footnote_err *err)
{
    c->transfer.done = on_done;
    c->easy = curl_easy_init();
    if (!c->easy || set_options(c) != CURLE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "asking a model");
    return FOOTNOTE_OK;
}

/* ---- A try -----------------------------------------------------------------
 */

static void reset_try(struct model_call *c)
{
    c->curl_paused = c->curl_done = c->connected = c->any_bytes = false;
    c->kind = BODY_UNKNOWN;
    c->in_used = 0;
    buf_free(&c->in);
    buf_free(&c->document);
    sse_free(&c->sse);
    completion_free(&c->completion);
    c->in = BUF(IN_BYTES_MAX + CURL_MAX_WRITE_SIZE);
    c->document = BUF((size_t)c->limits->bytes_max + SSE_EVENT_BYTES_MAX);
    c->sse = SSE_INIT;
    c->completion = COMPLETION((size_t)c->limits->bytes_max);
}

enum footnote_rc transfer_begin(struct model_call *c, struct footnote_err *err)
{
    struct str body;

    assert(!c->attached);
    reset_try(c);
    TRY(model_request_finish(&c->request, c->tools, c->usage, err));
    body = buf_str(&c->request.text);
    if (curl_easy_setopt(c->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)body.n) != CURLE_OK ||
        curl_easy_setopt(c->easy, CURLOPT_POSTFIELDS, body.p) != CURLE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "asking a model");
    TRY(curl_loop_add(c->loop->curl, c->easy, err));
    c->attached = true;
    c->tries++;
    c->progress_ms = (int64_t)uv_now(c->loop->uv);
    return FOOTNOTE_OK;
}

void transfer_stop(struct model_call *c)
{
    if (c->attached)
        curl_loop_remove(c->loop->curl, c->easy);
    c->attached = false;
}

/* May call on_bytes() at once, with bytes that were held back. */
void transfer_resume(struct model_call *c)
{
    if (!c->curl_paused || c->curl_done || !c->attached)
        return;
    c->curl_paused = false;
    curl_easy_pause(c->easy, CURLPAUSE_CONT);
}

/* A server may answer before all of the request was sent. */
void transfer_free_request(struct model_call *c)
{
    curl_off_t sent = 0;

    curl_easy_getinfo(c->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    if ((size_t)sent >= c->request.text.n)
        buf_free(&c->request.text);
}

int transfer_status(const struct model_call *c)
{
    long status = 0;

    curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
}

int64_t transfer_retry_after(const struct model_call *c)
{
    struct curl_header *h = NULL;
    curl_off_t seconds = 0;
    int64_t ms;

    if (curl_easy_header(c->easy, "retry-after-ms", 0, CURLH_HEADER, -1, &h) ==
            CURLHE_OK &&
        str_i64(str_c(h->value), &ms) && ms >= 0)
        return ms;
    if (curl_easy_header(c->easy, "retry-after", 0, CURLH_HEADER, -1, &h) !=
        CURLHE_OK)
        return -1;
    curl_easy_getinfo(c->easy, CURLINFO_RETRY_AFTER, &seconds);
    return seconds >= 0 && seconds < INT32_MAX ? seconds * 1000 : -1;
}

void transfer_free(struct model_call *c)
{
    transfer_stop(c);
    curl_easy_cleanup(c->easy);
    c->easy = NULL;
    buf_free(&c->in);
    buf_free(&c->document);
    buf_free(&c->request.text);
    sse_free(&c->sse);
    completion_free(&c->completion);
}
