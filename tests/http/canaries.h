/* canaries.h - all that one user can have, with a canary in every text and id,
 * and those who look for it.
 *
 *     MINE    is in the sessions and the private course of the owner
 *     COURSE  is in the course that a reader and an editor share
 *
 * Whoever finds a canary in an answer that was not theirs to see has found a
 * leak.  Only keys let anybody in. */
#ifndef CANARIES_H
#define CANARIES_H
#include "help/talk.h"
#include "upstream/upstream.h"

#define MINE   "minecanary"
#define COURSE "coursecanary"
/* A word of every question, in every text of the estate. */
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
#define RUNNING     MINE "-running" /* a turn runs in it, and has said MINE */
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
    PEOPLE
};
extern const char *const person_names[PEOPLE];

struct estate {
    struct site site;
    struct upstream *up;
    struct client turn;          /* watches what RUNNING says */
    const char *headers[PEOPLE]; /* Authorization; NULL: none */
};
void estate_open(struct estate *e);
void estate_close(struct estate *e);

/* The turn in RUNNING has said `text`. */
void estate_await(struct estate *e, const char *text);
/* Whether it is still running. */
bool estate_runs(struct estate *e);

#endif
