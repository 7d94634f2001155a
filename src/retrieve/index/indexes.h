/* indexes.h - the indexes of all courses that are searched here.  Any thread.
 *
 *     indexes  ->  course_index  ->  index_snapshot  ->  segments
 *
 * A snapshot never changes and is counted: a search holds one while a newer
 * one takes its place.  Which documents are alive is never stored: it follows
 * from the store's list.  So a segment file may be old, doubled or missing,
 * and the index is still right.
 *
 * Threads of our own make segments of what the store has beyond the index
 * (sync.c), merge and save them (maintain.c).  Whose turn it is says
 * index_turns.c.  A search builds nothing: it takes the newest snapshot, or
 * waits for a newer one if its caller has the time. */
#ifndef RETRIEVE_INDEX_INDEXES_H
#define RETRIEVE_INDEX_INDEXES_H
#include "retrieve/index/segment.h"
#include "store/document/search.h"

struct document_change;

struct snapshot_segment {
    struct segment *segment;
    uint64_t *dead; /* bits by passage; NULL: all are alive */
    uint32_t live_n;
};

struct index_snapshot {
    _Atomic unsigned refs;
    int64_t index_version; /* of the course, that nothing is missing of */
    size_t bytes;
    struct snapshot_segment *segments; /* the largest first */
    size_t segments_n;
};
void index_snapshot_drop(struct index_snapshot *s); /* NULL is fine */

struct indexes;
struct indexes_options {
    const char *folder; /* NULL: nothing is kept on disk */
    size_t bytes_max;   /* the least recently searched are forgotten */
};
/* *out is yours: indexes_close(). */
enum footnote_rc indexes_open(struct store *st, const struct indexes_options *o,
                              struct indexes **out, struct footnote_err *err);
/* Breaks off what is being built: the next process makes it. */
void indexes_close(struct indexes *ix); /* NULL is fine */

/* The newest snapshot of a course; NULL: there is none yet.  *out is yours:
 * index_snapshot_drop().  One that lacks something of the course's version is
 * `behind`, and the course is indexed before those that nobody asks for; with
 * `wait` it returns when that is done, or has failed. */
enum footnote_rc indexes_get(struct indexes *ix, struct str tenant,
                             const struct scope_course *course, bool wait,
                             struct index_snapshot **out, bool *behind,
                             struct footnote_err *err);
/* What can be searched in a course has changed: it is indexed soon. */
void indexes_changed(struct indexes *ix, const struct document_change *c);
/* All courses of the store are indexed, as long as they fit in memory. */
void indexes_all(struct indexes *ix);
/* `fn` is called after a course was indexed, by a thread of ours. */
typedef void indexes_watch_fn(void *arg, struct str tenant, struct str course);
void indexes_watch(struct indexes *ix, indexes_watch_fn *fn, void *arg);
/* How many files were damaged so far, and made again. */
uint64_t indexes_damaged(const struct indexes *ix);
/* Waits until there is nothing to build, to merge and to save. */
void indexes_wait_idle(struct indexes *ix);

/* An analyser for one thread, to be returned; NULL: no memory. */
struct analyser *indexes_borrow_analyser(struct indexes *ix);
void indexes_return_analyser(struct indexes *ix, struct analyser *a);

#endif
