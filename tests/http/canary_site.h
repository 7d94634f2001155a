/* canary_site.h - a site where one user has one of everything, with a canary
 * in every text and id, and other users who look for it.
 *
 *     MINE    is in the sessions and the private course of the owner
 *     COURSE  is in the course that a reader and an editor share
 *
 * A canary in an answer to a user who may not see it is a leak.  Requests need
 * a key. */
#ifndef CANARY_SITE_H
#define CANARY_SITE_H
#include "help/talk.h"
#include "upstream/upstream.h"

#define MINE   "minecanary"
#define COURSE "coursecanary"
/* A word of every question, and of every text there is. */
#define TOPIC "glacier"

/* What there is.  In the private course: */
#define PRIVATE     MINE "-course"
#define PRIVATE_DOC MINE "-doc"
/* In sessions: */
#define SESSION     MINE "-session" /* with a question, an answer, a retrieval */
#define QUESTION    MINE "-question"
#define ANSWER      MINE "-answer"
#define OPEN        MINE "-open" /* its last answer is being written by a client */
#define OPEN_ANSWER MINE "-open-answer"
#define RUNNING     MINE "-running"  /* a turn runs in it, and has said MINE */
#define PICTURED    MINE "-pictured" /* its answer rests on a page picture */
/* A course of the owner's with nothing in it: */
#define THIRD "third-course"
/* In the shared course: */
#define SHARED COURSE "-course"
#define TEXT   COURSE "-text"
#define ENTRY  COURSE "-entry" /* of a journal */
#define PDF    COURSE "-pdf"   /* one page */
#define TALK   COURSE "-talk"  /* a lecture: its recording, and what is said */

enum person {
    OWNER,
    EDITOR,
    READER,
    STRANGER,  /* in the same tenant */
    ELSEWHERE, /* has the owner's name, in another tenant */
    NOBODY,
    PEOPLE,
    /* These are told what one of the others is told. */
    REMOVED = PEOPLE, /* was an editor of the shared course */
    ADMIN,            /* of the tenant: may read no more than a stranger */
    REVOKED,          /* the owner's old key */
    WRONG_KEY,
    /* The owner's own, with keys that may do less than she. */
    CONFINED, /* to a third course */
    READING,  /* it changes nothing */
    ALL_PEOPLE
};
extern const char *const person_names[ALL_PEOPLE];
/* Who is told the same as this one. */
enum person person_like(enum person p);

struct canary_site {
    struct site site;
    struct upstream *up;
    struct client turn;              /* watches what RUNNING says */
    const char *headers[ALL_PEOPLE]; /* Authorization; NULL: none */
    const char *owner_key;           /* she signs in with it */
    const char *owner_login;         /* id of a login of hers */
    const char *owner_share;         /* id of a link of hers */
    const char *link;                /* to a picture: KEY?expires=...&... */
    const char *asset;               /* a name below /assets/ */
};
void canary_site_open(struct canary_site *e);
void canary_site_close(struct canary_site *e);

/* Waits until the turn in RUNNING has said `text`. */
void canary_site_await(struct canary_site *e, const char *text);
/* Whether it is still running. */
bool canary_site_turn_runs(struct canary_site *e);

#endif
