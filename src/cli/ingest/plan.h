/* plan.h - which files become which documents.  One thread.
 *
 * Folders are walked in the order of names; what begins with a dot is left
 * out, and folders behind links are.  A transcript takes the recording of the
 * same name beside it; dated Markdown and lines of {date,title,text} become
 * journal entries. */
#ifndef CLI_INGEST_PLAN_H
#define CLI_INGEST_PLAN_H
#include "ingest/format/extract.h"
#include "store/document/document.h"

enum {
    PLAN_ITEMS_MAX = 1000 * 1000,
    PLAN_DEPTH_MAX = 64,
    PLAN_ARENA_MAX = 1024 * 1024 * 1024
};

struct plan_stamp { /* of a file, before it was read */
    int64_t inode, bytes, changed_ns;
};
struct plan_item {
    struct plan_item *next;
    struct str path;      /* of the file; absent: `text` is all of it */
    struct str name;      /* as shown, and as the document's file name */
    struct str recording; /* path of the recording beside it, or absent */
    struct str text, title, date; /* of a journal entry */
    enum document_kind kind;
    enum extract_format format;
    bool from_folder; /* then a changed file is a new version */
    struct str error; /* it cannot be read: why */
    bool passed_over; /* with error: it was in a folder, nobody asked for it */
    struct plan_stamp stamp, recording_stamp;
    bool unchanged; /* as it was in an earlier plan */
};
struct plan {
    struct plan_item *first;
    size_t n, unchanged_n;
};

/* Everything lives in `a`.  A file that cannot be read is an item with its
 * error; only running out of memory or of items fails. */
enum footnote_rc plan_make(struct arena *a, const struct str *paths, size_t n,
                           struct plan *out, struct footnote_err *err);
/* Marks as known what is as it was in *before, by what its files look like from
 * outside. */
enum footnote_rc plan_compare(struct plan *now, const struct plan *before,
                              struct footnote_err *err);

#endif
