/* indexes.h - what shelf.c, sync.c and tidy.c share. */
#ifndef RETRIEVE_INDEX_INDEXES_H
#define RETRIEVE_INDEX_INDEXES_H
#include <pthread.h>

#include "retrieve/index/course.h"

struct snapshot;

enum { ANALYSERS = 16 };

struct live { /* a document that can be searched */
    int64_t key;
    uint64_t digest;
    uint32_t version;
    bool claimed; /* by a segment, while a snapshot is made */
};

struct book { /* a course */
    struct book *next;
    char *tenant, *id;
    int64_t key;
    char *folder;           /* NULL: not kept */
    pthread_mutex_t making; /* held by whoever makes the next snapshot */
    struct live *live;      /* guarded by making, as is live_n */
    size_t live_n;
    bool loaded; /* its files were looked for */
    /* Guarded by the shelf's lock. */
    struct snapshot *snapshot; /* NULL: none, or forgotten */
    uint64_t used;             /* when it was last asked for, in searches */
    bool untidy;               /* the shelf's thread should look at it */
    bool behind;               /* ... and at the store */
};

struct shelf {
    struct store *store;
    char *folder;
    size_t bytes_max;
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    pthread_t thread;
    bool has_thread, closing, busy;
    uint64_t clock;
    struct book *books;
    struct analyser *analysers[ANALYSERS];
    size_t analysers_n;
};

struct str book_tenant(const struct book *b);
/* The current snapshot, held, or NULL. */
struct snapshot *book_snapshot(struct shelf *s, struct book *b);
/* Puts a snapshot of these segments in place, those without live documents
 * left out.  Takes over the references.  The caller holds b->making. */
enum footnote_rc book_install(struct shelf *s, struct book *b,
                              struct segment **segments, size_t n,
                              int64_t docs_version, struct footnote_err *err);
/* sync.c: as new as the store.  The caller holds b->making. */
enum footnote_rc book_sync(struct shelf *s, struct book *b,
                           struct footnote_err *err);
/* tidy.c: merges and saves; the shelf's thread alone. */
void book_tidy(struct shelf *s, struct book *b);
/* tidy.c: the segments that its folder has, added to an array that grows. */
enum footnote_rc book_load(const struct book *b, struct segment ***segments,
                           size_t *n, struct footnote_err *err);

#endif
