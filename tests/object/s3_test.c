/* s3_test.c - a bucket: links as the SDK makes them, a server with real
 * signatures, and the same server on its bad days.
 *
 * Run by tests/s3/run.sh, which says where the server is (TEST_S3) and what
 * the SDK made (TEST_S3_CASES); what needs neither runs always. */
#include <curl/curl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "object/s3.h"
#include "test.h"

enum { CASES_MIN = 200, ARENA_BYTES = 64 * 1024 * 1024, BYTES = 100000 };

static struct footnote_err err;
static char bytes[BYTES];

static void closep(struct objects **o)
{
    objects_close(*o);
}

/* ---- The server --------------------------------------------------------- */

static bool is_there(void)
{
    if (getenv("TEST_S3"))
        return true;
    printf(TEST_SKIPPED "tests/s3/run.sh starts the server\n");
    return false;
}

static struct objects_place place(const char *url)
{
    return (struct objects_place){.url = str_c(url),
                                  .s3_endpoint = str_c(getenv("TEST_S3")),
                                  .s3_key_id = STR("S3RVER"),
                                  .s3_secret = STR("S3RVER"),
                                  .s3_retry_ms = 2,
                                  .s3_silent_ms = 1000,
                                  .scratch = str_c(test_dir())};
}

static struct objects *open_place(const struct objects_place *p)
{
    struct objects *o = NULL;

    CHECK_OK(objects_open_place(p, &o, &err), &err);
    return o;
}

/* A folder of its own within the bucket. */
static struct objects *open_fresh(void)
{
    char url[128];
    struct objects_place p;

    snprintf(url, sizeof(url), "s3://bucket/t %lld/%d",
             (long long)clock_wall_ms(), (int)getpid());
    p = place(url);
    return open_place(&p);
}

static size_t take(const char *p, size_t size, size_t n, void *arg)
{
    buf_add(arg, (struct str){p, size * n});
    return size * n;
}

static long fetch(const char *url, const char *method, const char *range,
                  struct buf *body)
{
    CURL *c = curl_easy_init();
    long status = 0;

    buf_reset(body);
    curl_easy_setopt(c, CURLOPT_URL, url);
    curl_easy_setopt(c, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(c, CURLOPT_RANGE, range);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, body);
    CHECK_INT(curl_easy_perform(c), CURLE_OK);
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(c);
    return status;
}

/* The next n requests with that method go wrong. */
static void fault(const char *mode, int n, const char *method)
{
    AUTO(buf_free) struct buf body = BUF(4096);
    char url[256];

    snprintf(url, sizeof(url), "%s/-/fault?mode=%s&n=%d&method=%s",
             getenv("TEST_S3"), mode, n, method);
    CHECK_INT(fetch(url, "POST", NULL, &body), 200);
}

static int requests(void)
{
    AUTO(buf_free) struct buf body = BUF(4096);
    char url[256];

    snprintf(url, sizeof(url), "%s/-/count", getenv("TEST_S3"));
    CHECK_INT(fetch(url, "GET", NULL, &body), 200);
    buf_add_c(&body, '\0');
    return (int)strtol(strchr(body.p, ':') + 1, NULL, 10);
}

static struct str some_bytes(void)
{
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (char)(i * 2654435761u >> 13);
    return (struct str){bytes, BYTES};
}

static struct object stored(struct objects *o)
{
    struct object out;

    CHECK_OK(object_store(o, some_bytes(), &out, &err), &err);
    return out;
}

static void check_whole(struct objects *o, const struct object *want)
{
    AUTO(buf_free) struct buf b = BUF(BYTES);

    CHECK_OK(object_read(o, want, &b, &err), &err);
    CHECK(str_eq(buf_str(&b), (struct str){bytes, BYTES}));
}

static enum footnote_rc read_it(struct objects *o, const struct object *want)
{
    AUTO(buf_free) struct buf b = BUF(BYTES);

    return object_read(o, want, &b, &err);
}

static void check_says(const char *word)
{
    if (!strstr(err.text, word))
        FAIL("\"%s\" has no \"%s\"", err.text, word);
}

/* ---- Links -------------------------------------------------------------- */

static void check_case(const struct json *c, struct arena *a)
{
    struct str endpoint = json_text(c, STR("endpoint"));
    struct str style = json_text(c, STR("style"));
    struct objects_place p = {
        .url =
            arena_printf(a, "s3://%.*s", STR_ARG(json_text(c, STR("bucket")))),
        .s3_endpoint = endpoint,
        .s3_key_id = json_text(c, STR("id")),
        .s3_secret = json_text(c, STR("secret")),
        .s3_token = json_text(c, STR("token")),
        .s3_region = json_text(c, STR("region")),
        .s3_style =
            str_eq(style, STR("path")) ? OBJECTS_S3_PATH : OBJECTS_S3_VIRTUAL};
    AUTO(closep) struct objects *o = open_place(&p);
    struct link_lifetime until = {json_get(c, STR("time"))->i,
                                  json_get(c, STR("seconds"))->i};
    struct str url;

    CHECK_OK(s3_presign((struct s3 *)o, json_text(c, STR("key")),
                        json_text(c, STR("type")), &until, a, &url, &err),
             &err);
    CHECK_TEXT(url, json_text(c, STR("url")));
}

TEST_LIMIT(s3_links_are_those_of_the_sdk, 120)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    const char *path = getenv("TEST_S3_CASES");
    FILE *f = path ? fopen(path, "re") : NULL;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int cases = 0;

    if (!path) {
        printf(TEST_SKIPPED "tests/s3/run.sh asks the SDK\n");
        return;
    }
    CHECK(f != NULL);
    while ((n = getline(&line, &cap, f)) > 0) {
        struct json *c = NULL;
        struct str text = arena_str(&a, (struct str){line, (size_t)n});

        CHECK_OK(json_read(&a, text, &c, &err), &err);
        check_case(c, &a);
        cases++;
    }
    fclose(f);
    free(line);
    CHECK(cases >= CASES_MIN);
}

TEST(s3_link_gives_the_bytes_for_its_time_and_only_to_get)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    AUTO(buf_free) struct buf b = BUF((size_t)4 * BYTES);
    AUTO(closep) struct objects *o = NULL;
    struct link_lifetime until = {clock_wall_ms(), 60};
    struct object object;
    struct str url;

    if (!is_there())
        return;
    o = open_fresh();
    object = stored(o);
    CHECK_OK(object_link(o, str_c(object.key), STR("image/png"), &until, &a,
                         &url, &err),
             &err);
    CHECK_INT(fetch(url.p, "GET", NULL, &b), 200);
    CHECK(str_eq(buf_str(&b), (struct str){bytes, BYTES}));
    CHECK_INT(fetch(url.p, "GET", "100-199", &b), 206);
    CHECK(str_eq(buf_str(&b), (struct str){bytes + 100, 100}));
    CHECK_INT(fetch(url.p, "DELETE", NULL, &b), 403);
    ((char *)(uintptr_t)strstr(url.p, "Signature="))[12] ^= 1;
    CHECK_INT(fetch(url.p, "GET", NULL, &b), 403);
    until.now_ms -= (int64_t)3600 * 1000;
    CHECK_OK(object_link(o, str_c(object.key), STR("image/png"), &until, &a,
                         &url, &err),
             &err);
    CHECK_INT(fetch(url.p, "GET", NULL, &b), 403);
}

#define OPEN "snapshots/"

TEST(s3_keys_that_others_brought_are_linked_inside_open_prefixes_alone)
{
    static const struct {
        const char *prefix, *key;
        bool linked;
    } cases[] = {{NULL, "snapshots/slide-1/page-2.png", false},
                 {NULL, "x", false},
                 {"", "snapshots/x", false},
                 {OPEN, "snapshots/slide-1/page-2.png", true},
                 {OPEN, "snapshots/", false},
                 {OPEN, "other/x.png", false},
                 {OPEN, "snapshots/../secret", false},
                 {OPEN, "/snapshots/x.png", false},
                 {OPEN, "snapshots//x.png", false},
                 {OPEN, "snapshots/./x.png", false},
                 {OPEN, "snapshots/a\nb", false},
                 {OPEN, "snapshots/00/00112233445566778899aabbccddeeff", false},
                 {"pages/", "pages/x", true},
                 {"pages/", "snapshots/x", false},
                 {"pages", "pages/x", false},
                 {"a/b/," OPEN ",c/", "a/b/x", true},
                 {"a/b/," OPEN ",c/", "snapshots/x", true},
                 {"a/b/," OPEN ",c/", "c/x", true},
                 {"a/b/," OPEN ",c/", "a/x", false},
                 {",,/,", "/x", false}};
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct link_lifetime until = {clock_wall_ms(), 60};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct objects_place p = {.url = STR("s3://bucket/snapshots"),
                                  .s3_key_id = STR("a"),
                                  .s3_secret = STR("b"),
                                  .external = str_c(cases[i].prefix)};
        AUTO(closep) struct objects *o = open_place(&p);
        struct str url;

        CHECK_OK(
            object_external(o, str_c(cases[i].key), &until, &a, &url, &err),
            &err);
        if ((url.p != NULL) != cases[i].linked)
            FAIL("%s in %s", cases[i].key, cases[i].prefix);
    }
}

TEST(s3_places_that_cannot_be_are_refused)
{
    static const char *const bad[] = {"s3:",
                                      "s3://",
                                      "s3://a/../b",
                                      "s3://bu cket",
                                      "s3://.bucket",
                                      "s3://bucket/a//b",
                                      "s3://bucket/a\\b"};
    struct objects *o;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct objects_place p = {
            .url = str_c(bad[i]), .s3_key_id = STR("a"), .s3_secret = STR("b")};

        CHECK_INT(objects_open_place(&p, &o, &err), FOOTNOTE_INVALID);
        CHECK(!o);
    }
    CHECK_INT(objects_open(STR("s3://bucket"), &o, &err), FOOTNOTE_INVALID);
    check_says("AWS_ACCESS_KEY_ID");
}

/* It is written into a policy of the app: nothing may end its word there. */
TEST(s3_origin_is_the_host_of_links_and_one_word)
{
    static const struct {
        const char *endpoint, *origin; /* NULL: refused */
    } cases[] = {
        {"https://files.example:9000/below", "https://files.example:9000"},
        {"https://files.example:443", "https://files.example"},
        {"", "https://bucket.s3.us-east-1.amazonaws.com"},
        {"https://a.example;script-src", NULL},
        {"https://a.example,https://b.example", NULL},
        {"https://'unsafe-inline'", NULL},
        {"https://a.example b.example", NULL}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct objects_place p = {.url = STR("s3://bucket"),
                                  .s3_endpoint = str_c(cases[i].endpoint),
                                  .s3_key_id = STR("a"),
                                  .s3_secret = STR("b")};
        AUTO(closep) struct objects *o = NULL;

        CHECK_INT(objects_open_place(&p, &o, &err),
                  cases[i].origin ? FOOTNOTE_OK : FOOTNOTE_INVALID);
        if (o)
            CHECK_TEXT(objects_origin(o), str_c(cases[i].origin));
    }
}

/* ---- Objects ------------------------------------------------------------ */

static enum footnote_rc count(void *arg, struct str key, int64_t changed_ms,
                              struct footnote_err *e)
{
    (void)e;
    CHECK_INT(key.n, OBJECT_KEY_BYTES);
    CHECK(changed_ms > clock_wall_ms() - (int64_t)60 * 60 * 1000 &&
          changed_ms < clock_wall_ms() + (int64_t)60 * 1000);
    ++*(int *)arg;
    return FOOTNOTE_OK;
}

TEST(s3_objects_go_in_and_come_out_and_go)
{
    AUTO(closep) struct objects *o = NULL;
    struct object object, empty;
    int64_t length;
    int n = 0;

    if (!is_there())
        return;
    o = open_fresh();
    object = stored(o);
    CHECK_OK(object_store(o, STR(""), &empty, &err), &err);
    CHECK_OK(object_head(o, str_c(object.key), &length, &err), &err);
    CHECK_INT(length, BYTES);
    check_whole(o, &object);
    CHECK_OK(read_it(o, &empty), &err);
    CHECK_OK(object_each(o, count, &n, &err), &err);
    CHECK_INT(n, 2);
    CHECK_OK(object_delete(o, str_c(object.key), &err), &err);
    CHECK_OK(object_delete(o, str_c(object.key), &err), &err);
    CHECK_INT(read_it(o, &object), FOOTNOTE_NOTFOUND);
    CHECK_INT(object_head(o, str_c(object.key), &length, &err),
              FOOTNOTE_NOTFOUND);
}

static int aside(struct objects *o)
{
    int n = 0;

    CHECK_OK(object_each_aside(o, count, &n, &err), &err);
    return n;
}

TEST(s3_objects_are_set_aside_and_put_back_or_purged)
{
    if (!is_there())
        return;
    AUTO(closep) struct objects *o = open_fresh();
    struct object a = stored(o);
    struct str key = str_c(a.key);

    for (int i = 0; i < 2; i++) {
        CHECK_OK(object_set_aside(o, key, &err), &err);
        CHECK_INT(aside(o), 1);
        CHECK_OK(read_it(o, &a), &err); /* it can be read meanwhile */
    }
    CHECK_OK(object_put_back(o, key, &err), &err);
    CHECK_OK(object_put_back(o, key, &err), &err);
    CHECK_INT(aside(o), 0);
    CHECK_OK(read_it(o, &a), &err);
    CHECK_OK(object_set_aside(o, key, &err), &err);
    CHECK_OK(object_purge(o, key, &err), &err);
    CHECK_OK(object_purge(o, key, &err), &err);
    CHECK_INT(aside(o), 0);
    CHECK_INT(read_it(o, &a), FOOTNOTE_NOTFOUND);
}

TEST(s3_objects_belong_to_the_store_that_came_first)
{
    if (!is_there())
        return;
    char url[128];
    struct object o;
    AUTO(closep) struct objects *ours = NULL;
    AUTO(closep) struct objects *theirs = NULL;
    struct objects_place p;

    snprintf(url, sizeof(url), "s3://bucket/owned %lld/%d",
             (long long)clock_wall_ms(), (int)getpid());
    p = place(url);
    p.store = STR("0123456789abcdef0123456789abcdef");
    ours = open_place(&p);
    p.store = STR("fedcba9876543210fedcba9876543210");
    theirs = open_place(&p);
    CHECK_OK(object_store(ours, STR("steam"), &o, &err), &err);
    CHECK_OK(objects_check_owner(ours, &err), &err);
    CHECK_INT(objects_check_owner(theirs, &err), FOOTNOTE_FOREIGN);
    CHECK_INT(object_store(theirs, STR("heat"), &o, &err), FOOTNOTE_READONLY);
    CHECK_OK(objects_adopt(theirs, &err), &err);
    CHECK_OK(objects_check_owner(theirs, &err), &err);
    CHECK_INT(objects_check_owner(ours, &err), FOOTNOTE_FOREIGN);
}

TEST(s3_objects_are_copied_from_a_folder_and_back)
{
    AUTO(closep) struct objects *bucket = NULL;
    AUTO(closep) struct objects *folder = NULL;
    AUTO(closep) struct objects *back = NULL;
    struct object object;
    char url[600];

    if (!is_there())
        return;
    bucket = open_fresh();
    snprintf(url, sizeof(url), "files:%s/a", test_dir());
    CHECK_OK(objects_open(str_c(url), &folder, &err), &err);
    snprintf(url, sizeof(url), "files:%s/b", test_dir());
    CHECK_OK(objects_open(str_c(url), &back, &err), &err);
    object = stored(folder);
    CHECK_OK(object_copy(folder, bucket, &object, &err), &err);
    CHECK_OK(object_copy(folder, bucket, &object, &err), &err);
    check_whole(bucket, &object);
    CHECK_OK(object_copy(bucket, back, &object, &err), &err);
    check_whole(back, &object);
}

TEST(s3_a_wrong_secret_or_bucket_is_told)
{
    AUTO(closep) struct objects *o = NULL;
    AUTO(closep) struct objects *none = NULL;
    struct objects_place p;
    struct object out;

    if (!is_there())
        return;
    p = place("s3://bucket");
    p.s3_secret = STR("wrong");
    o = open_place(&p);
    CHECK_INT(object_store(o, some_bytes(), &out, &err), FOOTNOTE_INTERNAL);
    check_says("SignatureDoesNotMatch");
    p = place("s3://nobodys-bucket");
    none = open_place(&p);
    CHECK_INT(object_store(none, some_bytes(), &out, &err), FOOTNOTE_INTERNAL);
    check_says("NoSuchBucket");
}

/* ---- Bad days ----------------------------------------------------------- */

TEST(s3_what_passes_is_tried_again)
{
    static const char *const modes[] = {"503", "500",   "400timeout",
                                        "409", "reset", "stall"};
    AUTO(closep) struct objects *o = NULL;
    struct object object;

    if (!is_there())
        return;
    o = open_fresh();
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        fault(modes[i], 1, "PUT");
        object = stored(o);
        fault(modes[i], 1, "GET");
        check_whole(o, &object);
    }
    fault("503", S3_TRIES, "GET");
    CHECK_INT(read_it(o, &object), FOOTNOTE_BUSY);
    CHECK_INT(requests(), S3_TRIES);
    fault("400timeout", S3_TRIES, "GET");
    CHECK_INT(read_it(o, &object), FOOTNOTE_BUSY);
    /* What breaks off each time says nothing about the object. */
    fault("cut", S3_TRIES, "GET");
    CHECK_INT(read_it(o, &object), FOOTNOTE_BUSY);
    CHECK_INT(requests(), S3_TRIES);
    check_whole(o, &object);
}

TEST(s3_nothing_short_wrong_or_long_is_taken_for_the_object)
{
    static const char *const modes[] = {"short", "wrong", "long", "html"};
    AUTO(closep) struct objects *o = NULL;
    struct object object;

    if (!is_there())
        return;
    o = open_fresh();
    object = stored(o);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        fault(modes[i], 1, "GET");
        check_whole(o, &object); /* the second time it is right */
        CHECK_INT(requests(), 2);
        fault(modes[i], S3_TRIES, "GET");
        CHECK_INT(read_it(o, &object), FOOTNOTE_DAMAGED);
        CHECK_INT(requests(), S3_TRIES);
    }
}

/* Reads 500 bytes from 1000 on, and nothing else. */
static enum footnote_rc read_part(struct objects *o, const struct object *want)
{
    struct object_window w;
    char part[501];
    enum footnote_rc rc = object_window(o, want, 1000, 500, &w, &err);

    if (rc != FOOTNOTE_OK) {
        CHECK_INT(w.fd, -1);
        return rc;
    }
    CHECK_INT(w.from, 1000);
    CHECK_INT(w.bytes, 500);
    CHECK_INT(pread(w.fd, part, sizeof(part), 0), 500);
    CHECK(memcmp(part, bytes + 1000, 500) == 0);
    object_window_close(&w);
    return FOOTNOTE_OK;
}

TEST(s3_a_part_is_asked_for_alone)
{
    static const char *const modes[] = {"cut",  "short", "long",
                                        "html", "whole", "other"};
    AUTO(closep) struct objects *o = NULL;
    struct object object, longer;
    struct object_window w;

    if (!is_there())
        return;
    o = open_fresh();
    object = longer = stored(o);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        fault(modes[i], 1, "GET");
        CHECK_OK(read_part(o, &object), &err); /* the second time */
        CHECK_INT(requests(), 2);
        fault(modes[i], S3_TRIES, "GET");
        CHECK_INT(read_part(o, &object), strcmp(modes[i], "cut") == 0
                                             ? FOOTNOTE_BUSY
                                             : FOOTNOTE_DAMAGED);
        CHECK_INT(requests(), S3_TRIES);
    }
    longer.bytes++; /* than what is there */
    CHECK_INT(read_part(o, &longer), FOOTNOTE_DAMAGED);
    fault("wrong", S3_TRIES, "GET"); /* all of it has a digest */
    CHECK_INT(object_window(o, &object, 0, BYTES, &w, &err), FOOTNOTE_DAMAGED);
    CHECK_INT(requests(), S3_TRIES);
}

/* As long as it is asked for, and no longer than a window. */
TEST(s3_a_large_object_comes_in_windows)
{
    enum { LARGE = 2 * OBJECT_WINDOW_BYTES_MAX + 5 };
    AUTO(closep) struct objects *o = NULL;
    char *large;
    struct object object;
    struct object_window w;
    int64_t at = 0;

    if (!is_there())
        return;
    o = open_fresh();
    large = calloc(1, LARGE);
    CHECK(large);
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)(i * 2654435761u >> 13);
    CHECK_OK(object_store(o, (struct str){large, LARGE}, &object, &err), &err);
    for (int n = 0; n < 3; n++, at += w.bytes) {
        char last;

        CHECK_OK(object_window(o, &object, at, LARGE - at, &w, &err), &err);
        CHECK_INT(w.bytes, n < 2 ? OBJECT_WINDOW_BYTES_MAX : 5);
        CHECK_INT(pread(w.fd, &last, 1, w.bytes - 1), 1);
        CHECK_INT(last, large[at + w.bytes - 1]);
        object_window_close(&w);
    }
    CHECK_INT(at, LARGE);
    free(large);
}

TEST(s3_a_put_that_was_lost_or_cut_is_no_object)
{
    AUTO(closep) struct objects *o = NULL;
    struct object out;
    int n = 0;

    if (!is_there())
        return;
    o = open_fresh();
    fault("lose", 1, "PUT");
    CHECK_INT(object_store(o, some_bytes(), &out, &err), FOOTNOTE_NOTFOUND);
    fault("half", 1, "PUT");
    CHECK_INT(object_store(o, some_bytes(), &out, &err), FOOTNOTE_DAMAGED);
    fault("", 0, "");
    CHECK_OK(object_each(o, count, &n, &err), &err);
    CHECK_INT(n, 0);
}

TEST(s3_redirects_and_pages_are_refused_with_a_reason)
{
    AUTO(closep) struct objects *o = NULL;
    struct object object;
    int n = 0;

    if (!is_there())
        return;
    o = open_fresh();
    object = stored(o);
    fault("redirect", 1, "GET");
    CHECK_INT(read_it(o, &object), FOOTNOTE_INTERNAL);
    check_says("eu-west-1");
    CHECK_INT(requests(), 1);
    fault("403html", 1, "GET");
    CHECK_INT(read_it(o, &object), FOOTNOTE_INTERNAL);
    check_says("--s3-endpoint");
    fault("html", 1, "GET");
    CHECK_INT(object_each(o, count, &n, &err), FOOTNOTE_INTERNAL);
    check_says("no list");
}
