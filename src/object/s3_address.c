/* s3_address.c - where a bucket is, and links to its objects.
 *
 *     path style       https://HOST/BUCKET/KEY
 *     virtual host     https://BUCKET.HOST/KEY
 *
 * Amazon wants the second; most other servers have the first.  A bucket whose
 * name cannot be part of a host name, or of a certificate, is always put into
 * the path. */
#include "object/s3.h"

#include <arpa/inet.h>

enum { BUCKET_MIN = 3, BUCKET_MAX = 63, HOST_MAX = 255 };

/* ---- Names -------------------------------------------------------------- */

static bool is_lower_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_label(struct str s)
{
    if (s.n < BUCKET_MIN || s.n > BUCKET_MAX || !is_lower_or_digit(s.p[0]) ||
        !is_lower_or_digit(s.p[s.n - 1]))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!is_lower_or_digit(s.p[i]) && s.p[i] != '-')
            return false;
    return true;
}

/* Whether the name can be the first part of a host name.  No certificate covers
 * a name with dots, so these are for plain HTTP only. */
static bool is_host_name(struct str s, bool dots)
{
    struct str label = {s.p, str_find(s, '.')};

    if (!is_label(label) || s.n > BUCKET_MAX)
        return false;
    if (label.n == s.n)
        return true;
    return dots && is_host_name(str_skip(s, label.n + 1), true);
}

static bool is_address(struct str host)
{
    char text[INET6_ADDRSTRLEN + 1];
    struct in_addr four;

    if (host.n && host.p[0] == '[')
        return true;
    host.n = str_find(host, ':');
    if (host.n >= sizeof(text))
        return false;
    memcpy(text, host.p, host.n);
    text[host.n] = '\0';
    return inet_pton(AF_INET, text, &four) == 1;
}

static bool can_be_bucket(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!is_lower_or_digit(s.p[i]) && !(s.p[i] >= 'A' && s.p[i] <= 'Z') &&
            !strchr(".-_", s.p[i]))
            return false;
    return s.n >= BUCKET_MIN && s.n <= HOST_MAX && s.p[0] != '.';
}

/* Whether the key has no segment that a proxy or a browser would take for a way
 * up, and no byte that a link should not carry. */
static bool is_safe_path(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7F || s.p[i] == '\\')
            return false;
    while (s.n) {
        struct str part = {s.p, str_find(s, '/')};

        if (part.n == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
            return false;
        if (part.n == s.n)
            return true;
        s = str_skip(s, part.n + 1);
    }
    return true; /* it ended with a slash, or was empty */
}

/* ---- The bucket --------------------------------------------------------- */

/* //BUCKET[/PREFIX] */
static enum footnote_rc read_bucket(struct s3 *s, struct str place,
                                    struct footnote_err *err)
{
    struct str rest = str_starts(place, STR("//")) ? str_skip(place, 2) : place;
    struct str prefix;

    s->bucket = (struct str){rest.p, str_find(rest, '/')};
    prefix = str_skip(rest, s->bucket.n < rest.n ? s->bucket.n + 1 : rest.n);
    while (prefix.n && prefix.p[prefix.n - 1] == '/')
        prefix.n--;
    if (!can_be_bucket(s->bucket) || !is_safe_path(prefix) ||
        prefix.n > S3_KEY_BYTES_MAX / 2)
        return err_set(err, FOOTNOTE_INVALID,
                       "objects: it takes s3://BUCKET or s3://BUCKET/PREFIX");
    s->bucket = arena_str(&s->arena, s->bucket);
    s->prefix =
        prefix.n ? arena_printf(&s->arena, "%.*s/", STR_ARG(prefix)) : STR("");
    return arena_rc(&s->arena, err);
}

static enum footnote_rc read_keys(struct s3 *s, const struct objects_place *p,
                                  struct footnote_err *err)
{
    struct arena *a = &s->arena;

    if (!p->s3_key_id.n || !p->s3_secret.n)
        return err_set(err, FOOTNOTE_INVALID,
                       "objects: s3 needs AWS_ACCESS_KEY_ID and "
                       "AWS_SECRET_ACCESS_KEY in the environment");
    s->keys = (struct sigv4_keys){
        .id = arena_str(a, p->s3_key_id),
        .secret = arena_str(a, p->s3_secret),
        .token = p->s3_token.n ? arena_str(a, p->s3_token) : STR_NONE,
        .region =
            arena_str(a, p->s3_region.n ? p->s3_region : STR("us-east-1"))};
    return arena_rc(a, err);
}

/* ---- The host ----------------------------------------------------------- */

struct endpoint {
    struct str scheme, host, path; /* path: "" or "/..." without its end */
};

static bool parse_endpoint(struct str url, struct endpoint *out)
{
    const struct str schemes[] = {STR("https://"), STR("http://")};
    const struct str ports[] = {STR(":443"), STR(":80")};

    for (size_t i = 0; i < 2; i++) {
        struct str rest, *host = &out->host;

        if (!str_starts(url, schemes[i]))
            continue;
        rest = str_skip(url, schemes[i].n);
        out->scheme = schemes[i];
        *host = (struct str){rest.p, str_find(rest, '/')};
        out->path = str_skip(rest, host->n);
        while (out->path.n && out->path.p[out->path.n - 1] == '/')
            out->path.n--;
        /* The default port is neither sent to the server nor signed. */
        if (host->n > ports[i].n &&
            memcmp(host->p + host->n - ports[i].n, ports[i].p, ports[i].n) ==
                0 &&
            host->p[host->n - ports[i].n - 1] != ':')
            host->n -= ports[i].n;
        for (size_t j = 0; j < rest.n; j++)
            if ((unsigned char)rest.p[j] <= ' ' ||
                strchr("?#@\"<>\\',;", rest.p[j]))
                return false;
        return host->n > 0 && host->n <= HOST_MAX;
    }
    return false;
}

static bool wants_path(const struct s3 *s, const struct objects_place *p,
                       const struct endpoint *e)
{
    bool dots = str_starts(e->scheme, STR("http:"));

    if (p->s3_style == OBJECTS_S3_PATH ||
        (p->s3_style == OBJECTS_S3_AUTO && p->s3_endpoint.n))
        return true;
    return is_address(e->host) || !is_host_name(s->bucket, dots);
}

static enum footnote_rc choose_host(struct s3 *s, const struct objects_place *p,
                                    struct footnote_err *err)
{
    struct arena *a = &s->arena;
    struct str url = p->s3_endpoint, region = s->keys.region;
    struct endpoint e;

    if (!url.n)
        url =
            arena_printf(a, "https://s3.%.*s.amazonaws.com%s", STR_ARG(region),
                         str_starts(region, STR("cn-")) ? ".cn" : "");
    TRY(arena_rc(a, err));
    if (!parse_endpoint(url, &e))
        return err_set(err, FOOTNOTE_INVALID,
                       "s3-endpoint: it takes http(s)://HOST[:PORT][/PATH]");
    if (wants_path(s, p, &e)) {
        s->host = arena_str(a, e.host);
        s->root =
            arena_printf(a, "%.*s/%.*s", STR_ARG(e.path), STR_ARG(s->bucket));
    } else {
        s->host =
            arena_printf(a, "%.*s.%.*s", STR_ARG(s->bucket), STR_ARG(e.host));
        s->root = arena_str(a, e.path);
    }
    s->origin =
        arena_printf(a, "%.*s%.*s", STR_ARG(e.scheme), STR_ARG(s->host));
    return arena_rc(a, err);
}

enum footnote_rc s3_address(struct s3 *s, const struct objects_place *p,
                            struct footnote_err *err)
{
    TRY(read_bucket(s, str_skip(p->url, strlen("s3:")), err));
    TRY(read_keys(s, p, err));
    s->external = arena_str(&s->arena, p->external);
    return choose_host(s, p, err);
}

/* ---- Keys and links ----------------------------------------------------- */

void s3_key(const struct s3 *s, const char *key, struct buf *out)
{
    buf_printf(out, "%.*s%.2s/%s", STR_ARG(s->prefix), key, key);
}

void s3_path(const struct s3 *s, struct str whole, struct buf *out)
{
    buf_add(out, s->root);
    buf_add_c(out, '/');
    sigv4_encode(out, whole, true);
}

/* Whether a prefix of the list, which ends with a slash, has keys such as this.
 */
static bool is_below_any(struct str list, struct str whole)
{
    while (list.n) {
        struct str prefix = {list.p, str_find(list, ',')};

        if (prefix.n && prefix.p[prefix.n - 1] == '/' &&
            str_starts(whole, prefix) && whole.n > prefix.n)
            return true;
        list = str_skip(list, prefix.n < list.n ? prefix.n + 1 : prefix.n);
    }
    return false;
}

bool s3_is_external(const struct s3 *s, struct str whole)
{
    /* PREFIX/3f/3f90...c1 */
    bool ours = str_starts(whole, s->prefix) &&
                whole.n == s->prefix.n + 2 + 1 + OBJECT_KEY_BYTES &&
                whole.p[s->prefix.n + 2] == '/';

    return whole.n <= S3_KEY_BYTES_MAX && is_below_any(s->external, whole) &&
           is_safe_path(whole) && !ours;
}

/* Makes the same query as the SDKs for GetObject, so that logs of the bucket
 * name the call, and a test can compare. */
enum footnote_rc s3_presign(const struct s3 *s, struct str whole,
                            struct str type, const struct link_lifetime *until,
                            struct arena *a, struct str *out,
                            struct footnote_err *err)
{
    AUTO(buf_free) struct buf path = BUF(S3_URL_BYTES_MAX);
    AUTO(buf_free) struct buf query = BUF(S3_URL_BYTES_MAX);
    struct sigv4_request r = {
        .method = STR("GET"), .host = s->host, .time_ms = until->now_ms};

    s3_path(s, whole, &path);
    TRY(buf_rc(&path, err));
    r.path = buf_str(&path);
    if (type.n)
        sigv4_add(&r.query, STR("response-content-type"), type);
    sigv4_add(&r.query, STR("x-amz-checksum-mode"), STR("ENABLED"));
    sigv4_add(&r.query, STR("x-id"), STR("GetObject"));
    TRY(sigv4_presign(&s->keys, &r, until->seconds, &query, err));
    *out = arena_printf(a, "%.*s%.*s?%.*s", STR_ARG(s->origin), STR_ARG(r.path),
                        STR_ARG(buf_str(&query)));
    return arena_rc(a, err);
}
