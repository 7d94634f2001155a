/* loop_state.h - what our program has on each loop: its turns, and requests
 * that wait for a document to change.  Hooks of the server, in the loop's
 * thread. */
#ifndef HTTP_CALL_LOOP_STATE_H
#define HTTP_CALL_LOOP_STATE_H
#include "http/call/services.h"

struct loop_state {
    struct server *server;
    struct chat_loop *chat; /* NULL: there is no chat */
    struct request *waits;  /* wait.c's */
    void (*closed)(void *arg);
    void *arg;
};

void *loop_state_open(struct server *s, struct uv_loop_s *uv);
void loop_state_turn(void *state);
bool loop_state_is_idle(const void *state);
void loop_state_close(void *state, void (*closed)(void *arg), void *arg);

/* The turns of the request's loop; NULL: there is no chat. */
struct chat_loop *request_chat(const struct request *r);

#endif
