/* limit_test.c - requests a minute, connections per address. */
#include "http/auth/limit.h"
#include "http/core/text.h"
#include "test.h"

static struct limits *open_limits(int64_t requests, int64_t connections)
{
    struct config c = {.requests_per_minute = requests,
                       .connections_per_address = connections};
    struct limits *l = NULL;
    struct footnote_err err;

    CHECK_OK(limits_open(&c, &l, &err), &err);
    return l;
}

TEST(limit_requests_are_counted_by_user_and_minute)
{
    struct who ann = {STR("t"), STR("ann")}, bob = {STR("t"), STR("bob")};
    struct limits *l = open_limits(2, 0);
    int64_t minute = 60000;

    CHECK_INT(limits_request(l, ann, 5 * minute + 1000), 0);
    CHECK_INT(limits_request(l, ann, 5 * minute + 1000), 0);
    CHECK_INT(limits_request(l, ann, 5 * minute + 1000), 60);
    CHECK_INT(limits_request(l, ann, 6 * minute - 1), 1);
    CHECK_INT(limits_request(l, bob, 6 * minute - 1), 0);
    CHECK_INT(limits_request(l, ann, 6 * minute), 0);
    limits_close(l);
}

TEST(limit_failed_sign_ins_are_counted_by_client)
{
    struct config c = {.failed_sign_ins_per_minute = 2};
    struct limits *l = NULL;
    struct footnote_err err;

    CHECK_OK(limits_open(&c, &l, &err), &err);
    CHECK(!limits_suspects(l, STR("192.0.2.1"), 60000));
    for (int i = 0; i < 2; i++)
        CHECK_INT(limits_failed(l, STR("192.0.2.1"), 60000), 0);
    CHECK(limits_suspects(l, STR("192.0.2.1"), 60000));
    CHECK_INT(limits_failed(l, STR("192.0.2.1"), 60000), 61);
    CHECK_INT(limits_failed(l, STR("::ffff:192.0.2.1"), 60000), 61);
    CHECK_INT(limits_failed(l, STR("192.0.2.2"), 60000), 0);
    CHECK_INT(limits_failed(l, STR("192.0.2.1"), 120000), 0);
    /* One who has a network of IPv6 has 2^64 addresses of it. */
    for (int i = 0; i < 2; i++)
        CHECK_INT(limits_failed(l, STR("2001:db8:0:1::5"), 60000), 0);
    CHECK_INT(limits_failed(l, STR("2001:db8:0:1:9:8:7:6"), 60000), 61);
    CHECK_INT(limits_failed(l, STR("2001:db8:0:2::5"), 60000), 0);
    limits_close(l);
}

TEST(limit_of_zero_is_none)
{
    struct who ann = {STR("t"), STR("ann")};
    struct limits *l = open_limits(0, 0);

    for (int i = 0; i < 1000; i++) {
        CHECK_INT(limits_request(l, ann, 1), 0);
        CHECK(limits_connect(l, "192.0.2.1"));
    }
    limits_close(l);
}

TEST(limit_connections_are_counted_by_address)
{
    struct limits *l = open_limits(0, 2);

    CHECK(limits_connect(l, "192.0.2.1"));
    CHECK(limits_connect(l, "192.0.2.1"));
    CHECK(!limits_connect(l, "192.0.2.1"));
    CHECK(limits_connect(l, "192.0.2.2"));
    limits_disconnect(l, "192.0.2.1");
    CHECK(limits_connect(l, "192.0.2.1"));
    CHECK(!limits_connect(l, "192.0.2.1"));
    for (int i = 0; i < 10; i++)
        CHECK(limits_connect(l, "127.0.0.1")); /* maybe a proxy for many */
    limits_close(l);
}

TEST(limit_lists_of_headers_are_read)
{
    static const struct {
        const char *list;
        bool accepts;
    } cases[] = {{"gzip", true},         {"br, gzip", true},
                 {"GZip;q=0.5", true},   {"br,\tgzip ;q=1.0", true},
                 {"gzip;q=0", false},    {"gzip;q=0.000", false},
                 {"gzip;q=0.001", true}, {"gzip; q=0", false},
                 {"xgzip", false},       {"gzipx", false},
                 {"identity", false},    {"", false},
                 {NULL, false}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (text_accepts(str_c(cases[i].list), STR("gzip")) != cases[i].accepts)
            FAIL("%s", cases[i].list);
}
