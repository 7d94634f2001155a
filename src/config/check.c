/* check.c - whether a server can work with the values.
 *
 * It refuses values that are unsafe or can never work.  A port in use or an
 * unreachable database is found when it is used. */
#include <arpa/inet.h>
#include <assert.h>

#include "config/check.h"

enum { HOST_BYTES_MAX = 255, MODEL_BYTES_MAX = 180 };

/* ---- Addresses ----------------------------------------------------------- */

/* Whether `host` is an address of the family; its bytes go to *out. */
static bool is_address(struct str host, int family, void *out)
{
    char text[INET6_ADDRSTRLEN + 1];

    if (host.n == 0 || host.n >= sizeof(text))
        return false;
    memcpy(text, host.p, host.n);
    text[host.n] = '\0';
    return inet_pton(family, text, out) == 1;
}

bool config_split_listen(struct str listen, struct str *host, uint16_t *port)
{
    size_t colon = listen.n;
    int64_t number;

    while (colon > 0 && listen.p[colon - 1] != ':')
        colon--;
    if (colon < 2 || !str_i64(str_skip(listen, colon), &number) || number < 0 ||
        number > UINT16_MAX)
        return false;
    *host = (struct str){listen.p, colon - 1};
    *port = (uint16_t)number;
    if (host->p[0] == '[' && host->n > 2 && host->p[host->n - 1] == ']') {
        *host = (struct str){host->p + 1, host->n - 2};
        return true;
    }
    /* Without brackets a second colon would be ambiguous. */
    return str_find(*host, ':') == host->n && host->n <= HOST_BYTES_MAX;
}

bool config_is_loopback(struct str host)
{
    struct in6_addr six;
    struct in_addr four;

    if (is_address(host, AF_INET, &four))
        return ntohl(four.s_addr) >> 24 == 127;
    if (is_address(host, AF_INET6, &six))
        return IN6_IS_ADDR_LOOPBACK(&six);
    return str_eq(host, STR("localhost"));
}

/* ADDR or ADDR/BITS. */
static bool is_network(struct str s)
{
    size_t slash = str_find(s, '/');
    struct str host = {s.p, slash};
    struct in6_addr any;
    int64_t bits = 0;
    bool four = is_address(host, AF_INET, &any);

    if (!four && !is_address(host, AF_INET6, &any))
        return false;
    return slash == s.n || (str_i64(str_skip(s, slash + 1), &bits) &&
                            bits >= 0 && bits <= (four ? 32 : 128));
}

/* Whether so much of the world is in the network that nobody can have meant
 * it: more than a /8, or in IPv6 more than fc00::/7. */
static bool is_everybody(struct str s)
{
    static const struct in6_addr mapped = {.s6_addr = {[10] = 0xFF, 0xFF}};
    enum { V4_MIN = 8, V6_MIN = 7, MAPPED = 96 };
    size_t slash = str_find(s, '/');
    struct str host = {s.p, slash};
    struct in6_addr six;
    struct in_addr four;
    int64_t bits;

    if (slash == s.n || !str_i64(str_skip(s, slash + 1), &bits))
        return false;
    if (is_address(host, AF_INET, &four))
        return bits < V4_MIN;
    if (!is_address(host, AF_INET6, &six))
        return false;
    if (memcmp(&six, &mapped, MAPPED / 8) == 0)
        return bits < MAPPED + V4_MIN;
    return bits < V6_MIN;
}

/* http(s)://HOST[:PORT] and nothing behind it. */
static bool is_origin(struct str s)
{
    const struct str schemes[] = {STR("https://"), STR("http://")};

    for (size_t i = 0; i < 2; i++) {
        struct str rest = s;

        if (!str_starts(s, schemes[i]))
            continue;
        rest = str_skip(rest, schemes[i].n);
        for (size_t j = 0; j < rest.n; j++)
            if (strchr("/?#@* ,\"<>\\", rest.p[j]))
                return false;
        return rest.n > 0;
    }
    return false;
}

#define BASE_URL_HINT                                                          \
    "it takes http(s)://HOST[:PORT][/PATH], such as http://127.0.0.1:11434/v1"

/* No @, since a URL is shown and could hold a password; no query. */
bool config_is_base_url(struct str s)
{
    const struct str schemes[] = {STR("https://"), STR("http://")};

    for (size_t i = 0; i < 2; i++) {
        if (!str_starts(s, schemes[i]))
            continue;
        for (size_t j = 0; j < s.n; j++)
            if (strchr("?#@* ,\"<>\\", s.p[j]))
                return false;
        return s.n > schemes[i].n && s.p[schemes[i].n] != '/';
    }
    return false;
}

static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' ||
            strchr("\"(),/:;<=>?@[\\]{}\x7F", s.p[i]) ||
            (unsigned char)s.p[i] > 0x7E)
            return false;
    return s.n > 0;
}

/* ---- Settings ------------------------------------------------------------ */

static enum footnote_rc check_lists(const struct config *c,
                                    struct footnote_err *err)
{
    struct str left = c->trusted_proxies, item;

    while (config_next_item(&left, &item)) {
        if (!is_network(item))
            return err_set(err, FOOTNOTE_INVALID,
                           "trusted-proxies: %.*s is not an address or a "
                           "network such as 10.0.0.0/8",
                           item.n < 60 ? (int)item.n : 60, item.p);
        if (is_everybody(item))
            return err_set(err, FOOTNOTE_INVALID,
                           "trusted-proxies: %.*s would let strangers say who "
                           "they are; name the proxies' own addresses",
                           item.n < 60 ? (int)item.n : 60, item.p);
    }
    left = c->cors_origins;
    while (config_next_item(&left, &item))
        if (!is_origin(item))
            return err_set(err, FOOTNOTE_INVALID,
                           "cors-origins: %.*s is not an origin such as "
                           "https://example.org",
                           item.n < 60 ? (int)item.n : 60, item.p);
    left = c->objects_external;
    while (config_next_item(&left, &item))
        if (item.p[0] == '/' || item.p[item.n - 1] != '/')
            return err_set(err, FOOTNOTE_INVALID,
                           "objects-external: %.*s is not a prefix such as "
                           "snapshots/",
                           item.n < 60 ? (int)item.n : 60, item.p);
    return FOOTNOTE_OK;
}

/* Of one scheme, because a cookie is either for https alone or for both. */
static enum footnote_rc check_public_urls(const struct config *c,
                                          struct footnote_err *err)
{
    struct str left = c->public_url, item;
    bool https = str_starts(left, STR("https:"));

    while (config_next_item(&left, &item)) {
        if (!is_origin(item))
            return err_set(err, FOOTNOTE_INVALID,
                           "public-url: it takes URLs without a path, such as "
                           "https://notes.example.org");
        if (str_starts(item, STR("https:")) != https)
            return err_set(err, FOOTNOTE_INVALID,
                           "public-url: either all are https or none is");
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc check_urls(const struct config *c,
                                   struct footnote_err *err)
{
    TRY(check_public_urls(c, err));
    if (!str_starts(c->database, STR("sqlite:")) &&
        !str_starts(c->database, STR("postgres://")) &&
        !str_starts(c->database, STR("postgresql://")))
        return err_set(err, FOOTNOTE_INVALID,
                       "database: it takes sqlite:FILE or postgres://...");
    if (c->embeddings_url.p && !config_is_base_url(c->embeddings_url))
        return err_set(err, FOOTNOTE_INVALID, "embeddings-url: " BASE_URL_HINT);
    if (c->embeddings_url.p && !c->embeddings_model.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "embeddings-url: it needs --embeddings-model");
    if (c->embeddings_model.n > MODEL_BYTES_MAX)
        return err_set(err, FOOTNOTE_INVALID, "embeddings-model: over %d bytes",
                       MODEL_BYTES_MAX);
    if (c->rerank_url.p && !config_is_base_url(c->rerank_url))
        return err_set(err, FOOTNOTE_INVALID, "rerank-url: " BASE_URL_HINT);
    if (!is_token(c->auth_header))
        return err_set(err, FOOTNOTE_INVALID,
                       "auth-header: it takes the name of a header");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_objects(const struct config *c,
                                      struct footnote_err *err)
{
    if (c->s3_endpoint.p && !config_is_base_url(c->s3_endpoint))
        return err_set(err, FOOTNOTE_INVALID,
                       "s3-endpoint: it takes http(s)://HOST[:PORT][/PATH]");
    if (str_starts(c->objects, STR("files:")))
        return FOOTNOTE_OK;
    if (!str_starts(c->objects, STR("s3://")))
        return err_set(err, FOOTNOTE_INVALID,
                       "objects: it takes files:FOLDER or "
                       "s3://BUCKET[/PREFIX]");
    if (!c->s3_key_id.n || !c->s3_secret.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "objects: s3 needs AWS_ACCESS_KEY_ID and "
                       "AWS_SECRET_ACCESS_KEY in the environment");
    return FOOTNOTE_OK;
}

/* The host of a URL, without its port and brackets. */
struct str config_url_host(struct str url)
{
    size_t at = str_find(url, ':');
    struct str host = str_skip(url, at + 3 < url.n ? at + 3 : url.n);

    if (host.n && host.p[0] == '[')
        return (struct str){host.p + 1, str_find(host, ']') - 1};
    host.n = str_find(host, '/');
    host.n = str_find(host, ':');
    return host;
}

/* Everybody who comes through a proxy comes from loopback. */
static enum footnote_rc check_public(const struct config *c,
                                     struct footnote_err *err)
{
    struct str left = c->public_url, url;
    bool safe = true;

    while (config_next_item(&left, &url))
        safe = safe && config_is_loopback(config_url_host(url));
    if (!(c->auth & CONFIG_AUTH_NONE) || safe)
        return FOOTNOTE_OK;
    return err_set(err, FOOTNOTE_INVALID,
                   "public-url: in mode none everybody who comes through the "
                   "proxy would be the owner; say who may ask: --auth key, "
                   "jwt, oidc or proxy");
}

static enum footnote_rc check_listen(const struct config *c,
                                     struct footnote_err *err)
{
    struct str host;
    uint16_t port;

    if (!config_split_listen(c->listen, &host, &port))
        return err_set(err, FOOTNOTE_INVALID,
                       "listen: it takes ADDR:PORT, such as 127.0.0.1:8080 or "
                       "[::1]:8080");
    if ((c->auth & CONFIG_AUTH_NONE) && !config_is_loopback(host))
        return err_set(err, FOOTNOTE_INVALID,
                       "listen: %.60s can be reached from other machines, so "
                       "say who may ask: --auth key, jwt, oidc or proxy",
                       c->listen.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_model(const struct config *c,
                                    struct footnote_err *err)
{
    bool known = !c->model.p || str_eq(c->model, STR("extractive"));
    bool verifies = !c->verify_model.p ||
                    (c->model_url.p && str_eq(c->verify_model, c->model));

    if (c->model_url.p && !config_is_base_url(c->model_url))
        return err_set(err, FOOTNOTE_INVALID, "model-url: " BASE_URL_HINT);
    if (c->model_url.p && !c->model.p)
        return err_set(err, FOOTNOTE_INVALID,
                       "model-url: say which model is asked there: --model");
    for (size_t i = 0; i < c->models_n; i++) {
        known = known || str_eq(c->models[i].name, c->model);
        verifies = verifies || str_eq(c->models[i].name, c->verify_model);
        if (!config_is_base_url(c->models[i].url))
            return err_set(err, FOOTNOTE_INVALID,
                           "models: %.40s: url: " BASE_URL_HINT,
                           c->models[i].name.p);
    }
    if (str_eq(c->verify_model, STR("text")) || !verifies)
        return err_set(err, FOOTNOTE_INVALID,
                       "verify-model: %.60s is no model that is configured "
                       "with a server",
                       c->verify_model.p);
    if (!c->model_url.p && !known)
        return err_set(err, FOOTNOTE_INVALID,
                       "model: %.60s is not configured; --model-url says "
                       "where it is",
                       c->model.p);
    return FOOTNOTE_OK;
}

/* The largest body must fit into one user's share of the memory for bodies. */
static enum footnote_rc check_bodies(const struct config *c,
                                     struct footnote_err *err)
{
    int64_t most = c->chat_bytes_max > c->body_bytes_max ? c->chat_bytes_max
                                                         : c->body_bytes_max;

    if (c->bodies_bytes / 4 < most)
        return err_set(err, FOOTNOTE_INVALID,
                       "bodies-bytes: is at least four times chat-bytes-max "
                       "and body-bytes-max");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_backups(const struct config *c,
                                      struct footnote_err *err)
{
    if (c->backup_every && !c->backup_to.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "backup-every: --backup-to is missing, which says where "
                       "to");
    return FOOTNOTE_OK;
}

enum footnote_rc config_check(const struct config *c, struct footnote_err *err)
{
    assert(c->database.p && c->objects.p); /* config_read() set them */
    TRY(check_bodies(c, err));
    TRY(check_model(c, err));
    TRY(config_check_auth(c, err));
    TRY(check_listen(c, err));
    TRY(check_urls(c, err));
    TRY(check_public(c, err));
    TRY(check_objects(c, err));
    TRY(check_backups(c, err));
    return check_lists(c, err);
}
