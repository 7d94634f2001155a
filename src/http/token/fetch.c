/* fetch.c - a small document from a URL that the operator gave. */
#include "http/token/fetch.h"

#include <curl/curl.h>
#include <pthread.h>

#include "base/buf.h"
#include "http/core/net.h"

static bool setup_ok;

static void setup(void)
{
    setup_ok = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static void free_easy(CURL **c)
{
    curl_easy_cleanup(*c);
}
static void free_url(CURLU **u)
{
    curl_url_cleanup(*u);
}
static void free_list(struct curl_slist **l)
{
    curl_slist_free_all(*l);
}
static void free_text(char **s)
{
    curl_free(*s);
}

/* Only "localhost" and loopback addresses are certain to be this machine. */
static enum footnote_rc check_url(CURLU *u, struct str url,
                                  struct footnote_err *err)
{
    AUTO(free_text) char *host = NULL;

    if (curl_url_set(u, CURLUPART_URL, url.p, CURLU_DISALLOW_USER) != CURLUE_OK)
        return err_set(err, FOOTNOTE_INVALID, "this is no URL");
    if (str_starts(url, STR("https://")))
        return FOOTNOTE_OK;
    if (curl_url_get(u, CURLUPART_HOST, &host, 0) != CURLUE_OK)
        return err_set(err, FOOTNOTE_INVALID, "the URL has no host");
    if (!net_is_loopback_name(str_c(host)))
        return err_set(err, FOOTNOTE_INVALID,
                       "http is taken from this machine only, use https");
    return FOOTNOTE_OK;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t on_bytes(char *p, size_t size, size_t n, void *arg)
{
    struct buf *b = arg;

    buf_add(b, (struct str){p, size * n});
    return b->broken == FOOTNOTE_OK ? size * n : 0;
}

static CURLcode set_options(CURL *c, CURLU *u, const struct curl_slist *lines,
                            const struct fetch *f, struct buf *b)
{
    CURLcode rc = curl_easy_setopt(c, CURLOPT_CURLU, u);

#define SET(option, value)                                                     \
    rc = rc == CURLE_OK ? curl_easy_setopt(c, option, value) : rc
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)FETCH_CONNECT_MS);
    SET(CURLOPT_TIMEOUT_MS, (long)FETCH_TIMEOUT_MS);
    SET(CURLOPT_MAXFILESIZE, (long)FETCH_BYTES_MAX);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_USERAGENT, "footnote");
    SET(CURLOPT_WRITEFUNCTION, on_bytes);
    SET(CURLOPT_WRITEDATA, b);
    SET(CURLOPT_HTTPHEADER, lines);
    if (f->form.p) {
        SET(CURLOPT_POSTFIELDSIZE, (long)f->form.n);
        SET(CURLOPT_POSTFIELDS, f->form.p);
    }
#undef SET
    return rc;
}

/* OK with any status. */
static enum footnote_rc transfer(CURL *c, struct buf *b, long *status,
                                 struct footnote_err *err)
{
    CURLcode rc = curl_easy_perform(c);

    TRY(buf_rc(b, err));
    if (rc == CURLE_OUT_OF_MEMORY)
        return err_set(err, FOOTNOTE_NOMEM, "reading a URL");
    if (rc != CURLE_OK)
        return err_set(err, FOOTNOTE_BUSY, "%s", curl_easy_strerror(rc));
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, status);
    return FOOTNOTE_OK;
}

/* An Authorization that libcurl makes itself could be sent elsewhere; a line is
 * sent with this request alone. */
static enum footnote_rc add_lines(const struct fetch *f,
                                  struct curl_slist **lines,
                                  struct footnote_err *err)
{
    struct curl_slist *more;

    if (!f->authorization)
        return FOOTNOTE_OK;
    more = curl_slist_append(*lines, f->authorization);
    if (!more)
        return err_set(err, FOOTNOTE_NOMEM, "reading a URL");
    *lines = more;
    return FOOTNOTE_OK;
}

enum footnote_rc fetch_text(const struct fetch *f, struct str *out,
                            struct footnote_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    AUTO(free_easy) CURL *c = NULL;
    AUTO(free_url) CURLU *u = NULL;
    AUTO(free_list) struct curl_slist *lines = NULL;
    AUTO(buf_free) struct buf b = BUF(FETCH_BYTES_MAX);
    long status = 0;

    *out = STR_NONE;
    pthread_once(&once, setup);
    if (!setup_ok)
        return err_set(err, FOOTNOTE_NOMEM, "libcurl does not start");
    c = curl_easy_init();
    u = curl_url();
    if (!c || !u)
        return err_set(err, FOOTNOTE_NOMEM, "reading a URL");
    TRY(check_url(u, f->url, err));
    TRY(add_lines(f, &lines, err));
    if (set_options(c, u, lines, f, &b) != CURLE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "reading a URL");
    TRY(transfer(c, &b, &status, err));
    if (status >= 400 && status < 500 && f->form.p)
        return err_set(err, FOOTNOTE_INVALID, "the URL answers %ld", status);
    if (status != 200)
        return err_set(err, FOOTNOTE_BUSY, "the URL answers %ld", status);
    return buf_take(&b, out, err);
}
