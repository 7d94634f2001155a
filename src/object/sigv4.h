/* sigv4.h - AWS Signature Version 4, as S3 wants it.  Any thread.
 *
 * A request is signed by its header `Authorization`, or, for a link that
 * somebody else follows, by its query.  Paths come encoded, once, because S3
 * signs them as they are sent; queries come plain. */
#ifndef OBJECT_SIGV4_H
#define OBJECT_SIGV4_H
#include "base/buf.h"
#include "base/sha256.h"

enum {
    SIGV4_PAIRS_MAX = 12,
    SIGV4_BYTES_MAX = 64 * 1024, /* of a canonical request */
    SIGV4_DATE = 16              /* 20260226T201500Z */
};

struct sigv4_keys {
    struct str id, secret, region;
    struct str token; /* of a session; may be absent */
};
struct sigv4_pair {
    struct str name, value;
};
struct sigv4_pairs {
    struct sigv4_pair items[SIGV4_PAIRS_MAX];
    size_t n;
};
/* More than SIGV4_PAIRS_MAX is a bug. */
void sigv4_add(struct sigv4_pairs *p, struct str name, struct str value);

struct sigv4_request {
    struct str method, host, path;
    struct sigv4_pairs query;
    struct sigv4_pairs headers; /* beside host; names in lower case */
    int64_t time_ms;
};

/* Appends s, percent-encoded but for letters, digits, -._~, and slashes if they
 * are to stay. */
void sigv4_encode(struct buf *b, struct str s, bool keep_slashes);
/* The query, sorted and encoded, without a question mark. */
void sigv4_query(struct buf *b, struct sigv4_pairs *query);
/* The time as X-Amz-Date has it, and a NUL. */
void sigv4_date(int64_t time_ms, char out[SIGV4_DATE + 1]);

/* Appends the value of the header Authorization.  `payload` is the body's
 * digest in hex, which x-amz-content-sha256 says too.  Sorts the headers. */
enum footnote_rc sigv4_authorize(const struct sigv4_keys *k,
                                 struct sigv4_request *r, struct str payload,
                                 struct buf *out, struct footnote_err *err);
/* Appends the whole query of a link that is valid for so many seconds.  There
 * is no body to sign. */
enum footnote_rc sigv4_presign(const struct sigv4_keys *k,
                               struct sigv4_request *r, int64_t seconds,
                               struct buf *out, struct footnote_err *err);

#endif
