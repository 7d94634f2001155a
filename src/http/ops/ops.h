/* ops.h - handlers that say how the server is, rows of api.c. */
#ifndef HTTP_OPS_OPS_H
#define HTTP_OPS_OPS_H
#include "http/core/http.h"

/* ops.c */
request_fn ops_health;  /* GET /healthz: the process is up, nothing is asked */
request_fn ops_version; /* GET /version */
request_fn ops_metrics; /* GET /metrics: loopback, or the metrics token */
request_fn ops_openapi; /* GET /openapi.json */

/* ready.c */
request_fn ops_ready; /* GET /readyz: 503 while draining, or no database */

/* Asks the database something, on behalf of nobody. */
struct store_size;
enum footnote_rc ops_read_size(struct request *r, struct store_size *out);
/* Whether the operator asks: from loopback, or with the metrics token.  Else
 * the request has been answered. */
bool ops_may_watch(struct request *r);

/* page.c */
request_fn page_front; /* what is running, where there is no app */
request_fn page_docs;  /* GET /docs: the API as a page */

#endif
