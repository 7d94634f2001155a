/* endpoint.c - one server over HTTP: its connections, failures and counters. */
#include "retrieve/remote/endpoint.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"

enum {
    HEADER_BYTES_MAX = 64 * 1024,
    CONNECT_MS = 1000,
    IDLE_MAX = 4, /* handles that keep their connection */
    QUESTIONS_PAUSE_MS = 5 * 1000,
    QUESTIONS_PAUSE_MAX_MS = 60 * 1000,
    PASSAGES_PAUSE_MS = 2 * 1000,
    PASSAGES_PAUSE_MAX_MS = 5 * 60 * 1000,
    RETRY_AFTER_MAX_MS = 60 * 60 * 1000
};

struct lane {
    struct endpoint_counts counts;
    int64_t paused_until_ms; /* monotonic */
    unsigned failures;       /* since the last success */
};

struct endpoint {
    const char *what;
    char *url, *key;
    bool direct; /* no proxy: it is on this machine */
    atomic_bool stop;
    pthread_mutex_t lock; /* of all that follows */
    CURL *idle[IDLE_MAX];
    size_t idle_n;
    struct lane lanes[ENDPOINT_LANES];
    int64_t answered_ms, failed_ms;
    char cause[ENDPOINT_CAUSE_BYTES];
};

/* ---- Connections --------------------------------------------------------- */

static void init_curl(void)
{
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
}

static CURL *take_handle(struct endpoint *e)
{
    CURL *c = NULL;

    pthread_mutex_lock(&e->lock);
    if (e->idle_n)
        c = e->idle[--e->idle_n];
    pthread_mutex_unlock(&e->lock);
    return c ? c : curl_easy_init();
}

static void give_handle(struct endpoint *e, CURL *c)
{
    curl_easy_reset(c); /* connections stay */
    pthread_mutex_lock(&e->lock);
    if (e->idle_n < IDLE_MAX) {
        e->idle[e->idle_n++] = c;
        c = NULL;
    }
    pthread_mutex_unlock(&e->lock);
    curl_easy_cleanup(c);
}

static void free_list(struct curl_slist **l)
{
    curl_slist_free_all(*l);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t on_bytes(char *p, size_t size, size_t n, void *arg)
{
    struct buf *b = arg;

    buf_add(b, (struct str){p, size * n});
    return b->broken == FOOTNOTE_OK ? size * n : 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static int on_progress(void *arg, curl_off_t down, curl_off_t down_now,
                       curl_off_t up, curl_off_t up_now)
{
    const struct endpoint *e = arg;

    (void)down, (void)down_now, (void)up, (void)up_now;
    return atomic_load(&e->stop);
}

/* ---- One request --------------------------------------------------------- */

static CURLcode set_options(CURL *c, struct endpoint *e,
                            const struct endpoint_call *call,
                            struct curl_slist *headers)
{
    CURLcode rc = curl_easy_setopt(c, CURLOPT_URL, e->url);

#define SET(option, value)                                                     \
    rc = rc == CURLE_OK ? curl_easy_setopt(c, option, value) : rc
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    SET(CURLOPT_TIMEOUT_MS, (long)call->timeout_ms);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_USERAGENT, "footnote");
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_POSTFIELDS, call->body.p);
    SET(CURLOPT_POSTFIELDSIZE, (long)call->body.n);
    SET(CURLOPT_WRITEFUNCTION, on_bytes);
    SET(CURLOPT_WRITEDATA, call->answer);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, on_progress);
    SET(CURLOPT_XFERINFODATA, e);
    if (e->direct)
        SET(CURLOPT_PROXY, "");
#undef SET
    return rc;
}

static struct curl_slist *make_headers(const struct endpoint *e)
{
    struct curl_slist *l =
        curl_slist_append(NULL, "Content-Type: application/json");
    AUTO(buf_free) struct buf b = BUF(HEADER_BYTES_MAX);
    struct curl_slist *more;

    if (!l || !e->key)
        return l;
    buf_printf(&b, "Authorization: Bearer %s", e->key);
    buf_add_c(&b, '\0');
    more = b.broken == FOOTNOTE_OK ? curl_slist_append(l, buf_str(&b).p) : NULL;
    if (!more)
        curl_slist_free_all(l);
    return more;
}

static enum footnote_rc transfer(struct endpoint *e, CURL *c,
                                 struct endpoint_call *call,
                                 struct footnote_err *err)
{
    AUTO(free_list) struct curl_slist *headers = make_headers(e);
    curl_off_t wait = 0;
    long status = 0;
    CURLcode rc;

    if (!headers)
        return err_set(err, FOOTNOTE_NOMEM, "%s: headers", e->what);
    rc = set_options(c, e, call, headers);
    if (rc == CURLE_OK)
        rc = curl_easy_perform(c);
    TRY(buf_rc(call->answer, err));
    if (rc != CURLE_OK)
        return err_set(err, FOOTNOTE_BUSY, "%s: %s", e->what,
                       curl_easy_strerror(rc));
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(c, CURLINFO_RETRY_AFTER, &wait);
    call->status = (int)status;
    if (wait > 0)
        call->retry_ms =
            wait < RETRY_AFTER_MAX_MS / 1000 ? wait * 1000 : RETRY_AFTER_MAX_MS;
    if (status != 200)
        return err_set(err, FOOTNOTE_BUSY, "%s: HTTP %ld", e->what, status);
    return FOOTNOTE_OK;
}

enum footnote_rc endpoint_post(struct endpoint *e, struct endpoint_call *call,
                               struct footnote_err *err)
{
    enum footnote_rc rc;
    CURL *c = take_handle(e);

    call->status = 0;
    call->retry_ms = 0;
    call->began_ms = clock_mono_ms();
    if (!c)
        return err_set(err, FOOTNOTE_NOMEM, "%s: libcurl", e->what);
    rc = transfer(e, c, call, err);
    give_handle(e, c);
    return rc;
}

/* ---- How it ended -------------------------------------------------------- */

bool endpoint_refused(const struct endpoint_call *c)
{
    return c->status == 400 || c->status == 413 || c->status == 422;
}

static int64_t pause_of(const struct lane *l, enum endpoint_lane lane)
{
    bool questions = lane == ENDPOINT_QUESTIONS;
    int64_t ms = questions ? QUESTIONS_PAUSE_MS : PASSAGES_PAUSE_MS;
    int64_t most = questions ? QUESTIONS_PAUSE_MAX_MS : PASSAGES_PAUSE_MAX_MS;

    for (unsigned i = 1; i < l->failures && ms < most; i++)
        ms *= 2;
    return ms < most ? ms : most;
}

static bool is_failing(const struct endpoint *e)
{
    bool failing = false;

    for (size_t i = 0; i < ENDPOINT_LANES; i++)
        failing |= e->lanes[i].failures > 0;
    return failing;
}

/* The caller holds the lock. */
static void note_failure(struct endpoint *e, const struct endpoint_call *call,
                         const struct footnote_err *why, bool no_pause)
{
    struct lane *l = &e->lanes[call->lane];
    int64_t wait;

    l->counts.failures++;
    e->failed_ms = clock_wall_ms();
    snprintf(e->cause, sizeof(e->cause), "%s", why->text);
    if (no_pause)
        return;
    l->failures++;
    wait = pause_of(l, call->lane);
    if (call->retry_ms > wait)
        wait = call->retry_ms;
    l->paused_until_ms = clock_mono_ms() + wait;
}

void endpoint_ended(struct endpoint *e, const struct endpoint_call *call,
                    const struct footnote_err *why, bool no_pause)
{
    struct lane *l = &e->lanes[call->lane];
    bool was, is;

    if (atomic_load(&e->stop))
        return; /* we broke it off */
    pthread_mutex_lock(&e->lock);
    was = is_failing(e);
    l->counts.requests++;
    l->counts.ms += clock_mono_ms() - call->began_ms;
    if (why) {
        note_failure(e, call, why, no_pause);
    } else {
        l->failures = 0;
        l->paused_until_ms = 0;
        e->answered_ms = clock_wall_ms();
    }
    is = is_failing(e);
    pthread_mutex_unlock(&e->lock);
    if (why && is && !was)
        log_write(LOG_WARN, "searches go on without it",
                  LOG_TEXT("error", str_c(why->text)),
                  LOG_TEXT("url", str_c(e->url)));
    else if (was && !is)
        log_write(LOG_INFO, "it answers again",
                  LOG_TEXT("server", str_c(e->what)));
}

int64_t endpoint_pause_ms(struct endpoint *e, enum endpoint_lane lane)
{
    int64_t left;

    pthread_mutex_lock(&e->lock);
    left = e->lanes[lane].paused_until_ms - clock_mono_ms();
    pthread_mutex_unlock(&e->lock);
    return left > 0 ? left : 0;
}

void endpoint_look(struct endpoint *e, struct endpoint_state *out)
{
    pthread_mutex_lock(&e->lock);
    for (size_t i = 0; i < ENDPOINT_LANES; i++)
        out->lanes[i] = e->lanes[i].counts;
    out->answered_ms = e->answered_ms;
    out->failed_ms = e->failed_ms;
    out->failing = is_failing(e);
    memcpy(out->cause, e->cause, sizeof(out->cause));
    pthread_mutex_unlock(&e->lock);
}

const char *endpoint_url(const struct endpoint *e)
{
    return e->url;
}

/* ---- Life ---------------------------------------------------------------- */

static bool ends_with(struct str s, struct str tail)
{
    return s.n >= tail.n && str_eq(str_skip(s, s.n - tail.n), tail);
}

/* A base ends in /v1, or has no path yet; what has the path stays. */
static char *full_url(const char *base, const char *path)
{
    struct str url = str_c(base), tail = str_c(path);
    struct str name = str_skip(tail, strlen("/v1"));
    char *out = NULL;

    while (url.n && url.p[url.n - 1] == '/')
        url.n--;
    if (ends_with(url, name))
        return strndup(url.p, url.n);
    if (ends_with(url, STR("/v1")))
        tail = name;
    return asprintf(&out, "%.*s%.*s", STR_ARG(url), STR_ARG(tail)) < 0 ? NULL
                                                                       : out;
}

static bool is_loopback(const char *url)
{
    static const char *const hosts[] = {"//127.", "//localhost", "//[::1]"};

    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
        if (strstr(url, hosts[i]))
            return true;
    return false;
}

enum footnote_rc endpoint_open(const char *what, const char *url,
                               const char *path, const char *key,
                               struct endpoint **out, struct footnote_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct endpoint *e = calloc(1, sizeof(*e));

    *out = NULL;
    pthread_once(&once, init_curl);
    if (!e)
        return err_set(err, FOOTNOTE_NOMEM, "%s", what);
    pthread_mutex_init(&e->lock, NULL);
    e->what = what;
    e->url = full_url(url, path);
    e->key = key ? strdup(key) : NULL;
    if (!e->url || (key && !e->key)) {
        endpoint_close(e);
        return err_set(err, FOOTNOTE_NOMEM, "%s", what);
    }
    e->direct = is_loopback(e->url);
    *out = e;
    return FOOTNOTE_OK;
}

void endpoint_stop(struct endpoint *e)
{
    atomic_store(&e->stop, true);
}

void endpoint_close(struct endpoint *e)
{
    if (!e)
        return;
    while (e->idle_n > 0)
        curl_easy_cleanup(e->idle[--e->idle_n]);
    pthread_mutex_destroy(&e->lock);
    free(e->url);
    free(e->key);
    free(e);
}
