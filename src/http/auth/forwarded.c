/* forwarded.c - X-Forwarded-For, from the right. */
#include "http/auth/forwarded.h"

enum { HOPS_MAX = 32 };

bool proxies_have(const struct proxies *p, struct str address)
{
    if (p->loopback && net_is_loopback(address))
        return true;
    for (size_t i = 0; i < p->n; i++)
        if (net_has(&p->nets[i], address))
            return true;
    return false;
}

/* "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80". */
static bool read_hop(struct str hop, struct net *out)
{
    if (str_find(hop, '/') < hop.n)
        return false;
    return net_read(hop, out) || net_read(net_host(hop), out);
}

/* Takes the last item off the list. */
static struct str last_item(struct str *list)
{
    size_t end = list->n, from;

    while (end && strchr(", \t", list->p[end - 1]))
        end--;
    from = end;
    while (from && list->p[from - 1] != ',')
        from--;
    list->n = from;
    while (from < end && strchr(" \t", list->p[from]))
        from++;
    return (struct str){list->p + from, end - from};
}

void forwarded_client(const struct proxies *p, const struct request *r,
                      char out[NET_TEXT])
{
    struct net hop;
    int hops = 0;

    out[0] = '\0';
    if (!net_read(str_c(r->address), &hop))
        return;
    net_text(&hop, out);
    for (size_t i = r->headers_n; i > 0; i--) {
        struct str list = r->headers[i - 1].value;

        if (!str_eq(r->headers[i - 1].name, STR("x-forwarded-for")))
            continue;
        while (list.n) {
            struct str item = last_item(&list);

            if (!item.n)
                continue;
            if (!proxies_have(p, str_c(out)) || ++hops > HOPS_MAX ||
                !read_hop(item, &hop))
                return;
            net_text(&hop, out);
        }
    }
}
