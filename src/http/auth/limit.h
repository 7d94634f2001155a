/* limit.h - requests a minute, connections per address.  Any thread. */
#ifndef HTTP_AUTH_LIMIT_H
#define HTTP_AUTH_LIMIT_H
#include "config/config.h"
#include "store/store.h"

struct limits;

enum footnote_rc limits_open(const struct config *c, struct limits **out,
                             struct footnote_err *err);
void limits_close(struct limits *l);
/* A number for this user. */
uint64_t limits_key(struct who who);
/* Seconds to wait, 0: go on. */
int limits_request(struct limits *l, struct who who, int64_t now_ms);
/* A key or token from this client was wrong: seconds to wait, 0: go on.  Only
 * those that are wrong are told to, so one who guesses locks nobody out. */
int limits_failed(struct limits *l, struct str client, int64_t now_ms);
/* Whether they were wrong too often. */
bool limits_suspects(struct limits *l, struct str client, int64_t now_ms);
bool limits_connect(struct limits *l, const char *address);
void limits_disconnect(struct limits *l, const char *address);

#endif
