/* jwt_fuzz.c - fuzzes what a stranger can send to be let in.
 *
 * The first byte says what the rest is:
 *
 *     't'  a token         is refused: nobody can guess a signature, except
 *                          for the one token of the corpus that we signed
 *     'c'  claims          are signed here, so that they are looked at; what
 *                          is let in has a user, an end and an issuer
 *     'h'  a header        the same for the other part
 *     'k'  a JWK set       each key that is read has one algorithm
 *     'b'  base64url       what is read writes back as it was */
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

#include "base/clock.h"
#include "http/core/base64url.h"
#include "http/token/jwt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum {
    TEXT_BYTES_MAX = 64 * 1024,
    BUF_BYTES_MAX = 4 * TEXT_BYTES_MAX,
    ARENA_BYTES_MAX = 64 * 1024 * 1024
};

#define SECRET "0123456789abcdef0123456789abcdef"
#define GOOD                                                                   \
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4iLCJpc3MiOiJ1cyIsImV4cCI6MTc3MjAwMD"  \
    "AwMX0."
#define SET                                                                    \
    "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"ed\","          \
    "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}]}"

static void must(bool holds)
{
    if (!holds)
        abort();
}

static int64_t now(void)
{
    return INT64_C(1772000000000);
}

static const struct jwt_keys *keys(void)
{
    static const struct clock_source source = {now, now};
    static struct jwt_keys *k;

    if (k)
        return k;
    clock_replace(&source);
    must(jwt_keys_new(&k, NULL) == FOOTNOTE_OK);
    must(jwt_keys_secret(k, STR(SECRET), NULL) == FOOTNOTE_OK);
    must(jwt_keys_read(k, STR(SET), NULL) == FOOTNOTE_OK);
    return k;
}

static enum footnote_rc verify(struct arena *a, struct str token,
                               struct jwt_claims *out)
{
    static const struct jwt_rules rules = {.issuer = {"us", 2}};
    enum footnote_rc rc = jwt_verify(keys(), &rules, a, token, out, NULL);

    must(rc == FOOTNOTE_OK || rc == FOOTNOTE_INVALID ||
         rc == FOOTNOTE_NOTFOUND);
    if (rc == FOOTNOTE_OK) {
        must(out->user.n >= 1 && out->user.n <= JWT_NAME_BYTES_MAX);
        must(out->expires_ms + JWT_LEEWAY_MS > now());
    }
    return rc;
}

static void token(struct arena *a, struct str text)
{
    struct jwt_claims claims;

    if (verify(a, text, &claims) == FOOTNOTE_OK)
        must(str_starts(text, STR(GOOD)));
}

/* Signs header and claims with the secret, whatever they are. */
static void sign(struct arena *a, struct str header, struct str claims)
{
    struct buf b = BUF(BUF_BYTES_MAX);
    struct jwt_claims out;
    uint8_t mac[EVP_MAX_MD_SIZE];
    unsigned n = 0;

    base64url_write(&b, header);
    buf_add_c(&b, '.');
    base64url_write(&b, claims);
    must(HMAC(EVP_sha256(), SECRET, sizeof(SECRET) - 1, (const uint8_t *)b.p,
              b.n, mac, &n) != NULL);
    buf_add_c(&b, '.');
    base64url_write(&b, (struct str){(const char *)mac, n});
    must(b.broken == FOOTNOTE_OK);
    verify(a, buf_str(&b), &out);
    buf_free(&b);
}

static void set(struct str text)
{
    struct jwt_keys *k;

    must(jwt_keys_new(&k, NULL) == FOOTNOTE_OK);
    if (jwt_keys_read(k, text, NULL) == FOOTNOTE_OK)
        must(k->n > 0 && k->n <= JWT_KEYS_MAX);
    for (size_t i = 0; i < k->n; i++) {
        must(k->items[i].alg != JWT_HS256 && k->items[i].alg != JWT_NO_ALG);
        must(k->items[i].public != NULL && !k->items[i].secret.p);
        must(!jwt_key_verify(&k->items[i], STR("text"), STR("signature")));
    }
    jwt_keys_free(k);
}

static void base64(struct arena *a, struct str text)
{
    struct buf b = BUF(BUF_BYTES_MAX);
    struct str bytes;

    if (base64url_read(a, text, &bytes, NULL) == FOOTNOTE_OK) {
        base64url_write(&b, bytes);
        must(b.n == text.n && (!b.n || memcmp(b.p, text.p, b.n) == 0));
    }
    buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a = ARENA(ARENA_BYTES_MAX);
    struct str text;

    if (n == 0 || n > TEXT_BYTES_MAX)
        return 0;
    text = (struct str){(const char *)data + 1, n - 1};
    switch (data[0]) {
    case 't': token(&a, text); break;
    case 'c': sign(&a, STR("{\"alg\":\"HS256\"}"), text); break;
    case 'h':
        sign(&a, text, STR("{\"sub\":\"ann\",\"iss\":\"us\",\"exp\":1e12}"));
        break;
    case 'k': set(text); break;
    case 'b': base64(&a, text); break;
    default: break;
    }
    arena_free(&a);
    return 0;
}
