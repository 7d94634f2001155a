/* course_index.h - what indexes.c, sync.c and maintain.c share. */
#ifndef RETRIEVE_INDEX_COURSE_INDEX_H
#define RETRIEVE_INDEX_COURSE_INDEX_H
#include <pthread.h>

#include "retrieve/index/indexes.h"

enum { ANALYSERS = 16 };

struct live_document { /* can be searched */
    int64_t key;
    uint64_t digest;
    uint32_t version;
    bool claimed; /* by a segment, while a snapshot is made */
};

struct course_index {
    struct course_index *next;
    char *tenant, *id;
    int64_t key;
    char *folder;                /* NULL: not kept on disk */
    pthread_mutex_t update_lock; /* held while the next snapshot is made */
    struct live_document *live;  /* by key; guarded by update_lock */
    size_t live_n;
    /* Guarded by the lock of `struct indexes`. */
    struct index_snapshot *snapshot; /* NULL: none, or forgotten */
    uint64_t used;                   /* when last asked for, in searches */
    bool needs_maintenance;
    bool needs_sync; /* set together with needs_maintenance */
};

struct indexes {
    struct store *store;
    char *folder;
    size_t bytes_max;
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    pthread_t thread;
    bool has_thread, closing, busy;
    uint64_t searches_n;
    struct course_index *courses;
    struct analyser *analysers[ANALYSERS]; /* that nobody uses */
    size_t analysers_n;
};

struct segment_list { /* each item is a reference of its own */
    struct segment **items;
    size_t n;
};
/* Takes over the reference, also on failure. */
enum footnote_rc segment_list_add(struct segment_list *l, struct segment *s,
                                  struct footnote_err *err);
void segment_list_free(struct segment_list *l); /* fit for AUTO */

/* A reference to the current snapshot, or NULL. */
struct index_snapshot *course_index_snapshot(struct indexes *ix,
                                             struct course_index *c);
/* Makes a snapshot of these segments the current one.  Segments without live
 * documents are left out; the list is sorted and stays the caller's.  The
 * caller holds c->update_lock. */
enum footnote_rc course_index_install(struct indexes *ix,
                                      struct course_index *c,
                                      struct segment_list *list,
                                      int64_t docs_version,
                                      struct footnote_err *err);
/* sync.c: makes the index as new as the store.  The caller holds
 * c->update_lock. */
enum footnote_rc course_index_sync(struct indexes *ix, struct course_index *c,
                                   struct footnote_err *err);
/* maintain.c: merges or saves segments.  Only for the thread of `ix`. */
void course_index_maintain(struct indexes *ix, struct course_index *c);
/* maintain.c: adds the segments that the course's folder has. */
enum footnote_rc course_index_load(const struct course_index *c,
                                   struct segment_list *list,
                                   struct footnote_err *err);

#endif
