/* shares.h - what each user has under way on this node, and how much of it one
 * user, or one tenant, may have.  Any thread.
 *
 * What is kept is counted by the store (store/usage.h); this is what runs:
 * streams, uploads and the turns of a day.  It is counted by exact names, so
 * that nobody is refused for what another one does. */
#ifndef HTTP_CALL_SHARES_H
#define HTTP_CALL_SHARES_H
#include "http/call/services.h"
#include "store/store.h"

enum share { SHARE_STREAMS, SHARE_UPLOADS, SHARES };
/* What was refused, for /metrics: the shares, and these. */
enum refusal {
    REFUSED_TURNS = SHARES,
    REFUSED_BYTES,
    REFUSED_DOCUMENTS,
    REFUSED_SESSIONS,
    REFUSED_DISK,
    REFUSALS
};

struct shares;
struct share_holder; /* a user who has something under way */

struct share_limits {
    int64_t running[SHARES]; /* 0: no limit */
    int64_t turns_a_day;
};
struct shares_options {
    struct share_limits user, tenant;
};
enum footnote_rc shares_open(const struct shares_options *o,
                             struct shares **out, struct footnote_err *err);
void shares_close(struct shares *s); /* NULL is fine */

/* Takes one more.  NULL: there is no memory, or it is too much, and *over is
 * set and counted as refused.  It is yours: share_give(). */
struct share_holder *share_take(struct shares *s, struct who who,
                                enum share kind, bool *over);
void share_give(struct shares *s, struct share_holder *h, enum share kind);
/* Whether one more could be taken now. */
bool share_is_free(struct shares *s, struct who who, enum share kind);

/* Bytes of uploads that are not stored yet: adds `more` unless that would be
 * over `room` with all that the user has under way. */
bool share_reserve(struct shares *s, struct share_holder *h, int64_t more,
                   int64_t room);
void share_release(struct shares *s, struct share_holder *h, int64_t bytes);

/* Seconds until the user may ask again; 0: now. */
int share_turns_wait(struct shares *s, struct who who, int64_t wall_ms);
void share_turn_begun(struct shares *s, struct who who, int64_t wall_ms);

/* What a user has now. */
struct share_counts {
    int64_t running[SHARES], turns_today;
};
struct share_counts share_count(struct shares *s, struct who who,
                                int64_t wall_ms);
const struct shares_options *shares_limits(const struct shares *s);

void shares_refused(struct shares *s, enum refusal what);
/* "streams", "bytes" ... */
const char *refusal_name(enum refusal what);
uint64_t shares_refusals(const struct shares *s, enum refusal what);

/* ---- shares_call.c: for handlers ----------------------------------------- */

/* Takes a share, or answers 429. */
struct share_holder *call_share(struct request *r, enum share kind);
/* 429 quota_exceeded. */
void call_over(struct request *r, const char *text, int wait_s);
/* 413 or 507 of the store's QUOTA or FULL: counts it. */
void call_count_refusal(struct request *r, enum footnote_rc rc,
                        const struct footnote_err *err);

#endif
