/* upstream.h - a model server that plays scripts.  Any thread.
 *
 * It listens on a free port of 127.0.0.1.  A request is answered by the script
 * that its last user message names with the word script:NAME, else by the one
 * with the name of its model.  README.md has the format of scripts.
 *
 * A mistake in a script or a lack of anything ends the process. */
#ifndef UPSTREAM_H
#define UPSTREAM_H
#include "base/str.h"

struct upstream;

struct upstream *upstream_open(void);
/* Ends every connection, and waits for it. */
void upstream_close(struct upstream *u);
/* Every NAME.txt of a folder; or one, from its text. */
void upstream_load(struct upstream *u, const char *folder);
void upstream_add(struct upstream *u, const char *name, const char *text);
/* http://127.0.0.1:PORT, static in u; the base for models is that and /v1. */
const char *upstream_url(const struct upstream *u);

/* Lets one connection pass a gate, now or later. */
void upstream_pass(struct upstream *u, const char *gate);
/* Waits until a connection stands at the gate; or asks whether one does. */
void upstream_await(struct upstream *u, const char *gate);
bool upstream_stands(struct upstream *u, const char *gate);
/* Clients that have left in the middle of an answer so far, bytes of bodies
 * that were sent, connections that were made. */
size_t upstream_left(struct upstream *u);
uint64_t upstream_sent(struct upstream *u);
size_t upstream_connections(struct upstream *u);

/* What was asked, in order of arrival. */
size_t upstream_asked(struct upstream *u);
struct upstream_request {
    struct str head; /* request line and headers */
    struct str body;
};
struct upstream_request upstream_request(struct upstream *u, size_t i);

#endif
