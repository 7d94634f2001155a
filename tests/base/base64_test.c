/* base64_test.c - the vectors of RFC 4648. */
#include "base/base64.h"
#include "test.h"

TEST(base64_is_that_of_the_rfc)
{
    static const struct {
        const char *bytes, *text;
    } cases[] = {{"", ""},
                 {"f", "Zg=="},
                 {"fo", "Zm8="},
                 {"foo", "Zm9v"},
                 {"foob", "Zm9vYg=="},
                 {"fooba", "Zm9vYmE="},
                 {"foobar", "Zm9vYmFy"},
                 {"\xfb\xff\xfe", "+//+"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(buf_free) struct buf b = BUF(64);

        buf_add_base64(&b, str_c(cases[i].bytes));
        buf_add_c(&b, '\0');
        CHECK_STR(b.p, cases[i].text);
    }
}
