/* talk.h - asking a site for JSON, in one line each. */
#ifndef TALK_H
#define TALK_H
#include "site.h"
#include "test.h"

/* A site that is closed at the end of the test. */
#define SITE(name)                                                             \
    AUTO(site_close) struct site name = {.curl = NULL};                        \
    site_open(&name)

/* Asks and checks the status.  The body as JSON, NULL when there is none;
 * lives as long as the site.  `body` may be NULL, and is JSON in which ' means
 * ", for the reader's sake. */
struct json *talk(struct site *s, int status, const char *method,
                  const char *path, const char *body);
/* The same with one more header line. */
struct json *talk_with(struct site *s, const char *header, int status,
                       const char *method, const char *path, const char *body);
/* Any request, of which the status is checked. */
struct answer_to talk_ask(struct site *s, int status, const struct ask *ask);
/* An error: its status, code and place ("" or NULL: not looked at). */
void talk_refused(struct site *s, int status, const char *code,
                  const char *where, const char *method, const char *path,
                  const char *body);
/* "Authorization: Bearer ..." of another user than the one without. */
const char *talk_as_ada(struct site *s);
/* A header of the last answer; absent when it was not there. */
struct str talk_header(const char *name);

/* The JSON at a place like "messages.0.id", as it was sent, with ' for ";
 * "absent" when there is nothing. */
const char *json_at(struct site *s, const struct json *v, const char *path);
#define CHECK_AT(s, v, path, want) CHECK_STR(json_at((s), (v), (path)), (want))
/* The same member of every item of a list, as "a b c". */
const char *json_each(struct site *s, const struct json *v, const char *list,
                      const char *member);
#define CHECK_EACH(s, v, list, member, want)                                   \
    CHECK_STR(json_each((s), (v), (list), (member)), (want))

#endif
