/* jwks_fetch.c - a small document from a URL that the operator gave.
 *
 * The answer decides who is let in, so its sender must be certain: TLS is
 * verified, redirects are not followed, and without TLS only this machine is
 * asked. */
#include <curl/curl.h>
#include <pthread.h>

#include "base/buf.h"
#include "http/auth/jwks.h"
#include "http/core/net.h"

static bool setup_ok;

static void setup(void)
{
    setup_ok = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool jwks_is_url(struct str set)
{
    return str_starts(set, STR("https://")) || str_starts(set, STR("http://"));
}

static void free_easy(CURL **c)
{
    curl_easy_cleanup(*c);
}
static void free_url(CURLU **u)
{
    curl_url_cleanup(*u);
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
        return err_set(err, FOOTNOTE_INVALID, "jwks: this is no URL");
    if (str_starts(url, STR("https://")))
        return FOOTNOTE_OK;
    if (curl_url_get(u, CURLUPART_HOST, &host, 0) != CURLUE_OK)
        return err_set(err, FOOTNOTE_INVALID, "jwks: the URL has no host");
    if (!net_is_loopback_name(str_c(host)))
        return err_set(err, FOOTNOTE_INVALID,
                       "jwks: http is taken from this machine only, use https");
    return FOOTNOTE_OK;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t on_bytes(char *p, size_t size, size_t n, void *arg)
{
    struct buf *b = arg;

    buf_add(b, (struct str){p, size * n});
    return b->broken == FOOTNOTE_OK ? size * n : 0;
}

static CURLcode set_options(CURL *c, CURLU *u, struct buf *b)
{
    CURLcode rc = curl_easy_setopt(c, CURLOPT_CURLU, u);

#define SET(option, value)                                                     \
    rc = rc == CURLE_OK ? curl_easy_setopt(c, option, value) : rc
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)JWKS_CONNECT_MS);
    SET(CURLOPT_TIMEOUT_MS, (long)JWKS_TIMEOUT_MS);
    SET(CURLOPT_MAXFILESIZE, (long)JWKS_BYTES_MAX);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_USERAGENT, "footnote");
    SET(CURLOPT_WRITEFUNCTION, on_bytes);
    SET(CURLOPT_WRITEDATA, b);
#undef SET
    return rc;
}

static enum footnote_rc transfer(CURL *c, CURLU *u, struct buf *b,
                                 struct footnote_err *err)
{
    CURLcode rc = set_options(c, u, b);
    long status = 0;

    if (rc == CURLE_OK)
        rc = curl_easy_perform(c);
    TRY(buf_rc(b, err));
    if (rc == CURLE_OUT_OF_MEMORY)
        return err_set(err, FOOTNOTE_NOMEM, "jwks: reading the URL");
    if (rc != CURLE_OK)
        return err_set(err, FOOTNOTE_BUSY, "jwks: %s", curl_easy_strerror(rc));
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200)
        return err_set(err, FOOTNOTE_BUSY, "jwks: the URL answers %ld", status);
    return FOOTNOTE_OK;
}

enum footnote_rc jwks_fetch(struct str url, struct str *out,
                            struct footnote_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    AUTO(free_easy) CURL *c = NULL;
    AUTO(free_url) CURLU *u = NULL;
    AUTO(buf_free) struct buf b = BUF(JWKS_BYTES_MAX);

    *out = STR_NONE;
    pthread_once(&once, setup);
    if (!setup_ok)
        return err_set(err, FOOTNOTE_NOMEM, "jwks: libcurl does not start");
    c = curl_easy_init();
    u = curl_url();
    if (!c || !u)
        return err_set(err, FOOTNOTE_NOMEM, "jwks: reading the URL");
    TRY(check_url(u, url, err));
    TRY(transfer(c, u, &b, err));
    return buf_take(&b, out, err);
}
