/* state.h - struct store: what the files of store/ share.
 *
 * The writer's state (id cache, pool, word log, usages, hasher, scratch) is
 * touched by the writer's thread alone and holds only what can be read back:
 * any rollback empties it.  The source cache is for readers and has its lock
 * inside. */
#ifndef STORE_STATE_H
#define STORE_STATE_H
#include "store/answer/answer.h"
#include "store/db_clock.h"
#include "store/document/document.h"
#include <pthread.h>

struct damages;      /* what was found: damage.c */
struct judges;       /* of sentences: judges.c */
struct id_cache;     /* names of tenants and users -> keys: id_cache.c */
struct pool;         /* digests of pooled sources -> keys: pool.c */
struct word_log;     /* the newest words of our answers: word_log.c */
struct source_cache; /* keys of sources -> their fields: source_cache.c */
struct usages;       /* what a batch has counted: usage.c */
struct verified;     /* messages whose digest was checked: verified.c */

enum {
    NODE_BYTES = 160,
    NODE_NAME_BYTES_MAX = 100,
    ORPHANS_MAX = 64,
    WATCHERS_MAX = 4
};

/* Where the processes are that may hold leases of this database. */
enum node_reach {
    NODES_ANYWHERE,
    NODES_HERE,    /* on this machine: one of an earlier boot is gone */
    NODES_IN_SIGHT /* in our pid namespace: one of another is gone, too */
};

struct orphans { /* leases that nobody holds: unsure.c */
    pthread_mutex_t lock;
    struct orphan {
        int64_t epoch;  /* 0: none */
        int64_t due_ms; /* when it is ended, by the monotonic clock */
    } items[ORPHANS_MAX];
    unsigned n;
};

/* The name that this node keeps over its lives: life.c. */
struct life {
    char name[NODE_NAME_BYTES_MAX + 1];
    _Atomic bool held;  /* it has one, and no other has taken it */
    int64_t renewed_ms; /* writer's thread */
    void (*say)(const char *sentence);
};

struct store {
    struct writer *writer;
    struct readers *readers;
    struct source_cache *cache;
    struct verified *verified;
    struct damages *damages;
    struct judges *judges;
    struct id_cache *id_cache; /* writer's thread */
    struct pool *pool;         /* writer's thread */
    struct word_log *word_log; /* writer's thread */
    struct usages *usages;     /* writer's thread */
    struct healths *healths;   /* what calls came to: health.c */
    bool probed;               /* writer's thread: this tick writes */
    struct store_limits limits;
    struct sha256_ctx *hasher; /* writer's thread */
    struct arena scratch;      /* writer's thread */
    struct writer_job tick;
    pthread_mutex_t swept_lock;
    pthread_cond_t swept_once;
    bool swept;    /* under the lock: nothing was left once */
    bool emptying; /* writer's thread: deleted documents have passages left */
    _Atomic size_t sweep_left;      /* what the last sweep left */
    _Atomic size_t unswept;         /* the same, once it is committed */
    int64_t renewed_ms, expired_ms; /* sweep.c, by the monotonic clock */
    bool relaxed;
    _Atomic bool closing; /* the sweep ends our own answers as well */
    char node[NODE_BYTES];
    enum node_reach reach;
    struct db_clock clock;
    struct life life;
    struct orphans orphans;
    pthread_mutex_t watch_lock;
    struct watcher {
        store_watch_fn *fn;
        void *arg;
    } watchers[WATCHERS_MAX];
    size_t watchers_n;
    struct {
        store_leases_fn *fn; /* NULL: none */
        void *arg;
    } leases; /* under watch_lock */
};

#endif
