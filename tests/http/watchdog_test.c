/* watchdog_test.c - a server whose loop stands still does not turn. */
#include <poll.h>
#include <stdatomic.h>

#include "help/client.h"

enum { WITHIN_MS = 1000 };

static atomic_int held, release;

/* What no handler may do: it keeps the loop. */
static void hold(struct request *r)
{
    atomic_store(&held, 1);
    while (!atomic_load(&release))
        poll(NULL, 0, 1);
    reply_empty(r, 204);
}

static const struct route routes[] = {
    {METHOD_GET, "/hold", ACCESS_PUBLIC, 0, hold, "", "hold"}};

/* Waits for it to become so. */
static void await(const struct served *s, bool turns)
{
    WAIT_UNTIL(server_turns(s->server, WITHIN_MS) == turns);
}

TEST(thread_watchdog_a_loop_that_stands_still_is_noticed)
{
    struct served s = SERVED;
    struct client c;
    struct response a;

    s.routes = routes;
    s.routes_n = 1;
    served_open(&s);
    CHECK(server_turns(s.server, WITHIN_MS)); /* none has begun */
    served_run(&s);
    client_open(&c, s.port);
    client_send(&c, STR("GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    await(&s, false);
    CHECK_INT(atomic_load(&held), 1);
    atomic_store(&release, 1);
    await(&s, true);
    CHECK(client_answer(&c, &a));
    CHECK_INT(a.status, 204);
    client_close(&c);
    served_stop(&s);
}
