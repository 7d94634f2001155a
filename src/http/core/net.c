/* net.c - addresses and names, as configuration and requests write them. */
#include "http/core/net.h"

#include <arpa/inet.h>

enum { ADDRESS_TEXT_MAX = 64, BITS = 128, V4_BITS = 32 };

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool net_next(struct str *list, struct str *item)
{
    size_t n = 0;

    while (list->n && is_separator(list->p[0]))
        *list = str_skip(*list, 1);
    while (n < list->n && !is_separator(list->p[n]))
        n++;
    *item = (struct str){list->p, n};
    if (n)
        *list = str_skip(*list, n);
    return n > 0;
}

char net_lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c + ('a' - 'A'));
    return c;
}

bool net_same_name(struct str a, struct str b)
{
    if (a.n != b.n || !a.p || !b.p)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (net_lower(a.p[i]) != net_lower(b.p[i]))
            return false;
    return true;
}

/* ---- Addresses ---------------------------------------------------------- */

static bool read_address(struct str text, uint8_t out[16], bool *v4)
{
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    char c[ADDRESS_TEXT_MAX];

    if (text.n == 0 || text.n >= sizeof(c) || str_find(text, '\0') != text.n)
        return false;
    memcpy(c, text.p, text.n);
    c[text.n] = '\0';
    memcpy(out, mapped, sizeof(mapped));
    *v4 = inet_pton(AF_INET, c, out + sizeof(mapped)) == 1;
    return *v4 || inet_pton(AF_INET6, c, out) == 1;
}

bool net_read(struct str text, struct net *out)
{
    struct str address = {text.p, str_find(text, '/')};
    int64_t bits;
    bool v4;

    if (!read_address(address, out->b, &v4))
        return false;
    out->bits = BITS;
    if (address.n == text.n)
        return true;
    text = str_skip(text, address.n + 1);
    if (!text.n || text.p[0] < '0' || text.p[0] > '9' || !str_i64(text, &bits))
        return false;
    if (bits > (v4 ? V4_BITS : BITS))
        return false;
    out->bits = (unsigned)bits + (v4 ? BITS - V4_BITS : 0);
    return true;
}

bool net_has(const struct net *n, struct str address)
{
    uint8_t b[16];
    unsigned whole = n->bits / 8, rest = n->bits % 8;
    bool v4;

    if (!read_address(address, b, &v4))
        return false;
    for (unsigned i = 0; i < whole; i++)
        if (b[i] != n->b[i])
            return false;
    return rest == 0 || (b[whole] ^ n->b[whole]) >> (8 - rest) == 0;
}

enum footnote_rc net_list(struct arena *a, struct str text, struct net **out,
                          size_t *n, struct footnote_err *err)
{
    struct str list = text, item;

    *n = 0;
    while (net_next(&list, &item))
        ++*n;
    *out = arena_many(a, *n ? *n : 1, struct net);
    if (!*out)
        return arena_rc(a, err);
    for (size_t i = 0; net_next(&text, &item); i++)
        if (!net_read(item, &(*out)[i]))
            return err_set(err, FOOTNOTE_INVALID,
                           "%.*s is no address and no network", STR_ARG(item));
    return FOOTNOTE_OK;
}

static const struct net v4_mapped = {{[10] = 0xFF, [11] = 0xFF}, 96};

static bool is_v4(const struct net *n)
{
    return memcmp(n->b, v4_mapped.b, 12) == 0;
}

void net_text(const struct net *n, char out[NET_TEXT])
{
    const void *at = is_v4(n) ? n->b + 12 : n->b;

    out[0] = '\0';
    (void)inet_ntop(is_v4(n) ? AF_INET : AF_INET6, at, out, NET_TEXT);
}

uint64_t net_client_hash(struct str address)
{
    struct net n;

    if (!net_read(address, &n))
        return str_hash(address);
    return str_hash((struct str){(const char *)n.b, is_v4(&n) ? 16 : 8});
}

bool net_is_loopback(struct str address)
{
    static const struct net v4 = {{[10] = 0xFF, [11] = 0xFF, [12] = 127}, 104};
    static const struct net v6 = {{[15] = 1}, BITS};

    return net_has(&v4, address) || net_has(&v6, address);
}

/* ---- Names -------------------------------------------------------------- */

static bool is_port(struct str s)
{
    int64_t port;

    return s.n > 0 && s.n <= 5 && s.p[0] >= '0' && s.p[0] <= '9' &&
           str_i64(s, &port) && port <= 65535;
}

static struct str bracketed_host(struct str authority)
{
    size_t end = str_find(authority, ']');
    struct str rest;

    if (end == authority.n)
        return STR_NONE;
    rest = str_skip(authority, end + 1);
    if (rest.n && (rest.p[0] != ':' || !is_port(str_skip(rest, 1))))
        return STR_NONE;
    return (struct str){authority.p + 1, end - 1};
}

struct str net_host(struct str authority)
{
    struct str host;

    if (authority.n && authority.p[0] == '[')
        return bracketed_host(authority);
    host = (struct str){authority.p, str_find(authority, ':')};
    if (host.n != authority.n && !is_port(str_skip(authority, host.n + 1)))
        return STR_NONE;
    if (host.n && host.p[host.n - 1] == '.')
        host.n--;
    return host.n ? host : STR_NONE;
}

bool net_is_loopback_name(struct str host)
{
    struct str below = STR(".localhost");

    if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
        host = (struct str){host.p + 1, host.n - 2};
    if (net_same_name(host, STR("localhost")) || net_is_loopback(host))
        return true;
    return host.n > below.n &&
           net_same_name(str_skip(host, host.n - below.n), below);
}
