/* arena_test.c - limits, alignment, reuse. */
#include "base/arena.h"
#include "test.h"

#include <stdalign.h>

static unsigned char *must_alloc(struct arena *a, size_t bytes)
{
    void *p = arena_alloc(a, bytes);
    if (!p)
        FAIL("%zu bytes were refused", bytes);
    return p;
}

TEST(arena_memory_is_zeroed_and_aligned_also_when_used_again)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 24);
    for (int round = 0; round < 3; round++) {
        for (size_t bytes = 0; bytes < 3000; bytes += 7) {
            unsigned char *p = must_alloc(&a, bytes);
            CHECK_INT((uintptr_t)p % alignof(max_align_t), 0);
            for (size_t i = 0; i < bytes; i++)
                CHECK(p[i] == 0);
            memset(p, 0xAA, bytes);
        }
        arena_reset(&a);
    }
}

TEST(arena_allocations_do_not_overlap)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 26);
    enum { N = 400 };
    unsigned char *p[N];
    for (size_t i = 0; i < N; i++) {
        p[i] = must_alloc(&a, i * i % 70000 + 1);
        memset(p[i], (int)i, i * i % 70000 + 1);
    }
    for (size_t i = 0; i < N; i++) {
        CHECK_INT(p[i][0], i & 0xFF);
        CHECK_INT(p[i][i * i % 70000], i & 0xFF);
    }
}

TEST(arena_the_limit_counts_bytes_handed_out)
{
    AUTO(arena_free) struct arena a = ARENA(100);
    struct footnote_err err;
    CHECK(arena_alloc(&a, 60) != NULL);
    CHECK(arena_alloc(&a, 40) != NULL);
    CHECK_INT(a.used_bytes, 100);
    CHECK_OK(arena_rc(&a, &err), &err);
    CHECK(arena_alloc(&a, 1) == NULL);
    CHECK_INT(arena_rc(&a, &err), FOOTNOTE_NOMEM);
    arena_reset(&a);
    CHECK_OK(arena_rc(&a, &err), &err);
    CHECK(arena_alloc(&a, 100) != NULL);
}

TEST(arena_stays_failed_until_the_reset)
{
    AUTO(arena_free) struct arena a = ARENA(100);
    CHECK(arena_alloc(&a, 101) == NULL);
    CHECK(arena_alloc(&a, 1) == NULL);
    CHECK(arena_str(&a, STR("x")).p == NULL);
    CHECK(arena_printf(&a, "%d", 1).p == NULL);
    arena_reset(&a);
    CHECK(arena_alloc(&a, 1) != NULL);
}

static size_t asked_bytes, granted_bytes;

static bool grant(struct arena *a, size_t bytes)
{
    (void)a;
    asked_bytes += bytes;
    return asked_bytes <= granted_bytes;
}

TEST(arena_asks_before_it_grows)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 20);

    a.may_grow = grant;
    granted_bytes = 4000;
    CHECK(arena_alloc(&a, 400) != NULL);
    CHECK(asked_bytes >= 400 && asked_bytes <= 512);
    CHECK(arena_alloc(&a, 10000) == NULL);
    CHECK(a.failed && asked_bytes >= 10400);
    arena_reset(&a);
    granted_bytes = asked_bytes = 0;
    CHECK(arena_alloc(&a, 400) != NULL); /* in the block that it kept */
    CHECK(arena_alloc(&a, 400) == NULL);
}

TEST(arena_an_array_that_overflows_is_refused)
{
    AUTO(arena_free) struct arena a = ARENA(SIZE_MAX);
    CHECK(arena_array(&a, SIZE_MAX / 4 + 2, 4) == NULL);
    CHECK_INT(arena_rc(&a, NULL), FOOTNOTE_NOMEM);
    arena_reset(&a);
    CHECK(arena_array(&a, SIZE_MAX, 1) == NULL);
    arena_reset(&a);
    CHECK(arena_many(&a, 10, int64_t) != NULL);
}

TEST(arena_text_is_copied_with_a_nul)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 20);
    struct str s = arena_str(&a, STR("a\0b"));
    CHECK_TEXT(s, STR("a\0b"));
    CHECK_INT(s.p[3], 0);
    CHECK_STR(arena_str(&a, STR("")).p, "");
    CHECK(arena_str(&a, STR_NONE).p == NULL);
    CHECK(!a.failed);
    CHECK_TEXT(arena_printf(&a, "%s-%d", "x", 5), STR("x-5"));
    CHECK_INT(a.used_bytes, 4 + 1 + 4);
}

TEST(arena_a_fresh_or_freed_one_can_be_freed_and_used)
{
    struct arena a = ARENA(1000);
    arena_free(&a);
    arena_reset(&a);
    CHECK(arena_alloc(&a, 10) != NULL);
    arena_free(&a);
    CHECK_INT(a.used_bytes, 0);
    CHECK(arena_alloc(&a, 10) != NULL);
    arena_free(&a);
}
