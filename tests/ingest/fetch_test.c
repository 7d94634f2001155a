/* fetch_test.c - web pages by their address, and addresses that are refused.
 *
 * A server on the loopback answers by the path it is asked for; only the
 * argument that tests have lets it be reached. */
#include "ingest/fetch/address.h"
#include "ingest/fetch/fetch.h"
#include "test.h"
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- A server ---------------------------------------------------------------
 */

static const struct {
    const char *path, *answer;
} answers[] = {
    {"/page", "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=UTF-8\r\n"
              "Content-Length: 15\r\n\r\n<p>Hello.</p>\r\n"},
    {"/pdf", "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n"
             "Content-Length: 4\r\n\r\n%PDF"},
    {"/movie", "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n"
               "Content-Length: 1\r\n\r\nx"},
    {"/typeless", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"},
    {"/gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n"
              "Content-Length: 4\r\n\r\ngone"},
    {"/secret", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"},
    {"/ill", "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"},
    {"/long", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
              "Content-Length: 999999999\r\n\r\nx"},
    {"/moved", "HTTP/1.1 302 Found\r\nLocation: /page#part\r\n"
               "Content-Length: 6\r\n\r\nmoved!"},
    {"/loop", "HTTP/1.1 302 Found\r\nLocation: /loop\r\n"
              "Content-Length: 0\r\n\r\n"},
    {"/inside", "HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n"
                "Content-Length: 0\r\n\r\n"},
    {"/metadata", "HTTP/1.1 301 Moved\r\n"
                  "Location: http://169.254.169.254/latest/meta-data/\r\n"
                  "Content-Length: 0\r\n\r\n"},
    {"/file", "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n"
              "Content-Length: 0\r\n\r\n"},
    {"/user", "HTTP/1.1 302 Found\r\nLocation: http://a:b@example.org/\r\n"
              "Content-Length: 0\r\n\r\n"},
    {"/silent", NULL},
};

static int listening;
static atomic_int answered;

static void answer(int fd)
{
    char head[4096] = "", path[64] = "";
    size_t n = 0;

    while (n < sizeof(head) - 1 && !strstr(head, "\r\n\r\n")) {
        ssize_t got = read(fd, head + n, sizeof(head) - 1 - n);
        if (got <= 0)
            break;
        n += (size_t)got;
    }
    size_t end = strcspn(head + 4, " ");
    memcpy(path, head + 4, end < sizeof(path) ? end : 0);
    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        const char *text = answers[i].answer;
        if (strcmp(path, answers[i].path) != 0)
            continue;
        if (!text) /* until the client has had enough */
            while (read(fd, head, sizeof(head)) > 0)
                continue;
        else if (write(fd, text, strlen(text)) < 0)
            break;
    }
    if (strcmp(path, "/endless") == 0) {
        static const char start[] = "HTTP/1.1 200 OK\r\n"
                                    "Content-Type: text/plain\r\n\r\n";
        static char block[65536];
        ssize_t ok = write(fd, start, sizeof(start) - 1);
        memset(block, 'x', sizeof(block));
        while (ok > 0)
            ok = send(fd, block, sizeof(block), MSG_NOSIGNAL);
    }
    close(fd);
}

static void *serve(void *arg)
{
    (void)arg;
    for (int fd; (fd = accept(listening, NULL, NULL)) >= 0;) {
        answered++;
        answer(fd);
    }
    return NULL;
}

static int start_server(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof(at);
    pthread_t thread;

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listening = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listening, (struct sockaddr *)&at, sizeof(at)) == 0);
    CHECK(listen(listening, 16) == 0);
    CHECK(getsockname(listening, (struct sockaddr *)&at, &size) == 0);
    CHECK(pthread_create(&thread, NULL, serve, NULL) == 0);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    return ntohs(at.sin_port);
}

/* Gets a page of our server; *text is the body, and static. */
static enum footnote_rc get(const char *path, const char **text,
                            struct fetched *out, struct footnote_err *err)
{
    static int port;
    static struct arena a = {.max_bytes = 65536};
    static struct buf body = {.max = 100000};
    const struct fetch_test test = {true, 2000};
    char url[128];

    if (!port)
        port = start_server();
    buf_reset(&body);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d%s", port, path);
    enum footnote_rc rc = fetch_page(str_c(url), &test, &a, &body, out, err);
    buf_add_c(&body, '\0');
    if (text)
        *text = body.p;
    return rc;
}

static void refused(const char *path, enum footnote_rc rc, const char *why)
{
    struct footnote_err err;
    struct fetched page;

    CHECK_INT(get(path, NULL, &page, &err), rc);
    if (!strstr(err.text, why))
        FAIL("%s: \"%s\" does not say \"%s\"", path, err.text, why);
}

/* --- Pages ------------------------------------------------------------------
 */

TEST(fetch_gets_a_page_with_its_type)
{
    struct footnote_err err;
    struct fetched page;
    const char *text;

    CHECK_OK(get("/page", &text, &page, &err), &err);
    CHECK_STR(text, "<p>Hello.</p>\r\n");
    CHECK_TEXT(page.type, STR("text/html"));
    CHECK_TEXT(page.charset, STR("utf-8"));
    CHECK_OK(get("/pdf", &text, &page, &err), &err);
    CHECK_TEXT(page.type, STR("application/pdf"));
    CHECK(!page.charset.p);
}

TEST(fetch_follows_a_redirect_and_tells_where_it_ended)
{
    struct footnote_err err;
    struct fetched page;
    const char *text;

    CHECK_OK(get("/moved", &text, &page, &err), &err);
    CHECK_STR(text, "<p>Hello.</p>\r\n");
    CHECK(page.url.n > 5 && strcmp(page.url.p + page.url.n - 5, "/page") == 0);
}

TEST(fetch_refuses_redirects_to_where_it_must_not_go)
{
    refused("/inside", FOOTNOTE_INVALID, "10.0.0.1 is not on the public");
    refused("/metadata", FOOTNOTE_INVALID, "169.254.169.254 is not on the");
    refused("/file", FOOTNOTE_INVALID, "http or https");
    refused("/user", FOOTNOTE_INVALID, "user name or password");
}

TEST(fetch_follows_three_redirects_and_no_more)
{
    refused("/loop", FOOTNOTE_INVALID, "more than 3 redirects");
    CHECK_INT(answered, 1 + FETCH_REDIRECTS_MAX);
}

TEST(fetch_says_why_there_is_no_page)
{
    refused("/gone", FOOTNOTE_NOTFOUND, "no such page");
    refused("/secret", FOOTNOTE_INVALID, "may need a login");
    refused("/ill", FOOTNOTE_BUSY, "status 503");
    refused("/movie", FOOTNOTE_INVALID, "video/mp4, which is no page");
    refused("/typeless", FOOTNOTE_INVALID, "without a type");
    refused("/long", FOOTNOTE_TOOBIG, "more than");
    refused("/endless", FOOTNOTE_TOOBIG, "more than");
    refused("/silent", FOOTNOTE_BUSY, "did not answer in time");
}

TEST(fetch_needs_the_tests_argument_for_the_loopback)
{
    AUTO(arena_free) struct arena a = ARENA(65536);
    AUTO(buf_free) struct buf body = BUF(1000);
    struct footnote_err err;
    struct fetched page;
    char url[64];

    snprintf(url, sizeof(url), "http://127.0.0.1:%d/page", start_server());
    CHECK_INT(fetch_page(str_c(url), NULL, &a, &body, &page, &err),
              FOOTNOTE_INVALID);
    CHECK_INT(
        fetch_page(STR("http://localhost/"), NULL, &a, &body, &page, &err),
        FOOTNOTE_INVALID);
    CHECK_STR(err.text, "localhost is not on the public internet, so its pages "
                        "are not read");
}

/* Every way to write an address inside.  None of them needs a name server. */
static const char *const inside_urls[] = {
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://127.0.0.1.:80/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/",
    "http://0.0.0.0/",
    "http://255.255.255.255/",
    "http://224.0.0.1/",
    "http://198.18.0.1/",
    "http://168.63.129.16/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "http://127。0。0。1/",
    "https://user@example.org/",
    "http://example.org:22/",
    "http://example.org:6379/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:25/",
    "dict://127.0.0.1/",
    "javascript:alert(1)",
    "data:text/html,x",
    "//example.org/",
    "example.org",
    "http://",
    "http:",
    "",
    "http:///etc",
    "http://exa mple.org/",
    "http://[::1",
    "\\\\host",
    "http://127.0.0.1\\@example.org/",
    "http://example.org@127.0.0.1/",
    "http://example.org:443@127.0.0.1/",
    "http://127.0.0.1#@example.org/",
    "http://127.0.0.1?@example.org/",
};

TEST(fetch_refuses_addresses_in_all_their_forms)
{
    AUTO(arena_free) struct arena a = ARENA(65536);
    AUTO(buf_free) struct buf body = BUF(1000);

    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (size_t i = 0; i < sizeof(inside_urls) / sizeof(char *); i++) {
        struct footnote_err err = {0};
        struct fetched page;
        enum footnote_rc rc =
            fetch_page(str_c(inside_urls[i]), NULL, &a, &body, &page, &err);
        /* A form that no one understands has no server. */
        if (rc != FOOTNOTE_INVALID && rc != FOOTNOTE_NOTFOUND)
            FAIL("%s: %d %s", inside_urls[i], (int)rc, err.text);
        CHECK_INT(body.n, 0);
    }
}

/* --- Addresses --------------------------------------------------------------
 */

static bool is_public(const char *text)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    struct sockaddr_in four = {.sin_family = AF_INET};

    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        return address_public((struct sockaddr *)&four);
    CHECK(inet_pton(AF_INET6, text, &six.sin6_addr) == 1);
    return address_public((struct sockaddr *)&six);
}

TEST(address_tables_know_the_public_internet)
{
    static const char *const outside[] = {
        "8.8.8.8",           "1.1.1.1",
        "9.255.255.255",     "11.0.0.0",
        "100.63.255.255",    "100.128.0.0",
        "126.255.255.255",   "128.0.0.0",
        "169.253.255.255",   "169.255.0.0",
        "172.15.255.255",    "172.32.0.0",
        "192.167.255.255",   "192.169.0.0",
        "198.17.255.255",    "198.20.0.0",
        "223.255.255.255",   "2606:4700::1111",
        "2a00:1450:4001::1", "2001:4860:4860::8888",
    };
    static const char *const inside[] = {
        "0.0.0.1",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.0",
        "239.255.255.255",
        "240.0.0.0",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    };

    for (size_t i = 0; i < sizeof(outside) / sizeof(*outside); i++)
        if (!is_public(outside[i]))
            FAIL("%s is public", outside[i]);
    for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++)
        if (is_public(inside[i]))
            FAIL("%s is not public", inside[i]);
}
