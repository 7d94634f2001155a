/* curl_loop.h - libcurl's transfers on a libuv loop.  That loop's thread.
 *
 * libcurl's callbacks must not add, remove or free a transfer.  `done` and
 * `idle` may: they are called when libcurl has returned. */
#ifndef MODEL_CURL_LOOP_H
#define MODEL_CURL_LOOP_H
#include <curl/curl.h>
#include <uv.h>

#include "base/err.h"

struct curl_loop;

/* Part of the transfer's owner; CURLOPT_PRIVATE of its handle points to it. */
struct curl_transfer {
    void (*done)(struct curl_transfer *t, CURLcode rc);
    struct curl_transfer *next; /* in the loop's list of these */
    bool unwatched;             /* its socket could not be watched */
};

/* `idle` is called whenever libcurl has returned; may be NULL.
 * *out is yours: end with curl_loop_close(). */
enum footnote_rc curl_loop_open(uv_loop_t *uv, void (*idle)(void *arg),
                                void *arg, struct curl_loop **out,
                                struct footnote_err *err);
/* The caller has removed all transfers and freed their handles.  `closed` is
 * called when libuv has closed its own. */
void curl_loop_close(struct curl_loop *l, void (*closed)(void *arg), void *arg);

/* The handle stays the caller's, to be freed before the loop is closed. */
enum footnote_rc curl_loop_add(struct curl_loop *l, CURL *easy,
                               struct footnote_err *err);
void curl_loop_remove(struct curl_loop *l, CURL *easy);

#endif
