/* remote.h - a running server, as a client of its HTTP API sees it.  One
 * thread, one request at a time. */
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
    struct buf answer;   /* the last one */
    struct arena parsed; /* the same */
    int exit_code;       /* what a failure means for the program; 0: its rc */
    /* Of remote_stream(). */
    void (*part)(void *arg, struct str bytes);
    void *part_arg;
};

/* `server` is borrowed until remote_free(), which is also for what failed to
 * open.  Absent key: none. */
enum footnote_rc remote_open(struct remote *r, struct str server,
                             struct str key, struct footnote_err *err);
void remote_free(struct remote *r); /* fit for AUTO */

/* *out is the answer's JSON, until the next request.  A refusal is an error
 * with the server's own words: INVALID, NOTFOUND, or BUSY. */
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
/* POST; what comes with status 200 is handed on as it comes. */
enum footnote_rc remote_stream(struct remote *r, const char *path,
                               const struct buf *json,
                               void (*part)(void *arg, struct str bytes),
                               void *arg, struct footnote_err *err);
/* What it said makes no sense. */
enum footnote_rc remote_not_footnote(struct remote *r,
                                     struct footnote_err *err);

/* The id of the course with this id or title; NOTFOUND.  *id lives until the
 * next request. */
enum footnote_rc remote_course(struct remote *r, struct str name,
                               struct str *id, struct footnote_err *err);

/* As one part of a path. */
void remote_escape(struct remote *r, struct str s, char *out, size_t bytes);
/* 0: it is not there, or no number. */
int64_t remote_number(const struct json *o, struct str key);

#endif
