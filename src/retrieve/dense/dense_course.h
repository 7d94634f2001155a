/* dense_course.h - what the files of dense.h share. */
#ifndef RETRIEVE_DENSE_DENSE_COURSE_H
#define RETRIEVE_DENSE_DENSE_COURSE_H
#include <pthread.h>

#include "retrieve/dense/dense.h"
#include "retrieve/remote/embed.h"
#include "store/document/vector.h"

enum {
    DENSE_TEXT_BYTES = 8192, /* of a passage; models read no more */
    DENSE_OLD_MODELS = 4,    /* that are remembered */
    DENSE_TURN_MS = 60 * 1000
};
#define DENSE_LIST_BYTES ((size_t)1 << 30)
#define DENSE_WORK_BYTES ((size_t)256 << 20)

/* A document that has passages without a vector. */
struct dense_todo {
    int64_t document, version;
    char *title; /* NULL: none */
};

struct dense_course {
    struct dense_course *next;
    char *tenant, *id;
    /* Guarded by the lock of struct dense. */
    struct vectors *vectors; /* NULL: none, or forgotten */
    int64_t index_version;   /* of what was loaded; -1: nothing was */
    bool to_load, loading, to_embed, embedding;
    bool asked;               /* a search waits for it */
    uint64_t used, served;    /* its last search; its last turn */
    uint64_t failures;        /* of loading */
    int64_t not_before_ms;    /* monotonic: for embedding */
    int64_t loaded_ms;        /* monotonic */
    int64_t embedded_version; /* for which embedding has come to its end */
    size_t embedded_size;
    struct dense_progress progress;
    /* Only for the thread that embeds. */
    int64_t key, tenant_key;
    struct dense_todo *todo;
    size_t todo_n, todo_at;
    int64_t todo_version, after_position;
};

struct old_model { /* whether the endpoint still has it */
    char *stored;
    bool fits;
};

struct dense {
    struct store *store;
    struct endpoint *endpoint;
    char *model;  /* as the endpoint knows it */
    char *stored; /* as the store does: a change means other vectors */
    char *query_prefix, *passage_prefix;
    const char *mark; /* the end of `stored`, behind the model's name */
    char holder[33];  /* of turns */
    size_t bytes_max;
    int64_t wait_ms;
    bool only_reads;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t load_work, embed_work, done;
    pthread_t loader, embedder;
    bool has_loader, has_embedder, closing;
    bool walking; /* courses of the store are still to be added */
    struct index_courses walk;
    struct dense_course *courses;
    uint64_t turns_n, searches_n;
    size_t size;       /* numbers of a vector; 0: not known yet */
    size_t other_size; /* that came instead */
    unsigned other_n;  /* how often in a row */
    size_t batch;      /* passages that are sent at once */
    uint64_t made_n;   /* vectors, since all were there */
    struct old_model old[DENSE_OLD_MODELS];
    size_t old_n;
};

static inline struct who dense_reader(const struct dense_course *c)
{
    return (struct who){str_c(c->tenant), STR("index")};
}

/* The course, made when there is none; NULL: no memory.  With the lock. */
struct dense_course *dense_course_find(struct dense *d, struct str tenant,
                                       struct str id);

/* Asks the endpoint for vectors by our own model, and learns their size. */
bool dense_embed(struct dense *d, struct arena *a, struct embedding *op);
/* What is sent for a passage; cut to `bytes`. */
struct str dense_passage_text(const struct dense *d, struct arena *a,
                              struct str title, const struct index_passage *p,
                              size_t bytes);
/* One turn of loading what the store has.  Without the lock. */
enum footnote_rc dense_load(struct dense *d, struct dense_course *c,
                            struct footnote_err *err);
/* One turn of making vectors; false: later.  Without the lock. */
bool dense_make(struct dense *d, struct dense_course *c, bool *over);
/* Another node may go on at once. */
void dense_end_turn(struct dense *d, struct dense_course *c);
void dense_todo_free(struct dense_course *c);

/* ---- dense_old.c --------------------------------------------------------- */

/* The model whose vectors a course goes on with while those of the new one are
 * made; absent: none.  `now_n` is how many the new one has. */
struct str dense_old_model(struct dense *d, struct dense_course *c,
                           struct arena *a, int64_t course, int64_t now_n);
/* As the endpoint knows a model that the store names. */
struct str dense_asked_model(const struct dense *d, struct str stored);

enum footnote_rc dense_threads_start(struct dense *d, struct footnote_err *err);
void dense_threads_stop(struct dense *d);

#endif
