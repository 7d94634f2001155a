/* openapi.h - the API described in OpenAPI 3.1.  Any thread.
 *
 * The table of routes names the operations; src/http/ops/openapi/ describes
 * each, by its name:
 *
 *     document.json   the document without paths and schemas
 *     schemas.json    components.schemas
 *     others          operation's name -> its description
 *
 * Statuses that every operation of a kind can answer with are added here, so
 * that no file repeats them. */
#ifndef HTTP_OPS_OPENAPI_H
#define HTTP_OPS_OPENAPI_H
#include "http/core/http.h"

/* Appends the document.  NOMEM is the only failure. */
enum footnote_rc openapi_write(struct arena *a, struct buf *b,
                               struct footnote_err *err);
/* A status that many operations share, so that no file describes it. */
bool openapi_is_common(struct str status);
/* The target of a "$ref" within the document, or NULL; v itself when it has
 * none. */
const struct json *openapi_resolve(const struct json *document,
                                   const struct json *v);

#endif
