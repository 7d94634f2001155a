/* plan.h - which files become which documents.  One thread.
 *
 * Folders are walked in the order of names, without names that begin with a dot
 * and without links to folders.  A link to a file is followed if it is relative
 * and stays inside of the folder; others are items with an error.  A transcript
 * takes the recording of the same name beside it.  Dated Markdown and lines of
 * {date,title,text} become journal entries. */
#ifndef CLI_INGEST_PLAN_H
#define CLI_INGEST_PLAN_H
#include "ingest/format/extract.h"
#include "store/document/document.h"

enum {
    PLAN_ITEMS_MAX = 1000 * 1000,
    PLAN_DEPTH_MAX = 64,
    PLAN_ARENA_MAX = 1024 * 1024 * 1024
};

struct plan_stamp { /* of a file, taken before it is read */
    int64_t inode, bytes, changed_ns;
};
struct plan_item {
    struct plan_item *next;
    struct str path;      /* of the file; absent: the document is `text` */
    struct str name;      /* the document's file name */
    struct str recording; /* path of the recording beside it, or absent */
    struct str root, recording_root; /* for plan_open() */
    struct str text, title, date;    /* of a journal entry */
    enum document_kind kind;
    enum extract_format format;
    bool from_folder; /* then a changed file is a new version */
    struct str error; /* why it cannot be read; absent: it can */
    bool passed_over; /* its error is no failure: a folder had it */
    struct plan_stamp stamp, recording_stamp;
    bool unchanged; /* since the plan before */
};
struct plan {
    struct plan_item *first;
    size_t n, unchanged_n;
};

/* The plan lives in `a`.  A file that cannot be read is an item with an error.
 * Fails only without memory or with more than PLAN_ITEMS_MAX. */
enum footnote_rc plan_make(struct arena *a, const struct str *paths, size_t n,
                           struct plan *out, struct footnote_err *err);
/* Opens `path`, which begins with `root` and a slash, and never what lies
 * outside of that folder; -1 with EXDEV when a link leads out of it.  Without a
 * root the user named the file, and links are followed. */
int plan_open(struct str root, struct str path, int flags);
struct stat;
bool plan_stat(struct str root, struct str path, struct stat *out);
/* What follows the last slash. */
struct str plan_base_name(struct str path);
/* Marks the items of *now whose files have the stamps they had in *before. */
enum footnote_rc plan_compare(struct plan *now, const struct plan *before,
                              struct footnote_err *err);

#endif
