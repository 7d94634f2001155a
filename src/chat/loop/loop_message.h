/* loop_message.h - how other threads reach what lives on a loop.
 *
 * A message is a member of the struct that it is about, and is on its way to
 * at most one loop at a time.  A loop delivers its messages in order. */
#ifndef CHAT_LOOP_LOOP_MESSAGE_H
#define CHAT_LOOP_LOOP_MESSAGE_H

struct chat_loop;
struct loop_message {
    struct loop_message *next;
    void (*deliver)(struct loop_message *m); /* on the loop's thread */
};

/* Any thread. */
void loop_message_send(struct chat_loop *l, struct loop_message *m);

#endif
