/* sha256_test.c - known digests, and a hasher that is used again. */
#include "base/sha256.h"
#include "test.h"

static void check_digest(const struct sha256 *d, const char *want)
{
    char hex[SHA256_HEX + 1];
    sha256_hex(d, hex);
    CHECK_STR(hex, want);
}

static const char abc_hex[] =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char empty_hex[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(sha256_of_known_texts)
{
    struct sha256 d, e;
    CHECK_OK(sha256(STR("abc"), &d, NULL), NULL);
    check_digest(&d, abc_hex);
    CHECK_OK(sha256(STR_NONE, &e, NULL), NULL);
    check_digest(&e, empty_hex);
    CHECK(sha256_eq(&d, &d));
    CHECK(!sha256_eq(&d, &e));
}

TEST(sha256_a_hasher_can_be_used_again)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct sha256 d;
    CHECK_OK(sha256_open(&c, NULL), NULL);
    for (int i = 0; i < 3; i++) {
        sha256_begin(c);
        sha256_add(c, STR("a"));
        sha256_add(c, STR_NONE);
        sha256_add(c, STR("bc"));
        sha256_end(c, &d);
        check_digest(&d, abc_hex);
        sha256_begin(c);
        sha256_end(c, &d);
        check_digest(&d, empty_hex);
    }
    sha256_close(NULL);
}
