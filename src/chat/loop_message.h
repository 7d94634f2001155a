/* loop_message.h - how other threads reach what lives on a loop.
 *
 * A letter is part of what it is about; it is in one mailbox at most once.
 * Delivered on the loop's thread, in order. */
#ifndef CHAT_LOOP_MESSAGE_H
#define CHAT_LOOP_MESSAGE_H
#include <stdbool.h>

struct chat_loop;
struct mail {
    struct mail *next;
    void (*deliver)(struct mail *m);
};

/* Any thread. */
void mail_send(struct chat_loop *l, struct mail *m);

#endif
