/* tokens.c - the other side of jwt.c: signing. */
#include "tokens.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>

#include "base/clock.h"
#include "http/core/base64url.h"
#include "test.h"

static int64_t now_ms;

static int64_t fixed(void)
{
    return now_ms;
}

void tokens_clock(int64_t now_s)
{
    static const struct clock_source source = {fixed, fixed};

    now_ms = now_s * 1000;
    clock_replace(&source);
}

static EVP_PKEY *key_of(enum signer by)
{
    static EVP_PKEY *keys[BY_NOBODY];

    if (keys[by])
        return keys[by];
    if (by == BY_EC)
        keys[by] = EVP_EC_gen("P-256");
    else if (by == BY_ED)
        keys[by] = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    else
        keys[by] = EVP_RSA_gen(2048);
    CHECK(keys[by] != NULL);
    return keys[by];
}

static struct str b64(struct arena *a, struct str bytes)
{
    struct buf b = BUF(2 << 20);
    struct str out;

    base64url_write(&b, bytes);
    CHECK(buf_rc(&b, NULL) == FOOTNOTE_OK);
    out = arena_str(a, buf_str(&b));
    buf_free(&b);
    return out.p ? out : STR("");
}

static struct str b64_bn(struct arena *a, const EVP_PKEY *key, const char *name)
{
    BIGNUM *n = NULL;
    uint8_t b[1024];
    int bytes;

    CHECK(EVP_PKEY_get_bn_param(key, name, &n) == 1);
    bytes = BN_num_bytes(n);
    BN_bn2bin(n, b);
    BN_free(n);
    return b64(a, (struct str){(const char *)b, (size_t)bytes});
}

static struct str b64_coordinate(struct arena *a, const EVP_PKEY *key,
                                 const char *name)
{
    BIGNUM *n = NULL;
    uint8_t b[32];

    CHECK(EVP_PKEY_get_bn_param(key, name, &n) == 1);
    CHECK_INT(BN_bn2binpad(n, b, sizeof(b)), sizeof(b));
    BN_free(n);
    return b64(a, (struct str){(const char *)b, sizeof(b)});
}

static struct str jwk_of(struct arena *a, enum signer by)
{
    EVP_PKEY *key = key_of(by);
    uint8_t raw[32];
    size_t n = sizeof(raw);

    if (by == BY_EC)
        return arena_printf(
            a, "\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"",
            b64_coordinate(a, key, OSSL_PKEY_PARAM_EC_PUB_X).p,
            b64_coordinate(a, key, OSSL_PKEY_PARAM_EC_PUB_Y).p);
    if (by == BY_ED) {
        CHECK(EVP_PKEY_get_raw_public_key(key, raw, &n) == 1);
        return arena_printf(a,
                            "\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"",
                            b64(a, (struct str){(const char *)raw, n}).p);
    }
    return arena_printf(a, "\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"",
                        b64_bn(a, key, OSSL_PKEY_PARAM_RSA_N).p,
                        b64_bn(a, key, OSSL_PKEY_PARAM_RSA_E).p);
}

struct str tokens_jwk(struct arena *a, enum signer by, const char *kid,
                      const char *more)
{
    return arena_printf(a, "{%s,\"kid\":\"%s\"%s}", jwk_of(a, by).p, kid, more);
}

struct str tokens_set(struct arena *a)
{
    return arena_printf(a, "{\"keys\":[%s,%s,%s]}",
                        tokens_jwk(a, BY_RSA, "rsa", ",\"use\":\"sig\"").p,
                        tokens_jwk(a, BY_EC, "ec", ",\"alg\":\"ES256\"").p,
                        tokens_jwk(a, BY_ED, "ed", "").p);
}

struct str tokens_weak_set(struct arena *a)
{
    EVP_PKEY *key = EVP_RSA_gen(1024);
    struct str set = arena_printf(
        a, "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"AQAB\"}]}",
        b64_bn(a, key, OSSL_PKEY_PARAM_RSA_N).p);

    EVP_PKEY_free(key);
    return set;
}

static struct str hmac(struct arena *a, struct str secret, struct str text)
{
    uint8_t mac[EVP_MAX_MD_SIZE];
    unsigned n = 0;

    CHECK(HMAC(EVP_sha256(), secret.p, (int)secret.n, (const uint8_t *)text.p,
               text.n, mac, &n) != NULL);
    return b64(a, (struct str){(const char *)mac, n});
}

/* OpenSSL signs in DER, a token has r and s. */
static struct str raw_pair(struct arena *a, const uint8_t *der, size_t n)
{
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)n);
    uint8_t b[64];

    CHECK(sig != NULL);
    BN_bn2binpad(ECDSA_SIG_get0_r(sig), b, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(sig), b + 32, 32);
    ECDSA_SIG_free(sig);
    return b64(a, (struct str){(const char *)b, sizeof(b)});
}

static struct str sign(struct arena *a, enum signer by, struct str text)
{
    uint8_t sig[1024];
    size_t n = sizeof(sig);
    EVP_MD_CTX *c;

    if (by == BY_NOBODY)
        return STR("");
    if (by == BY_SECRET)
        return hmac(a, STR(TOKENS_SECRET), text);
    if (by == BY_RSA_PUBLIC)
        return hmac(a, jwk_of(a, BY_RSA), text);
    c = EVP_MD_CTX_new();
    CHECK(EVP_DigestSignInit(c, NULL, by == BY_ED ? NULL : EVP_sha256(), NULL,
                             key_of(by)) == 1);
    CHECK(EVP_DigestSign(c, sig, &n, (const uint8_t *)text.p, text.n) == 1);
    EVP_MD_CTX_free(c);
    return by == BY_EC ? raw_pair(a, sig, n)
                       : b64(a, (struct str){(const char *)sig, n});
}

struct str token_make(struct arena *a, enum signer by, const char *header,
                      const char *claims)
{
    struct str text = arena_printf(a, "%s.%s", b64(a, str_c(header)).p,
                                   b64(a, str_c(claims)).p);

    return arena_printf(a, "%s.%s", text.p, sign(a, by, text).p);
}
