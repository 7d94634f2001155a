/* loop_state.c - what our program has on each loop. */
#include "http/call/loop_state.h"

#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "chat/chat.h"
#include "http/call/wait.h"

void *loop_state_open(struct server *s, struct uv_loop_s *uv)
{
    const struct services *with = server_app(s);
    struct loop_state *l = calloc(1, sizeof(*l));
    struct footnote_err err = {.text = "out of memory"};

    if (l && with->chat)
        (void)chat_loop_open(with->chat, uv, &l->chat, &err);
    if (!l || (with->chat && !l->chat))
        log_write(LOG_ERROR, "no chat on this loop",
                  LOG_TEXT("error", str_c(err.text)));
    if (l)
        l->server = s;
    return l;
}

void loop_state_turn(void *state)
{
    struct loop_state *l = state;

    waits_check(l);
    if (l->chat && server_is_stopping(l->server))
        chat_unfollow(l->chat);
}

bool loop_state_is_idle(const void *state)
{
    const struct loop_state *l = state;

    return !l->chat || chat_loop_turns(l->chat) == 0;
}

static void on_chat_closed(void *arg)
{
    struct loop_state *l = arg;

    l->closed(l->arg);
    free(l);
}

/* Turns that run past the grace time are marked as interrupted first. */
void loop_state_close(void *state, void (*closed)(void *arg), void *arg)
{
    struct loop_state *l = state;

    assert(!l->waits);
    l->closed = closed;
    l->arg = arg;
    if (l->chat)
        chat_loop_close(l->chat, on_chat_closed, l);
    else
        on_chat_closed(l);
}

struct chat_loop *request_chat(const struct request *r)
{
    const struct loop_state *l = request_loop(r);

    return l ? l->chat : NULL;
}
