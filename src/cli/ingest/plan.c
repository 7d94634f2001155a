/* plan.c - which files become which documents. */
#include "cli/ingest/plan.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "ingest/format/formats.h"
#include "ingest/format/journal.h"
#include "store/document/document.h"

struct planning {
    struct arena *a;
    struct plan *plan;
    struct plan_item **tail;
    bool in_folder;
    struct str root;         /* the folder that is walked, or absent */
    struct plan_stamp stamp; /* of the current file */
};

/* Writing and renaming both change st_ctim. */
static struct plan_stamp stamp_of(const struct stat *st)
{
    return (struct plan_stamp){(int64_t)st->st_ino, st->st_size,
                               (int64_t)st->st_ctim.tv_sec * 1000000000 +
                                   st->st_ctim.tv_nsec};
}

static struct plan_item *add_item(struct planning *p, struct str path,
                                  struct str name)
{
    struct plan_item *i = arena_new(p->a, struct plan_item);

    if (!i)
        return NULL;
    i->path = arena_str(p->a, path);
    i->name = arena_str(p->a, name);
    i->root = p->root;
    i->from_folder = p->in_folder;
    i->stamp = p->stamp;
    *p->tail = i;
    p->tail = &i->next;
    p->plan->n++;
    return i;
}

/* ---- Files -------------------------------------------------------------- */

static void refuse(struct planning *p, struct plan_item *i, const char *why)
{
    if (!i)
        return;
    i->error = arena_str(p->a, str_c(why));
    i->passed_over = p->in_folder;
}

static bool read_start(const struct planning *p, struct str path,
                       struct buf *out, size_t max)
{
    AUTO(fd_closep) int fd = plan_open(p->root, path, O_RDONLY);
    char part[64 * 1024];
    ssize_t n = 1;

    if (fd < 0)
        return false;
    while (out->n < max && n > 0) {
        size_t want = max - out->n < sizeof(part) ? max - out->n : sizeof(part);

        n = read(fd, part, want);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            buf_add(out, (struct str){part, (size_t)n});
    }
    return buf_rc(out, NULL) == FOOTNOTE_OK;
}

static size_t stem_length(struct str path)
{
    for (size_t i = path.n; i > 0 && path.p[i - 1] != '/'; i--)
        if (path.p[i - 1] == '.' && i > 1 && path.p[i - 2] != '/')
            return i - 1;
    return path.n;
}

/* Only the file itself was named by the user, not what lies beside it: so the
 * root of that is the folder. */
static struct str root_beside(const struct planning *p, struct str path)
{
    size_t n = path.n;

    if (p->root.p)
        return p->root;
    while (n > 0 && path.p[n - 1] != '/')
        n--;
    return arena_str(p->a, (struct str){path.p, n ? n - 1 : 0});
}

/* The first file beside `path` with the same name and one of the extensions.  A
 * transcript's name may hold a language: lecture.en.vtt is of lecture.mp4. */
static struct str find_beside(struct planning *p, struct str path,
                              const char *const *extensions, struct str *root)
{
    struct str base;
    struct stat st;

    if (str_find(path, '/') == path.n)
        path = arena_printf(p->a, "./%.*s", STR_ARG(path));
    *root = root_beside(p, path);
    if (p->a->failed)
        return STR_NONE;
    base = (struct str){path.p, stem_length(path)};
    for (int strip = 0; strip < 2; strip++) {
        for (size_t i = 0; extensions[i]; i++) {
            struct str try =
                arena_printf(p->a, "%.*s%s", STR_ARG(base), extensions[i]);

            if (try.p && plan_stat(*root, try, &st) && S_ISREG(st.st_mode))
                return try;
        }
        base.n = stem_length(base);
    }
    return STR_NONE;
}

static void add_transcript(struct planning *p, struct plan_item *i)
{
    static const char *const recordings[] = {
        ".mp4", ".m4v", ".webm", ".mov",  ".ogv", ".mp3", ".m4a",
        ".ogg", ".oga", ".opus", ".flac", ".wav", NULL};
    struct stat st;

    i->recording = find_beside(p, i->path, recordings, &i->recording_root);
    if (i->recording.p && plan_stat(i->recording_root, i->recording, &st))
        i->recording_stamp = stamp_of(&st);
}

/* Plans the transcript beside the recording; without one it is an error. */
static void add_recording(struct planning *p, struct str path, struct str name)
{
    static const char *const transcripts[] = {".vtt", ".srt", ".en.vtt",
                                              ".en.srt", NULL};
    struct str root, with = find_beside(p, path, transcripts, &root);
    struct plan_item *i;

    if (with.p && p->in_folder)
        return; /* the walk meets the transcript itself */
    i = add_item(p, with.p ? with : path, name);
    if (!i)
        return;
    if (!with.p) {
        refuse(p, i,
               "This is a recording without its transcript. Put the "
               "transcript (.vtt or .srt) of the same name beside it.");
        i->passed_over = false;
        return;
    }
    i->kind = DOCUMENT_LECTURE;
    i->format = FORMAT_VTT;
    i->recording = arena_str(p->a, path);
    i->recording_root = p->root;
    i->root = root;
    i->name = plan_base_name(with);
}

/* Markdown with a date in its name or front matter is a journal entry. */
static void add_markdown(struct planning *p, struct plan_item *i)
{
    AUTO(buf_free) struct buf text = BUF(EXTRACT_BYTES_MAX);
    struct journal_entry e;

    if (!read_start(p, i->path, &text, EXTRACT_BYTES_MAX) ||
        journal_markdown(p->a, arena_str(p->a, buf_str(&text)), i->name, &e,
                         NULL) != FOOTNOTE_OK ||
        !e.date.p || e.title.n == 0)
        return; /* a plain text */
    i->kind = DOCUMENT_JOURNAL;
    i->date = e.date;
    i->title = e.title;
    i->text = e.text;
}

static void add_entry(struct planning *p, struct str name, int64_t line,
                      const struct journal_entry *e, const char *why)
{
    struct plan_item *i = add_item(
        p, STR_NONE,
        arena_printf(p->a, "%.*s:%lld", STR_ARG(name), (long long)line));

    if (!i)
        return;
    i->kind = DOCUMENT_JOURNAL;
    i->format = FORMAT_MARKDOWN;
    if (why) {
        refuse(p, i, why);
        i->passed_over = false;
        return;
    }
    i->date = e->date;
    i->title = e->title;
    i->text = e->text;
}

static void add_lines(struct planning *p, struct str path, struct str name)
{
    AUTO(buf_free) struct buf text = BUF(EXTRACT_BYTES_MAX);
    struct journal_lines lines;
    bool more = true;

    if (!read_start(p, path, &text, EXTRACT_BYTES_MAX)) {
        refuse(p, add_item(p, path, name), strerror(errno));
        return;
    }
    lines = journal_open(arena_str(p->a, buf_str(&text)));
    while (more && !p->a->failed) {
        struct journal_entry e;
        struct footnote_err err;
        enum footnote_rc rc = journal_next(&lines, p->a, &e, &more, &err);

        if (rc != FOOTNOTE_OK)
            add_entry(p, name, lines.line, NULL, err.text);
        else if (more && (!e.date.p || e.title.n == 0))
            add_entry(p, name, lines.line, NULL,
                      "A journal entry has a date and a title.");
        else if (more)
            add_entry(p, name, lines.line, &e, NULL);
    }
}

static bool ends_with(struct str s, const char *end)
{
    size_t n = strlen(end);

    return s.n > n && memcmp(s.p + s.n - n, end, n) == 0;
}

static void add_file(struct planning *p, struct str path, struct str name)
{
    AUTO(buf_free) struct buf head = BUF(EXTRACT_HEAD_BYTES);
    enum extract_format f;
    struct plan_item *i;

    if (ends_with(name, ".jsonl") || ends_with(name, ".ndjson")) {
        add_lines(p, path, name);
        return;
    }
    if (!read_start(p, path, &head, EXTRACT_HEAD_BYTES)) {
        refuse(p, add_item(p, path, name), strerror(errno));
        return;
    }
    f = format_detect(buf_str(&head), name);
    if (f == FORMAT_MEDIA) {
        add_recording(p, path, name);
        return;
    }
    i = add_item(p, path, name);
    if (!i)
        return;
    i->format = f;
    i->kind = format_kind(f, false);
    if (head.n == 0)
        refuse(p, i, "The file is empty.");
    else if (f == FORMAT_UNKNOWN)
        refuse(p, i, format_unknown_reason(buf_str(&head), name));
    else if (f == FORMAT_MARKDOWN)
        add_markdown(p, i);
    else if (i->kind == DOCUMENT_LECTURE)
        add_transcript(p, i);
}

/* ---- Folders ------------------------------------------------------------ */

static void add_path(struct planning *p, struct str path, struct str name,
                     int depth);

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_folder(struct planning *p, struct str path, struct str name,
                       int depth)
{
    AUTO(fd_closep)
    int folder = plan_open(p->root, path,
                           O_RDONLY | O_DIRECTORY | (depth ? O_NOFOLLOW : 0));
    struct dirent **names = NULL;
    int n =
        folder < 0 ? -1 : scandirat(folder, ".", &names, is_visible, by_name);

    if (n < 0 || depth >= PLAN_DEPTH_MAX) {
        refuse(p, add_item(p, path, name),
               n < 0 ? strerror(errno) : "Folders lie too deep here.");
        return;
    }
    if (depth == 0)
        p->root = path;
    p->in_folder = true;
    for (int i = 0; i < n; i++) {
        add_path(p,
                 arena_printf(p->a, "%.*s/%s", STR_ARG(path), names[i]->d_name),
                 arena_printf(p->a, "%.*s/%s", STR_ARG(name), names[i]->d_name),
                 depth + 1);
        free(names[i]);
    }
    free(names);
    if (depth == 0) {
        p->root = STR_NONE;
        p->in_folder = false;
    }
}

static void add_path(struct planning *p, struct str path, struct str name,
                     int depth)
{
    struct stat st, link;

    assert(depth <= PLAN_DEPTH_MAX);
    if (p->a->failed || p->plan->n > PLAN_ITEMS_MAX)
        return;
    p->stamp = (struct plan_stamp){0};
    if (!plan_stat(p->root, path, &st) || lstat(path.p, &link) != 0) {
        refuse(p, add_item(p, path, name),
               errno == EXDEV ? "This link leads out of the folder."
                              : strerror(errno));
    } else if (S_ISREG(st.st_mode)) {
        p->stamp = stamp_of(&st);
        add_file(p, path, name);
    } else if (S_ISDIR(st.st_mode) && (depth == 0 || !S_ISLNK(link.st_mode))) {
        add_folder(p, path, name, depth);
    } else if (depth == 0) {
        refuse(p, add_item(p, path, name),
               "This is neither a file nor a folder.");
    }
}

/* The last part of the real path, so that "." has a name. */
static struct str last_part(struct arena *a, struct str path)
{
    char real[PATH_MAX];

    if (!realpath(path.p, real))
        return path;
    for (size_t i = strlen(real); i > 0; i--)
        if (real[i - 1] == '/')
            return arena_str(a, str_c(real + i));
    return path;
}

enum footnote_rc plan_make(struct arena *a, const struct str *paths, size_t n,
                           struct plan *out, struct footnote_err *err)
{
    struct planning p = {.a = a, .plan = out, .tail = &out->first};

    *out = (struct plan){NULL, 0, 0};
    for (size_t i = 0; i < n; i++)
        add_path(&p, paths[i], last_part(a, paths[i]), 0);
    if (out->n > PLAN_ITEMS_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "more than %d files",
                       PLAN_ITEMS_MAX);
    return arena_rc(a, err);
}
