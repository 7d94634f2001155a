/* maintain.c - merges segments that are many or half dead, and keeps them in
 * files.  Only one thread of `struct indexes` does this, beside searches.
 *
 * Sizes grow by steps: a segment is merged with all smaller ones once these
 * together are half as large as it is.  So a passage is written anew a few
 * times at most, and a course has a handful of segments. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/uuid.h"
#include "retrieve/index/course_index.h"

enum { SEGMENTS_MAX = 4, SUFFIX_N = 6 };
static const char suffix[] = ".index";

/* ---- Files -------------------------------------------------------------- */

bool index_file_path(const char *folder, const char *name, char path[PATH_MAX])
{
    size_t n = strlen(name);
    int len = snprintf(path, PATH_MAX, "%s/%s", folder, name);

    return len > 0 && len < PATH_MAX && n > SUFFIX_N &&
           strcmp(name + n - SUFFIX_N, suffix) == 0;
}

static void remove_damaged(struct indexes *ix, const char *path,
                           const struct footnote_err *err)
{
    atomic_fetch_add(&ix->damaged_n, 1);
    log_write(LOG_WARN, "an index file is damaged and made again",
              LOG_TEXT("path", str_c(path)), LOG_TEXT("why", str_c(err->text)));
    unlink(path);
}

/* A damaged file is removed, and its passages are indexed again. */
enum footnote_rc course_index_load(struct indexes *ix,
                                   const struct course_index *c,
                                   struct segment_list *list,
                                   struct footnote_err *err)
{
    DIR *dir = c->folder ? opendir(c->folder) : NULL;
    enum footnote_rc rc = FOOTNOTE_OK;
    const struct dirent *entry;

    while (dir && rc == FOOTNOTE_OK && (entry = readdir(dir))) {
        char path[PATH_MAX];
        struct footnote_err why = {.text = ""};
        struct segment *s;

        if (!index_file_path(c->folder, entry->d_name, path))
            continue;
        rc = segment_load(path, &c->name, &s, &why);
        if (rc == FOOTNOTE_OK)
            rc = segment_list_add(list, s, &why);
        else if (rc == FOOTNOTE_DAMAGED)
            remove_damaged(ix, path, &why);
        if (rc == FOOTNOTE_NOMEM)
            *err = why;
        else
            rc = FOOTNOTE_OK;
    }
    if (dir)
        closedir(dir);
    return rc;
}

/* Removes segment files that the snapshot does not use. */
static void remove_unused(const struct course_index *c,
                          const struct index_snapshot *now)
{
    DIR *dir = opendir(c->folder);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char path[PATH_MAX];
        bool used = false;

        if (!index_file_path(c->folder, entry->d_name, path))
            continue;
        for (size_t i = 0; i < now->segments_n; i++)
            used |= now->segments[i].segment->path &&
                    strcmp(now->segments[i].segment->path, path) == 0;
        if (!used)
            unlink(path);
    }
    if (dir)
        closedir(dir);
}

static void save_segment(const struct course_index *c, struct segment *s)
{
    char path[PATH_MAX];
    uint64_t random;
    int n;

    random_bytes(&random, sizeof(random));
    n = snprintf(path, sizeof(path), "%s/%016" PRIx64 "%s", c->folder, random,
                 suffix);
    if (n > 0 && (size_t)n < sizeof(path))
        /* Unsaved, it is made again. */
        (void)segment_save(s, path, &c->name, NULL);
}

static void save(const struct indexes *ix, const struct course_index *c,
                 const struct index_snapshot *now)
{
    if (!c->folder)
        return;
    if (now->segments_n == 0) { /* a course without documents leaves nothing */
        remove_unused(c, now);
        (void)rmdir(c->folder);
        return;
    }
    if (mkdir(ix->folder, 0700) != 0 && errno != EEXIST)
        return;
    if (mkdir(c->folder, 0700) != 0 && errno != EEXIST)
        return;
    for (size_t i = 0; i < now->segments_n; i++)
        if (!now->segments[i].segment->path)
            save_segment(c, now->segments[i].segment);
    remove_unused(c, now);
}

/* ---- Merging ------------------------------------------------------------ */

/* How many of the smallest segments to merge; the smallest are the last. */
static size_t merge_n(const struct index_snapshot *now)
{
    size_t best = 0;
    uint64_t sum = 0;

    for (size_t i = now->segments_n; i-- > 0;) {
        const struct snapshot_segment *s = &now->segments[i];

        if (s->live_n < s->segment->passages_n / 4 * 3 ||
            (i + 1 < now->segments_n && sum * 2 >= s->live_n))
            best = now->segments_n - i;
        sum += s->live_n;
    }
    return best || now->segments_n <= SEGMENTS_MAX ? best : SEGMENTS_MAX;
}

static enum footnote_rc merge(const struct indexes *ix,
                              const struct index_snapshot *now, size_t n,
                              struct segment **out, struct footnote_err *err)
{
    struct segment_input *in = calloc(n, sizeof(*in));
    enum footnote_rc rc;

    assert(n <= now->segments_n);
    if (!in)
        return err_set(err, FOOTNOTE_NOMEM, "merging indexes");
    for (size_t i = 0; i < n; i++) {
        const struct snapshot_segment *s =
            &now->segments[now->segments_n - n + i];

        in[i] = (struct segment_input){s->segment, s->dead};
    }
    rc = segment_merge(in, n, &ix->closing, out, err);
    free(in);
    return rc;
}

static bool was_merged(const struct index_snapshot *before, size_t n,
                       const struct segment *s)
{
    for (size_t i = before->segments_n - n; i < before->segments_n; i++)
        if (before->segments[i].segment == s)
            return true;
    return false;
}

/* Puts `merged` in place of the last n segments of `before`, also when the
 * store has moved on: newer segments stay, and dead passages are marked. */
static void replace(struct indexes *ix, struct course_index *c,
                    const struct index_snapshot *before, size_t n,
                    struct segment *merged)
{
    AUTO(segment_list_free) struct segment_list list = {.n = 0};
    struct index_snapshot *now;
    enum footnote_rc rc = segment_list_add(&list, merged, NULL);

    pthread_mutex_lock(&c->update_lock);
    now = course_index_snapshot(ix, c); /* NULL: forgotten meanwhile */
    for (size_t i = 0; now && i < now->segments_n && rc == FOOTNOTE_OK; i++)
        if (!was_merged(before, n, now->segments[i].segment))
            rc = segment_list_add(&list, segment_hold(now->segments[i].segment),
                                  NULL);
    if (now && rc == FOOTNOTE_OK)
        (void)course_index_install(ix, c, &list, now->index_version, NULL);
    index_snapshot_drop(now);
    pthread_mutex_unlock(&c->update_lock);
}

void course_index_maintain(struct indexes *ix, struct course_index *c)
{
    struct index_snapshot *now = course_index_snapshot(ix, c);
    struct segment *merged = NULL;
    size_t n = now ? merge_n(now) : 0;

    if (n > 0 && merge(ix, now, n, &merged, NULL) == FOOTNOTE_OK)
        replace(ix, c, now, n, merged); /* the thread comes once more */
    else if (now)
        save(ix, c, now);
    index_snapshot_drop(now);
}
