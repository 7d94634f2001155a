/* fetch.h - a small document from a URL that the operator gave.  Any thread; it
 * waits.
 *
 * The answer decides who is let in, so its sender must be certain: TLS is
 * verified, redirects are not followed, and without TLS only this machine is
 * asked. */
#ifndef HTTP_TOKEN_FETCH_H
#define HTTP_TOKEN_FETCH_H
#include "base/err.h"

enum {
    FETCH_BYTES_MAX = 256 * 1024,
    FETCH_CONNECT_MS = 3000,
    FETCH_TIMEOUT_MS = 5000
};

struct fetch {
    struct str url;            /* ends in NUL */
    struct str form;           /* absent: GET; else it is posted */
    const char *authorization; /* a header line, or NULL */
};
/* BUSY when it does not answer with 200; INVALID when it is no URL that is
 * asked, or refuses a form (4xx).  *out->p is yours: free(). */
enum footnote_rc fetch_text(const struct fetch *f, struct str *out,
                            struct footnote_err *err);

#endif
