/* ui_test.c - the pages that people use: what goes out, and how it is kept. */
#include <sys/stat.h>
#include <unistd.h>

#include "help/site.h"
#include "http/ops/embed.h"

enum { PATH_BYTES = 512 };

static bool has(struct str text, const char *part)
{
    return text.p && memmem(text.p, text.n, part, strlen(part)) != NULL;
}

static void check_has(struct str text, const char *part)
{
    if (!has(text, part))
        FAIL("no \"%s\" in: %.*s", part, STR_ARG(text));
}

/* What follows a part of it; "" when that is not there. */
static const char *behind(struct str text, const char *part)
{
    const char *at = strstr(text.p, part);

    return at ? at + strlen(part) : "";
}

static struct answer_to get_with(struct site *s, const char *path,
                                 const char *header)
{
    return site_ask(
        s, &(struct ask){.method = "GET", .path = path, .header = header});
}

/* The next /assets/... that the page names, in the arena; NULL at its end. */
static const char *next_asset(struct site *s, const char **at)
{
    const char *found = strstr(*at, "\"/assets/");
    size_t n;

    if (!found)
        return NULL;
    found++;
    n = strcspn(found, "\"");
    *at = found + n;
    return arena_str(&s->arena, (struct str){found, n}).p;
}

/* ---- The page ----------------------------------------------------------- */

TEST(thread_ui_every_address_of_the_app_is_its_one_page)
{
    static const char *const paths[] = {
        "/",         "/c/demo-entropy", "/c/a%20b",
        "/c/s/m/m1", "/c/s/m/m1?x=1",   "/d/slides-4?version=2&page=14"};
    struct site s = {.curl = NULL};
    struct str first;

    site_open(&s);
    first = site_get(&s, "/").body;
    check_has(first, "<div id=\"app\">");
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer_to t = site_get(&s, paths[i]);

        CHECK_INT(t.status, 200);
        CHECK_TEXT(t.type, STR("text/html; charset=utf-8"));
        CHECK_TEXT(t.body, first);
    }
    CHECK_INT(site_get(&s, "/c/").status, 404);
    CHECK_INT(site_get(&s, "/d/").status, 404);
    CHECK_INT(site_get(&s, "/c/s/m").status, 404);
    site_close(&s);
}

TEST(thread_ui_the_page_lets_no_foreign_script_in)
{
    struct site s = {.curl = NULL};
    struct answer_to t;

    site_open(&s);
    t = site_get(&s, "/");
    check_has(t.headers, "Content-Security-Policy: default-src 'none'; "
                         "script-src 'self'; style-src 'self';");
    check_has(t.headers, "require-trusted-types-for 'script'");
    check_has(t.headers, "frame-ancestors 'none'");
    check_has(t.headers, "X-Content-Type-Options: nosniff");
    check_has(t.headers, "Referrer-Policy: same-origin");
    CHECK(!has(t.headers, "unsafe-inline"));
    CHECK(!has(t.body, "<style"));
    CHECK(!has(t.body, "<script>"));
    CHECK(!has(t.body, "http:"));
    CHECK(!has(t.body, "https:"));
    site_close(&s);
}

/* Links to pictures lead into the bucket, so that the browser must be let go
 * there: for pictures and recordings, and to that one place. */
TEST(thread_ui_the_page_may_show_what_is_in_the_bucket)
{
    static const char lets[] =
        "Content-Security-Policy: default-src 'none'; script-src 'self'; "
        "style-src 'self'; img-src 'self' http://127.0.0.1:1; "
        "font-src 'self'; media-src 'self' http://127.0.0.1:1; "
        "connect-src 'self'; ";
    struct site folder = {.curl = NULL};
    struct site bucket = {.s3_endpoint = STR("http://127.0.0.1:1/below/")};

    site_open(&folder);
    check_has(site_get(&folder, "/").headers,
              "img-src 'self'; font-src 'self'; "
              "media-src 'self'; connect-src");
    site_close(&folder);
    site_open(&bucket);
    check_has(site_get(&bucket, "/").headers, lets);
    site_close(&bucket);
}

TEST(thread_ui_the_page_is_asked_for_again_and_sent_when_it_changed)
{
    struct site s = {.curl = NULL};
    struct answer_to t;
    const char *tag;
    struct str header;

    site_open(&s);
    t = site_get(&s, "/");
    check_has(t.headers, "Cache-Control: no-cache");
    tag = behind(t.headers, "ETag: ");
    CHECK(*tag == '"');
    header = arena_printf(&s.arena, "If-None-Match: %.*s",
                          (int)strcspn(tag, "\r\n"), tag);
    t = get_with(&s, "/c/other", header.p);
    CHECK_INT(t.status, 304);
    CHECK_INT(t.body.n, 0);
    CHECK_INT(get_with(&s, "/", "If-None-Match: \"other\"").status, 200);
    site_close(&s);
}

/* ---- What it loads ------------------------------------------------------ */

TEST(thread_ui_what_the_page_names_is_there_for_good)
{
    struct site s = {.curl = NULL};
    const char *at, *path;
    size_t n = 0;

    site_open(&s);
    at = site_get(&s, "/").body.p;
    while ((path = next_asset(&s, &at)) != NULL) {
        struct answer_to t = site_get(&s, path);

        CHECK_INT(t.status, 200);
        check_has(t.headers,
                  "Cache-Control: public, max-age=31536000, immutable");
        check_has(t.headers, "X-Content-Type-Options: nosniff");
        CHECK(t.body.n > 0);
        n++;
    }
    CHECK(n >= 3); /* a script, a style, an icon */
    site_close(&s);
}

TEST(thread_ui_a_client_gets_the_smallest_form_that_it_takes)
{
    struct site s = {.curl = NULL};
    struct answer_to plain, gzip, brotli, both;

    site_open(&s);
    plain = site_get(&s, "/");
    gzip = get_with(&s, "/", "Accept-Encoding: gzip");
    brotli = get_with(&s, "/", "Accept-Encoding: br");
    both = get_with(&s, "/", "Accept-Encoding: gzip, deflate, br, zstd");
    CHECK(!has(plain.headers, "Content-Encoding"));
    check_has(gzip.headers, "Content-Encoding: gzip");
    check_has(brotli.headers, "Content-Encoding: br");
    CHECK_TEXT(both.body, brotli.body);
    CHECK(gzip.body.n < plain.body.n);
    check_has(both.headers, "Vary: Accept-Encoding");
    CHECK(!has(get_with(&s, "/", "Accept-Encoding: gzip;q=0").headers,
               "Content-Encoding"));
    site_close(&s);
}

TEST(thread_ui_nothing_but_its_files_is_there)
{
    static const char *const paths[] = {"/assets/nope.js",
                                        "/assets/..%2findex.html",
                                        "/assets/%2e%2e",
                                        "/assets/.",
                                        "/assets/../index.html",
                                        "/assets/..%2f..%2fMakefile",
                                        "/assets/index.html",
                                        "/assets/%2fetc%2fpasswd",
                                        "/assets/a%5c..%5cindex.html"};
    struct site s = {.curl = NULL};

    site_open(&s);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        CHECK_INT(site_get(&s, paths[i]).status, 404);
    site_close(&s);
}

/* They are found by binary search. */
TEST(ui_carried_files_are_in_order)
{
    for (size_t i = 1; i < asset_files_n; i++)
        CHECK(strcmp(asset_files[i - 1].name, asset_files[i].name) < 0);
}

/* ---- --no-ui and --ui-dir ----------------------------------------------- */

TEST(thread_ui_can_be_left_out)
{
    struct site s = {.no_ui = true};

    site_open(&s);
    check_has(site_get(&s, "/").body, "<a href=\"/docs\">");
    CHECK_INT(site_get(&s, "/c/demo-entropy").status, 404);
    CHECK_INT(site_get(&s, "/assets/x.js").status, 404);
    CHECK_INT(site_get(&s, "/api/sessions").status, 200);
    site_close(&s);
}

static const char *in_dir(const char *name)
{
    static char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(in_dir(name), "wb");

    CHECK(f != NULL);
    CHECK(fputs(text, f) >= 0);
    CHECK(fclose(f) == 0);
}

TEST(thread_ui_a_folder_is_served_as_it_is_now)
{
    struct site s = {.ui_dir = str_c(test_dir())};
    struct answer_to t;

    CHECK(mkdir(in_dir("assets"), 0700) == 0);
    put("index.html", "<!doctype html>one");
    put("assets/a-1.js", "1;");
    site_open(&s);
    t = site_get(&s, "/c/x");
    CHECK_TEXT(t.body, STR("<!doctype html>one"));
    check_has(t.headers, "Content-Security-Policy: ");
    put("index.html", "<!doctype html>two");
    CHECK_TEXT(site_get(&s, "/").body, STR("<!doctype html>two"));
    t = site_get(&s, "/assets/a-1.js");
    CHECK_TEXT(t.body, STR("1;"));
    CHECK_TEXT(t.type, STR("text/javascript; charset=utf-8"));
    check_has(t.headers, "Cache-Control: no-store");
    site_close(&s);
}

TEST(thread_ui_a_folder_shows_nothing_outside_of_it)
{
    struct site s = {.ui_dir = str_c(test_dir())};

    CHECK(mkdir(in_dir("assets"), 0700) == 0);
    put("secret", "x");
    CHECK(symlink("../secret", in_dir("assets/link.js")) == 0);
    site_open(&s);
    CHECK_INT(site_get(&s, "/assets/link.js").status, 404);
    CHECK_INT(site_get(&s, "/assets/..%2fsecret").status, 404);
    CHECK_INT(site_get(&s, "/assets/.hidden").status, 404);
    CHECK_INT(site_get(&s, "/").status, 404); /* it has no page */
    site_close(&s);
}
