/* link_test.c - signed paths of a folder: one object, one time, one folder. */
#include "object/object.h"
#include "test.h"

enum { NOW_MS = 1772000000 };
#define KEY   "00112233445566778899aabbccddeeff"
#define OTHER "00112233445566778899aabbccddeefe"

static struct footnote_err err;

static struct objects *open_named(const char *name)
{
    struct objects *o = NULL;
    char url[600];

    snprintf(url, sizeof(url), "files:%s/%s", test_dir(), name);
    CHECK_OK(objects_open(str_c(url), &o, &err), &err);
    return o;
}

static void closep(struct objects **o)
{
    objects_close(*o);
}

/* "/api/objects/KEY?expires=N&signature=HEX" */
static struct object_claim claim_of(struct str url)
{
    const char *expires = strstr(url.p, "expires=") + 8;
    const char *signature = strstr(url.p, "signature=") + 10;

    return (struct object_claim){.expires = {expires, strcspn(expires, "&")},
                                 .signature = str_c(signature),
                                 .now_ms = INT64_C(1000) * NOW_MS};
}

static struct str make(struct objects *o, struct arena *a)
{
    struct link_lifetime until = {INT64_C(1000) * NOW_MS, OBJECT_LINK_S_MAX};
    struct str url;

    CHECK_OK(object_link(o, STR(KEY), STR("image/png"), &until, a, &url, &err),
             &err);
    return url;
}

TEST(link_holds_for_its_object_and_its_time)
{
    AUTO(closep) struct objects *o = open_named("a");
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024);
    struct str url = make(o, &a);
    struct object_claim c = claim_of(url);

    CHECK(str_starts(url, STR("/api/objects/" KEY "?expires=")));
    CHECK_OK(object_link_check(o, STR(KEY), &c, &err), &err);
    CHECK_INT(object_link_check(o, STR(OTHER), &c, &err), FOOTNOTE_INVALID);
    CHECK_INT(object_link_check(o, STR("../../etc/passwd"), &c, &err),
              FOOTNOTE_INVALID);
    c.now_ms += (OBJECT_LINK_S_MAX - 1) * INT64_C(1000);
    CHECK_OK(object_link_check(o, STR(KEY), &c, &err), &err);
    c.now_ms += 1000;
    CHECK_INT(object_link_check(o, STR(KEY), &c, &err), FOOTNOTE_ENDED);
}

TEST(link_that_was_changed_anywhere_is_refused)
{
    AUTO(closep) struct objects *o = open_named("a");
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024);
    struct object_claim c = claim_of(make(o, &a));
    char hex[SHA256_HEX + 1];

    for (size_t i = 0; i < SHA256_HEX; i++) {
        struct object_claim bad = c;

        memcpy(hex, c.signature.p, SHA256_HEX);
        hex[i] = hex[i] == '0' ? '1' : '0';
        bad.signature = (struct str){hex, SHA256_HEX};
        CHECK_INT(object_link_check(o, STR(KEY), &bad, &err), FOOTNOTE_INVALID);
    }
    c.expires = STR("1772000900"); /* later than it was made for */
    CHECK_INT(object_link_check(o, STR(KEY), &c, &err), FOOTNOTE_INVALID);
    c.expires = STR_NONE;
    CHECK_INT(object_link_check(o, STR(KEY), &c, &err), FOOTNOTE_INVALID);
    c.signature = STR_NONE;
    CHECK_INT(object_link_check(o, STR(KEY), &c, &err), FOOTNOTE_INVALID);
}

TEST(link_of_another_folder_is_refused_and_of_the_same_one_holds)
{
    AUTO(closep) struct objects *o = open_named("a");
    AUTO(closep) struct objects *same = open_named("a");
    AUTO(closep) struct objects *other = open_named("b");
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024);
    struct object_claim c = claim_of(make(o, &a));

    CHECK_OK(object_link_check(same, STR(KEY), &c, &err), &err);
    CHECK_INT(object_link_check(other, STR(KEY), &c, &err), FOOTNOTE_INVALID);
}

TEST(link_to_what_we_do_not_hold_is_not_made_for_a_folder)
{
    AUTO(closep) struct objects *o = open_named("a");
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024);
    struct link_lifetime until = {INT64_C(1000) * NOW_MS, 60};
    struct str url;

    CHECK_OK(object_external(o, STR("snapshots/x.png"), &until, &a, &url, &err),
             &err);
    CHECK(!url.p);
}
