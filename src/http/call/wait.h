/* wait.h - requests that wait for a document to change, or for a course to be
 * indexed.
 *
 * A handler calls wait_start() before it reads the document, and
 * request_wait() on the loop when the document must change further.  `again`
 * is called on the loop when it may have changed, about once a second in any
 * case, and `wait_ms` after the request came: wait_is_over() tells. */
#ifndef HTTP_CALL_WAIT_H
#define HTTP_CALL_WAIT_H
#include "http/call/loop_state.h"

/* Also for a course, "" for any of them.  False: no memory. */
bool wait_start(struct request *r, struct str document);
/* The document is about to be read again. */
void wait_note(struct request *r);
void request_wait(struct request *r, int64_t wait_ms, request_fn *again);
bool wait_is_over(const struct request *r);

/* The server's: counts changes of documents.  *out is yours: free(). */
enum footnote_rc waits_open(struct store *st, struct document_waits **out,
                            struct footnote_err *err);
/* Learns of changes from the store, and wakes the loops of `s`.  Ends before
 * the loops do: documents are read in by others as well. */
void waits_watch(struct document_waits *w, struct server *s);
void waits_unwatch(struct document_waits *w); /* NULL is fine */
/* For retriever_watch(). */
void waits_indexed(void *waits, struct str tenant, struct str course);
/* Requests for which something may have changed, or whose time is up, go on. */
void waits_check(struct loop_state *l);

#endif
