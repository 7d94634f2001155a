/* cookie.c - the login cookie: found and sent. */
#include "http/auth/cookie.h"

enum { LINE_BYTES_MAX = 4096 };

/* A page of a sibling host cannot set a __Host- cookie, but that needs TLS. */
static struct str cookie_name(bool secure)
{
    return secure ? STR("__Host-footnote") : STR("footnote");
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
struct str cookie_find(const struct request *r, bool secure)
{
    struct str value = STR_NONE;
    size_t found = 0;

    for (size_t i = 0; i < r->headers_n; i++)
        if (str_eq(r->headers[i].name, STR("cookie")))
            find_named(r->headers[i].value, cookie_name(secure), &value,
                       &found);
    return found == 1 && value.n ? value : STR_NONE;
}

/* ---- Sending ------------------------------------------------------------ */

bool cookie_send(struct request *r, struct str text, int64_t seconds,
                 bool secure)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);

    buf_add(&b, cookie_name(secure));
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
