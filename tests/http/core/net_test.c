/* net_test.c - addresses, networks, hosts, lists; and base64url. */
#include "http/core/net.h"

#include "http/core/base64url.h"
#include "test.h"

static const struct net_case {
    const char *net, *address;
    bool in;
} nets[] = {
    {"10.16.0.0/12", "10.16.0.0", true},
    {"10.16.0.0/12", "10.31.255.255", true},
    {"10.16.0.0/12", "10.32.0.0", false},
    {"10.16.0.0/12", "10.15.255.255", false},
    {"10.16.0.0/12", "::ffff:10.17.0.1", true},
    {"10.16.0.0/12", "::10.17.0.1", false},
    {"10.17.3.4/12", "10.31.1.1", true}, /* bits beyond the mask */
    {"1.2.3.4", "1.2.3.4", true},
    {"1.2.3.4", "1.2.3.5", false},
    {"1.2.3.4/32", "1.2.3.5", false},
    {"1.2.3.4/31", "1.2.3.5", true},
    {"0.0.0.0/0", "8.8.8.8", true},
    {"0.0.0.0/0", "2001:db8::1", false},
    {"::/0", "8.8.8.8", true},
    {"2001:db8::/33", "2001:db8:7fff::1", true},
    {"2001:db8::/33", "2001:db8:8000::1", false},
    {"::ffff:10.0.0.0/104", "10.9.9.9", true},
    {"::1", "::1", true},
    {"::1", "127.0.0.1", false},
};

TEST(an_address_is_in_its_networks)
{
    for (size_t i = 0; i < sizeof(nets) / sizeof(nets[0]); i++) {
        struct net n;

        CHECK(net_read(str_c(nets[i].net), &n));
        if (net_has(&n, str_c(nets[i].address)) != nets[i].in)
            FAIL("%s in %s: not %d", nets[i].address, nets[i].net, nets[i].in);
    }
}

TEST(what_is_no_network_is_refused)
{
    static const char *const bad[] = {
        "",          "10.0.0",      "10.0.0.0/",   "10.0.0.0/33", "::/129",
        "/8",        "10.0.0.0/-1", "10.0.0.0/+1", "10.0.0.0/8x", "10.0.0.256",
        "localhost", "10.0.0.0//8", "fe80::1%lo",  " 10.0.0.1",   "[::1]"};
    struct net n;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (net_read(str_c(bad[i]), &n))
            FAIL("%s is taken", bad[i]);
    CHECK(!net_read(STR("10.0.0.1\0"), &n));
    CHECK(!net_has(&n, STR("nobody")));
}

TEST(a_list_has_commas_or_spaces_between)
{
    struct str list = STR(" a, b,,c\td "), item;
    static const char *const want[] = {"a", "b", "c", "d"};

    for (size_t i = 0; i < 4; i++) {
        CHECK(net_next(&list, &item));
        CHECK_TEXT(item, str_c(want[i]));
    }
    CHECK(!net_next(&list, &item));
    list = STR_NONE;
    CHECK(!net_next(&list, &item));
}

/* One text for one value: what is let in once cannot come in another form. */
TEST(base64url_is_strict)
{
    static const struct {
        const char *text, *bytes;
    } good[] = {{"", ""},        {"QQ", "A"},         {"QUI", "AB"},
                {"QUJD", "ABC"}, {"_-8", "\xff\xef"}, {"-_8", "\xfb\xff"}};
    static const char *const bad[] = {
        "Q",   "QR",   "QUJ",  "QQ==",  "QUI=", "QUJD\n",
        "Q Q", "QU+D", "QU/D", "QUJDQ", "\x80"};
    struct arena a = ARENA(1 << 16);
    struct str out;

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct buf b = BUF(64);

        CHECK(base64url_read(&a, str_c(good[i].text), &out, NULL) ==
              FOOTNOTE_OK);
        CHECK_TEXT(out, str_c(good[i].bytes));
        base64url_write(&b, out);
        CHECK_TEXT(b.n ? buf_str(&b) : STR(""), str_c(good[i].text));
        buf_free(&b);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_INT(base64url_read(&a, str_c(bad[i]), &out, NULL),
                  FOOTNOTE_INVALID);
    arena_free(&a);
}
