/* history_cache_test.c - what is kept of histories, and for how long. */
#include "http/api/history_cache.h"

#include <stdio.h>

#include "test.h"

enum { ROOM = 1024 * 1024, LITTLE = 64 * 1024 };

static struct footnote_err err;

static struct history_cache *cache(size_t bytes)
{
    struct history_cache *h = NULL;

    CHECK_OK(history_cache_open(bytes, &h, &err), &err);
    return h;
}

static struct history_key key(const char *user, const char *session,
                              int64_t version)
{
    return (struct history_key){
        .who = {STR("t"), str_c(user)},
        .session = str_c(session),
        .versions = {.session_version = version, .docs_version = 1}};
}

static void put(struct history_cache *h, struct history_key k, char byte,
                size_t n)
{
    struct buf b = BUF(n);
    struct shared_body *s;

    for (size_t i = 0; i < n; i++)
        buf_add_c(&b, byte);
    s = shared_body_new(&b);
    CHECK(s != NULL);
    if (!s)
        return; /* never: the check has ended the test */
    history_cache_put(h, &k, s, "\"tag\"\0.............................");
    shared_body_drop(s);
}

/* The first byte of what is kept, or 0. */
static char got(struct history_cache *h, struct history_key k)
{
    char tag[ETAG_BYTES];
    struct shared_body *s = history_cache_get(h, &k, tag);
    char byte = '\0';

    if (s) {
        CHECK_STR(tag, "\"tag\"");
        byte = s->bytes[0];
    }
    shared_body_drop(s);
    return byte;
}

TEST(histories_are_given_while_all_versions_are_the_same)
{
    struct history_cache *h = cache(ROOM);
    struct history_key k = key("ada", "s", 7);

    CHECK(!history_cache_has(h, &k));
    put(h, k, 'a', 100);
    CHECK_INT(got(h, k), 'a');
    k.versions.session_version++;
    CHECK(history_cache_has(h, &k)); /* true or not */
    CHECK_INT(got(h, k), 0);
    k.versions.session_version--;
    k.versions.course_version++;
    CHECK_INT(got(h, k), 0);
    k.versions.course_version--;
    k.versions.docs_version++;
    CHECK_INT(got(h, k), 0);
    k.versions.docs_version--;
    CHECK_INT(got(h, k), 'a');
    history_cache_close(h);
}

TEST(histories_of_others_and_other_forms_are_others)
{
    struct history_cache *h = cache(ROOM);
    struct history_key k = key("ada", "s", 1);

    put(h, k, 'a', 100);
    CHECK_INT(got(h, key("bob", "s", 1)), 0);
    CHECK_INT(got(h, key("adas", "", 1)), 0);
    CHECK_INT(got(h, key("ada", "t", 1)), 0);
    k.form = 1;
    CHECK_INT(got(h, k), 0);
    k.form = 0;
    k.who.tenant = STR("u");
    CHECK_INT(got(h, k), 0);
    history_cache_close(h);
}

TEST(histories_a_late_reader_does_not_put_back_what_was)
{
    struct history_cache *h = cache(ROOM);

    put(h, key("ada", "s", 2), 'b', 100);
    put(h, key("ada", "s", 1), 'a', 100);
    CHECK_INT(got(h, key("ada", "s", 2)), 'b');
    put(h, key("ada", "s", 3), 'c', 100);
    CHECK_INT(got(h, key("ada", "s", 2)), 0);
    CHECK_INT(got(h, key("ada", "s", 3)), 'c');
    history_cache_close(h);
}

TEST(histories_that_were_not_used_go_first_when_it_is_full)
{
    struct history_cache *h = cache(LITTLE);
    char name[16];

    put(h, key("ada", "kept", 1), 'k', 4096);
    for (int i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof(name), "s%d", i);
        put(h, key("ada", name, 1), 'x', 4096);
        put(h, key("ada", name, 1), 'x', 4096);
        CHECK_INT(got(h, key("ada", "kept", 1)), 'k');
        CHECK_INT(got(h, key("ada", name, 1)), 'x');
    }
    CHECK_INT(got(h, key("ada", "s0", 1)), 0);
    history_cache_close(h);
}

/* A dozen or so are kept.  Whoever goes round through eighty never comes back
 * soon enough; what is asked for twice in a row is let in. */
TEST(histories_that_are_read_once_drive_nobody_out)
{
    struct history_cache *h = cache(LITTLE);
    char name[16];
    int kept = 0;

    for (int i = 0; i < 240; i++) {
        (void)snprintf(name, sizeof(name), "s%d", i % 80);
        put(h, key("ada", name, 1), 'x', 4096);
    }
    for (int i = 0; i < 80; i++) {
        (void)snprintf(name, sizeof(name), "s%d", i);
        if (got(h, key("ada", name, 1)))
            CHECK_INT(i, kept++);
    }
    CHECK(kept > 10 && kept < 20);
    put(h, key("ada", "s1", 2), 'y', 4096); /* what is there is made new */
    CHECK_INT(got(h, key("ada", "s1", 2)), 'y');
    put(h, key("ada", "s30", 1), 'z', 4096);
    CHECK_INT(got(h, key("ada", "s30", 1)), 0);
    put(h, key("ada", "s30", 1), 'z', 4096);
    CHECK_INT(got(h, key("ada", "s30", 1)), 'z');
    history_cache_close(h);
}

TEST(histories_a_body_that_is_most_of_the_room_is_not_kept)
{
    struct history_cache *h = cache(LITTLE);
    struct history_cache *none = cache(0);

    put(h, key("ada", "large", 1), 'x', LITTLE / 2);
    CHECK_INT(got(h, key("ada", "large", 1)), 0);
    put(none, key("ada", "s", 1), 'x', 1);
    CHECK_INT(got(none, key("ada", "s", 1)), 0);
    history_cache_close(h);
    history_cache_close(none);
}

TEST(histories_a_body_outlives_its_place)
{
    struct history_cache *h = cache(ROOM);
    struct history_key k = key("ada", "s", 1);
    char tag[ETAG_BYTES];

    put(h, k, 'a', 10);
    struct shared_body *s = history_cache_get(h, &k, tag);
    history_cache_close(h);
    CHECK(s != NULL);
    if (s)
        CHECK_INT(s->bytes[9], 'a');
    shared_body_drop(s);
}
