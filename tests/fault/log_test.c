/* log_test.c - who flushes what when SQLite's log goes back into its file.
 *
 * Everybody waits for the writer, so a thread copies the log and flushes what
 * it copied; the writer is left with the little that came meanwhile. */
#include <pthread.h>

#include "contract.h"
#include "footnote.h"
#include "vfs.h"

enum {
    TEXT_BYTES = 64 * 1024,
    MESSAGES_MAX = 4000,
    FLUSHES = 2,
    PAGES_MAX = 4000 /* half of what the thread copies */
};

/* Under the lock of the layer, but for the count that the test waits for. */
static struct {
    pthread_t writer;
    unsigned pages, most; /* copied and not flushed; that the writer flushed */
    _Atomic unsigned flushes; /* by the writer */
} seen;

static bool is_log(const char *path)
{
    size_t n = strlen(path);

    return n > 4 && strcmp(path + n - 4, "-wal") == 0;
}

static int watch(void *arg, const struct vfs_event *e)
{
    (void)arg;
    if (is_log(e->path)) {
        if (e->op == VFS_WRITE)
            seen.writer = pthread_self();
    } else if (e->op == VFS_WRITE) {
        seen.pages++;
    } else if (e->op == VFS_SYNC) {
        if (pthread_equal(seen.writer, pthread_self())) {
            seen.most = seen.pages > seen.most ? seen.pages : seen.most;
            seen.flushes++;
        }
        seen.pages = 0;
    }
    return SQLITE_OK;
}

static void save(struct footnote *fn, unsigned n, const char *text)
{
    struct footnote_err err = {0};
    char id[32];
    struct footnote_message m = {.id = id,
                                 .session = "log",
                                 .text = text,
                                 .role = FOOTNOTE_USER,
                                 .status = FOOTNOTE_COMPLETE};

    (void)snprintf(id, sizeof(id), "m-%u", n);
    CHECK_OK(footnote_save(fn, &m, &err), &err);
}

TEST_LIMIT(sqlite_the_writer_flushes_little_of_its_log, 120)
{
    static char text[TEXT_BYTES + 1];
    struct footnote_err err = {0};
    struct footnote *fn = NULL;
    unsigned n = 0;

    memset(text, 'x', TEXT_BYTES);
    vfs_install(watch, NULL);
    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    seen.flushes = seen.most = 0;
    while (seen.flushes < FLUSHES && n < MESSAGES_MAX)
        save(fn, ++n, text);
    printf("%u pages at most, %u messages\n", seen.most, n);
    CHECK(seen.flushes >= FLUSHES);
    CHECK(seen.most < PAGES_MAX);
    footnote_close(fn);
}
