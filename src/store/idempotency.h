/* idempotency.h - the same request again gets the first result.  Any thread. */
#ifndef STORE_IDEMPOTENCY_H
#define STORE_IDEMPOTENCY_H
#include "base/sha256.h"
#include "store/store.h"

/* Claims the key for a request.  The first request gets `first`.  A repeat gets
 * the stored response, or RUNNING while there is none; another request with
 * the same key gets REUSED.  Keys are kept 24 hours. */
struct key_claim {
    struct str scope, key;
    struct sha256 request;
    bool first;          /* out */
    int64_t status;      /* out, when not first */
    struct str response; /* out, yours: free((void *)response.p) */
};
STORE_OP(key_claim);

struct key_finish {
    struct str scope, key;
    int64_t status; /* 0: the request failed; the key is free again */
    struct str response;
};
STORE_OP(key_finish);

/* Runs another write under a key, in one transaction: the key is claimed, the
 * write done and the key finished, or nothing happens.  A repeat writes
 * nothing and gets the first result. */
struct keyed_write {
    struct str scope, key;
    struct sha256 request;
    const struct store_op *kind;
    void *op;
    const char *result; /* in op: the text that its run() makes */
    bool first;         /* out */
    char result_text[STORE_ID_BYTES_MAX + 1]; /* out: the first result */
};
STORE_OP(keyed_write);

#endif
