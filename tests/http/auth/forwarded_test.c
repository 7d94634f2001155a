/* forwarded_test.c - whose request a proxy passes on, whatever clients write.
 */
#include "http/auth/forwarded.h"

#include <stdio.h>

#include "test.h"

static struct arena arena = {.max_bytes = 1 << 20};

static const struct forward_case {
    const char *peer, *lines[2], *client;
} cases[] = {
    /* Who is no proxy says nothing about others. */
    {"192.0.2.9", {NULL}, "192.0.2.9"},
    {"192.0.2.9", {"198.51.100.1"}, "192.0.2.9"},
    {"10.0.0.1", {NULL}, "10.0.0.1"},
    {"10.0.0.1", {"198.51.100.1"}, "198.51.100.1"},
    /* From the right: the rest is the client's own invention. */
    {"10.0.0.1", {"127.0.0.1, 198.51.100.1"}, "198.51.100.1"},
    {"10.0.0.1", {"1.1.1.1,2.2.2.2 ,198.51.100.1"}, "198.51.100.1"},
    {"10.0.0.1", {"1.1.1.1, 198.51.100.1, 10.9.9.9"}, "198.51.100.1"},
    {"10.0.0.1", {"10.3.3.3, 10.2.2.2"}, "10.3.3.3"},
    {"10.0.0.1", {"1.1.1.1", "198.51.100.1"}, "198.51.100.1"},
    {"10.0.0.1", {"198.51.100.1", "10.2.2.2"}, "198.51.100.1"},
    /* Ports, brackets, IPv6, IPv4 in it. */
    {"10.0.0.1", {"198.51.100.1:443"}, "198.51.100.1"},
    {"10.0.0.1", {"[2001:db8::1]:443"}, "2001:db8::1"},
    {"10.0.0.1", {"2001:DB8:0::1"}, "2001:db8::1"},
    {"::ffff:10.0.0.1", {"::ffff:198.51.100.1"}, "198.51.100.1"},
    /* What is no address ends it: the last that is known counts. */
    {"10.0.0.1", {"unknown"}, "10.0.0.1"},
    {"10.0.0.1", {"198.51.100.1, x, 10.2.2.2"}, "10.2.2.2"},
    {"10.0.0.1", {"198.51.100.0/24"}, "10.0.0.1"},
    {"10.0.0.1", {"_hidden, 10.2.2.2"}, "10.2.2.2"},
    {"10.0.0.1", {" , ,"}, "10.0.0.1"},
    {"10.0.0.1", {""}, "10.0.0.1"},
    {"bad", {"198.51.100.1"}, ""},
};

static struct request *request(const struct forward_case *c)
{
    static struct header headers[2];
    static struct request r;

    r = (struct request){.headers = headers};
    snprintf(r.address, sizeof(r.address), "%s", c->peer);
    for (int i = 0; i < 2 && c->lines[i]; i++)
        headers[r.headers_n++] =
            (struct header){STR("x-forwarded-for"), str_c(c->lines[i])};
    return &r;
}

TEST(forwarded_the_client_is_who_the_last_stranger_was)
{
    struct proxies p = {.loopback = false};
    struct net *nets;
    char out[NET_TEXT];

    CHECK(net_list(&arena, STR("10.0.0.0/8"), &nets, &p.n, NULL) ==
          FOOTNOTE_OK);
    p.nets = nets;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        forwarded_client(&p, request(&cases[i]), out);
        if (strcmp(out, cases[i].client) != 0)
            FAIL("case %zu: %s, not %s", i, out, cases[i].client);
    }
}

TEST(forwarded_a_program_on_this_machine_is_believed_behind_a_public_address)
{
    const struct forward_case c = {"127.0.0.1", {"6.6.6.6, 198.51.100.1"}, ""};
    struct proxies p = {.loopback = true}, none = {.loopback = false};
    char out[NET_TEXT];

    forwarded_client(&p, request(&c), out);
    CHECK_STR(out, "198.51.100.1");
    forwarded_client(&none, request(&c), out);
    CHECK_STR(out, "127.0.0.1");
}

TEST(forwarded_a_list_without_end_ends)
{
    AUTO(buf_free) struct buf b = BUF(100000);
    struct request r = {.address = "127.0.0.1"};
    struct proxies p = {.loopback = true};
    struct header h = {.name = STR("x-forwarded-for")};
    char out[NET_TEXT];

    for (int i = 0; i < 2000; i++)
        buf_add(&b, STR("127.0.0.2,"));
    h.value = buf_str(&b);
    r.headers = &h;
    r.headers_n = 1;
    forwarded_client(&p, &r, out);
    CHECK_STR(out, "127.0.0.2");
}
