/* sha256.c - SHA-256 by OpenSSL.
 *
 * This uses OpenSSL's direct functions, which 3.0 calls deprecated, and not
 * EVP.  EVP_DigestInit_ex2() of 3.0 allocates on every call, also for a
 * context that is used again, so hashing could run out of memory half-way and
 * every digest in the tree would need a failure path.  These cannot fail, and
 * take a fifth less time for a text of 300 bytes. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/sha256.h"

#include <openssl/sha.h>
#include <stdlib.h>

struct sha256_ctx {
    SHA256_CTX state;
};

enum footnote_rc sha256_open(struct sha256_ctx **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "no memory for a hasher");
    return FOOTNOTE_OK;
}

void sha256_close(struct sha256_ctx *c)
{
    free(c);
}

void sha256_begin(struct sha256_ctx *c)
{
    SHA256_Init(&c->state);
}

void sha256_add(struct sha256_ctx *c, struct str s)
{
    if (s.n)
        SHA256_Update(&c->state, s.p, s.n);
}

void sha256_end(struct sha256_ctx *c, struct sha256 *out)
{
    SHA256_Final(out->b, &c->state);
}

enum footnote_rc sha256(struct str s, struct sha256 *out,
                        struct footnote_err *err)
{
    struct sha256_ctx c;

    (void)err; /* cannot fail with this implementation */
    sha256_begin(&c);
    sha256_add(&c, s);
    sha256_end(&c, out);
    return FOOTNOTE_OK;
}

/* Both digits of every byte: "000102...ff". */
#define ROW(h)                                                                 \
    h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7" h "8" h "9" h "a" h "b" h  \
      "c" h "d" h "e" h "f"
static const char pairs[] =
    ROW("0") ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7")
        ROW("8") ROW("9") ROW("a") ROW("b") ROW("c") ROW("d") ROW("e") ROW("f");

void sha256_hex(const struct sha256 *d, char out[SHA256_HEX + 1])
{
    for (size_t i = 0; i < SHA256_BYTES; i++)
        memcpy(out + 2 * i, pairs + 2 * (size_t)d->b[i], 2);
    out[SHA256_HEX] = '\0';
}

bool sha256_eq(const struct sha256 *a, const struct sha256 *b)
{
    return memcmp(a->b, b->b, SHA256_BYTES) == 0;
}
