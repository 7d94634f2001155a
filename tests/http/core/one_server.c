/* one_server.c - one server with the rows of routes.h, and one connection to
 * it. */
#include "one_server.h"
#include "routes.h"

struct served served;
struct client client;
struct response answer;

void start_served(void)
{
    served_start(&served);
    client_open(&client, served.port);
}

void start(void)
{
    served = test_served();
    start_served();
}

void stop(void)
{
    client_close(&client);
    served_stop(&served);
}

void ask(const char *text)
{
    client_send(&client, str_c(text));
    CHECK(client_answer(&client, &answer));
}

struct str header(const char *name)
{
    return response_header(&answer, name);
}

void check_status(const char *line, int status)
{
    char text[512];

    snprintf(text, sizeof(text), "%s HTTP/1.1\r\n" HOST "\r\n", line);
    ask(text);
    if (answer.status != status)
        FAIL("%s: %d instead of %d", line, answer.status, status);
}

uint64_t open_connections(void)
{
    struct server_counts n;

    server_count(served.server, &n);
    return n.open_connections;
}
