/* course.h - the index of a course: segments, and what of them is alive.
 *
 *     shelf  ->  book (a course)  ->  snapshot  ->  segments
 *
 * A snapshot never changes and is counted: a search holds one while others
 * put a newer one in its place.  Which documents are alive is never stored:
 * it follows from the store's list, so a file of segments can be old, come
 * twice or be missing, and the index is still right.
 *
 * A search that finds the store ahead brings the index up to date before it
 * looks (a small new segment); merging segments and writing them to disk is
 * left to one thread of the shelf's own.  Any thread. */
#ifndef RETRIEVE_INDEX_COURSE_H
#define RETRIEVE_INDEX_COURSE_H
#include "retrieve/index/segment.h"
#include "store/document/search.h"

struct document_change;
struct scope_course;

struct held { /* a segment in a snapshot */
    struct segment *segment;
    uint64_t *dead; /* bits by passage; NULL: all are alive */
    uint32_t live_n;
};

struct snapshot {
    _Atomic unsigned refs;
    int64_t docs_version; /* what it is true for */
    size_t bytes;
    struct held *held; /* the largest first */
    size_t held_n;
};
void snapshot_drop(struct snapshot *s); /* NULL is fine */

struct shelf;
struct shelf_options {
    const char *folder; /* NULL: nothing is kept on disk */
    size_t bytes_max;   /* the least recently searched are forgotten */
};
enum footnote_rc shelf_open(struct store *st, const struct shelf_options *o,
                            struct shelf **out, struct footnote_err *err);
void shelf_close(struct shelf *s); /* NULL is fine */

/* The index of a course, at least as new as docs_version.  *out is yours:
 * snapshot_drop(). */
enum footnote_rc shelf_get(struct shelf *s, struct str tenant,
                           const struct scope_course *course,
                           int64_t docs_version, struct snapshot **out,
                           struct footnote_err *err);
/* Something changed: the course, if it is known here, is brought up to date
 * soon.  A deleted one is, known or not: it may have files of an earlier run.
 */
void shelf_changed(struct shelf *s, const struct document_change *c);
/* Waits until merging and saving have nothing to do. */
void shelf_settle(struct shelf *s);

/* An analyser of one's own for a while; NULL: no memory. */
struct analyser *shelf_analyser(struct shelf *s);
void shelf_analyser_give(struct shelf *s, struct analyser *a);

#endif
