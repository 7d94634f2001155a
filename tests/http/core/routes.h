/* routes.h - rows for tests of the server itself, without the API. */
#ifndef ROUTES_H
#define ROUTES_H
#include "help/client.h"

enum {
    TEST_BIG_BYTES = 64 * 1024 * 1024, /* more than sockets hold */
    TEST_BODY_BYTES = 2 * 1024 * 1024,
    TEST_PIECE_BYTES = 16 * 1024,
    TEST_LINE_BYTES = 100,
    TEST_TEXT_BYTES = 64 * 1024 * 1024 /* of any text that a test makes */
};

extern const struct route test_routes[];
extern const size_t test_routes_n;

/* A server with these rows; SERVED is the rest. */
struct served test_served(void);

/* What happened, for tests to wait for. */
struct test_seen {
    _Atomic int works;    /* of /test/held have begun */
    _Atomic int release;  /* so many of them may end */
    _Atomic int stops;    /* streams that were stopped */
    _Atomic int refusals; /* of stream_send */
    _Atomic long sent;    /* bytes that stream_send took */
};
extern struct test_seen test_seen;
/* Waits until *value >= least. */
void test_wait(_Atomic int *value, int least);

#endif
