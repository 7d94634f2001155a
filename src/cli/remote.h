/* remote.h - a client of a running server's HTTP API.  One thread, one request
 * at a time. */
#ifndef CLI_REMOTE_H
#define CLI_REMOTE_H
#include <curl/curl.h>

#include "base/json.h"
#include "cli/cli.h"

enum { REMOTE_PATH_BYTES_MAX = 4096 };

struct remote {
    CURL *curl;
    struct curl_slist *headers, *json_headers;
    struct str server;
    struct buf answer;   /* bytes of the last response */
    struct arena parsed; /* its JSON */
    int exit_code;       /* after a failure; 0: by its rc */
    /* Set during remote_stream(). */
    void (*part)(void *arg, struct str bytes);
    void *part_arg;
};

/* `server` is borrowed until remote_free(), which is needed after a failure
 * too.  An absent key sends none. */
enum footnote_rc remote_open(struct remote *r, struct str server,
                             struct str key, struct footnote_err *err);
void remote_free(struct remote *r); /* for AUTO */

/* *out is the response's JSON, until the next request.  A status of 300 or more
 * is INVALID, NOTFOUND or BUSY with the server's message. */
enum footnote_rc remote_get(struct remote *r, const char *path,
                            const struct json **out, struct footnote_err *err);
enum footnote_rc remote_send(struct remote *r, const char *method,
                             const char *path, const struct buf *json,
                             const struct json **out, long *status,
                             struct footnote_err *err);
/* The same with a form. */
enum footnote_rc remote_form(struct remote *r, const char *method,
                             const char *path, curl_mime *form,
                             const struct json **out, long *status,
                             struct footnote_err *err);
/* A POST whose body, when the status is 200, goes to `part` as it comes. */
enum footnote_rc remote_stream(struct remote *r, const char *path,
                               const struct buf *json,
                               void (*part)(void *arg, struct str bytes),
                               void *arg, struct footnote_err *err);
/* The error for a response that no Footnote server would give. */
enum footnote_rc remote_not_footnote(struct remote *r,
                                     struct footnote_err *err);

/* The id of the course with this id or title; NOTFOUND.  *id lives until the
 * next request. */
enum footnote_rc remote_course(struct remote *r, struct str name,
                               struct str *id, struct footnote_err *err);

/* Writes `s` escaped, for use as one part of a path. */
void remote_escape(struct remote *r, struct str s, char *out, size_t bytes);
/* 0 when the member is missing or is not an integer. */
int64_t remote_number(const struct json *o, struct str key);

#endif
