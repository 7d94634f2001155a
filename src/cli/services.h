/* services.h - the parts behind a server, opened and closed together.
 *
 *     store <- objects <- ingest      files come in
 *     store <- retriever, models <- chat      questions are answered */
#ifndef CLI_SERVICES_H
#define CLI_SERVICES_H
#include "config/config.h"
#include "http/serve.h"
#include "object/object.h"
#include "retrieve/retrieve.h"

/* The languages of text in pictures; NULL: it is not read. */
const char *services_ocr(const struct config *c);
/* The place at `url` with the S3 settings of the configuration; no store's. */
struct objects_place services_place(const struct config *c, struct str url);
/* Opens the object store at `url` for the store, with the S3 settings of the
 * configuration.  *out is yours: objects_close(). */
enum footnote_rc services_objects(const struct config *c, struct store *st,
                                  struct str url, struct objects **out,
                                  struct footnote_err *err);
/* What the settings say of searching; no folder. */
struct retriever_options services_retriever(const struct config *c);
/* Opens all but the store, which is in `s` already.  After a failure too,
 * services_close() closes what was opened. */
enum footnote_rc services_open(struct arena *a, const struct config *c,
                               struct services *s, struct footnote_err *err);
/* Closes all but the store. */
void services_close(struct services *s);

#endif
