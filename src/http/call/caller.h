/* caller.h - what we know of a request beyond HTTP: who makes it, and what the
 * store does for it. */
#ifndef HTTP_CALL_CALLER_H
#define HTTP_CALL_CALLER_H
#include "http/core/http.h"
#include "store/audit.h"

/* r->app, in the request's arena. */
struct caller {
    struct who who; /* once auth.c has said so */
    bool admin;
    bool claims_admin;      /* a claim of the token said so */
    struct str auth;        /* the mode that let it in */
    struct str key_prefix;  /* of the key that it came with; absent: none */
    struct str login;       /* id of the browser's login; absent: none */
    int64_t expires_ms;     /* of the key or token; 0: never */
    char client[46];        /* whose request it is: forwarded.h */
    struct audit_note note; /* kept with what request_write() writes, if */
    bool noted;
    int verdict; /* enum auth_verdict */
    struct wait *wait;
    /* store_write.c's */
    struct request *request;
    struct store_job job;
};

/* Makes r->app; false: no memory. */
bool caller_new(struct request *r);
/* Not after stream_forget(). */
static inline struct caller *caller(const struct request *r)
{
    return r->app;
}

/* Runs the operation in the writer, on behalf of the caller; `then` is called
 * on the loop after COMMIT, with r->rc and r->err set.  From the loop. */
void request_write(struct request *r, const struct store_op *kind, void *op,
                   request_fn *then);

#endif
