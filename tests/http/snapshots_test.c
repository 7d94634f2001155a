/* snapshots_test.c - the page on the screen: brought, asked about, cited,
 * found again after a reload, and shown by a link made at that moment.
 *
 * The same on a folder and, by tests/s3/run.sh, in a bucket. */
#include <curl/curl.h>
#include <stdlib.h>
#include <unistd.h>

#include "contract.h"
#include "help/chat_site.h"
#include "help/upload.h"
#include "object/object.h"
#include "store/document/snapshot.h"

#define PATH "/api/courses/cats/snapshots"
#define PNG_HEAD                                                               \
    "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0"    \
    "crc!"
#define PNG_TAIL "crc!\0\0\0\0IENDcrc!"
/* Two pictures that differ in what they show. */
#define PNG_ONE STR(PNG_HEAD "\0\0\0\3IDATone" PNG_TAIL)
#define PNG_TWO STR(PNG_HEAD "\0\0\0\3IDATtwo" PNG_TAIL)
/* STR() for the tables of a test. */
#define BYTES(text)                                                            \
    {                                                                          \
        "" text, sizeof(text) - 1                                              \
    }
#define CITING "text Look at [^Pa\ntext ge]: cats.\nfinish stop\ndone\n"
#define SILENT "text Cats sleep [1].\nfinish stop\ndone\n"

/* ---- Names --------------------------------------------------------------- */

/* In a bucket a picture is known by the key under which it lies there; here by
 * the label that it has in a folder. */
static struct {
    char label[64], s3key[256];
} names[8];
static size_t names_n;

static bool in_bucket(void)
{
    return getenv("TEST_S3") != NULL;
}

static void remember(const struct json *v)
{
    struct str s3key = json_text(v, STR("s3key"));
    struct str slide = json_text(v, STR("slideId"));
    int nth = 1;
    char suffix[16] = "";

    for (size_t i = 0; i < names_n; i++)
        if (str_eq(str_c(names[i].s3key), s3key))
            return;
    nth += (int)names_n;
    CHECK(names_n < sizeof(names) / sizeof(names[0]) && s3key.n < 256);
    if (nth > 1)
        snprintf(suffix, sizeof(suffix), "-%d", nth);
    snprintf(names[names_n].label, sizeof(names[0].label),
             "snapshots/%.*s/page-%lld%s.png", STR_ARG(slide),
             (long long)json_get(v, STR("pageNumber"))->i, suffix);
    snprintf(names[names_n++].s3key, sizeof(names[0].s3key), "%.*s",
             STR_ARG(s3key));
}

static const char *key(const char *label)
{
    for (size_t i = 0; in_bucket() && i < names_n; i++)
        if (strcmp(names[i].label, label) == 0)
            return names[i].s3key;
    return label;
}

static const char *quoted(struct chat_site *r, const char *label)
{
    return arena_printf(&r->site.arena, "'%s'", key(label)).p;
}

/* ---- Asking -------------------------------------------------------------- */

static struct json *post_picture(struct chat_site *r, int status,
                                 const char *query, struct str picture)
{
    struct ask ask = {.method = "POST",
                      .path = arena_printf(&r->site.arena, PATH "?%s", query).p,
                      .body = picture,
                      .type = "image/png"};

    struct json *v = site_json(&r->site, talk_ask(&r->site, status, &ask).body);

    if (status < 300)
        remember(v);
    return v;
}

static const char *about(struct chat_site *r, const char *s3key)
{
    return arena_printf(&r->site.arena,
                        ",'snapshot':{'s3key':'%s','slideId':'book',"
                        "'pageNumber':2}",
                        s3key)
        .p;
}

static struct str ask_about(struct chat_site *r, const char *question,
                            const char *text, const char *s3key)
{
    return chat_site_ask_with(r, "s1", question, text, about(r, s3key));
}

/* ---- Following a link --------------------------------------------------- */

static size_t take(const char *p, size_t size, size_t n, void *arg)
{
    buf_add(arg, (struct str){p, size * n});
    return size * n;
}

/* A path of the server, or the URL of a bucket. */
static long follow(struct chat_site *r, struct str url, struct buf *body)
{
    CURL *c = curl_easy_init();
    long status = 0;

    if (url.p && url.p[0] == '/')
        url = arena_printf(&r->site.arena, "http://127.0.0.1:%d%.*s",
                           r->site.served.port, STR_ARG(url));
    buf_reset(body);
    curl_easy_setopt(c, CURLOPT_URL, url.p);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, body);
    CHECK_INT(curl_easy_perform(c), CURLE_OK);
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(c);
    return status;
}

static struct str image_url(struct chat_site *r, size_t i)
{
    struct json *v =
        talk(&r->site, 200, "GET", "/api/sessions/s1/images", NULL);
    struct json *image = json_get(v, STR("images"))->first;

    while (i-- > 0 && image)
        image = image->next;
    CHECK(image != NULL);
    return arena_str(&r->site.arena, json_text(image, STR("url")));
}

static void check_picture(struct chat_site *r, struct str url, struct str want)
{
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);

    CHECK(url.p != NULL);
    CHECK_INT(follow(r, url, &b), 200);
    CHECK_TEXT(buf_str(&b), want);
}

/* ---- The whole flow ----------------------------------------------------- */

CONTRACT(snapshot_is_cited_stored_and_comes_back_as_the_very_bytes)
{
    CHAT_SITE(r);
    struct json *v;
    struct str body;

    chat_site_script(&r, "citing", CITING);
    v = post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    CHECK_AT(&r.site, v, "s3key", quoted(&r, "snapshots/book/page-2.png"));
    CHECK_AT(&r.site, v, "slideId", "'book'");
    CHECK_AT(&r.site, v, "pageNumber", "2");
    body = ask_about(&r, "q1", "How do cats sleep? script:citing",
                     key("snapshots/book/page-2.png"));
    CHECK_STR(stream_text(&r, body), "Look at [^Page]: cats.");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.imageSource",
             arena_printf(&r.site.arena,
                          "{'s3key':%s,'slideId':'book',"
                          "'pageNumber':2,'url':null}",
                          quoted(&r, "snapshots/book/page-2.png"))
                 .p);
    CHECK_AT(&r.site, v, "messages.1.sources.3.sourceType", "'image'");
    CHECK_AT(&r.site, v, "messages.1.sources.3.chunkNumber", "4");
    CHECK_AT(&r.site, v, "messages.1.sources.3.cited", "true");
    CHECK_AT(&r.site, v, "messages.0.imageSource.s3key",
             quoted(&r, "snapshots/book/page-2.png"));
    check_picture(&r, image_url(&r, 0), PNG_ONE);
    CHECK_TEXT(talk_header("Cache-Control"), STR("no-store"));
    CHECK(!talk_header("ETag").p);
}

/* Of the page that was asked about, and of the answer that cites it. */
CONTRACT(snapshot_is_in_every_shape_of_a_history)
{
    CHAT_SITE(r);
    const char *camel, *snake, *bare, *full, *streamed, *its;
    struct str body;
    struct json *v;

    chat_site_script(&r, "citing", CITING);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    its = key("snapshots/book/page-2.png");
    camel = arena_printf(&r.site.arena,
                         "{'s3key':'%s','slideId':'book','pageNumber':2", its)
                .p;
    snake =
        arena_printf(&r.site.arena,
                     "{'s3key':'%s','slide_id':'book','page_number':2}", its)
            .p;
    bare = arena_printf(&r.site.arena, "%s}", camel).p;
    full = arena_printf(&r.site.arena, "%s,'url':null}", camel).p;
    streamed = arena_printf(&r.site.arena,
                            "\"imageSource\":{\"s3key\":\"%s\","
                            "\"slideId\":\"book\"",
                            its)
                   .p;
    body = ask_about(&r, "q1", "What? script:citing",
                     key("snapshots/book/page-2.png"));
    CHECK(memmem(body.p, body.n, streamed, strlen(streamed)));
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages?as=ui", NULL);
    CHECK_AT(&r.site, v, "messages.0.metadata.imageSource", bare);
    CHECK_AT(&r.site, v, "messages.1.metadata.imageSource", bare);
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages?as=rows", NULL);
    CHECK_AT(&r.site, v, "0.image_source", snake);
    CHECK_AT(&r.site, v, "1.image_source", snake);
    v = talk(&r.site, 200, "GET", "/api/sessions/s1", NULL);
    CHECK_AT(&r.site, v, "history.0.imageSource", full);
    CHECK_AT(&r.site, v, "history.1.imageSource", full);
    chat_site_ask_with(&r, "s2", "q2", "What?", ",'model':'extractive'");
    v = talk(&r.site, 200, "GET", "/api/sessions/s2/messages?as=rows", NULL);
    CHECK_AT(&r.site, v, "1.image_source", "absent");
}

CONTRACT(snapshot_state_has_a_fresh_link_and_is_never_kept)
{
    CHAT_SITE(r);
    struct json *v;

    chat_site_script(&r, "citing", CITING);
    talk(&r.site, 200, "GET", "/healthz", NULL);
    post_picture(&r, 201, "documentId=book&pageNumber=2", PNG_ONE);
    ask_about(&r, "q1", "What? script:citing",
              key("snapshots/book/page-2.png"));
    for (int i = 0; i < 2; i++) {
        v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages?as=state",
                 NULL);
        CHECK_TEXT(talk_header("Cache-Control"), STR("no-store"));
        CHECK(!talk_header("ETag").p);
        CHECK_AT(&r.site, v, "messages.1.image_source.slide_id", "'book'");
        CHECK_AT(&r.site, v, "messages.1.image_source.page_number", "2");
        v = json_get(json_get(v, STR("messages"))->first->next,
                     STR("image_source"));
        check_picture(&r, arena_str(&r.site.arena, json_text(v, STR("url"))),
                      PNG_ONE);
    }
}

CONTRACT(snapshot_that_is_not_cited_is_no_source)
{
    CHAT_SITE(r);
    struct json *v;

    chat_site_script(&r, "silent", SILENT);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    ask_about(&r, "q1", "What? script:silent",
              key("snapshots/book/page-2.png"));
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.imageSource", "null");
    CHECK_AT(&r.site, v, "messages.1.sources.3", "absent");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/images", NULL);
    CHECK_AT(&r.site, v, "images", "[]");
}

CONTRACT(snapshot_marker_without_a_picture_is_text)
{
    CHAT_SITE(r);
    struct json *v;
    struct str body;

    chat_site_script(&r, "citing", CITING);
    body = chat_site_ask(&r, "s1", "q1", "What? script:citing");
    CHECK_STR(stream_text(&r, body), "Look at [^Page]: cats.");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.imageSource", "null");
    CHECK_AT(&r.site, v, "messages.1.sources.3", "absent");
}

CONTRACT(snapshot_stays_with_the_question_when_it_is_answered_again)
{
    CHAT_SITE(r);
    struct json *v;

    chat_site_script(&r, "both", SILENT "next\n" CITING);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    ask_about(&r, "q1", "What? script:both", key("snapshots/book/page-2.png"));
    chat_site_ask_with(&r, "s1", "q1", "What? script:both",
                       ",'trigger':'regenerate-message'");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.imageSource.s3key",
             quoted(&r, "snapshots/book/page-2.png"));
    check_picture(&r, image_url(&r, 0), PNG_ONE);
}

CONTRACT(snapshot_of_the_same_page_never_takes_the_place_of_another)
{
    CHAT_SITE(r);
    struct json *v;

    chat_site_script(&r, "citing", CITING);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    v = post_picture(&r, 200, "slideId=book&pageNumber=2", PNG_ONE);
    CHECK_AT(&r.site, v, "s3key", quoted(&r, "snapshots/book/page-2.png"));
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    v = post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_TWO);
    CHECK_AT(&r.site, v, "s3key", quoted(&r, "snapshots/book/page-2-2.png"));
    ask_about(&r, "q1", "One? script:citing", key("snapshots/book/page-2.png"));
    ask_about(&r, "q2", "Two? script:citing",
              key("snapshots/book/page-2-2.png"));
    check_picture(&r, image_url(&r, 0), PNG_ONE);
    check_picture(&r, image_url(&r, 1), PNG_TWO);
}

/* Whether a link is signed for a key of the bucket that a user made up. */
static bool is_signed(struct chat_site *r, const char *session, const char *key)
{
    const char *path =
        arena_printf(&r->site.arena, "/api/sessions/%s/messages", session).p;
    struct json *v;

    talk(&r->site, 201, "POST", path,
         arena_printf(&r->site.arena,
                      "{'role':'assistant','content':'x','imageSource':{"
                      "'s3key':'%s','slideId':'book','pageNumber':2},"
                      "'sources':[{'sourceType':'image','s3key':'%s'}]}",
                      key, key)
             .p);
    path = arena_printf(&r->site.arena, "/api/sessions/%s/images", session).p;
    v = talk(&r->site, 200, "GET", path, NULL);
    CHECK_EACH(&r->site, v, "images", "pageNumber", "2");
    return strcmp(json_at(&r->site, v, "images.0.url"), "null") != 0;
}

CONTRACT(snapshot_no_link_is_signed_for_a_key_that_a_user_sends)
{
    AUTO(chat_site_close) struct chat_site r = {.up = NULL};

    r.site.s3_endpoint = STR("http://127.0.0.1:1"); /* links are made here */
    chat_site_open(&r);
    CHECK(!is_signed(&r, "s1", "snapshots/book/page-2.png"));
    CHECK(!is_signed(&r, "s2", "backups/all.tar"));
}

CONTRACT(snapshot_links_are_signed_below_the_prefixes_that_are_open)
{
    AUTO(chat_site_close) struct chat_site r = {.up = NULL};

    r.site.s3_endpoint = STR("http://127.0.0.1:1");
    r.site.objects_external = STR("pages/,old/pages/");
    chat_site_open(&r);
    CHECK(is_signed(&r, "s1", "old/pages/2.png"));
    CHECK(!is_signed(&r, "s2", "old/2.png"));
    CHECK(!is_signed(&r, "s3", "snapshots/book/page-2.png"));
}

/* ---- What the model sees ------------------------------------------------ */

static struct str last_asked(struct chat_site *r)
{
    return upstream_request(r->up, upstream_asked(r->up) - 1).body;
}

static void check_asked(struct chat_site *r, const char *text, bool there)
{
    struct str body = last_asked(r);

    if ((memmem(body.p, body.n, text, strlen(text)) != NULL) != there)
        FAIL("%s %s in %.*s", text, there ? "is not" : "is", STR_ARG(body));
}

CONTRACT(snapshot_goes_to_a_blind_model_as_the_words_of_its_page)
{
    CHAT_SITE(r);

    chat_site_script(&r, "silent", SILENT);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    ask_about(&r, "q1", "zymurgy script:silent",
              key("snapshots/book/page-2.png"));
    check_asked(&r, "image_url", false);
    check_asked(&r, "Kittens sleep more", true);
    check_asked(&r, "[^Page]", true);
    chat_site_ask(&r, "s2", "q2", "zymurgy script:silent");
    check_asked(&r, "[^Page]", false);
}

/* It is the first source of the answer, which has begun by then. */
CONTRACT(snapshot_is_cited_before_the_model_asks_for_a_search)
{
    CHAT_SITE(r);
    struct viewer v;

    chat_site_script(
        &r, "then",
        "text See [^Page]. It sleeps.\ngate g\n"
        "data {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{"
        "\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":"
        "{\"name\":\"search_course_materials\",\"arguments\":"
        "\"{\\\"query\\\":\\\"cats\\\"}\"}}]}}]}\n"
        "finish tool_calls\ndone\n"
        "on tool\ntext  So [2].\nfinish stop\ndone\n");
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q1", "zymurgy script:then",
                              about(&r, key("snapshots/book/page-2.png"))));
    viewer_await(&v, "It sleeps.");
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    CHECK_STR(stream_text(&r, buf_str(&v.seen)),
              "See [^Page]. It sleeps. So [2].");
    CHECK_INT(upstream_asked(r.up), 2);
    check_asked(&r, "zymurgy", true);
    check_asked(&r, "Kittens sleep more", true);
    viewer_close(&v);
}

/* The marker waits for the text before it, and by then a search runs. */
CONTRACT(snapshot_is_cited_while_a_search_runs)
{
    CHAT_SITE(r);
    struct str body;

    chat_site_script(
        &r, "then",
        "text See [^Page].\n"
        "data {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{"
        "\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":"
        "{\"name\":\"search_course_materials\",\"arguments\":"
        "\"{\\\"query\\\":\\\"cats\\\"}\"}}]}}]}\n"
        "finish tool_calls\ndone\n"
        "on tool\ntext  So [2].\nfinish stop\ndone\n");
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    body = ask_about(&r, "q1", "zymurgy script:then",
                     key("snapshots/book/page-2.png"));
    CHECK_STR(stream_text(&r, body), "See [^Page]. So [2].");
    CHECK(strstr(body.p, "\"source_type\":\"image\""));
    CHECK(strstr(body.p, "\"source_type\":\"slide\""));
    check_asked(&r, "Kittens sleep more", true);
}

CONTRACT(snapshot_goes_to_a_seeing_model_as_the_very_bytes)
{
    AUTO(chat_site_close) struct chat_site r = {.site = {.model_images = true}};

    chat_site_open(&r);
    chat_site_script(&r, "silent", SILENT);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    ask_about(&r, "q1", "What? script:silent",
              key("snapshots/book/page-2.png"));
    check_asked(&r,
                "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:"
                "image/png;base64,iVBORw0KGgoAAAANSUhEUg",
                true);
    check_asked(&r, "X-Amz", false);
}

/* ---- Who may see it ----------------------------------------------------- */

CONTRACT(snapshot_of_another_user_is_not_theirs_to_use)
{
    CHAT_SITE(r);
    const char *ada = talk_as_ada(&r.site);
    struct json *v;

    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    talk_with(&r.site, ada, 404, "POST", PATH,
              "{'slideId':'book','pageNumber':2}");
    talk_with(&r.site, ada, 201, "POST", "/api/sessions/a/messages",
              arena_printf(&r.site.arena,
                           "{'role':'assistant','content':'[^Page]',"
                           "'imageSource':{'s3key':'%s','slideId':'book',"
                           "'pageNumber':2}}",
                           key("snapshots/book/page-2.png"))
                  .p);
    v = talk_with(&r.site, ada, 200, "GET", "/api/sessions/a/images", NULL);
    CHECK_AT(&r.site, v, "images.0.s3key",
             quoted(&r, "snapshots/book/page-2.png"));
    CHECK_AT(&r.site, v, "images.0.url", "null");
    talk_with(&r.site, ada, 404, "GET", "/api/sessions/s1/images", NULL);
}

CONTRACT(snapshot_goes_with_its_course)
{
    CHAT_SITE(r);
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);
    struct str url;

    chat_site_script(&r, "citing", CITING);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    ask_about(&r, "q1", "What? script:citing",
              key("snapshots/book/page-2.png"));
    url = image_url(&r, 0);
    talk(&r.site, 204, "DELETE", "/api/courses/cats", NULL);
    if (getenv("TEST_S3"))
        return; /* a bucket's link lives for its five minutes */
    CHECK(!image_url(&r, 0).p);
    CHECK_INT(follow(&r, url, &b), 404);
}

TEST(snapshot_link_that_is_over_changed_or_foreign_is_forbidden)
{
    CHAT_SITE(r);
    struct json *v;
    struct str url;
    char *p;

    if (getenv("TEST_S3"))
        return; /* object/s3_test.c */
    chat_site_script(&r, "citing", CITING);
    post_picture(&r, 201, "slideId=book&pageNumber=2", PNG_ONE);
    ask_about(&r, "q1", "What? script:citing",
              key("snapshots/book/page-2.png"));
    url = image_url(&r, 0);
    talk_ask(&r.site, 200, &(struct ask){.method = "GET", .path = url.p});
    CHECK_TEXT(talk_header("Content-Type"), STR("image/png"));
    CHECK_TEXT(talk_header("X-Content-Type-Options"), STR("nosniff"));
    CHECK_TEXT(talk_header("Content-Security-Policy"),
               STR("default-src 'none'; sandbox"));
    CHECK_TEXT(talk_header("Cache-Control"), STR("no-store"));
    p = (char *)(uintptr_t)strstr(url.p, "expires=") + 8;
    p[0] = '9';
    talk_refused(&r.site, 403, "forbidden", NULL, "GET", url.p, NULL);
    talk_refused(&r.site, 403, "forbidden", NULL, "GET",
                 "/api/objects/00112233445566778899aabbccddeeff?expires=1&"
                 "signature=0",
                 NULL);
    v = talk(&r.site, 403, "GET", "/api/objects/..%2f..%2fsecret", NULL);
    CHECK_AT(&r.site, v, "code", "'forbidden'");
    talk(&r.site, 405, "POST", url.p, "{}");
}

TEST(snapshot_link_that_has_expired_says_so)
{
    CHAT_SITE(r);
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024);
    struct link_lifetime long_ago = {1000, 60};
    struct footnote_err err;
    struct str url;

    if (getenv("TEST_S3"))
        return;
    CHECK_OK(object_link(r.site.served.objects,
                         STR("00112233445566778899aabbccddeeff"),
                         STR("image/png"), &long_ago, &a, &url, &err),
             &err);
    talk_refused(&r.site, 403, "link_expired", NULL, "GET", url.p, NULL);
}

/* ---- What is refused ---------------------------------------------------- */

CONTRACT(snapshot_bodies_that_are_no_picture_are_refused)
{
    static const struct {
        int status;
        const char *code, *query;
        struct str body;
    } cases[] = {
        {415, "'unsupported_type'", "slideId=a&pageNumber=1",
         BYTES("<html><script>")},
        {415, "'unsupported_type'", "slideId=a&pageNumber=1", BYTES("<svg/>")},
        {422, "'impossible'", "slideId=a&pageNumber=1",
         BYTES(PNG_HEAD "\0\0\0\3IDATone" PNG_TAIL "<html>")},
        {422, "'impossible'", "slideId=a&pageNumber=1", BYTES(PNG_HEAD)},
        {413, "'too_large'", "slideId=a&pageNumber=1",
         BYTES("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\1\x86\xa0\0\1\x86\xa0\x08\2\0"
               "\0\0"
               "crc!")},
        {400, "'invalid_field'", "slideId=..&pageNumber=1", BYTES("x")},
        {400, "'invalid_field'", "slideId=..%2F..%2Fetc&pageNumber=1",
         BYTES("x")},
        {400, "'invalid_field'", "slideId=a%00b&pageNumber=1", BYTES("x")},
        {400, "'invalid_field'", "slideId=%2Fetc&pageNumber=1", BYTES("x")},
        {400, "'invalid_field'", "slideId=a&pageNumber=0", BYTES("x")},
        {400, "'invalid_field'", "slideId=a&pageNumber=one", BYTES("x")},
        {400, "'invalid_field'", "pageNumber=1", BYTES("x")},
    };
    CHAT_SITE(r);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct json *v =
            post_picture(&r, cases[i].status, cases[i].query, cases[i].body);

        CHECK_AT(&r.site, v, "code", cases[i].code);
    }
}

TEST(snapshot_over_20_megabytes_is_refused)
{
    CHAT_SITE(r);
    size_t n = (size_t)21 * 1024 * 1024;
    char *p = arena_alloc(&r.site.arena, n);
    struct json *v;

    v = post_picture(&r, 413, "slideId=a&pageNumber=1", (struct str){p, n});
    CHECK_AT(&r.site, v, "code", "'too_large'");
}

CONTRACT(snapshot_keys_in_a_question_are_checked)
{
    static const char *const bad[] = {"{'s3key':'../x'}",
                                      "{'s3key':'/etc/passwd'}",
                                      "{'s3key':'a/../../b'}",
                                      "{'s3key':'a\\u0000b'}",
                                      "{'s3key':''}",
                                      "{'slideId':'a'}",
                                      "{'s3key':'a\\nb'}",
                                      "{'s3key':'a\\\\b'}",
                                      "{'s3key':'a','pageNumber':-1}",
                                      "{'s3key':'a','pageNumber':'1'}",
                                      "'a'"};
    CHAT_SITE(r);

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        talk(&r.site, 400, "POST", "/api/chat",
             arena_printf(&r.site.arena,
                          "{'id':'s','messages':[{'id':'q','role':'user',"
                          "'parts':[{'type':'text','text':'Hi'}]}],"
                          "'snapshot':%s}",
                          bad[i])
                 .p);
}

CONTRACT(snapshot_from_a_form_is_the_same)
{
    CHAT_SITE(r);
    struct str body = arena_str(
        &r.site.arena,
        STR("--B\r\nContent-Disposition: form-data; name=\"slideId\"\r\n\r\n"
            "book\r\n--B\r\nContent-Disposition: form-data; name=\"pageNumber\""
            "\r\n\r\n3\r\n--B\r\nContent-Disposition: form-data; name=\"file\";"
            " filename=\"x.html\"\r\nContent-Type: text/html\r\n\r\n" PNG_HEAD
            "\0\0\0\3IDATone" PNG_TAIL "\r\n--B--\r\n"));
    struct ask ask = {.method = "POST",
                      .path = PATH,
                      .body = body,
                      .type = "multipart/form-data; boundary=B"};
    struct json *v = site_json(&r.site, talk_ask(&r.site, 201, &ask).body);

    remember(v);
    CHECK_AT(&r.site, v, "s3key", quoted(&r, "snapshots/book/page-3.png"));
}

CONTRACT(snapshot_of_a_page_that_is_not_here_is_not_found)
{
    CHAT_SITE(r);

    talk_refused(&r.site, 404, "document_not_found", NULL, "POST", PATH,
                 "{'slideId':'nothing','pageNumber':1}");
    talk_refused(&r.site, 404, "course_not_found", NULL, "POST",
                 "/api/courses/none/snapshots",
                 "{'slideId':'book','pageNumber':1}");
    talk_refused(&r.site, 404, "not_found", NULL, "POST", PATH,
                 "{'slideId':'book','pageNumber':1}");
}

/* ---- Pages and pictures that are there already -------------------------- */

static struct str slides(struct chat_site *r)
{
    AUTO(buf_free) struct buf b = BUF((size_t)4 * 1024 * 1024);
    FILE *f = fopen("tests/ingest/files/slides.pdf", "rbe");
    char part[4096];
    size_t n;

    CHECK(f != NULL);
    while ((n = fread(part, 1, sizeof(part), f)) > 0)
        buf_add(&b, (struct str){part, n});
    fclose(f);
    return arena_str(&r->site.arena, buf_str(&b));
}

CONTRACT(snapshot_of_a_page_that_we_hold_is_painted_here)
{
    CHAT_SITE(r);
    struct ask ask = {.method = "POST",
                      .path =
                          "/api/courses/cats/documents?filename=a.pdf&id=deck",
                      .body = slides(&r),
                      .type = "application/pdf"};
    struct str page;
    struct json *v;

    chat_site_script(&r, "citing", CITING);
    talk_ask(&r.site, 202, &ask);
    v = talk(&r.site, 201, "POST", PATH,
             "{'documentId':'deck','pageNumber':1}");
    remember(v);
    CHECK_AT(&r.site, v, "s3key", quoted(&r, "snapshots/deck/page-1.png"));
    talk(&r.site, 200, "POST", PATH, "{'slide_id':'deck','page_number':1}");
    talk_refused(&r.site, 404, "not_found", NULL, "POST", PATH,
                 "{'slideId':'deck','pageNumber':9999}");
    ask_about(&r, "q1", "What? script:citing",
              key("snapshots/deck/page-1.png"));
    page = site_get(&r.site, "/api/documents/deck/pages/1.png").body;
    check_picture(&r, image_url(&r, 0), page);
}

/* The key of a picture that another program put below a prefix. */
static const char *put_by_another(struct chat_site *r, const char *prefix)
{
    struct objects_place place = {
        .url = arena_printf(&r->site.arena, "s3://bucket/%s", prefix),
        .s3_endpoint = str_c(getenv("TEST_S3")),
        .s3_key_id = STR("S3RVER"),
        .s3_secret = STR("S3RVER")};
    struct objects *theirs = NULL;
    struct object object;
    struct footnote_err err;

    CHECK_OK(objects_open_place(&place, &theirs, &err), &err);
    CHECK_OK(object_store(theirs, PNG_TWO, &object, &err), &err);
    objects_close(theirs);
    return arena_printf(&r->site.arena, "%s/%.2s/%s", prefix, object.key,
                        object.key)
        .p;
}

CONTRACT(snapshot_that_another_program_put_into_the_bucket_is_seen)
{
    AUTO(chat_site_close)
    struct chat_site r = {
        .site = {.model_images = true, .objects_external = STR("snapshots/")}};

    chat_site_open(&r);
    if (!getenv("TEST_S3"))
        return; /* there is nothing but ours in a folder */
    chat_site_script(&r, "citing", CITING);
    ask_about(&r, "q1", "What? script:citing", put_by_another(&r, "private"));
    check_asked(&r, "data:image/png", false);
    CHECK(!image_url(&r, 0).p);
    ask_about(&r, "q2", "What? script:citing", put_by_another(&r, "snapshots"));
    check_asked(&r, "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg", true);
    check_picture(&r, image_url(&r, 1), PNG_TWO);
}

/* Whoever may read the bucket finds a picture under the key that was given. */
CONTRACT(snapshot_in_a_bucket_lies_under_its_own_key)
{
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);
    CHAT_SITE(r);
    struct str s3key;
    struct objects_place place = {.url = STR("s3://bucket"),
                                  .s3_endpoint = str_c(getenv("TEST_S3")),
                                  .s3_key_id = STR("S3RVER"),
                                  .s3_secret = STR("S3RVER")};
    struct objects *bucket = NULL;
    struct footnote_err err;
    struct json *v =
        post_picture(&r, 201, "slideId=a%20b&pageNumber=2", PNG_ONE);

    if (!in_bucket())
        return;
    s3key = json_text(v, STR("s3key"));
    place.external = arena_printf(&r.site.arena, "%.*s/",
                                  (int)str_find(s3key, '/'), s3key.p);
    CHECK_OK(objects_open_place(&place, &bucket, &err), &err);
    CHECK_OK(object_external_read(bucket, s3key, &b, &err), &err);
    CHECK_TEXT(buf_str(&b), PNG_ONE);
    objects_close(bucket);
}
