/* serve.h - our API on an HTTP server: everything that a request meets. */
#ifndef HTTP_SERVE_H
#define HTTP_SERVE_H
#include "config/config.h"
#include "http/call/services.h"

/* server_open() with our table, hooks and services.  Of `with` the first half
 * is the caller's.  *out is yours: serve_close(). */
enum footnote_rc serve_open(const struct config *c, const struct services *with,
                            struct server **out, struct footnote_err *err);
void serve_close(struct server *s); /* NULL is fine */

#endif
