/* services.h - the parts behind a server, opened and closed together.
 *
 *     store <- objects <- ingest      files come in
 *     store <- retriever, models <- chat      questions are answered */
#ifndef CLI_SERVICES_H
#define CLI_SERVICES_H
#include "config/config.h"
#include "http/serve.h"
#include "object/object.h"

/* The object store at `url`, with the S3 settings of the configuration. */
struct objects_place services_place(const struct config *c, struct str url);
/* Opens all but the store, which is in `s` already.  After a failure too,
 * services_close() closes what was opened. */
enum footnote_rc services_open(struct arena *a, const struct config *c,
                               struct services *s, struct footnote_err *err);
/* Closes all but the store. */
void services_close(struct services *s);

#endif
