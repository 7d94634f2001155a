/* jwt_key.c - keys from a JWK set, and signatures by OpenSSL.
 *
 * Keys are public: only the parts that verifying needs are read, never a
 * private part that was published by mistake. */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <stdlib.h>

#include "base/json.h"
#include "http/core/base64url.h"
#include "http/token/jwt.h"

enum {
    SET_BYTES_MAX = 4 * 1024 * 1024, /* of kids, secret and the set's tree */
    P256_BYTES = 32,
    ED25519_BYTES = 32,
    DER_BYTES_MAX = 80 /* of a signature for P-256 */
};

static const struct alg {
    enum jwt_alg alg;
    struct str name, kty, crv; /* crv absent: the kind has no curves */
} algs[] = {
    {JWT_HS256, {"HS256", 5}, {NULL, 0}, {NULL, 0}},
    {JWT_RS256, {"RS256", 5}, {"RSA", 3}, {NULL, 0}},
    {JWT_ES256, {"ES256", 5}, {"EC", 2}, {"P-256", 5}},
    {JWT_EDDSA, {"EdDSA", 5}, {"OKP", 3}, {"Ed25519", 7}},
};
enum { ALGS_N = sizeof(algs) / sizeof(algs[0]) };

enum jwt_alg jwt_alg_find(struct str name)
{
    for (size_t i = 0; i < ALGS_N; i++)
        if (str_eq(algs[i].name, name))
            return algs[i].alg;
    return JWT_NO_ALG;
}

/* ---- The set ------------------------------------------------------------ */

enum footnote_rc jwt_keys_new(struct jwt_keys **out, struct footnote_err *err)
{
    struct jwt_keys *k = calloc(1, sizeof(*k));

    *out = k;
    if (!k)
        return err_set(err, FOOTNOTE_NOMEM, "making a set of keys");
    k->arena = ARENA(SET_BYTES_MAX);
    return FOOTNOTE_OK;
}

/* The only copy of the secret is here. */
void jwt_keys_free(struct jwt_keys *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < k->n; i++) {
        struct str secret = k->items[i].secret;

        if (secret.n)
            OPENSSL_cleanse((void *)(uintptr_t)secret.p, secret.n);
        EVP_PKEY_free(k->items[i].public);
    }
    arena_free(&k->arena);
    free(k);
}

static enum footnote_rc add_key(struct jwt_keys *k, struct jwt_key key,
                                struct footnote_err *err)
{
    for (size_t i = 0; key.kid.p && i < k->n; i++)
        if (str_eq(k->items[i].kid, key.kid))
            return err_set(err, FOOTNOTE_INVALID, "two keys have one kid");
    if (k->n == JWT_KEYS_MAX)
        return err_set(err, FOOTNOTE_INVALID, "more than %d keys",
                       JWT_KEYS_MAX);
    k->items[k->n++] = key;
    return FOOTNOTE_OK;
}

enum footnote_rc jwt_keys_secret(struct jwt_keys *k, struct str secret,
                                 struct footnote_err *err)
{
    struct jwt_key key = {.alg = JWT_HS256};

    if (secret.n < JWT_SECRET_BYTES_MIN)
        return err_set(err, FOOTNOTE_INVALID,
                       "the secret has %zu bytes, at least %d are needed",
                       secret.n, JWT_SECRET_BYTES_MIN);
    key.secret = arena_str(&k->arena, secret);
    TRY(arena_rc(&k->arena, err));
    return add_key(k, key, err);
}

/* ---- One key of a set --------------------------------------------------- */

static bool has_verify(const struct json *ops)
{
    for (const struct json *j = ops->first; j; j = j->next)
        if (j->type == JSON_STR && str_eq(j->s, STR("verify")))
            return true;
    return false;
}

/* The one algorithm that this key is used with; JWT_NO_ALG: not by us. */
static enum jwt_alg alg_of_key(const struct json *jwk)
{
    struct str alg = json_text(jwk, STR("alg"));
    const struct json *use = json_get(jwk, STR("use"));
    const struct json *ops = json_get(jwk, STR("key_ops"));

    if (use && !(use->type == JSON_STR && str_eq(use->s, STR("sig"))))
        return JWT_NO_ALG;
    if (ops && !(ops->type == JSON_ARRAY && has_verify(ops)))
        return JWT_NO_ALG;
    for (size_t i = 0; i < ALGS_N; i++)
        if (algs[i].kty.p && str_eq(json_text(jwk, STR("kty")), algs[i].kty) &&
            (!algs[i].crv.p ||
             str_eq(json_text(jwk, STR("crv")), algs[i].crv)) &&
            (!json_get(jwk, STR("alg")) || str_eq(alg, algs[i].name)))
            return algs[i].alg;
    return JWT_NO_ALG;
}

static enum footnote_rc read_bytes(struct arena *a, const struct json *jwk,
                                   struct str name, struct str *out,
                                   struct footnote_err *err)
{
    struct str text = json_text(jwk, name);

    if (!text.n)
        return err_set(err, FOOTNOTE_INVALID, "a key has no %.*s",
                       STR_ARG(name));
    return base64url_read(a, text, out, err);
}

static void free_bn(BIGNUM **b)
{
    BN_free(*b);
}
static void free_bld(OSSL_PARAM_BLD **b)
{
    OSSL_PARAM_BLD_free(*b);
}
static void free_params(OSSL_PARAM **p)
{
    OSSL_PARAM_free(*p);
}
static void free_pkey_ctx(EVP_PKEY_CTX **c)
{
    EVP_PKEY_CTX_free(*c);
}
static void free_md_ctx(EVP_MD_CTX **c)
{
    EVP_MD_CTX_free(*c);
}
static void free_sig(ECDSA_SIG **s)
{
    ECDSA_SIG_free(*s);
}

/* NULL when OpenSSL refuses it, as a point that is not on the curve. */
static EVP_PKEY *from_params(const char *kind, OSSL_PARAM_BLD *bld)
{
    AUTO(free_params) OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(bld);
    AUTO(free_pkey_ctx)
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
    EVP_PKEY *key = NULL;

    if (!params || !c || EVP_PKEY_fromdata_init(c) != 1 ||
        EVP_PKEY_fromdata(c, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        return NULL;
    return key;
}

static EVP_PKEY *rsa_key(struct str n, struct str e)
{
    AUTO(free_bld) OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    AUTO(free_bn)
    BIGNUM *bn = BN_bin2bn((const uint8_t *)n.p, (int)n.n, NULL);
    AUTO(free_bn)
    BIGNUM *be = BN_bin2bn((const uint8_t *)e.p, (int)e.n, NULL);

    if (!bld || !bn || !be ||
        OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_N, bn) != 1 ||
        OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_E, be) != 1)
        return NULL;
    return from_params("RSA", bld);
}

static enum footnote_rc read_rsa(struct arena *a, const struct json *jwk,
                                 EVP_PKEY **out, struct footnote_err *err)
{
    struct str n, e;
    int bits;

    TRY(read_bytes(a, jwk, STR("n"), &n, err));
    TRY(read_bytes(a, jwk, STR("e"), &e, err));
    /* An exponent over 64 bits makes verifying slow, an even one or 1 makes it
     * worthless. */
    if (n.n > JWT_RSA_BITS_MAX / 8 || e.n == 0 || e.n > 8 ||
        !(e.p[e.n - 1] & 1) || (e.n == 1 && e.p[0] == 1))
        return err_set(err, FOOTNOTE_INVALID, "an RSA key is out of range");
    *out = rsa_key(n, e);
    bits = *out ? EVP_PKEY_get_bits(*out) : 0;
    if (*out && bits < JWT_RSA_BITS_MIN)
        return err_set(err, FOOTNOTE_INVALID,
                       "an RSA key has %d bits, at least %d are needed", bits,
                       JWT_RSA_BITS_MIN);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_ec(struct arena *a, const struct json *jwk,
                                EVP_PKEY **out, struct footnote_err *err)
{
    AUTO(free_bld) OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    uint8_t point[1 + 2 * P256_BYTES] = {POINT_CONVERSION_UNCOMPRESSED};
    struct str x, y;

    TRY(read_bytes(a, jwk, STR("x"), &x, err));
    TRY(read_bytes(a, jwk, STR("y"), &y, err));
    if (x.n != P256_BYTES || y.n != P256_BYTES)
        return err_set(err, FOOTNOTE_INVALID, "a P-256 key is cut");
    memcpy(point + 1, x.p, P256_BYTES);
    memcpy(point + 1 + P256_BYTES, y.p, P256_BYTES);
    if (bld &&
        OSSL_PARAM_BLD_push_utf8_string(bld, OSSL_PKEY_PARAM_GROUP_NAME,
                                        "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(bld, OSSL_PKEY_PARAM_PUB_KEY, point,
                                         sizeof(point)) == 1)
        *out = from_params("EC", bld);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_ed(struct arena *a, const struct json *jwk,
                                EVP_PKEY **out, struct footnote_err *err)
{
    struct str x;

    TRY(read_bytes(a, jwk, STR("x"), &x, err));
    if (x.n != ED25519_BYTES)
        return err_set(err, FOOTNOTE_INVALID, "an Ed25519 key is cut");
    *out = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL,
                                       (const uint8_t *)x.p, x.n);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_public(struct arena *a, const struct json *jwk,
                                    enum jwt_alg alg, EVP_PKEY **out,
                                    struct footnote_err *err)
{
    switch (alg) {
    case JWT_RS256: return read_rsa(a, jwk, out, err);
    case JWT_ES256: return read_ec(a, jwk, out, err);
    case JWT_EDDSA: return read_ed(a, jwk, out, err);
    case JWT_NO_ALG:
    case JWT_HS256: break;
    }
    return FOOTNOTE_OK;
}

static void free_pkey(EVP_PKEY **k)
{
    EVP_PKEY_free(*k);
}

static enum footnote_rc read_key(struct jwt_keys *k, const struct json *jwk,
                                 struct footnote_err *err)
{
    AUTO(free_pkey) EVP_PKEY *public = NULL;
    struct jwt_key key = {.alg = alg_of_key(jwk)};
    struct str kid = json_text(jwk, STR("kid"));

    if (key.alg == JWT_NO_ALG)
        return FOOTNOTE_OK;
    if (kid.n > JWT_NAME_BYTES_MAX)
        return err_set(err, FOOTNOTE_INVALID, "a kid is too long");
    TRY(read_public(&k->arena, jwk, key.alg, &public, err));
    if (!public) {
        ERR_clear_error(); /* see jwt_key_verify */
        return err_set(err, FOOTNOTE_INVALID, "a key is not valid");
    }
    key.kid = arena_str(&k->arena, kid);
    TRY(arena_rc(&k->arena, err));
    key.public = public;
    TRY(add_key(k, key, err));
    public = NULL; /* it is the set's now */
    return FOOTNOTE_OK;
}

enum footnote_rc jwt_keys_read(struct jwt_keys *k, struct str text,
                               struct footnote_err *err)
{
    struct json *set = NULL, *keys;
    size_t before = k->n;

    TRY(json_read(&k->arena, text, &set, err));
    keys = json_get(set, STR("keys"));
    if (!keys || keys->type != JSON_ARRAY)
        return err_set(err, FOOTNOTE_INVALID, "this is no JWK set");
    for (const struct json *jwk = keys->first; jwk; jwk = jwk->next)
        TRY(read_key(k, jwk, err));
    if (k->n == before)
        return err_set(err, FOOTNOTE_INVALID,
                       "the set has no key for RS256, ES256 or EdDSA");
    return FOOTNOTE_OK;
}

/* ---- Signatures --------------------------------------------------------- */

static bool verify_hmac(struct str secret, struct str text, struct str sig)
{
    uint8_t mac[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    bool same;

    if (!HMAC(EVP_sha256(), secret.p, (int)secret.n, (const uint8_t *)text.p,
              text.n, mac, &n))
        return false;
    same = sig.n == n && CRYPTO_memcmp(mac, sig.p, n) == 0;
    OPENSSL_cleanse(mac, sizeof(mac));
    return same;
}

static bool verify_public(EVP_PKEY *key, const EVP_MD *md, struct str text,
                          struct str sig)
{
    AUTO(free_md_ctx) EVP_MD_CTX *c = EVP_MD_CTX_new();

    return c && EVP_DigestVerifyInit(c, NULL, md, NULL, key) == 1 &&
           EVP_DigestVerify(c, (const uint8_t *)sig.p, sig.n,
                            (const uint8_t *)text.p, text.n) == 1;
}

/* A token has r and s one after the other, OpenSSL wants them in DER. */
static bool verify_ec(EVP_PKEY *key, struct str text, struct str sig)
{
    AUTO(free_sig) ECDSA_SIG *pair = ECDSA_SIG_new();
    const uint8_t *p = (const uint8_t *)sig.p;
    uint8_t der[DER_BYTES_MAX], *end = der;
    BIGNUM *r, *s;
    int n;

    if (sig.n != P256_BYTES + P256_BYTES || !pair)
        return false;
    r = BN_bin2bn(p, P256_BYTES, NULL);
    s = BN_bin2bn(p + P256_BYTES, P256_BYTES, NULL);
    if (!r || !s || ECDSA_SIG_set0(pair, r, s) != 1) {
        BN_free(r);
        BN_free(s);
        return false;
    }
    n = i2d_ECDSA_SIG(pair, NULL);
    if (n <= 0 || n > DER_BYTES_MAX)
        return false;
    n = i2d_ECDSA_SIG(pair, &end);
    return verify_public(key, EVP_sha256(), text,
                         (struct str){(const char *)der, (size_t)n});
}

static bool verify_by_alg(const struct jwt_key *k, struct str text,
                          struct str sig)
{
    switch (k->alg) {
    case JWT_HS256: return verify_hmac(k->secret, text, sig);
    case JWT_RS256: return verify_public(k->public, EVP_sha256(), text, sig);
    case JWT_ES256: return verify_ec(k->public, text, sig);
    case JWT_EDDSA: return verify_public(k->public, NULL, text, sig);
    case JWT_NO_ALG: break;
    }
    return false;
}

/* OpenSSL leaves the reasons of a refusal in the thread's queue, where TLS
 * calls of others would find them. */
bool jwt_key_verify(const struct jwt_key *k, struct str text, struct str sig)
{
    bool holds = verify_by_alg(k, text, sig);

    if (!holds)
        ERR_clear_error();
    return holds;
}
