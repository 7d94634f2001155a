/* log_test.c - who flushes what when SQLite's log goes back into its file.
 *
 * Everybody waits for the writer, so a thread copies the log and flushes what
 * it copied; the writer is left with the little that came meanwhile. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "contract.h"
#include "footnote.h"
#include "sqlite_vfs.h"

enum {
    TEXT_BYTES = 64 * 1024,
    MESSAGES_MAX = 4000,
    ROUNDS = 2,
    PAGES_MAX = 4000,  /* half of what there is to copy */
    PAGES_MOST = 6000, /* most of it */
    FRAMES_AT = 16,    /* in the index of the log: how many pages there are, */
    COPIED_AT = 96     /* and how many of them were copied */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t writer;
    unsigned pages;        /* copied and not flushed */
    unsigned writers;      /* flushes by the writer, */
    unsigned writers_most; /* of so many pages at most */
    unsigned threads;      /* pages that the thread copied */
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

static bool is_log(const char *path)
{
    size_t n = strlen(path);

    return n > 4 && strcmp(path + n - 4, "-wal") == 0;
}

static void flushed(void)
{
    bool writer = pthread_equal(seen.writer, pthread_self());

    if (writer && seen.pages > seen.writers_most)
        seen.writers_most = seen.pages;
    seen.writers += writer;
    seen.pages = 0;
    pthread_cond_broadcast(&seen.changed);
}

static int watch(void *arg, const struct vfs_event *e)
{
    (void)arg;
    pthread_mutex_lock(&seen.lock);
    if (e->op == VFS_WRITE && is_log(e->path)) {
        seen.writer = pthread_self();
    } else if (e->op == VFS_WRITE) {
        seen.pages++;
        seen.threads += !pthread_equal(seen.writer, pthread_self());
    } else if (e->op == VFS_SYNC && !is_log(e->path)) {
        flushed();
    }
    pthread_mutex_unlock(&seen.lock);
    return SQLITE_OK;
}

static unsigned count(const unsigned *what)
{
    unsigned n;

    pthread_mutex_lock(&seen.lock);
    n = *what;
    pthread_mutex_unlock(&seen.lock);
    return n;
}

static struct footnote *open_watched(void)
{
    struct footnote_err err = {0};
    struct footnote *fn = NULL;

    vfs_install(watch, NULL);
    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    seen.writers = seen.writers_most = seen.threads = 0;
    return fn;
}

static void save(struct footnote *fn)
{
    static char text[TEXT_BYTES + 1];
    static unsigned n;
    struct footnote_err err = {0};
    char id[32];
    struct footnote_message m = {.id = id,
                                 .session = "log",
                                 .text = text,
                                 .role = FOOTNOTE_USER,
                                 .status = FOOTNOTE_COMPLETE};

    memset(text, 'x', TEXT_BYTES);
    (void)snprintf(id, sizeof(id), "m-%u", ++n);
    CHECK(n < MESSAGES_MAX);
    CHECK_OK(footnote_save(fn, &m, &err), &err);
}

TEST_LIMIT(sqlite_the_writer_flushes_little_of_its_log, 120)
{
    struct footnote *fn = open_watched();

    /* Where flushing takes no time, the thread leaves nothing to the writer. */
    for (int i = 1; i < MESSAGES_MAX && count(&seen.writers) < ROUNDS; i++)
        save(fn);
    CHECK(count(&seen.threads) > 0);
    CHECK(count(&seen.writers_most) < PAGES_MAX);
    footnote_close(fn);
}

static uint32_t number_at(int fd, off_t at)
{
    uint32_t n = 0;

    CHECK_INT(pread(fd, &n, sizeof(n), at), sizeof(n));
    return n;
}

static bool all_is_copied(void)
{
    char path[4096];
    bool all;
    int fd;

    (void)snprintf(path, sizeof(path), "%s-shm",
                   test_url() + strlen("sqlite:"));
    fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    all = number_at(fd, FRAMES_AT) == number_at(fd, COPIED_AT);
    CHECK_INT(close(fd), 0);
    return all;
}

/* Nothing is left for the writer then, and the next time little. */
TEST_LIMIT(sqlite_the_thread_copies_the_log_after_a_pause_as_well, 60)
{
    struct footnote *fn = open_watched();

    for (unsigned i = 1; i <= ROUNDS; i++) {
        while (count(&seen.threads) < i * PAGES_MOST)
            save(fn);
        pthread_mutex_lock(&seen.lock);
        while (!all_is_copied())
            pthread_cond_wait(&seen.changed, &seen.lock);
        pthread_mutex_unlock(&seen.lock);
    }
    CHECK(count(&seen.writers_most) < PAGES_MAX);
    footnote_close(fn);
}
