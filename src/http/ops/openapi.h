/* openapi.h - the API described in OpenAPI 3.1.  Any thread.
 *
 * The table of routes says which operations there are; src/http/ops/openapi/
 * says more about each, by its name:
 *
 *     document.json   the document without paths and schemas
 *     schemas.json    components.schemas
 *     others          operation's name -> what is said of it
 *
 * Statuses that every operation of a kind can answer with are added here, so
 * that no file repeats them. */
#ifndef HTTP_OPS_OPENAPI_H
#define HTTP_OPS_OPENAPI_H
#include "http/core/http.h"

/* Appends the document.  NOMEM is the only failure. */
enum footnote_rc openapi_write(struct arena *a, struct buf *b,
                               struct footnote_err *err);
/* A status that many operations share and no file describes for its own. */
bool openapi_is_common(struct str status);
/* What a "$ref" within the document points to, or NULL; v itself when it is
 * no reference. */
const struct json *openapi_resolve(const struct json *document,
                                   const struct json *v);

#endif
