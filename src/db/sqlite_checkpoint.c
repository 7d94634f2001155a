/* sqlite_checkpoint.c - copies SQLite's log back into the database while the
 * writer goes on.
 *
 * Copying takes as long as the disk does, and every commit would wait for it.
 * So a thread copies, on a connection of its own.  It never quite catches up
 * with a writer that does not pause: when little is left, the writer copies the
 * rest, and its next commit begins the log anew.  The log may be long, because
 * at SQLite's own limit of 4 MB the same pages would be copied again and again.
 *
 *     IDLE --due--> ASKED --copied--> DONE --the next commit--> IDLE
 *
 * The log is also due when nothing was written for a while, and when it takes
 * more than half of what is free on the disk: copying it back may make the
 * database grow by as much, and there must be room for that.  In both cases its
 * file is emptied as well.  The housekeeping of a store commits every second,
 * mostly nothing, so that a commit comes also when nobody writes. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "db/sqlite_impl.h"

enum {
    PAGES_LONG = 8000, /* 32 MB */
    PAGES_MANY = 1000, /* fewer are no work for a thread */
    PAGES_FEW = 64,    /* so few pages are left to the writer */
    PAGE_BYTES = 4096 + 24,
    COPIES_MAX = 6, /* a writer as fast as the thread gets more of them */
    QUIET_MS = 2000
};

struct checkpointer {
    sqlite3 *conn; /* the thread's */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked;
    enum {
        CHECKPOINT_IDLE,
        CHECKPOINT_ASKED,
        CHECKPOINT_DONE,
        CHECKPOINT_ENDS
    } state; /* under the lock */
};

/* Copies the pages that no reader needs any more, without waiting; returns how
 * far the log is copied.  A failure costs nothing: the pages stay in the log.
 */
static int copy_pages(sqlite3 *conn)
{
    int done = 0;

    (void)sqlite3_wal_checkpoint_v2(conn, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
                                    &done);
    return done;
}

/* ---- The thread --------------------------------------------------------- */

/* Each round copies the pages that came during the last one.  The thread also
 * flushes the file: SQLite leaves that to the connection that copies the last
 * page, which is the writer's.  The system reports a failed flush to every
 * connection, so the writer learns of it. */
static void copy_most_pages(sqlite3 *conn)
{
    int before, done = 0, times = 0;
    sqlite3_file *file = NULL;
    int code =
        sqlite3_file_control(conn, "main", SQLITE_FCNTL_FILE_POINTER, &file);

    do {
        before = done;
        done = copy_pages(conn);
        if (code == SQLITE_OK)
            (void)file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    } while (done - before >= PAGES_FEW && ++times < COPIES_MAX);
}

static void *work(void *arg)
{
    struct checkpointer *c = arg;

    pthread_mutex_lock(&c->lock);
    while (c->state != CHECKPOINT_ENDS) {
        if (c->state != CHECKPOINT_ASKED) {
            pthread_cond_wait(&c->asked, &c->lock);
            continue;
        }
        pthread_mutex_unlock(&c->lock);
        copy_most_pages(c->conn);
        pthread_mutex_lock(&c->lock);
        if (c->state == CHECKPOINT_ASKED)
            c->state = CHECKPOINT_DONE;
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void checkpointer_free(struct checkpointer *c)
{
    (void)sqlite3_close(c->conn);
    pthread_cond_destroy(&c->asked);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static struct checkpointer *checkpointer_open(const struct sqlite_db *db)
{
    struct checkpointer *c = calloc(1, sizeof(*c));
    sigset_t all, before;
    int code = -1;

    if (!c)
        return NULL;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->asked, NULL);
    if (sqlite_open_beside(db, &c->conn, NULL) == FOOTNOTE_OK) {
        sigfillset(&all); /* no signal may land in this thread */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        code = pthread_create(&c->thread, NULL, work, c);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (code == 0)
        return c;
    checkpointer_free(c);
    return NULL;
}

void sqlite_checkpoint_close(struct sqlite_db *db)
{
    struct checkpointer *c = db->checkpointer;

    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->state = CHECKPOINT_ENDS;
    pthread_cond_signal(&c->asked);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    checkpointer_free(c);
    db->checkpointer = NULL;
}

/* ---- The writer --------------------------------------------------------- */

/* True when the thread is done and the writer copies the rest, or when there is
 * no thread.  False while the thread copies, when the log is not due, or when
 * the thread was so quick that the log began anew. */
static bool writer_copies_rest(struct sqlite_db *db, bool is_due)
{
    struct checkpointer *c = db->checkpointer;
    bool done;

    if (!c && is_due && db->log_pages >= PAGES_MANY)
        c = db->checkpointer = checkpointer_open(db);
    if (!c)
        return is_due;
    pthread_mutex_lock(&c->lock);
    done = c->state == CHECKPOINT_DONE;
    if (done) {
        c->state = CHECKPOINT_IDLE;
    } else if (is_due && c->state == CHECKPOINT_IDLE) {
        c->state = CHECKPOINT_ASKED;
        pthread_cond_signal(&c->asked);
    }
    pthread_mutex_unlock(&c->lock);
    return done && is_due;
}

static bool was_quiet(const struct sqlite_db *db)
{
    return db->log_pages > 0 && clock_mono_ms() - db->logged_ms >= QUIET_MS;
}

static bool needs_room(const struct sqlite_db *db)
{
    struct statvfs s;

    return db->log_pages >= PAGES_FEW && statvfs(db->path, &s) == 0 &&
           (uint64_t)db->log_pages * PAGE_BYTES >
               (uint64_t)s.f_bavail * s.f_frsize / 2;
}

/* A reader may hold the log: it is not waited for. */
int sqlite_checkpoint_empty(struct sqlite_db *db)
{
    int code;

    (void)sqlite3_busy_timeout(db->conn, 0);
    code = sqlite3_wal_checkpoint_v2(db->conn, NULL, SQLITE_CHECKPOINT_TRUNCATE,
                                     NULL, NULL);
    (void)sqlite3_busy_timeout(db->conn, db->base.timeout_ms);
    db->log_pages = code == SQLITE_OK ? 0 : 1;
    db->logged_ms = clock_mono_ms();
    return code;
}

void sqlite_checkpoint_after_commit(struct sqlite_db *db)
{
    bool all = !db->memory && (was_quiet(db) || needs_room(db));

    if (!writer_copies_rest(db, all || db->log_pages >= PAGES_LONG))
        return;
    if (all)
        (void)sqlite_checkpoint_empty(db);
    else
        (void)copy_pages(db->conn);
}

/* Called in each commit that wrote, with the pages that the log has now. */
static int on_commit(void *arg, sqlite3 *conn, const char *name, int pages)
{
    struct sqlite_db *db = arg;

    (void)conn;
    (void)name;
    db->log_pages = pages;
    db->logged_ms = clock_mono_ms();
    return SQLITE_OK;
}

void sqlite_checkpoint_watch(struct sqlite_db *db)
{
    (void)sqlite3_wal_hook(db->conn, on_commit, db);
}
