/* cookie.c - the login cookie: found and sent. */
#include "http/auth/cookie.h"

enum { LINE_BYTES_MAX = 4096 };

/* A page of a sibling host cannot set a __Host- cookie, but that needs TLS. */
static struct str cookie_name(bool secure)
{
    return secure ? STR("__Host-footnote") : STR("footnote");
}

static struct str trip_name(bool secure)
{
    return secure ? STR("__Host-footnote-trip") : STR("footnote-trip");
}

bool cookie_is_secure(struct str public_url)
{
    return str_starts(public_url, STR("https://"));
}

/* ---- Finding ------------------------------------------------------------ */

static struct str trim(struct str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = str_skip(s, 1);
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

/* Finds the cookies of that name in one Cookie header; *found counts them. */
static void find_named(struct str list, struct str name, struct str *out,
                       size_t *found)
{
    while (list.n) {
        struct str pair = {list.p, str_find(list, ';')};
        size_t eq = str_find(pair, '=');

        if (eq < pair.n && str_eq(trim((struct str){pair.p, eq}), name)) {
            *out = trim(str_skip(pair, eq + 1));
            ++*found;
        }
        list = str_skip(list, pair.n < list.n ? pair.n + 1 : list.n);
    }
}

/* Of two cookies with this name an attacker may have set one, to make the user
 * act in the attacker's account: then neither counts. */
static struct str find_one(const struct request *r, struct str name)
{
    struct str value = STR_NONE;
    size_t found = 0;

    for (size_t i = 0; i < r->headers_n; i++)
        if (str_eq(r->headers[i].name, STR("cookie")))
            find_named(r->headers[i].value, name, &value, &found);
    return found == 1 && value.n ? value : STR_NONE;
}

struct str cookie_find(const struct request *r, bool secure)
{
    return find_one(r, cookie_name(secure));
}

struct str cookie_find_trip(const struct request *r, bool secure)
{
    return find_one(r, trip_name(secure));
}

/* ---- Sending ------------------------------------------------------------ */

static bool send_one(struct request *r, struct str name, struct str text,
                     int64_t seconds, bool secure)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);

    buf_add(&b, name);
    buf_add_c(&b, '=');
    buf_add(&b, text);
    buf_add(&b, STR("; Path=/; HttpOnly; SameSite=Lax; Max-Age="));
    buf_add_i64(&b, seconds);
    if (secure)
        buf_add(&b, STR("; Secure"));
    if (buf_rc(&b, NULL) != FOOTNOTE_OK)
        return false;
    reply_header(r, STR("Set-Cookie"), buf_str(&b));
    return buf_rc(&r->reply.headers, NULL) == FOOTNOTE_OK;
}

bool cookie_send(struct request *r, struct str text, int64_t seconds,
                 bool secure)
{
    return send_one(r, cookie_name(secure), text, seconds, secure);
}

bool cookie_send_trip(struct request *r, struct str text, int64_t seconds,
                      bool secure)
{
    return send_one(r, trip_name(secure), text, seconds, secure);
}
