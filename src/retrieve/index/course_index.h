/* course_index.h - what the files of indexes.h share. */
#ifndef RETRIEVE_INDEX_COURSE_INDEX_H
#define RETRIEVE_INDEX_COURSE_INDEX_H
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "retrieve/index/indexes.h"

enum {
    ANALYSERS = 16,
    COURSE_CHAINS = 1024, /* of the table of courses */
    INDEX_THREADS = 3     /* two that build, one that merges and saves */
};

/* What is done for a course; each kind has its threads and its queue. */
enum index_work { INDEX_SYNC, INDEX_KEEP, INDEX_WORKS };

struct live_document { /* can be searched */
    int64_t key;
    uint64_t digest;
    uint32_t version;
    bool claimed; /* by a segment, while a snapshot is made */
};

/* The owner of courses.  Owners take turns, and each has one of its courses
 * worked on at a time. */
struct index_owner {
    struct index_owner *next;
    char *tenant;
    int64_t account;
    bool working[INDEX_WORKS];
    uint64_t served[INDEX_WORKS]; /* its last turn */
};

struct course_index {
    struct course_index *next, *chain; /* of all, and of a chain */
    char *tenant, *id;
    struct sha256 name;          /* digest of both */
    char *folder;                /* NULL: not kept on disk */
    pthread_mutex_t update_lock; /* held while a snapshot is put in place */
    struct live_document *live;  /* by key; guarded by update_lock */
    size_t live_n;
    /* Guarded by the lock of `struct indexes`. */
    struct index_snapshot *snapshot; /* NULL: none, or forgotten */
    uint64_t used;                   /* when last asked for, in searches */
    struct index_owner *owner;       /* NULL: the store was not asked yet */
    struct course_index *queue_next[INDEX_WORKS];
    bool queued[INDEX_WORKS], working[INDEX_WORKS];
    uint64_t served[INDEX_WORKS];
    bool asked; /* a search found it behind */
    /* How often building has failed, and why the last time. */
    uint64_t failures;
    struct footnote_err failure;
};

struct index_thread {
    struct indexes *indexes;
    enum index_work kind;
    pthread_t thread;
};

struct indexes {
    struct store *store;
    char *folder;
    size_t bytes_max;
    pthread_mutex_t lock; /* of all that follows but the atomic ones */
    pthread_cond_t work;  /* there may be something to do */
    pthread_cond_t done;  /* a turn has ended */
    struct index_thread threads[INDEX_THREADS];
    size_t threads_n;
    atomic_bool closing;
    _Atomic uint64_t damaged_n; /* files that were made again */
    uint64_t searches_n, turns_n;
    size_t working_n; /* threads that have something to do */
    bool walking;     /* courses of the store are still to be added */
    struct index_courses walk;
    struct course_index *courses, *chains[COURSE_CHAINS];
    struct index_owner *owners;
    struct course_index *queue[INDEX_WORKS];
    struct analyser *analysers[ANALYSERS]; /* that nobody uses */
    size_t analysers_n;
    pthread_mutex_t watch_lock; /* of these two */
    indexes_watch_fn *watch;
    void *watch_arg;
};

struct segment_list { /* each item is a reference of its own */
    struct segment **items;
    size_t n;
};
/* Takes over the reference, also on failure. */
enum footnote_rc segment_list_add(struct segment_list *l, struct segment *s,
                                  struct footnote_err *err);
void segment_list_free(struct segment_list *l); /* fit for AUTO */

/* ---- index_snapshot.c ---------------------------------------------------- */

/* A reference to the current snapshot, or NULL. */
struct index_snapshot *course_index_snapshot(struct indexes *ix,
                                             struct course_index *c);
/* Makes a snapshot of these segments the current one.  Segments without live
 * documents are left out; the list is sorted and stays the caller's.  The
 * caller holds c->update_lock. */
enum footnote_rc course_index_install(struct indexes *ix,
                                      struct course_index *c,
                                      struct segment_list *list,
                                      int64_t index_version,
                                      struct footnote_err *err);

/* ---- sync.c -------------------------------------------------------------- */

/* The index reads for itself, not for a user. */
static inline struct who index_reader(const struct course_index *c)
{
    return (struct who){str_c(c->tenant), STR("index")};
}

/* The part of a digest that a segment keeps. */
uint64_t index_digest(const struct sha256 *d);

/* One turn of making the index as new as the store; *done when it is.  Only for
 * a thread of `ix`, one at a time for a course. */
enum footnote_rc course_index_sync(struct indexes *ix, struct course_index *c,
                                   bool *done, struct footnote_err *err);

/* ---- maintain.c ---------------------------------------------------------- */

/* Merges or saves segments.  Only for the thread that does this. */
void course_index_maintain(struct indexes *ix, struct course_index *c);
/* Adds the segments that the course's folder has. */
enum footnote_rc course_index_load(struct indexes *ix,
                                   const struct course_index *c,
                                   struct segment_list *list,
                                   struct footnote_err *err);

/* The path of a file in a course's folder; false: it is no segment's. */
bool index_file_path(const char *folder, const char *name, char path[PATH_MAX]);

/* ---- indexes.c: the caller holds ix->lock -------------------------------- */

/* The index of a course, made when there is none; NULL: no memory. */
struct course_index *course_index_find(struct indexes *ix, struct str tenant,
                                       struct str id);

/* A digest of both: names may have any character, files not. */
enum footnote_rc course_index_name(struct str tenant, struct str id,
                                   struct sha256 *out);
/* The folder of a course's files, below that of all; free(), NULL: no memory.
 */
char *course_index_folder(const char *folder, const struct sha256 *name);

/* ---- index_turns.c ------------------------------------------------------- */

enum footnote_rc index_threads_start(struct indexes *ix,
                                     struct footnote_err *err);
void index_threads_stop(struct indexes *ix);
/* There is work for the course.  The caller holds ix->lock. */
void index_queue(struct indexes *ix, struct course_index *c,
                 enum index_work kind);
/* Another course waits to be built. */
bool index_others_wait(struct indexes *ix, const struct course_index *c);

#endif
