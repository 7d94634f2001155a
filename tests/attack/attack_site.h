/* attack_site.h - a site with one hostile account and another user, who must
 * not notice.
 *
 *     ATTACK_SITE(a);
 *     hold_next();             a wrapped function will wait in hold_here()
 *     attack_send(&a, &c, "POST", "/api/...", body);
 *     hold_await();            it is in there, and stays
 *     other_user_goes_on(&a);  saves, reads, asks who they are
 *     hold_release();
 *
 * Cases assert order, never seconds: the costly function waits until the other
 * user has been served, so whoever calls it from a loop, from the writer or
 * from a shared worker hangs the test. */
#ifndef ATTACK_SITE_H
#define ATTACK_SITE_H
#include "help/talk.h"

struct attack_site {
    struct site site;         /* needs a key */
    const char *mallory, *bo; /* "Authorization: ..." of both users */
    unsigned saved;           /* sessions of the other user's */
};
void attack_site_open(struct attack_site *a);
void attack_site_close(struct attack_site *a);
#define ATTACK_SITE(name)                                                      \
    AUTO(attack_site_close) struct attack_site name = {.saved = 0};            \
    attack_site_open(&name)

/* Sends a request of Mallory's on a connection of its own, and does not wait
 * for the answer.  `header` is another line with CRLF, or "". */
void attack_send(struct attack_site *a, struct client *c, const char *method,
                 const char *path, const char *header, struct str body);

/* Saves a message in a new session, reads its history, asks for /api/me: each
 * is answered with 200 or 201. */
void other_user_goes_on(struct attack_site *a);

/* ---- A function that waits ------------------------------------------------
 * For __wrap_X, which calls hold_here() before __real_X. */

void hold_next(void);    /* whoever comes from now on waits */
void hold_here(void);    /* waits if that was said; else nothing */
void hold_await(void);   /* until somebody waits */
void hold_release(void); /* all go on, and nobody waits any more */

#endif
