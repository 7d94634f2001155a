/* watch.c - waits until something below a folder has changed.
 *
 * inotify watches one folder at a time, so each folder has a watch; adding one
 * twice changes nothing.  An event means only "plan again", and so does an
 * overflow of the queue. */
#include "cli/ingest/watch.h"

#include <errno.h>
#include <fts.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/clock.h"

enum { EVENTS_BYTES = 64 * 1024 };

struct watch {
    int fd;
    _Alignas(struct inotify_event) char events[EVENTS_BYTES];
};

enum footnote_rc watch_open(struct watch **out, struct footnote_err *err)
{
    struct watch *w = calloc(1, sizeof(*w));

    *out = NULL;
    if (!w)
        return err_set(err, FOOTNOTE_NOMEM, "watching a folder");
    w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (w->fd < 0) {
        free(w);
        return err_set(err, FOOTNOTE_BUSY, "watching a folder: %s",
                       strerror(errno));
    }
    *out = w;
    return FOOTNOTE_OK;
}

void watch_close(struct watch *w)
{
    if (!w)
        return;
    close(w->fd);
    free(w);
}

/* ---- Folders ------------------------------------------------------------ */

static void close_walk(FTS **walk)
{
    if (*walk)
        fts_close(*walk);
}

/* A folder that is gone by now is no error, unless it is the root. */
static enum footnote_rc add_one(struct watch *w, const FTSENT *e,
                                struct footnote_err *err)
{
    const uint32_t mask = IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_MOVED_TO |
                          IN_ONLYDIR | IN_DONT_FOLLOW;

    if (inotify_add_watch(w->fd, e->fts_accpath,
                          e->fts_level ? mask : mask & ~IN_DONT_FOLLOW) >= 0)
        return FOOTNOTE_OK;
    if (errno == ENOSPC)
        return err_set(err, FOOTNOTE_BUSY,
                       "more folders than may be watched here (see "
                       "fs.inotify.max_user_watches)");
    return e->fts_level ? FOOTNOTE_OK
                        : err_set(err, FOOTNOTE_INVALID, "%.200s: %s",
                                  e->fts_path, strerror(errno));
}

enum footnote_rc watch_add(struct watch *w, const char *folder,
                           struct footnote_err *err)
{
    char *const roots[] = {strdup(folder), NULL};
    AUTO(close_walk)
    FTS *walk =
        roots[0]
            ? fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL)
            : NULL;
    enum footnote_rc rc = FOOTNOTE_OK;
    FTSENT *e;

    free(roots[0]);
    if (!walk)
        return err_set(err, FOOTNOTE_NOMEM, "watching a folder");
    while (rc == FOOTNOTE_OK && (e = fts_read(walk))) {
        if (e->fts_level && e->fts_name[0] == '.')
            fts_set(walk, e, FTS_SKIP);
        else if (e->fts_info == FTS_D)
            rc = add_one(w, e, err);
        else if (e->fts_level == 0 && e->fts_info != FTS_DP)
            rc = err_set(err, FOOTNOTE_INVALID, "%.200s: %s", folder,
                         e->fts_errno ? strerror(e->fts_errno)
                                      : "is not a folder");
    }
    return rc;
}

/* ---- Waiting ------------------------------------------------------------ */

/* Reads all events; sets *some when a relevant one was among them. */
static enum footnote_rc drain(struct watch *w, bool *some,
                              struct footnote_err *err)
{
    for (;;) {
        ssize_t n = read(w->fd, w->events, sizeof(w->events));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return FOOTNOTE_OK;
        if (n <= 0)
            return err_set(err, FOOTNOTE_INTERNAL, "watching a folder: %s",
                           strerror(errno));
        for (size_t at = 0; at < (size_t)n;) {
            const struct inotify_event *e = (const void *)(w->events + at);

            /* A file under a name with a dot is not complete yet. */
            if (!(e->mask & IN_IGNORED) && !(e->len && e->name[0] == '.'))
                *some = true;
            at += sizeof(*e) + e->len;
        }
    }
}

enum footnote_rc watch_wait(struct watch *w, struct footnote_err *err)
{
    struct pollfd fd = {.fd = w->fd, .events = POLLIN};
    int64_t until = 0; /* from the first change on */

    for (;;) {
        int64_t left = until - clock_mono_ms();
        bool some = false;
        int ready;

        if (until && left <= 0)
            return FOOTNOTE_OK;
        ready = poll(&fd, 1,
                     !until                   ? -1
                     : left < WATCH_SETTLE_MS ? (int)left
                                              : WATCH_SETTLE_MS);
        if (ready == 0)
            return FOOTNOTE_OK;
        if (ready < 0 && errno != EINTR)
            return err_set(err, FOOTNOTE_INTERNAL, "watching a folder: %s",
                           strerror(errno));
        TRY(drain(w, &some, err));
        if (some && !until)
            until = clock_mono_ms() + WATCH_PATIENCE_MS;
    }
}
