/* digest.h - digests of messages and of requests.  Any thread. */
#ifndef STORE_SOURCE_DIGEST_H
#define STORE_SOURCE_DIGEST_H
#include "base/sha256.h"

struct message;
struct new_references;
struct tx;

struct digest_line { /* no padding: verified.c reads its bytes */
    struct sha256 source;
    double score; /* 0: it has none */
    uint32_t number;
    uint32_t has_score;
};
struct digest_line digest_line(uint32_t number, const struct sha256 *source,
                               bool has_score, double score);
/* The published digest of a message: docs/schema.md. */
void message_digest(struct sha256_ctx *c, enum footnote_role role,
                    struct str content, struct sha256 *out,
                    const struct digest_line *lines, size_t n);
enum footnote_rc new_references_digest(struct tx *tx, struct sha256_ctx *c,
                                       enum footnote_role role,
                                       struct str content,
                                       const struct new_references *list,
                                       struct sha256 *out,
                                       struct footnote_err *err);
/* Digest of a request to save: equal ones are repeats. */
void request_digest(struct sha256_ctx *c, const struct message *m,
                    const struct new_references *refs, struct sha256 *out);

static inline struct str digest_str(const struct sha256 *d)
{
    return d ? (struct str){(const char *)d->b, SHA256_BYTES} : STR_NONE;
}

#endif
