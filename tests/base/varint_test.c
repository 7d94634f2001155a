/* varint_test.c - numbers as few bytes: there and back, and in one form. */
#include "base/varint.h"
#include "test.h"

TEST(varint_comes_back_and_is_as_short_as_can_be)
{
    static const struct {
        uint64_t v;
        size_t bytes;
    } cases[] = {{0, 1},          {1, 1},           {127, 1},
                 {128, 2},        {16383, 2},       {16384, 3},
                 {INT32_MAX, 5},  {UINT32_MAX, 5},  {1ull << 35, 6},
                 {1ull << 62, 9}, {1ull << 63, 10}, {UINT64_MAX, 10}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        unsigned char bytes[VARINT_BYTES_MAX + 1];
        size_t n = varint_put(cases[i].v, bytes);
        struct str in = {(char *)bytes, n + 1};
        uint64_t v = 0;

        CHECK_INT(n, cases[i].bytes);
        bytes[n] = 0x80; /* the beginning of what follows */
        CHECK(varint_take(&in, &v));
        CHECK(v == cases[i].v);
        CHECK_INT(in.n, 1);
        CHECK(!varint_take(&in, &v));
        for (in = (struct str){(char *)bytes, n - 1}; in.n; in.n--)
            CHECK(!varint_take(&in, &v));
    }
}

TEST(varint_has_no_other_form)
{
    const struct str bad[] = {
        STR(""), STR("\x80\x00"), STR("\xff\x80\x00"),
        STR("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02"),
        STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct str in = bad[i];
        uint64_t v;

        CHECK(!varint_take(&in, &v));
    }
}
