/* curl_loop.h - libcurl's transfers on a libuv loop.  That loop's thread.
 *
 * libcurl forbids to add, remove or free a transfer from inside of its own
 * callbacks.  So `done` and `idle` are called when libcurl has returned, and
 * there everything is allowed. */
#ifndef MODEL_CURL_LOOP_H
#define MODEL_CURL_LOOP_H
#include <curl/curl.h>
#include <uv.h>

#include "base/err.h"

struct curl_loop;

/* In a transfer's owner; CURLOPT_PRIVATE of its handle points to it. */
struct curl_transfer {
    void (*done)(struct curl_transfer *t, CURLcode rc);
    struct curl_transfer *next; /* of those whose socket cannot be watched */
    bool unwatched;
};

/* `idle` is called after each time that libcurl has worked; may be NULL.
 * *out is yours: end with curl_loop_close(). */
enum footnote_rc curl_loop_open(uv_loop_t *uv, void (*idle)(void *arg),
                                void *arg, struct curl_loop **out,
                                struct footnote_err *err);
/* All transfers have been removed, and their handles freed.  `closed` is called
 * when libuv is done. */
void curl_loop_close(struct curl_loop *l, void (*closed)(void *arg), void *arg);

/* The handle stays the caller's, to be freed before the loop is closed. */
enum footnote_rc curl_loop_add(struct curl_loop *l, CURL *easy,
                               struct footnote_err *err);
void curl_loop_remove(struct curl_loop *l, CURL *easy);

#endif
