/* fetch.c - one hop after the other, each to an address that was checked.
 *
 *     URL --parse--> host, port --resolve--> addresses --all public?-->
 *         --curl, pinned to them--> 200: the body     3xx: the next URL
 *
 * Names are resolved here and not by curl, so that a name cannot mean another
 * address a moment later.  The address is checked twice: before the transfer,
 * to explain a refusal, and when the socket is opened, which is what protects.
 */
#include "ingest/fetch/fetch.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "ingest/fetch/address.h"
#include "store/document/reason.h"
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIN_BYTES_MAX = 2 * FETCH_URL_BYTES_MAX };

static const char *const types[] = {
    "text/html",     "application/xhtml+xml", "text/plain",
    "text/markdown", "application/pdf",
};

/* What all hops share. */
struct fetch {
    const struct fetch_test *test;
    struct arena *a;
    struct buf *body;
    struct fetched *out;
    int64_t deadline_ms;
};

struct hop {
    const struct fetch *f;
    CURLU *url;
    CURL *curl;
    struct curl_slist *pins;
    char *host, *port;
    struct addrinfo *addresses;
    bool refused; /* curl wanted a socket to an address that is not public */
    char error[CURL_ERROR_SIZE];
};

static void hop_free(struct hop *h)
{
    curl_easy_cleanup(h->curl);
    curl_slist_free_all(h->pins);
    curl_url_cleanup(h->url);
    curl_free(h->host);
    curl_free(h->port);
    if (h->addresses)
        freeaddrinfo(h->addresses);
}

/* --- The address ------------------------------------------------------------
 */

static void freep(char **p)
{
    curl_free(*p);
}

static bool has_part(CURLU *url, CURLUPart part)
{
    AUTO(freep) char *text = NULL;

    return curl_url_get(url, part, &text, 0) == CURLUE_OK;
}

static enum footnote_rc check_parts(struct hop *h, struct footnote_err *err)
{
    AUTO(freep) char *scheme = NULL;

    if (curl_url_get(h->url, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK ||
        (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
        return refuse(err, BAD_ADDRESS,
                      "only addresses with http or https can be read");
    if (has_part(h->url, CURLUPART_USER) ||
        has_part(h->url, CURLUPART_PASSWORD))
        return refuse(err, ADDRESS_LOGIN,
                      "the address has a user name or password in it; give "
                      "one without");
    if (curl_url_get(h->url, CURLUPART_HOST, &h->host, CURLU_PUNYCODE) !=
            CURLUE_OK ||
        !h->host[0] ||
        curl_url_set(h->url, CURLUPART_HOST, h->host, 0) != CURLUE_OK ||
        curl_url_get(h->url, CURLUPART_PORT, &h->port, CURLU_DEFAULT_PORT) !=
            CURLUE_OK)
        return refuse(err, BAD_ADDRESS, "the address has no host");
    if (!(h->f->test && h->f->test->allow_loopback) &&
        strcmp(h->port, "80") != 0 && strcmp(h->port, "443") != 0)
        return refuse(err, ADDRESS_PORT,
                      "the address names port %s; only the usual ones of the "
                      "web, 80 and 443, are read",
                      h->port);
    return FOOTNOTE_OK;
}

static enum footnote_rc parse_url(struct hop *h, struct str text,
                                  struct footnote_err *err)
{
    char z[FETCH_URL_BYTES_MAX + 1];

    if (text.n == 0 || text.n > FETCH_URL_BYTES_MAX ||
        memchr(text.p, '\0', text.n) || !utf8_valid(text))
        return refuse(err, BAD_ADDRESS,
                      "the address is empty or longer than %d characters",
                      FETCH_URL_BYTES_MAX);
    memcpy(z, text.p, text.n);
    z[text.n] = '\0';
    h->url = curl_url();
    if (!h->url)
        return err_set(err, FOOTNOTE_NOMEM, "reading an address");
    /* A missing scheme is not guessed. */
    if (curl_url_set(h->url, CURLUPART_URL, z, CURLU_NON_SUPPORT_SCHEME) !=
        CURLUE_OK)
        return refuse(err, BAD_ADDRESS,
                      "this is not the address of a web page; it should "
                      "look like https://example.org/page");
    curl_url_set(h->url, CURLUPART_FRAGMENT, NULL, 0);
    return check_parts(h, err);
}

/* --- Its host ---------------------------------------------------------------
 */

static bool allowed(const struct hop *h, const struct sockaddr *a)
{
    struct sockaddr_in in;

    if (address_public(a))
        return true;
    if (!h->f->test || !h->f->test->allow_loopback || a->sa_family != AF_INET)
        return false;
    memcpy(&in, a, sizeof(in));
    return ntohl(in.sin_addr.s_addr) >> 24 == 127;
}

static enum footnote_rc resolve_host(struct hop *h, struct footnote_err *err)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICSERV};
    size_t n = strlen(h->host);
    char name[FETCH_URL_BYTES_MAX + 1];
    const char *from = h->host;

    /* [::1] is an address in brackets. */
    if (n > 2 && from[0] == '[' && from[n - 1] == ']') {
        from++;
        n -= 2;
    }
    if (n >= sizeof(name))
        return refuse(err, BAD_ADDRESS, "the host's name is too long");
    memcpy(name, from, n);
    name[n] = '\0';
    if (getaddrinfo(name, h->port, &hints, &h->addresses) != 0)
        return refuse(err, NO_HOST, "there is no server with the name %.80s",
                      name);
    return FOOTNOTE_OK;
}

/* Gives curl the addresses, so that it resolves nothing.  A single address that
 * is not public is enough to refuse: an honest host has none.  An IPv6 address
 * in the URL needs no pin. */
static enum footnote_rc pin_addresses(struct hop *h, struct footnote_err *err)
{
    AUTO(buf_free) struct buf line = BUF(PIN_BYTES_MAX);
    int n = 0;

    buf_printf(&line, "%s:%s:", h->host, h->port);
    for (struct addrinfo *i = h->addresses; i; i = i->ai_next) {
        char text[INET6_ADDRSTRLEN + 2];
        if (!allowed(h, i->ai_addr))
            return refuse(err, NOT_PUBLIC,
                          "%.80s is not on the public internet, so its pages "
                          "are not read",
                          h->host);
        if (n == FETCH_ADDRESSES_MAX ||
            getnameinfo(i->ai_addr, i->ai_addrlen, text, sizeof(text), NULL, 0,
                        NI_NUMERICHOST) != 0)
            continue;
        buf_printf(&line, i->ai_family == AF_INET6 ? "%s[%s]" : "%s%s",
                   n++ ? "," : "", text);
    }
    buf_add_c(&line, '\0');
    TRY(buf_rc(&line, err));
    if (h->host[0] == '[')
        return FOOTNOTE_OK;
    h->pins = curl_slist_append(NULL, line.p);
    return h->pins ? FOOTNOTE_OK
                   : err_set(err, FOOTNOTE_NOMEM, "reading an address");
}

/* --- The transfer -----------------------------------------------------------
 */

static curl_socket_t open_socket(void *arg, curlsocktype purpose,
                                 struct curl_sockaddr *a)
{
    struct hop *h = arg;

    if (purpose != CURLSOCKTYPE_IPCXN || !allowed(h, &a->addr)) {
        h->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* Bodies of redirects and errors are not kept. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t append_body(char *bytes, size_t size, size_t n, void *arg)
{
    struct hop *h = arg;
    long status = 0;

    curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200)
        buf_add(h->f->body, (struct str){bytes, size * n});
    return h->f->body->broken ? 0 : size * n;
}

static bool set_up(struct hop *h, int64_t ms)
{
    CURL *c = h->curl;
    int bad = 0;

    bad |= curl_easy_setopt(c, CURLOPT_CURLU, h->url);
    bad |= curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    bad |= curl_easy_setopt(c, CURLOPT_PROXY, "");
    bad |= curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    bad |= curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    bad |= curl_easy_setopt(c, CURLOPT_RESOLVE, h->pins);
    bad |= curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    bad |= curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, h);
    bad |= curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    bad |= curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)ms);
    bad |= curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS,
                            (long)FETCH_CONNECT_MS_MAX);
    bad |= curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    bad |= curl_easy_setopt(c, CURLOPT_USERAGENT, "footnote");
    bad |= curl_easy_setopt(c, CURLOPT_MAXFILESIZE_LARGE,
                            (curl_off_t)h->f->body->max);
    bad |= curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, append_body);
    bad |= curl_easy_setopt(c, CURLOPT_WRITEDATA, h);
    bad |= curl_easy_setopt(c, CURLOPT_ERRORBUFFER, h->error);
    return bad == 0;
}

static enum footnote_rc transfer_failed(const struct hop *h, CURLcode code,
                                        struct footnote_err *err)
{
    if (h->f->body->broken == FOOTNOTE_NOMEM || code == CURLE_OUT_OF_MEMORY)
        return err_set(err, FOOTNOTE_NOMEM, "reading a web page");
    if (h->f->body->broken || code == CURLE_FILESIZE_EXCEEDED)
        return refuse(err, TOO_LARGE, "the page has more than %zu MB",
                      h->f->body->max >> 20);
    if (h->refused)
        return refuse(err, NOT_PUBLIC,
                      "%.80s is not on the public internet, so its pages are "
                      "not read",
                      h->host);
    if (code == CURLE_OPERATION_TIMEDOUT)
        return refuse(err, NO_ANSWER, "%.80s did not answer in time", h->host);
    return refuse(err, NO_ANSWER, "%.60s could not be read: %.100s", h->host,
                  h->error[0] ? h->error : curl_easy_strerror(code));
}

/* --- The answer --------------------------------------------------------------
 */

static struct str lower_case(struct arena *a, struct str s)
{
    char *copy = arena_alloc(a, s.n + 1);

    if (!copy)
        return STR_NONE;
    for (size_t i = 0; i < s.n; i++) {
        bool upper = s.p[i] >= 'A' && s.p[i] <= 'Z';
        copy[i] = (char)(s.p[i] | (upper ? 0x20 : 0));
    }
    return (struct str){copy, s.n};
}

/* "text/html; charset=UTF-8" */
static void read_type(struct arena *a, const char *header, struct fetched *out)
{
    struct str all = str_c(header ? header : "");
    size_t n = 0;

    while (n < all.n && !strchr("; \t", all.p[n]))
        n++;
    out->type = lower_case(a, (struct str){all.p, n});
    const char *at = strcasestr(all.n ? all.p : "", "charset=");
    if (!at)
        return;
    struct str rest = str_c(at + strlen("charset="));
    if (rest.n && rest.p[0] == '"')
        rest = str_skip(rest, 1);
    n = 0;
    while (n < rest.n && !strchr("\"; \t", rest.p[n]))
        n++;
    if (n)
        out->charset = lower_case(a, (struct str){rest.p, n});
}

static enum footnote_rc accept_page(struct hop *h, struct footnote_err *err)
{
    struct fetched *out = h->f->out;
    struct arena *a = h->f->a;
    const char *type = NULL;
    AUTO(freep) char *url = NULL;

    curl_easy_getinfo(h->curl, CURLINFO_CONTENT_TYPE, &type);
    read_type(a, type, out);
    if (curl_url_get(h->url, CURLUPART_URL, &url, 0) != CURLUE_OK)
        return err_set(err, FOOTNOTE_NOMEM, "reading a web page");
    out->url = arena_str(a, str_c(url));
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (str_eq(out->type, str_c(types[i])))
            return FOOTNOTE_OK;
    return refuse(err, NOT_A_PAGE,
                  "the address gives %.60s, which is no page of text; pages "
                  "in HTML, plain text, Markdown and PDF are read",
                  out->type.n ? out->type.p : "something without a type");
}

/* *next is where a redirect leads; absent when the page was read. */
static enum footnote_rc read_answer(struct hop *h, struct str *next,
                                    struct footnote_err *err)
{
    char *to = NULL;
    long status = 0;

    curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(h->curl, CURLINFO_REDIRECT_URL, &to);
    if (to && status >= 300 && status < 400) {
        *next = arena_str(h->f->a, str_c(to));
        return arena_rc(h->f->a, err);
    }
    if (status == 200)
        return accept_page(h, err);
    if (status == 404 || status == 410)
        return refuse(err, NO_PAGE, "there is no such page at %.80s", h->host);
    if (status == 401 || status == 403)
        return refuse(err, LOGIN_NEEDED,
                      "%.80s does not let us read this page; it may need a "
                      "login",
                      h->host);
    if (status >= 500)
        return refuse(err, NO_ANSWER,
                      "%.80s answered with status %ld instead of a page",
                      h->host, status);
    return refuse(err, PAGE_REFUSED,
                  "%.80s answered with status %ld instead of a page", h->host,
                  status);
}

static enum footnote_rc follow_hop(const struct fetch *f, struct str url,
                                   struct str *next, struct footnote_err *err)
{
    AUTO(hop_free) struct hop h = {.f = f};

    *next = STR_NONE;
    TRY(parse_url(&h, url, err));
    TRY(resolve_host(&h, err));
    TRY(pin_addresses(&h, err));
    int64_t left = f->deadline_ms - clock_mono_ms();
    if (left <= 0)
        return transfer_failed(&h, CURLE_OPERATION_TIMEDOUT, err);
    h.curl = curl_easy_init();
    if (!h.curl || !set_up(&h, left))
        return err_set(err, FOOTNOTE_NOMEM, "reading a web page");
    CURLcode code = curl_easy_perform(h.curl);
    if (code != CURLE_OK)
        return transfer_failed(&h, code, err);
    return read_answer(&h, next, err);
}

enum footnote_rc fetch_page(struct str url, const struct fetch_test *test,
                            struct arena *a, struct buf *body,
                            struct fetched *out, struct footnote_err *err)
{
    int64_t ms = test && test->ms_max ? test->ms_max : FETCH_MS_MAX;
    const struct fetch f = {test, a, body, out, clock_mono_ms() + ms};
    struct str next;

    *out = (struct fetched){0};
    for (int hops = 0; hops <= FETCH_REDIRECTS_MAX; hops++) {
        TRY(follow_hop(&f, url, &next, err));
        if (!next.p)
            return FOOTNOTE_OK;
        url = next;
    }
    return refuse(err, REDIRECTS,
                  "the address leads on and on: more than %d redirects",
                  FETCH_REDIRECTS_MAX);
}
