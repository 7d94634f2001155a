/* timer.h - makes backups while the server runs, in a thread of its own.  Any
 * thread. */
#ifndef BACKUP_TIMER_H
#define BACKUP_TIMER_H
#include "backup/backup.h"

struct backup_timer;

struct backup_timer_options {
    const char *database; /* URL; as the rest, it outlives the timer */
    struct objects *objects;
    struct place_where to;
    int64_t keep, every_ms;
};
/* The first backup is made when the newest one there is older than that, else
 * when it will be.  One that fails is logged, and tried again within minutes.
 * *out is yours: backup_timer_close(). */
enum footnote_rc backup_timer_open(const struct backup_timer_options *o,
                                   struct backup_timer **out,
                                   struct footnote_err *err);
/* Ends a backup that is being made.  NULL is fine. */
void backup_timer_close(struct backup_timer *t);

struct backup_state {
    int64_t made_ms; /* when the newest backup was made; 0: there is none */
    bool failed;     /* the last try did; why: */
    struct footnote_err why;
};
void backup_timer_look(struct backup_timer *t, struct backup_state *out);

#endif
