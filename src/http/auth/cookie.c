/* cookie.c - the login cookie: made, found, read, checked. */
#include "http/auth/cookie.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/clock.h"
#include "http/core/base64url.h"
#include "store/session/access.h"

enum { TEXT_BYTES_MAX = 256, LINE_BYTES_MAX = 4096 };

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

/* ---- Making and checking ------------------------------------------------ */

static bool sign(const struct sha256 *key, struct str text, struct sha256 *out)
{
    unsigned n = 0;

    return HMAC(EVP_sha256(), key->b, SHA256_BYTES, (const uint8_t *)text.p,
                text.n, out->b, &n) &&
           n == SHA256_BYTES;
}

static struct str digest_bytes(const struct sha256 *d)
{
    return (struct str){(const char *)d->b, SHA256_BYTES};
}

struct str cookie_of_key(struct arena *a, struct str key, int64_t expires_ms)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct sha256 digest, proof, mac;

    if (sha256(key, &digest, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    access_proof(key, &proof);
    buf_add(&b, STR("k1."));
    buf_add(&b, access_prefix(key));
    buf_add_c(&b, '.');
    buf_add_i64(&b, expires_ms);
    buf_add_c(&b, '.');
    base64url_write(&b, digest_bytes(&proof));
    if (buf_rc(&b, NULL) != FOOTNOTE_OK || !sign(&digest, buf_str(&b), &mac))
        return STR_NONE;
    buf_add_c(&b, '.');
    base64url_write(&b, digest_bytes(&mac));
    if (buf_rc(&b, NULL) != FOOTNOTE_OK)
        return STR_NONE;
    return arena_str(a, buf_str(&b));
}

struct str cookie_of_token(struct arena *a, struct str token)
{
    if (token.n > COOKIE_BYTES_MAX)
        return STR_NONE;
    return arena_printf(a, "t1.%.*s", STR_ARG(token));
}

/* Takes the text up to the next dot off. */
static struct str next_part(struct str *rest)
{
    struct str part = {rest->p, str_find(*rest, '.')};

    *rest = str_skip(*rest, part.n < rest->n ? part.n + 1 : rest->n);
    return part;
}

static bool read_digest(struct arena *a, struct str text, struct sha256 *out)
{
    struct str b;

    if (base64url_read(a, text, &b, NULL) != FOOTNOTE_OK || b.n != SHA256_BYTES)
        return false;
    memcpy(out->b, b.p, SHA256_BYTES);
    return true;
}

bool cookie_read(struct arena *a, struct str text, struct cookie *out)
{
    struct str rest = str_skip(text, text.n < 3 ? text.n : 3);

    *out = (struct cookie){0};
    if (str_starts(text, STR("t1."))) {
        out->token = rest;
        return true;
    }
    if (!str_starts(text, STR("k1.")) || text.n > TEXT_BYTES_MAX)
        return false;
    out->prefix = next_part(&rest);
    if (!str_i64(next_part(&rest), &out->expires_ms) ||
        out->expires_ms <= clock_wall_ms() ||
        !read_digest(a, next_part(&rest), &out->proof))
        return false;
    if (!rest.n) /* no MAC */
        return false;
    out->signed_text = (struct str){text.p, text.n - rest.n - 1};
    return read_digest(a, rest, &out->mac);
}

bool cookie_holds(const struct cookie *c, const struct access_key *key)
{
    struct sha256 digest, mac;

    if (sha256(digest_bytes(&c->proof), &digest, NULL) != FOOTNOTE_OK ||
        !sign(&key->digest, c->signed_text, &mac))
        return false;
    return (CRYPTO_memcmp(digest.b, key->cookie_digest.b, SHA256_BYTES) |
            CRYPTO_memcmp(mac.b, c->mac.b, SHA256_BYTES)) == 0;
}

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
