/* guard.c - refuses requests that a browser was tricked into sending.
 *
 * Host: a foreign name that resolves to us (DNS rebinding) gives its pages our
 * origin.  Origin and Sec-Fetch-Site: the browser tells whose page asks, and no
 * page can change that. */
#include "http/auth/auth.h"
#include "http/core/net.h"

/* ---- Host --------------------------------------------------------------- */

/* "https://name:port/path" without the path. */
static struct str origin_of(struct str url)
{
    size_t at = 0;

    while (at + 2 < url.n &&
           !(url.p[at] == ':' && url.p[at + 1] == '/' && url.p[at + 2] == '/'))
        at++;
    if (at + 2 >= url.n)
        return STR_NONE;
    at += 3;
    return (struct str){url.p, at + str_find(str_skip(url, at), '/')};
}

/* A server that listens on every address may be asked for by any of them: only
 * a name can be rebound, not an address. */
static bool is_listen_address(struct str listen, struct str host)
{
    struct str ours = net_host(listen);
    struct net address;

    if (net_same_name(ours, host))
        return true;
    return (str_eq(ours, STR("0.0.0.0")) || str_eq(ours, STR("::"))) &&
           str_find(host, '/') == host.n && net_read(host, &address);
}

/* The public URL with this host; absent: none has it. */
static struct str find_public_url(const struct config *c, struct str host)
{
    struct str list = c->public_url, url;

    while (host.p && net_next(&list, &url)) {
        struct str origin = origin_of(url);
        struct str authority =
            str_skip(origin, str_find(origin, ':') + (origin.n ? 3 : 0));

        if (net_same_name(net_host(authority), host))
            return url;
    }
    return STR_NONE;
}

/* Ports are not compared: they are forwarded and mapped.  A page of another
 * port has another origin, which is checked below. */
static bool is_our_host(const struct config *c, struct str host)
{
    return host.p &&
           (net_is_loopback_name(host) || is_listen_address(c->listen, host) ||
            find_public_url(c, host).p);
}

struct str guard_public_url(const struct config *c, const struct request *r)
{
    struct str found =
        find_public_url(c, net_host(request_header(r, STR("host"))));
    struct str list = c->public_url, first = STR_NONE;

    if (!found.p)
        (void)net_next(&list, &first);
    return found.p ? found : first;
}

/* ---- Origin ------------------------------------------------------------- */

/* Exactly as listed.  "null" is the origin of every sandboxed page and every
 * file, and "*" would be every site. */
static bool is_allowed_origin(const struct config *c, struct str origin)
{
    struct str list = c->cors_origins, item;

    if (!origin.n || str_eq(origin, STR("null")) || str_eq(origin, STR("*")))
        return false;
    while (net_next(&list, &item))
        if (str_eq(item, origin))
            return true;
    return false;
}

/* "http://ours" while we are "https://ours": whoever sits on the line can have
 * put a page there. */
static bool is_insecure_twin(const struct config *c, struct str origin)
{
    struct str https = STR("https://"), http = STR("http://");

    return str_starts(origin, http) &&
           str_starts(find_public_url(c, net_host(str_skip(origin, http.n))),
                      https);
}

/* For browsers that do not send Sec-Fetch-Site. */
static bool is_own_origin(const struct config *c, const struct request *r,
                          struct str origin)
{
    struct str host = request_header(r, STR("host"));
    struct str scheme = STR("http://"), list = c->public_url, url;

    while (net_next(&list, &url))
        if (net_same_name(origin_of(url), origin))
            return true;
    return str_starts(origin, scheme) &&
           net_same_name(str_skip(origin, scheme.n), host);
}

static bool is_our_page(const struct config *c, const struct request *r)
{
    struct str site = request_header(r, STR("sec-fetch-site"));
    struct str origin = request_header(r, STR("origin"));

    if (is_allowed_origin(c, origin))
        return true;
    if (is_insecure_twin(c, origin))
        return false;
    if (site.p)
        return str_eq(site, STR("same-origin")) || str_eq(site, STR("none"));
    return !origin.p || is_own_origin(c, r, origin);
}

bool guard_check(const struct config *c, struct request *r)
{
    bool changes = r->method != METHOD_GET && r->method != METHOD_HEAD &&
                   r->method != METHOD_OPTIONS;

    if (!is_our_host(c, net_host(request_header(r, STR("host"))))) {
        reply_problem(
            r, &(struct problem){.status = 421,
                                 .code = STR("wrong_host"),
                                 .text = STR("This host is not served here"),
                                 .hint = STR("Set --public-url to the address "
                                             "that browsers use")});
        return false;
    }
    if (changes && !is_our_page(c, r)) {
        reply_problem(r, &(struct problem){
                             .status = 403,
                             .code = STR("bad_origin"),
                             .text = STR("Pages of another site may not do "
                                         "this"),
                             .hint = STR("List its origin in --cors-origins")});
        return false;
    }
    return true;
}

/* ---- CORS --------------------------------------------------------------- */

enum { METHODS_BYTES_MAX = 128 };

static void allow_methods(struct request *r, unsigned allowed)
{
    AUTO(buf_free) struct buf b = BUF(METHODS_BYTES_MAX);

    for (unsigned m = 0; m < METHODS; m++) {
        if (m == METHOD_OPTIONS || !(allowed & 1U << m))
            continue;
        buf_add(&b, b.n ? STR(", ") : STR(""));
        buf_add(&b, str_c(method_name((enum method)m)));
    }
    reply_header(r, STR("Access-Control-Allow-Methods"), buf_str(&b));
}

bool guard_cors(const struct config *c, struct request *r, unsigned allowed)
{
    struct str origin = request_header(r, STR("origin"));

    if (!c->cors_origins.n)
        return false;
    /* Also for origins that are not allowed: a cache must not mix them. */
    reply_header(r, STR("Vary"), STR("Origin"));
    if (!is_allowed_origin(c, origin))
        return false;
    reply_header(r, STR("Access-Control-Allow-Origin"), origin);
    if (r->method != METHOD_OPTIONS || !allowed ||
        !request_header(r, STR("access-control-request-method")).p) {
        reply_header(r, STR("Access-Control-Expose-Headers"),
                     STR("ETag, Location, Retry-After, X-Request-Id"));
        return false;
    }
    allow_methods(r, allowed);
    reply_header(r, STR("Access-Control-Allow-Headers"),
                 STR("Authorization, Content-Type, Idempotency-Key, "
                     "If-None-Match, Last-Event-ID"));
    reply_header(r, STR("Access-Control-Max-Age"), STR("600"));
    reply_empty(r, 204);
    return true;
}
