/* tidy.c - merges segments that are many or half dead, and keeps files of
 * them.  The shelf's thread alone does this, beside searches.
 *
 * Sizes grow by steps: a segment is merged with all smaller ones once these
 * together are half as large as it is.  So a passage is written anew a few
 * times at most, and a course has a handful of segments. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/uuid.h"
#include "retrieve/index/indexes.h"

enum { SEGMENTS_MAX = 4, SUFFIX_N = 6 };
static const char suffix[] = ".index";

/* ---- Files -------------------------------------------------------------- */

static bool is_segment(const char *name)
{
    size_t n = strlen(name);

    return n > SUFFIX_N && strcmp(name + n - SUFFIX_N, suffix) == 0;
}

static enum footnote_rc keep(struct segment ***segments, size_t *n,
                             struct segment *s, struct footnote_err *err)
{
    struct segment **more =
        realloc(*segments, (*n + 1) * sizeof(struct segment *));

    if (!more) {
        segment_drop(s);
        return err_set(err, FOOTNOTE_NOMEM, "opening an index");
    }
    *segments = more;
    more[(*n)++] = s;
    return FOOTNOTE_OK;
}

/* A damaged file is removed: what it held is made again. */
enum footnote_rc book_load(const struct book *b, struct segment ***segments,
                           size_t *n, struct footnote_err *err)
{
    DIR *dir = b->folder ? opendir(b->folder) : NULL;
    enum footnote_rc rc = FOOTNOTE_OK;
    const struct dirent *entry;

    while (dir && rc == FOOTNOTE_OK && (entry = readdir(dir))) {
        char path[PATH_MAX];
        struct segment *s;
        int len =
            snprintf(path, sizeof(path), "%s/%s", b->folder, entry->d_name);

        if (len < 0 || (size_t)len >= sizeof(path) ||
            !is_segment(entry->d_name))
            continue;
        rc = segment_load(path, &s, err);
        if (rc == FOOTNOTE_OK)
            rc = keep(segments, n, s, err);
        else if (rc == FOOTNOTE_DAMAGED)
            unlink(path);
        if (rc != FOOTNOTE_NOMEM)
            rc = FOOTNOTE_OK;
    }
    if (dir)
        closedir(dir);
    return rc;
}

static void save_one(const struct book *b, struct segment *s)
{
    char path[PATH_MAX];
    uint64_t random;
    int n;

    random_bytes(&random, sizeof(random));
    n = snprintf(path, sizeof(path), "%s/%016" PRIx64 "%s", b->folder, random,
                 suffix);
    if (n > 0 && (size_t)n < sizeof(path))
        (void)segment_save(s, path, NULL); /* without it, it is made again */
}

/* Removes files of ours that no segment of the snapshot has. */
static void sweep(const struct book *b, const struct snapshot *now)
{
    DIR *dir = opendir(b->folder);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char path[PATH_MAX];
        bool used = false;
        int n = snprintf(path, sizeof(path), "%s/%s", b->folder, entry->d_name);

        if (n < 0 || (size_t)n >= sizeof(path) || !is_segment(entry->d_name))
            continue;
        for (size_t i = 0; i < now->held_n; i++)
            used |= now->held[i].segment->path &&
                    strcmp(now->held[i].segment->path, path) == 0;
        if (!used)
            unlink(path);
    }
    if (dir)
        closedir(dir);
}

static void save(const struct shelf *s, const struct book *b,
                 const struct snapshot *now)
{
    if (!b->folder)
        return;
    if (now->held_n == 0) { /* a course without documents leaves nothing */
        sweep(b, now);
        (void)rmdir(b->folder);
        return;
    }
    if (mkdir(s->folder, 0700) != 0 && errno != EEXIST)
        return;
    if (mkdir(b->folder, 0700) != 0 && errno != EEXIST)
        return;
    for (size_t i = 0; i < now->held_n; i++)
        if (!now->held[i].segment->path)
            save_one(b, now->held[i].segment);
    sweep(b, now);
}

/* ---- Merging ------------------------------------------------------------ */

/* How many of the smallest segments to merge; they are the last. */
static size_t merge_n(const struct snapshot *now)
{
    size_t best = 0;
    uint64_t sum = 0;

    for (size_t i = now->held_n; i-- > 0;) {
        const struct held *h = &now->held[i];

        if (h->live_n < h->segment->passages_n / 4 * 3 ||
            (i + 1 < now->held_n && sum * 2 >= h->live_n))
            best = now->held_n - i;
        sum += h->live_n;
    }
    return best || now->held_n <= SEGMENTS_MAX ? best : SEGMENTS_MAX;
}

static enum footnote_rc merge(const struct snapshot *now, size_t n,
                              struct segment **out, struct footnote_err *err)
{
    struct segment_input *in = calloc(n, sizeof(*in));
    enum footnote_rc rc;

    if (!in)
        return err_set(err, FOOTNOTE_NOMEM, "merging indexes");
    for (size_t i = 0; i < n; i++) {
        const struct held *h = &now->held[now->held_n - n + i];

        in[i] = (struct segment_input){h->segment, h->dead};
    }
    rc = segment_merge(in, n, out, err);
    free(in);
    return rc;
}

static bool was_merged(const struct snapshot *before, size_t n,
                       const struct segment *s)
{
    for (size_t i = before->held_n - n; i < before->held_n; i++)
        if (before->held[i].segment == s)
            return true;
    return false;
}

/* The merged one for its parts; what has come since stays.  The merged one is
 * put in even when the store has moved on: what is dead by now is marked. */
static void replace(struct shelf *s, struct book *b,
                    const struct snapshot *before, size_t n,
                    struct segment *merged)
{
    struct snapshot *now;
    struct segment **segments;
    size_t kept = 0;

    pthread_mutex_lock(&b->making);
    now = book_snapshot(s, b);
    segments = now ? calloc(now->held_n + 1, sizeof(struct segment *)) : NULL;
    if (!segments) { /* forgotten meanwhile, or no memory */
        segment_drop(merged);
        snapshot_drop(now);
        pthread_mutex_unlock(&b->making);
        return;
    }
    segments[kept++] = merged;
    for (size_t i = 0; i < now->held_n; i++)
        if (!was_merged(before, n, now->held[i].segment))
            segments[kept++] = segment_hold(now->held[i].segment);
    (void)book_install(s, b, segments, kept, now->docs_version, NULL);
    free(segments);
    snapshot_drop(now);
    pthread_mutex_unlock(&b->making);
}

void book_tidy(struct shelf *s, struct book *b)
{
    struct snapshot *now = book_snapshot(s, b);
    struct segment *merged = NULL;
    size_t n = now ? merge_n(now) : 0;

    if (n > 0 && merge(now, n, &merged, NULL) == FOOTNOTE_OK)
        replace(s, b, now, n, merged); /* which makes it untidy once more */
    else if (now)
        save(s, b, now);
    snapshot_drop(now);
}
