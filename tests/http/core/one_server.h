/* one_server.h - one server with the rows of routes.h, and one connection to
 * it. */
#ifndef ONE_SERVER_H
#define ONE_SERVER_H
#include "help/client.h"

#define HOST "Host: localhost\r\n"

extern struct served served;
extern struct client client;
extern struct response answer; /* the last one */

void start(void);
void start_served(void); /* as `served` is */
void stop(void);

/* Sends it and reads one answer. */
void ask(const char *text);
/* "GET /path" gets this status. */
void check_status(const char *line, int status);
struct str header(const char *name); /* of the answer */
uint64_t open_connections(void);

#endif
