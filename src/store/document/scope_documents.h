/* scope_documents.h - the documents that a search is limited to; part of
 * search_scope. */
#ifndef STORE_DOCUMENT_SCOPE_DOCUMENTS_H
#define STORE_DOCUMENT_SCOPE_DOCUMENTS_H
#include "store/store.h"

struct search_scope;
struct tx;

/* The course of the filter's documents, in `text`; absent when all of them are
 * gone, and may be. */
enum footnote_rc scope_course_of(struct tx *tx, const struct search_scope *op,
                                 char text[STORE_ID_BYTES_MAX + 1],
                                 struct str *id, struct footnote_err *err);
/* Sets what of the courses may be looked into. */
enum footnote_rc scope_limit(struct tx *tx, struct search_scope *op,
                             struct footnote_err *err);

#endif
