/* sqlite_checkpoint.c - the log of a database goes back into its file, while
 * the writer goes on.
 *
 * Copying takes as long as the disk does, and all who wait for a commit would
 * wait with it.  So a thread copies, by a connection of its own.  It never
 * quite catches up with a writer that does not pause: when little is left, the
 * writer copies that, and its next commit begins the log anew.  At SQLite's own
 * 4 MB the same pages would be copied again and again.
 *
 *     IDLE --long--> ASKED --copied--> DONE --the next commit--> IDLE
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "db/sqlite_impl.h"

enum {
    PAGES_LONG = 8000, /* 32 MB */
    PAGES_FEW = 64,    /* that the writer may well copy itself, */
    COPIES_MAX = 6     /* or more if it is as fast as the thread */
};

struct sqlite_log {
    sqlite3 *conn; /* the thread's */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked;
    enum { LOG_IDLE, LOG_ASKED, LOG_DONE, LOG_ENDS } state; /* under the lock */
};

/* It copies what no reader needs any more, and does not wait.  If it fails, so
 * be it: everything still is in the log.  Returns how far the log is copied. */
static int copy(sqlite3 *conn)
{
    int done = 0;

    (void)sqlite3_wal_checkpoint_v2(conn, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
                                    &done);
    return done;
}

/* ---- The thread --------------------------------------------------------- */

/* SQLite leaves this to who copies the last page, which is the writer.  A
 * failure is told to each who has the file open, so the writer learns of it. */
static void flush(sqlite3 *conn)
{
    sqlite3_file *file = NULL;

    if (sqlite3_file_control(conn, "main", SQLITE_FCNTL_FILE_POINTER, &file) ==
        SQLITE_OK)
        (void)file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}

/* What came while it copied is less each time. */
static void copy_most(sqlite3 *conn)
{
    int before, done = 0, times = 0;

    do {
        before = done;
        done = copy(conn);
        flush(conn);
    } while (done - before >= PAGES_FEW && ++times < COPIES_MAX);
}

static void *work(void *arg)
{
    struct sqlite_log *l = arg;

    pthread_mutex_lock(&l->lock);
    while (l->state != LOG_ENDS) {
        if (l->state != LOG_ASKED) {
            pthread_cond_wait(&l->asked, &l->lock);
            continue;
        }
        pthread_mutex_unlock(&l->lock);
        copy_most(l->conn);
        pthread_mutex_lock(&l->lock);
        if (l->state == LOG_ASKED)
            l->state = LOG_DONE;
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* Signals are for others. */
static bool start(struct sqlite_log *l)
{
    sigset_t all, before;
    int code;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&l->thread, NULL, work, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0;
}

static void log_free(struct sqlite_log *l)
{
    (void)sqlite3_close(l->conn);
    pthread_cond_destroy(&l->asked);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

static struct sqlite_log *log_open(const struct sqlite_db *db)
{
    struct sqlite_log *l = calloc(1, sizeof(*l));

    if (!l)
        return NULL;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->asked, NULL);
    if (sqlite_open_beside(db, &l->conn, NULL) == FOOTNOTE_OK && start(l))
        return l;
    log_free(l);
    return NULL;
}

void sqlite_log_close(struct sqlite_db *db)
{
    struct sqlite_log *l = db->log;

    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    l->state = LOG_ENDS;
    pthread_cond_signal(&l->asked);
    pthread_mutex_unlock(&l->lock);
    pthread_join(l->thread, NULL);
    log_free(l);
    db->log = NULL;
}

/* ---- The writer --------------------------------------------------------- */

/* Whether the rest is the writer's to copy.  Else it is being copied, or there
 * is none: the log is short, or the thread was quick and it began anew. */
static bool is_ours(struct sqlite_db *db, bool is_long)
{
    struct sqlite_log *l = db->log;
    bool done;

    if (!l && is_long)
        l = db->log = log_open(db);
    if (!l)
        return is_long; /* nobody else is there to do it */
    pthread_mutex_lock(&l->lock);
    done = l->state == LOG_DONE;
    if (done) {
        l->state = LOG_IDLE;
    } else if (is_long && l->state == LOG_IDLE) {
        l->state = LOG_ASKED;
        pthread_cond_signal(&l->asked);
    }
    pthread_mutex_unlock(&l->lock);
    return done && is_long;
}

/* After each commit. */
static int on_commit(void *arg, sqlite3 *conn, const char *name, int pages)
{
    (void)name;
    if (is_ours(arg, pages >= PAGES_LONG))
        (void)copy(conn);
    return SQLITE_OK;
}

void sqlite_log_watch(struct sqlite_db *db)
{
    (void)sqlite3_wal_hook(db->conn, on_commit, db);
}
