/* sha256.h - SHA-256 by OpenSSL.  One thread per struct. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H
#include "base/err.h"

enum { SHA256_BYTES = 32, SHA256_HEX = 64 };

struct sha256 {
    uint8_t b[SHA256_BYTES];
};

/* A reusable hasher: open once, then any number of begin,
 * add, end, none of which can fail. */
struct sha256_ctx;
enum footnote_rc sha256_open(struct sha256_ctx **out, struct footnote_err *err);
void sha256_close(struct sha256_ctx *c);                /* NULL is fine */
static inline void sha256_closep(struct sha256_ctx **c) /* fit for AUTO */
{
    sha256_close(*c);
}
void sha256_begin(struct sha256_ctx *c);
void sha256_add(struct sha256_ctx *c, struct str s);
void sha256_end(struct sha256_ctx *c, struct sha256 *out);

/* One shot. */
enum footnote_rc sha256(struct str s, struct sha256 *out,
                        struct footnote_err *err);
/* 64 lower-case digits and a NUL. */
void sha256_hex(const struct sha256 *d, char out[SHA256_HEX + 1]);
bool sha256_eq(const struct sha256 *a, const struct sha256 *b);

#endif
