/* loop.h - a libuv loop on which turns run and viewers read.
 *
 * One per libuv loop; all but chat_of() are for its thread. */
#ifndef CHAT_LOOP_LOOP_H
#define CHAT_LOOP_LOOP_H
#include <uv.h>

#include "base/err.h"

struct chat;
struct chat_loop;
enum footnote_rc chat_loop_open(struct chat *c, uv_loop_t *uv,
                                struct chat_loop **out,
                                struct footnote_err *err);
/* Turns that run on it. */
size_t chat_loop_turns(const struct chat_loop *l);
struct chat *chat_of(const struct chat_loop *l);

#endif
