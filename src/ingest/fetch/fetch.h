/* fetch.h - gets a web page whose address a person typed.
 *
 * The address comes from a stranger, and the server is inside of a network: so
 * every hop is resolved once, checked, and connected to at the checked address
 * only.  No proxy, no cookies, no credentials, no other protocols.
 *
 * Any thread; it waits.  curl_global_init() was called before. */
#ifndef INGEST_FETCH_FETCH_H
#define INGEST_FETCH_FETCH_H
#include "base/arena.h"
#include "base/buf.h"

enum {
    FETCH_URL_BYTES_MAX = 2048,
    FETCH_BYTES_MAX = 16 * 1024 * 1024, /* unpacked */
    FETCH_MS_MAX = 30 * 1000,           /* for all hops together */
    FETCH_CONNECT_MS_MAX = 10 * 1000,
    FETCH_REDIRECTS_MAX = 3,
    FETCH_ADDRESSES_MAX = 16, /* of a host; more are not used */
};

/* Only tests set this; it is NULL everywhere else. */
struct fetch_test {
    bool allow_loopback; /* and any port there */
    int64_t ms_max;      /* 0: as above */
};

struct fetched {
    struct str url;     /* of the last hop, without its fragment */
    struct str type;    /* "text/html", in lower case, without parameters */
    struct str charset; /* absent: the server did not say */
};

/* Appends the body to *body, whose limit should be FETCH_BYTES_MAX.  Texts of
 * *out live in `a`.
 *
 * INVALID: the address is not public, or has no page of text; NOTFOUND: there
 * is no such page; TOOBIG; BUSY: the server could not be reached now. */
enum footnote_rc fetch_page(struct str url, const struct fetch_test *test,
                            struct arena *a, struct buf *body,
                            struct fetched *out, struct footnote_err *err);

#endif
