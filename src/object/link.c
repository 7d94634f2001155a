/* link.c - signed paths: made, checked.  The signature is looked at before the
 * time, so that nobody learns from the answer what was made here once. */
#include "object/link.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>

enum { TEXT_BYTES_MAX = 128 };

static enum footnote_rc sign(const struct sha256 *secret, const char *key,
                             int64_t expires_s, char out[SHA256_HEX + 1],
                             struct footnote_err *err)
{
    char text[TEXT_BYTES_MAX];
    struct sha256 mac;
    unsigned n = 0;
    int length = snprintf(text, sizeof(text), "footnote link\nGET\n%s\n%lld",
                          key, (long long)expires_s);

    if (!HMAC(EVP_sha256(), secret->b, SHA256_BYTES, (const uint8_t *)text,
              (size_t)length, mac.b, &n) ||
        n != SHA256_BYTES)
        return err_set(err, FOOTNOTE_NOMEM, "signing a link");
    sha256_hex(&mac, out);
    return FOOTNOTE_OK;
}

enum footnote_rc link_make(const struct sha256 *secret, const char *key,
                           const struct object_until *until, struct arena *a,
                           struct str *out, struct footnote_err *err)
{
    int64_t expires_s = until->now_ms / 1000 + until->seconds;
    char hex[SHA256_HEX + 1];

    TRY(sign(secret, key, expires_s, hex, err));
    *out = arena_printf(a, "/api/objects/%s?expires=%lld&signature=%s", key,
                        (long long)expires_s, hex);
    return arena_rc(a, err);
}

enum footnote_rc link_check(const struct sha256 *secret, const char *key,
                            const struct object_claim *claim,
                            struct footnote_err *err)
{
    char hex[SHA256_HEX + 1];
    int64_t expires_s;

    if (claim->signature.n != SHA256_HEX ||
        !str_i64(claim->expires, &expires_s) || expires_s < 0)
        return err_set(err, FOOTNOTE_INVALID, "link: is not whole");
    TRY(sign(secret, key, expires_s, hex, err));
    if (CRYPTO_memcmp(hex, claim->signature.p, SHA256_HEX) != 0)
        return err_set(err, FOOTNOTE_INVALID, "link: is not one of ours");
    if (claim->now_ms >= expires_s * 1000)
        return err_set(err, FOOTNOTE_ENDED, "link: its time is over");
    return FOOTNOTE_OK;
}
