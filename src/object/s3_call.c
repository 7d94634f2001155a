/* s3_call.c - one request: signed, sent, tried again, checked.
 *
 *     sign -> send -> 2xx, whole, with its digest       OK
 *      ^        \--> away, silent, 429, 5xx, cut off, short, wrong: wait, again
 *      \---------------/          any other status: what the bucket says
 *
 * Every try is signed again, because a signature includes the time.  Redirects
 * are not followed: the signature is for one host, and a bucket that redirects
 * us is configured wrongly or not ours. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/clock.h"
#include "base/uuid.h"
#include "object/s3.h"

enum {
    ERROR_BYTES_MAX = 64 * 1024,
    WORD_MAX = 64,
    BASE64_BYTES = 64,
    RANGE_BYTES = 80
};

static const char empty_hex[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/* One try of a call. */
struct s3_attempt {
    struct s3_call *call;
    CURL *curl;
    struct curl_slist *headers;
    struct sha256_ctx *hasher;
    int64_t sent, received;
    int failed;              /* errno of the file */
    struct buf refusal;      /* body of an answer that is not 2xx */
    char range[RANGE_BYTES]; /* Content-Range of the answer, or "" */
    char error[CURL_ERROR_SIZE];
};

/* ---- Connections -------------------------------------------------------- */

static void curl_give(struct s3 *s, CURL *c)
{
    if (!c)
        return;
    curl_easy_reset(c); /* keeps its connections */
    pthread_mutex_lock(&s->lock);
    if (s->idle_n < S3_IDLE_MAX) {
        s->idle[s->idle_n++] = c;
        c = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    if (c)
        curl_easy_cleanup(c);
}

void s3_idle_close(struct s3 *s)
{
    while (s->idle_n)
        curl_easy_cleanup(s->idle[--s->idle_n]);
}

/* ---- Bytes -------------------------------------------------------------- */

static size_t send_body(char *to, size_t size, size_t n, void *arg)
{
    struct s3_attempt *t = arg;
    ssize_t got;

    do
        got = pread(t->call->from, to, size * n, t->sent);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        t->failed = errno;
        return CURL_READFUNC_ABORT;
    }
    t->sent += got;
    return (size_t)got;
}

static int rewind_body(void *arg, curl_off_t offset, int origin)
{
    struct s3_attempt *t = arg;

    if (origin != SEEK_SET)
        return CURL_SEEKFUNC_CANTSEEK;
    t->sent = offset;
    return CURL_SEEKFUNC_OK;
}

static bool write_body(struct s3_attempt *t, struct str bytes)
{
    sha256_add(t->hasher, bytes);
    while (bytes.n) {
        ssize_t n = pwrite(t->call->to, bytes.p, bytes.n, t->received);

        if (n < 0 && errno != EINTR) {
            t->failed = errno;
            return false;
        }
        if (n > 0) {
            t->received += n;
            bytes = str_skip(bytes, (size_t)n);
        }
    }
    return true;
}

static long status_of(const struct s3_attempt *t)
{
    long status = 0;

    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* The length of the body that should come. */
static int64_t expected_bytes(const struct s3_call *c)
{
    return c->part_bytes ? c->part_bytes : c->wanted->bytes;
}

/* A body that is too long is wrong, and not written. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t receive_body(char *from, size_t size, size_t n, void *arg)
{
    struct s3_attempt *t = arg;
    struct str bytes = {from, size * n};
    struct s3_call *c = t->call;

    if (status_of(t) / 100 != 2) {
        buf_add(&t->refusal, bytes); /* the rest of a long one is dropped */
        return bytes.n;
    }
    if (c->text) {
        buf_add(c->text, bytes);
        return c->text->broken ? 0 : bytes.n;
    }
    if (!c->wanted)
        return bytes.n;
    if (t->received + (int64_t)bytes.n > expected_bytes(c)) {
        t->received += (int64_t)bytes.n;
        return 0;
    }
    return write_body(t, bytes) ? bytes.n : 0;
}

/* Copies the trimmed value of a header, if it has this name. */
static void copy_header(struct str line, struct str name, char *out,
                        size_t out_bytes)
{
    size_t n = 0;

    if (line.n < name.n || strncasecmp(line.p, name.p, name.n) != 0)
        return;
    line = str_skip(line, name.n);
    while (line.n && (unsigned char)line.p[0] <= ' ')
        line = str_skip(line, 1);
    while (line.n && (unsigned char)line.p[line.n - 1] <= ' ')
        line.n--;
    for (; n < line.n && n + 1 < out_bytes; n++)
        out[n] = line.p[n];
    out[n] = '\0';
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t receive_header(char *line, size_t size, size_t n, void *arg)
{
    struct s3_attempt *t = arg;
    struct str whole = {line, size * n};

    copy_header(whole, STR("x-amz-checksum-sha256:"), t->call->checksum,
                sizeof(t->call->checksum));
    copy_header(whole, STR("content-range:"), t->range, sizeof(t->range));
    return whole.n;
}

/* ---- Signing ------------------------------------------------------------ */

static struct str checksum(const struct object *o, struct buf *b)
{
    buf_add_base64(b, (struct str){(const char *)o->digest.b, SHA256_BYTES});
    return buf_str(b);
}

static bool add_header(struct s3_attempt *t, struct str name, struct str value)
{
    AUTO(buf_free) struct buf b = BUF(S3_URL_BYTES_MAX);
    struct curl_slist *more;

    buf_printf(&b, "%.*s: %.*s", STR_ARG(name), STR_ARG(value));
    buf_add_c(&b, '\0');
    if (buf_rc(&b, NULL) != FOOTNOTE_OK)
        return false;
    more = curl_slist_append(t->headers, b.p);
    if (!more)
        return false;
    t->headers = more;
    return true;
}

/* "bytes=0-99", or "bytes 0-99" as the answer has it. */
static void range_text(const struct s3_call *c, const char *unit,
                       char out[RANGE_BYTES])
{
    snprintf(out, RANGE_BYTES, "%s%lld-%lld", unit, (long long)c->part_from,
             (long long)(c->part_from + c->part_bytes - 1));
}

/* Signs all headers but those that libcurl adds. */
static enum footnote_rc sign_request(struct s3 *s, struct s3_attempt *t,
                                     struct str path, struct footnote_err *err)
{
    AUTO(buf_free) struct buf authorization = BUF(S3_URL_BYTES_MAX);
    struct sigv4_request r = {.method = str_c(t->call->method),
                              .host = s->host,
                              .path = path,
                              .query = t->call->query,
                              .time_ms = clock_wall_ms()};
    const struct object *sent = t->call->sent;
    AUTO(buf_free) struct buf sum = BUF(BASE64_BYTES);
    char date[SIGV4_DATE + 1], hex[SHA256_HEX + 1], range[RANGE_BYTES];
    struct str payload = str_c(empty_hex);
    bool ok = true;

    sigv4_date(r.time_ms, date);
    if (sent) {
        sha256_hex(&sent->digest, hex);
        payload = str_c(hex);
        sigv4_add(&r.headers, STR("content-type"),
                  STR("application/octet-stream"));
        sigv4_add(&r.headers, STR("x-amz-checksum-sha256"),
                  checksum(sent, &sum));
    }
    if (t->call->part_bytes) {
        range_text(t->call, "bytes=", range);
        sigv4_add(&r.headers, STR("range"), str_c(range));
    }
    sigv4_add(&r.headers, STR("x-amz-content-sha256"), payload);
    sigv4_add(&r.headers, STR("x-amz-date"), str_c(date));
    if (s->keys.token.p)
        sigv4_add(&r.headers, STR("x-amz-security-token"), s->keys.token);
    TRY(sigv4_authorize(&s->keys, &r, payload, &authorization, err));
    for (size_t i = 0; i < r.headers.n; i++)
        if (!str_eq(r.headers.items[i].name, STR("host")))
            ok = ok && add_header(t, r.headers.items[i].name,
                                  r.headers.items[i].value);
    ok = ok && add_header(t, STR("Authorization"), buf_str(&authorization));
    ok = ok && add_header(t, STR("Expect"), STR(""));
    return ok ? FOOTNOTE_OK : err_set(err, FOOTNOTE_NOMEM, "asking a bucket");
}

/* ---- Sending ------------------------------------------------------------ */

static bool set_up(const struct s3 *s, struct s3_attempt *t, const char *url)
{
    CURL *c = t->curl;
    const struct object *sent = t->call->sent;
    int bad = 0;

    bad |= curl_easy_setopt(c, CURLOPT_URL, url);
    bad |= curl_easy_setopt(c, CURLOPT_PATH_AS_IS, 1L); /* as it is signed */
    bad |= curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    bad |= curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    bad |= curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    bad |= curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    bad |= curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)S3_CONNECT_MS);
    bad |= curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
    bad |= curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME,
                            (long)((s->silent_ms + 999) / 1000));
    bad |= curl_easy_setopt(c, CURLOPT_USERAGENT, "footnote");
    bad |= curl_easy_setopt(c, CURLOPT_HTTPHEADER, t->headers);
    bad |= curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, t->call->method);
    bad |= curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive_body);
    bad |= curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
    bad |= curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, receive_header);
    bad |= curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
    bad |= curl_easy_setopt(c, CURLOPT_ERRORBUFFER, t->error);
    if (strcmp(t->call->method, "HEAD") == 0)
        bad |= curl_easy_setopt(c, CURLOPT_NOBODY, 1L);
    if (sent) {
        bad |= curl_easy_setopt(c, CURLOPT_UPLOAD, 1L);
        bad |= curl_easy_setopt(c, CURLOPT_READFUNCTION, send_body);
        bad |= curl_easy_setopt(c, CURLOPT_READDATA, t);
        bad |= curl_easy_setopt(c, CURLOPT_SEEKFUNCTION, rewind_body);
        bad |= curl_easy_setopt(c, CURLOPT_SEEKDATA, t);
        bad |= curl_easy_setopt(c, CURLOPT_INFILESIZE_LARGE,
                                (curl_off_t)sent->bytes);
    }
    return bad == 0;
}

static enum footnote_rc prepare_request(struct s3 *s, struct s3_attempt *t,
                                        struct footnote_err *err)
{
    AUTO(buf_free) struct buf path = BUF(S3_URL_BYTES_MAX);
    AUTO(buf_free) struct buf url = BUF(S3_URL_BYTES_MAX);

    if (t->call->key.p) {
        s3_path(s, t->call->key, &path);
    } else {
        buf_add(&path, s->root);
        if (!path.n)
            buf_add_c(&path, '/');
    }
    buf_add(&url, s->origin);
    buf_add(&url, buf_str(&path));
    if (t->call->query.n)
        buf_add_c(&url, '?');
    sigv4_query(&url, &t->call->query);
    buf_add_c(&url, '\0');
    TRY(buf_rc(&path, err));
    TRY(buf_rc(&url, err));
    TRY(sign_request(s, t, buf_str(&path), err));
    return set_up(s, t, url.p)
               ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_NOMEM, "asking a bucket");
}

/* ---- Checking ----------------------------------------------------------- */

/* The text of <name> in an answer; "" when it has none. */
static void element_text(const struct buf *b, const char *name,
                         char out[WORD_MAX])
{
    char tag[WORD_MAX];
    const char *at = NULL;
    size_t n = 0, room = 0;

    snprintf(tag, sizeof(tag), "<%s>", name);
    if (b->n)
        at = memmem(b->p, b->n, tag, strlen(tag));
    if (at) {
        at += strlen(tag);
        room = (size_t)(b->p + b->n - at);
    }
    for (; n < room && n + 1 < WORD_MAX; n++) {
        bool odd = at[n] == '<' || (unsigned char)at[n] < ' ';

        if (odd)
            break;
        out[n] = at[n];
    }
    out[n] = '\0';
}

static enum footnote_rc explain_refusal(const struct s3_attempt *t, long status,
                                        struct footnote_err *err)
{
    char code[WORD_MAX], region[WORD_MAX];

    element_text(&t->refusal, "Code", code);
    element_text(&t->refusal, "Region", region);
    if (status == 404 && strcmp(code, "NoSuchBucket") != 0)
        return err_set(err, FOOTNOTE_NOTFOUND, "object: is not there");
    if (status / 100 == 3)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "objects: the bucket sends us elsewhere (%ld%s%s); "
                       "check AWS_REGION and --s3-endpoint",
                       status, region[0] ? ", region " : "", region);
    if (strcmp(code, "RequestTimeTooSkewed") == 0)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "objects: the bucket says that our clock is wrong");
    if (!code[0])
        return err_set(err, FOOTNOTE_INTERNAL,
                       "objects: %s answered %ld without saying why; is "
                       "--s3-endpoint a server for S3?",
                       t->call->method, status);
    return err_set(err, FOOTNOTE_INTERNAL,
                   "objects: the bucket refuses %s: %s (%ld)", t->call->method,
                   code, status);
}

/* Some say only by their words that another try may do better. */
static bool is_temporary(const struct s3_attempt *t, long status)
{
    static const char *const words[] = {"RequestTimeout", "OperationAborted",
                                        "SlowDown", "InternalError"};
    char code[WORD_MAX];

    if (status == 408 || status == 429 || status >= 500)
        return true;
    element_text(&t->refusal, "Code", code);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(code, words[i]) == 0)
            return true;
    return false;
}

static bool is_wanted_body(const struct s3_attempt *t)
{
    const struct s3_call *c = t->call;
    char want[2 * RANGE_BYTES], range[RANGE_BYTES];
    struct sha256 digest;

    if (t->received != expected_bytes(c))
        return false;
    if (c->part_bytes) {
        /* The range of the answer also has the length of the object. */
        range_text(c, "bytes ", range);
        snprintf(want, sizeof(want), "%s/%lld", range,
                 (long long)c->wanted->bytes);
        return status_of(t) == 206 && strcmp(t->range, want) == 0;
    }
    sha256_end(t->hasher, &digest);
    return sha256_eq(&digest, &c->wanted->digest);
}

static enum footnote_rc check_bodies(const struct s3_attempt *t,
                                     struct footnote_err *err)
{
    const struct s3_call *c = t->call;
    AUTO(buf_free) struct buf sum = BUF(BASE64_BYTES);

    if (c->wanted && !is_wanted_body(t))
        return err_set(err, FOOTNOTE_DAMAGED,
                       "object %s: its bytes are not those that were stored",
                       c->wanted->key);
    if (c->sent && c->checksum[0] &&
        !str_eq(checksum(c->sent, &sum), str_c(c->checksum)))
        return err_set(err, FOOTNOTE_DAMAGED,
                       "object %s: the bucket has other bytes than were sent",
                       c->sent->key);
    return FOOTNOTE_OK;
}

/* What a try has come to; *again: another one may do better.  A failure of the
 * temporary file is not the bucket's fault. */
static enum footnote_rc attempt_result(struct s3_attempt *t, CURLcode code,
                                       bool *again, struct footnote_err *err)
{
    long status = status_of(t);
    curl_off_t length = -1;
    const struct object *wanted = t->call->wanted;
    enum footnote_rc rc;

    *again = false;
    if (t->failed)
        return err_set(err,
                       t->failed == ENOSPC ? FOOTNOTE_BUSY : FOOTNOTE_INTERNAL,
                       "objects: the temporary file: %s", strerror(t->failed));
    if (t->call->text && t->call->text->broken)
        return buf_rc(t->call->text, err);
    if (code == CURLE_OUT_OF_MEMORY)
        return err_set(err, FOOTNOTE_NOMEM, "asking a bucket");
    if (code == CURLE_OK && status / 100 != 2 && !is_temporary(t, status))
        return explain_refusal(t, status, err);
    *again = true;
    if (code == CURLE_OK && status / 100 != 2)
        return err_set(err, FOOTNOTE_BUSY,
                       "objects: the bucket is not at work now (%ld)", status);
    if (wanted && code != CURLE_OK && status / 100 == 2 &&
        t->received > expected_bytes(t->call))
        return check_bodies(t, err); /* too long: it cannot be right */
    if (code != CURLE_OK)
        return err_set(err, FOOTNOTE_BUSY, "objects: the bucket: %.120s",
                       t->error[0] ? t->error : curl_easy_strerror(code));
    curl_easy_getinfo(t->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    t->call->length = length;
    rc = check_bodies(t, err);
    *again = rc != FOOTNOTE_OK;
    return rc;
}

/* ---- Trying ------------------------------------------------------------- */

static void attempt_end(struct s3_attempt *t)
{
    curl_slist_free_all(t->headers);
    sha256_close(t->hasher);
    buf_free(&t->refusal);
}

static enum footnote_rc try_once(struct s3 *s, struct s3_call *c, bool *again,
                                 struct footnote_err *err)
{
    AUTO(attempt_end)
    struct s3_attempt t = {.call = c, .refusal = BUF(ERROR_BYTES_MAX)};
    enum footnote_rc rc;

    *again = false;
    c->length = -1;
    c->checksum[0] = '\0';
    if (c->text)
        buf_reset(c->text);
    TRY(sha256_open(&t.hasher, err));
    sha256_begin(t.hasher);
    pthread_mutex_lock(&s->lock);
    t.curl = s->idle_n ? s->idle[--s->idle_n] : NULL;
    pthread_mutex_unlock(&s->lock);
    if (!t.curl)
        t.curl = curl_easy_init();
    if (!t.curl)
        return err_set(err, FOOTNOTE_NOMEM, "asking a bucket");
    rc = prepare_request(s, &t, err);
    if (rc == FOOTNOTE_OK)
        rc = attempt_result(&t, curl_easy_perform(t.curl), again, err);
    curl_give(s, t.curl);
    return rc;
}

/* Waits for a random time, at least half of `ms`: clients do not try in step.
 */
static void wait_about(int64_t ms)
{
    uint32_t random;
    struct timespec left;

    random_bytes(&random, sizeof(random));
    ms = ms / 2 + (int64_t)(random % (uint32_t)(ms / 2 + 1));
    left =
        (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

enum footnote_rc s3_run(struct s3 *s, struct s3_call *c,
                        struct footnote_err *err)
{
    assert(!(c->sent && c->wanted) && c->part_from >= 0 && c->part_bytes >= 0);
    for (int i = 1;; i++) {
        bool again;
        enum footnote_rc rc = try_once(s, c, &again, err);

        if (rc == FOOTNOTE_OK || !again || i == S3_TRIES)
            return rc;
        wait_about(s->retry_ms << (i - 1));
    }
}
