/* guard_test.c - Host, Origin and CORS on requests made by hand. */
#include "http/auth/auth.h"
#include "test.h"

static struct request *request(enum method m)
{
    static struct header headers[HTTP_HEADERS_MAX];
    static struct request r;

    arena_free(&r.arena);
    buf_free(&r.reply.headers);
    r = (struct request){.method = m, .path = STR("/api/sessions")};
    r.arena = ARENA(1 << 20);
    r.headers = headers;
    return &r;
}

static void header(struct request *r, const char *name, const char *value)
{
    if (value)
        r->headers[r->headers_n++] = (struct header){str_c(name), str_c(value)};
}

static bool has_line(const struct request *r, const char *line)
{
    struct str h = buf_str(&r->reply.headers);

    return h.n && memmem(h.p, h.n, line, strlen(line)) != NULL;
}

/* ---- Host ---------------------------------------------------------------- */

static const struct host_case {
    const char *listen, *public_url, *host;
    bool ok;
} hosts[] = {
    {"127.0.0.1:8080", NULL, "127.0.0.1:8080", true},
    {"127.0.0.1:8080", NULL, "127.0.0.1", true},
    {"127.0.0.1:8080", NULL, "localhost:8080", true},
    {"127.0.0.1:8080", NULL, "LocalHost", true},
    {"127.0.0.1:8080", NULL, "localhost.", true},
    {"127.0.0.1:8080", NULL, "app.localhost:9000", true},
    {"127.0.0.1:8080", NULL, "[::1]:8080", true},
    {"127.0.0.1:8080", NULL, "127.8.8.8", true},
    {"127.0.0.1:8080", NULL, "evil.example", false},
    {"127.0.0.1:8080", NULL, "evil.example:8080", false},
    {"127.0.0.1:8080", NULL, "localhost.evil.example", false},
    {"127.0.0.1:8080", NULL, "notlocalhost", false},
    {"127.0.0.1:8080", NULL, "127.0.0.1.evil.example", false},
    {"127.0.0.1:8080", NULL, "10.0.0.1", false},
    {"127.0.0.1:8080", NULL, "", false},
    {"127.0.0.1:8080", NULL, NULL, false},
    {"127.0.0.1:8080", NULL, ":8080", false},
    {"127.0.0.1:8080", NULL, "localhost:", false},
    {"127.0.0.1:8080", NULL, "localhost:99999", false},
    {"127.0.0.1:8080", NULL, "localhost:80:80", false},
    {"127.0.0.1:8080", NULL, "user@localhost", false},
    {"127.0.0.1:8080", NULL, "[::1", false},
    {"127.0.0.1:8080", NULL, "[::1]x", false},
    {"127.0.0.1:8080", NULL, "[]", false},
    {"127.0.0.1:8080", "https://Notes.example", "notes.example", true},
    {"127.0.0.1:8080", "https://notes.example:8443", "notes.example:8443",
     true},
    {"127.0.0.1:8080", "https://notes.example/x", "notes.example", true},
    {"127.0.0.1:8080", "https://notes.example", "x.notes.example", false},
    {"127.0.0.1:8080", "https://notes.example", "notes.example.evil", false},
    {"127.0.0.1:8080", "notes.example", "notes.example", false},
    {"127.0.0.1:8080", "https://a.example,https://b.example:8443",
     "b.example:8443", true},
    {"127.0.0.1:8080", "https://a.example,https://b.example", "a.example",
     true},
    {"127.0.0.1:8080", "https://a.example,https://b.example", "c.example",
     false},
    {"127.0.0.1:8080", "https://a.example,https://b.example", "a.example,https",
     false},
    {"10.0.0.5:80", NULL, "10.0.0.5", true},
    {"10.0.0.5:80", NULL, "10.0.0.6", false},
    {"0.0.0.0:80", NULL, "10.0.0.6:80", true},
    {"[::]:80", NULL, "[fd00::1]:80", true},
    {"0.0.0.0:80", NULL, "evil.example", false},
    {"0.0.0.0:80", NULL, "10.0.0.0/8", false},
};

TEST(a_foreign_host_is_misdirected)
{
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        const struct host_case *h = &hosts[i];
        struct config c = {.listen = str_c(h->listen),
                           .public_url = str_c(h->public_url)};
        struct request *r = request(METHOD_GET);

        header(r, "host", h->host);
        if (guard_check(&c, r) != h->ok)
            FAIL("Host %s at %s: not %d", h->host ? h->host : "(none)",
                 h->listen, h->ok);
        CHECK_INT(r->answered, !h->ok);
        if (!h->ok)
            CHECK_INT(r->reply.status, 421);
    }
}

/* ---- Origin -------------------------------------------------------------- */

static const struct page_case {
    const char *site, *origin;
    bool ok;
} pages[] = {
    {NULL, NULL, true}, /* no browser */
    {"same-origin", NULL, true},
    {"same-origin", "http://localhost:8080", true},
    {"none", NULL, true},
    {"same-site", NULL, false},
    {"cross-site", NULL, false},
    {"cross-site", "http://evil.example", false},
    {"cross-site", "http://localhost:8080", false},
    {"cross-site", "null", false},
    {"", NULL, false},
    {"Same-Origin", NULL, false},
    {NULL, "http://localhost:8080", true},
    {NULL, "http://localhost", false},
    {NULL, "http://localhost:3000", false},
    {NULL, "https://localhost:8080", false},
    {NULL, "https://notes.example", true},
    {NULL, "http://notes.example", false},
    {NULL, "https://notes.test", true},
    {NULL, "http://notes.test", false},
    {"same-origin", "http://notes.test", false},
    {"same-origin", "http://notes.example", false},
    {"none", "http://Notes.example:80", false},
    {"same-origin", "https://notes.example", true},
    {NULL, "https://notes.example.evil", false},
    {NULL, "null", false},
    {NULL, "", false},
    /* Allowed by --cors-origins. */
    {"cross-site", "https://app.example", true},
    {NULL, "https://app.example", true},
    {NULL, "https://two.example", true},
    {NULL, "https://app.example.evil", false},
    {NULL, "https://app.exampl", false},
    {NULL, "https://app.example,", false},
    {NULL, "*", false},
};

static struct config page_config(void)
{
    return (struct config){
        .listen = STR("127.0.0.1:8080"),
        .public_url = STR("https://notes.example/,https://notes.test"),
        .cors_origins = STR("https://app.example, https://two.example, null")};
}

static bool passes(enum method m, const struct page_case *p)
{
    struct config c = page_config();
    struct request *r = request(m);
    bool ok;

    header(r, "host", "localhost:8080");
    header(r, "sec-fetch-site", p->site);
    header(r, "origin", p->origin);
    ok = guard_check(&c, r);
    CHECK_INT(r->answered, !ok);
    if (!ok)
        CHECK_INT(r->reply.status, 403);
    return ok;
}

TEST(pages_of_other_sites_change_nothing)
{
    static const enum method unsafe[] = {METHOD_POST, METHOD_PUT, METHOD_PATCH,
                                         METHOD_DELETE};

    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        for (size_t m = 0; m < sizeof(unsafe) / sizeof(unsafe[0]); m++)
            if (passes(unsafe[m], &pages[i]) != pages[i].ok)
                FAIL("Sec-Fetch-Site %s, Origin %s: not %d",
                     pages[i].site ? pages[i].site : "(none)",
                     pages[i].origin ? pages[i].origin : "(none)", pages[i].ok);
        /* Reading is not theirs to see, but does no harm. */
        CHECK(passes(METHOD_GET, &pages[i]));
        CHECK(passes(METHOD_HEAD, &pages[i]));
        CHECK(passes(METHOD_OPTIONS, &pages[i]));
    }
}

/* ---- CORS ---------------------------------------------------------------- */

enum { ALLOWED = 1 << METHOD_GET | 1 << METHOD_POST };

static struct request *cors(enum method m, const char *origin,
                            const char *asks_for, const char *origins)
{
    struct config c = {.listen = STR("127.0.0.1:8080"),
                       .cors_origins = str_c(origins)};
    struct request *r = request(m);
    bool preflight;

    header(r, "host", "localhost:8080");
    header(r, "origin", origin);
    header(r, "access-control-request-method", asks_for);
    preflight = guard_cors(&c, r, ALLOWED);
    CHECK_INT(preflight, r->answered);
    CHECK(!has_line(r, "Access-Control-Allow-Credentials"));
    CHECK(!has_line(r, "Allow-Origin: *"));
    return r;
}

TEST(cors_is_off_unless_it_is_asked_for)
{
    struct request *r =
        cors(METHOD_OPTIONS, "https://app.example", "POST", NULL);

    CHECK(!r->answered);
    CHECK_INT(r->reply.headers.n, 0);
}

TEST(an_allowed_origin_may_read_the_answer)
{
    struct request *r = cors(METHOD_GET, "https://app.example", NULL,
                             "https://x.example,https://app.example");

    CHECK(!r->answered);
    CHECK(has_line(r, "Access-Control-Allow-Origin: https://app.example\r\n"));
    CHECK(has_line(r, "Access-Control-Expose-Headers: ETag, Location, "
                      "Retry-After, X-Request-Id\r\n"));
    CHECK(has_line(r, "Vary: Origin\r\n"));
}

TEST(a_preflight_is_answered_with_the_methods_of_the_path)
{
    struct request *r = cors(METHOD_OPTIONS, "https://app.example", "DELETE",
                             "https://app.example");

    CHECK(r->answered);
    CHECK_INT(r->reply.status, 204);
    CHECK(has_line(r, "Access-Control-Allow-Origin: https://app.example\r\n"));
    CHECK(has_line(r, "Access-Control-Allow-Methods: GET, POST\r\n"));
    CHECK(has_line(r, "Access-Control-Allow-Headers: Authorization, "
                      "Content-Type, Idempotency-Key, If-None-Match, "
                      "Last-Event-ID\r\n"));
    CHECK(has_line(r, "Access-Control-Max-Age: 600\r\n"));
}

TEST(other_origins_learn_nothing_from_cors)
{
    static const char *const others[] = {NULL,
                                         "",
                                         "null",
                                         "*",
                                         "https://app.example.evil",
                                         "https://APP.example",
                                         "http://app.example",
                                         "https://app.example:443"};
    static const enum method methods[] = {METHOD_GET, METHOD_OPTIONS};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        for (size_t m = 0; m < 2; m++) {
            struct request *r = cors(methods[m], others[i], "POST",
                                     "https://app.example null *");

            CHECK(!r->answered);
            CHECK(!has_line(r, "Access-Control"));
        }
}

TEST(links_begin_with_the_public_url_that_was_asked_for)
{
    const struct config c = page_config(), none = {.listen = STR("x:1")};
    struct request *r = request(METHOD_GET);

    header(r, "host", "Notes.test:443");
    CHECK_TEXT(guard_public_url(&c, r), STR("https://notes.test"));
    r = request(METHOD_GET);
    header(r, "host", "localhost:8080");
    CHECK_TEXT(guard_public_url(&c, r), STR("https://notes.example/"));
    CHECK(!guard_public_url(&none, r).p);
}
