/* indexes.h - the indexes of all courses that are searched here.  Any thread.
 *
 *     indexes  ->  course_index  ->  index_snapshot  ->  segments
 *
 * A snapshot never changes and is counted: a search holds one while a newer
 * one takes its place.  Which documents are alive is never stored: it follows
 * from the store's list.  So a segment file may be old, doubled or missing,
 * and the index is still right.
 *
 * A search that finds the store ahead of the index first adds a small segment
 * (sync.c).  A thread of its own merges and saves segments (maintain.c). */
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
    int64_t docs_version; /* of the store, that it is true for */
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
void indexes_close(struct indexes *ix); /* NULL is fine */

/* The index of a course, at least as new as docs_version.  *out is yours:
 * index_snapshot_drop(). */
enum footnote_rc indexes_get(struct indexes *ix, struct str tenant,
                             const struct scope_course *course,
                             int64_t docs_version, struct index_snapshot **out,
                             struct footnote_err *err);
/* Something changed: the index of the course, if there is one, is soon brought
 * up to date.  A deleted course always is: an earlier run may have left files.
 */
void indexes_changed(struct indexes *ix, const struct document_change *c);
/* Waits until merging and saving have nothing to do. */
void indexes_wait_idle(struct indexes *ix);

/* An analyser for one thread, to be returned; NULL: no memory. */
struct analyser *indexes_borrow_analyser(struct indexes *ix);
void indexes_return_analyser(struct indexes *ix, struct analyser *a);

#endif
