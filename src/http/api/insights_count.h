/* insights_count.h - how a course is used, counted without names.  One thread.
 *
 * A question is told only as one of a group that several people have asked
 * alike; the others are counted.  Who asked is compared here, and nowhere
 * kept. */
#ifndef HTTP_API_INSIGHTS_COUNT_H
#define HTTP_API_INSIGHTS_COUNT_H
#include "language/analyse.h"
#include "store/read/history.h"
#include "store/session/feedback.h"

enum {
    INSIGHTS_PEOPLE_MIN = 3, /* who have to have asked alike */
    INSIGHTS_WEEKS_MAX = 26,
    INSIGHTS_GROUPS_MAX = 1000,
    INSIGHTS_STEMS_MAX = 24,
    INSIGHTS_WAYS_MAX = 4,
    INSIGHTS_RESTING_MAX = 200,
    INSIGHTS_QUESTION_BYTES_MAX = 300
};

/* Questions that are alike, of one kind. */
struct insights_group {
    enum feedback_rating rating; /* NONE: nothing was found */
    uint64_t stems[INSIGHTS_STEMS_MAX];
    size_t stems_n;
    struct str people[INSIGHTS_PEOPLE_MIN]; /* never shown */
    size_t people_n;                        /* no more are counted */
    struct str ways[INSIGHTS_WAYS_MAX];     /* the first: the newest */
    size_t ways_n;
    int64_t asked, last_ms;
};
struct insights_week {
    int64_t questions, nothing;
};
/* A document that is not any more as it was cited. */
struct insights_resting {
    struct str document, title;
    enum footnote_state state;
    int64_t answers;
};

struct insights {
    struct arena *a; /* all that is kept */
    struct analyser *words;
    struct str course;
    int64_t since_ms;
    size_t weeks_n;
    /* Out. */
    struct insights_week weeks[INSIGHTS_WEEKS_MAX];
    int64_t questions, nothing, marked_wrong;
    int64_t uncarried, contradicting; /* answers with such sentences */
    struct insights_group *groups;
    size_t groups_n;
    struct insights_resting *resting;
    size_t resting_n;
};

/* Adds the answers of a conversation, as its owner reads them. */
enum footnote_rc insights_add(struct insights *in, struct str owner,
                              const struct history *h,
                              struct footnote_err *err);
/* Most first; to be called once, at the end. */
void insights_sort(struct insights *in);
static inline bool insights_may_tell(const struct insights_group *g)
{
    return g->people_n >= INSIGHTS_PEOPLE_MIN;
}

#endif
