/* refs_test.c - references as a few bytes: there and back bit for bit, and
 * whatever else the bytes are is damage. */
#include "store/source/refs.h"
#include "store/store.h"
#include "test.h"

#include <float.h>

enum { ARENA_BYTES_MAX = 1024 * 1024 };

static const struct ref some[] = {
    {.number = 1, .source = 1, .support = -1},
    {.number = 2, .source = 127, .support = 0, .spans = {"\x27\x03", 2}},
    {.number = 18, .source = 128, .support = 1000, .has_score = true},
    {.number = 19,
     .source = 70000,
     .support = -1,
     .has_score = true,
     .score = 0.1},
    {.number = 20,
     .source = 3,
     .support = 128,
     .spans = {"\x00\x01\x00\x02", 4},
     .has_score = true,
     .score = -DBL_TRUE_MIN},
    {.number = STORE_NUMBER_MAX,
     .source = INT32_MAX,
     .support = -1,
     .has_score = true,
     .score = DBL_MAX}};
enum { SOME = sizeof(some) / sizeof(some[0]) };

/* All of them, or DAMAGED. */
static enum footnote_rc unpack(struct str packed, struct ref *out, size_t *n)
{
    struct footnote_err err;
    struct refs r;

    *n = 0;
    TRY(refs_begin(&r, packed, &err));
    while (r.n)
        TRY(refs_next(&r, &out[(*n)++], &err));
    return FOOTNOTE_OK;
}

static void check_same(const struct ref *got, const struct ref *want)
{
    CHECK_INT(got->number, want->number);
    CHECK_INT(got->source, want->source);
    CHECK_INT(got->support, want->support);
    CHECK_TEXT(got->spans, want->spans);
    CHECK_INT(got->has_score, want->has_score);
    CHECK(memcmp(&got->score, &want->score, sizeof(double)) == 0);
}

TEST(refs_come_back_as_they_were)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct ref got[STORE_SOURCES_MAX];
    size_t n;

    CHECK_INT(unpack(refs_pack(&a, some, SOME), got, &n), FOOTNOTE_OK);
    CHECK_INT(n, SOME);
    for (size_t i = 0; i < SOME; i++)
        check_same(&got[i], &some[i]);
    CHECK(refs_pack(&a, some, 0).p == NULL);
    CHECK_INT(unpack(STR_NONE, got, &n), FOOTNOTE_OK);
    CHECK_INT(n, 0);
}

/* The form is published. */
TEST(refs_are_the_published_bytes)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);

    CHECK_TEXT(refs_pack(&a, some, 3),
               STR("\x03\x40\x01\x43\x7f\x00\x02\x27\x03\x85\x08\x80\x01\xe8"
                   "\x07\0\0\0\0\0\0\0\0"));
}

TEST(refs_that_are_cut_or_longer_are_damaged)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct str whole = refs_pack(&a, some, SOME);
    struct ref got[STORE_SOURCES_MAX];
    char longer[256] = "";
    size_t n;

    for (struct str cut = whole; cut.n-- > 0;)
        CHECK_INT(unpack(cut, got, &n), FOOTNOTE_DAMAGED);
    CHECK(whole.n < sizeof(longer));
    memcpy(longer, whole.p, whole.n);
    CHECK_INT(unpack((struct str){longer, whole.n + 1}, got, &n),
              FOOTNOTE_DAMAGED);
}

TEST(refs_that_nobody_packs_are_damaged)
{
    const struct str bad[] = {
        STR(""),                                  /* nothing is no bytes */
        STR("\x00"),                              /* none */
        STR("\xc9\x01\x40\x01"),                  /* more than a message has */
        STR("\x01\x00\x01"),                      /* number 0 */
        STR("\x02\x40\x01\x00\x02"),              /* a number twice */
        STR("\x01\x80\x80\x80\x80\x80\x02\x01"),  /* a number too high */
        STR("\x01\x48\x01"),                      /* a flag of tomorrow */
        STR("\x01\x40\x00"),                      /* source 0 */
        STR("\x01\x40\x80\x80\x80\x80\x08"),      /* source of 32 bits */
        STR("\x01\x40\x81\x00"),                  /* a longer form of 1 */
        STR("\x01\x41\x01\xe9\x07"),              /* support 1001 */
        STR("\x01\x42\x01\x00"),                  /* cited nowhere */
        STR("\x01\x42\x01\x02\x01"),              /* spans that are cut */
        STR("\x01\x44\x01\x7f\xf0\0\0\0\0\0\0")}; /* a score without end */
    struct ref got[STORE_SOURCES_MAX];
    size_t n;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (unpack(bad[i], got, &n) != FOOTNOTE_DAMAGED)
            FAIL("case %zu", i);
}

TEST(refs_that_find_no_memory_say_so)
{
    AUTO(arena_free) struct arena a = ARENA(1);

    CHECK(refs_pack(&a, some, SOME).p == NULL);
    CHECK_INT(arena_rc(&a, NULL), FOOTNOTE_NOMEM);
}
