/* audited.h - what a request does that is kept in the audit. */
#ifndef HTTP_CALL_AUDITED_H
#define HTTP_CALL_AUDITED_H
#include "http/core/http.h"
#include "store/audit.h"

/* The request's next request_write() keeps this with it, in one commit. */
void audit_with_write(struct request *r, const char *action, struct str about);
/* The same for what only reads: a write of its own, which nothing waits for. */
void audit_aside(struct request *r, const char *action, struct str about);
/* Before an answer goes out: downloads, exports and what admins look at. */
void audit_answering(struct request *r);

#endif
