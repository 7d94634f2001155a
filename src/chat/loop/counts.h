/* counts.h - what turns did since the start, in numbers.  Any thread. */
#ifndef CHAT_LOOP_COUNTS_H
#define CHAT_LOOP_COUNTS_H
#include <stdint.h>

#include "cite/judge/judge.h"

enum { CHAT_FIRST_LIMITS = 9, CHAT_TYPES = FOOTNOTE_IMAGE + 1 };
extern const int64_t chat_first_ms[CHAT_FIRST_LIMITS];

/* first[i] counts the turns whose first text was shown within
 * chat_first_ms[i], and not within the limit before; the last counts all
 * later ones. */
/* What became of looking at an answer again. */
enum chat_look {
    CHAT_LOOK_KEPT,
    CHAT_LOOK_SKIPPED,    /* the model was asked often enough */
    CHAT_LOOK_FAILED,     /* it did not answer */
    CHAT_LOOK_UNREADABLE, /* its answer was no list of verdicts */
    CHAT_LOOK_UNSTORED,
    CHAT_LOOKS
};
struct chat_counts {
    uint64_t turns, running, failed;
    uint64_t model_answered, model_failed; /* calls of models */
    uint64_t first[CHAT_FIRST_LIMITS + 1], first_total_ms;
    uint64_t cited[CHAT_TYPES]; /* sources with a marker, by their type */
    uint64_t unresolved;        /* numbers in markers that have no source */
    uint64_t verdicts[VERDICT_CONTRADICTS + 1]; /* on sentences, by the words */
    uint64_t looks[CHAT_LOOKS];
};
struct chat;
struct model;
void chat_count(const struct chat *c, struct chat_counts *out);

/* When a model last answered, and when it last failed, by the wall clock; 0:
 * never. */
struct chat_model_state {
    int64_t answered_ms, failed_ms;
    const char *failure; /* code of the last call, if it failed; static */
    const char *cause;   /* of that, as in struct model_end; or NULL */
    int status;
    const struct model *model; /* that failed; lives as long as the models */
};
void chat_model_look(const struct chat *c, struct chat_model_state *out);
/* A call of a model has ended; `failure` is NULL when it answered. */
void chat_model_ended(struct chat *c, const struct model *m,
                      const char *failure, const char *cause, int status);

#endif
