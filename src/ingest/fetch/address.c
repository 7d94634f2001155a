/* address.c - the tables of addresses that are not the public internet.
 *
 * After the registries of special-purpose addresses for IPv4 and IPv6.  For
 * IPv6 the table is of exceptions: only 2000::/3 is public, but for these. */
#include "ingest/fetch/address.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

struct range4 {
    uint32_t net;
    int bits;
};

#define IP4(a, b, c, d)                                                        \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 |          \
     (uint32_t)(d))

static const struct range4 special4[] = {
    {IP4(0, 0, 0, 0), 8},       /* this network; Linux takes it as itself */
    {IP4(10, 0, 0, 0), 8},      /* private */
    {IP4(100, 64, 0, 0), 10},   /* carriers */
    {IP4(127, 0, 0, 0), 8},     /* this machine */
    {IP4(169, 254, 0, 0), 16},  /* link-local: metadata of clouds */
    {IP4(172, 16, 0, 0), 12},   /* private */
    {IP4(192, 0, 0, 0), 24},    /* protocols */
    {IP4(192, 0, 2, 0), 24},    /* documentation */
    {IP4(192, 31, 196, 0), 24}, /* AS112 */
    {IP4(192, 52, 193, 0), 24}, /* AMT relays */
    {IP4(192, 88, 99, 0), 24},  /* 6to4 relays */
    {IP4(192, 168, 0, 0), 16},  /* private */
    {IP4(192, 175, 48, 0), 24}, /* AS112 */
    {IP4(198, 18, 0, 0), 15},   /* benchmarks */
    {IP4(198, 51, 100, 0), 24}, /* documentation */
    {IP4(203, 0, 113, 0), 24},  /* documentation */
    {IP4(224, 0, 0, 0), 4},     /* multicast */
    {IP4(240, 0, 0, 0), 4},     /* reserved, and broadcast */
};

static bool public4(uint32_t ip)
{
    /* Cloud services that are no link-local address. */
    if (ip == IP4(168, 63, 129, 16)) /* Azure's wire server */
        return false;
    for (size_t i = 0; i < sizeof(special4) / sizeof(*special4); i++)
        if (((ip ^ special4[i].net) >> (32 - special4[i].bits)) == 0)
            return false;
    return true;
}

struct range6 {
    uint8_t net[8];
    int bits;
};

/* Within 2000::/3. */
static const struct range6 special6[] = {
    {{0x20, 0x01, 0x00, 0x00}, 23}, /* protocols: Teredo, ORCHID, benchmarks */
    {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
    {{0x20, 0x02}, 16},             /* 6to4: carries an IPv4 address */
    {{0x26, 0x20, 0x00, 0x4f, 0x80, 0x00}, 48}, /* AS112 */
    {{0x3f, 0xff}, 20},                         /* documentation */
    {{0x3f, 0xfe}, 16},                         /* the old 6bone */
};

static bool within(const uint8_t *ip, const struct range6 *r)
{
    int whole = r->bits / 8, rest = r->bits % 8;

    if (memcmp(ip, r->net, (size_t)whole) != 0)
        return false;
    return rest == 0 || (ip[whole] ^ r->net[whole]) >> (8 - rest) == 0;
}

/* Addresses that carry an IPv4 address, such as ::ffff:1.2.3.4, are outside of
 * 2000::/3 and thus refused. */
static bool public6(const uint8_t *ip)
{
    if ((ip[0] & 0xe0) != 0x20)
        return false;
    for (size_t i = 0; i < sizeof(special6) / sizeof(*special6); i++)
        if (within(ip, &special6[i]))
            return false;
    return true;
}

bool address_public(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, a, sizeof(in));
        return public4(ntohl(in.sin_addr.s_addr));
    }
    if (a->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, a, sizeof(in));
        return in.sin6_scope_id == 0 && public6(in.sin6_addr.s6_addr);
    }
    return false;
}
