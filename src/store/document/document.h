/* document.h - documents, their versions and passages, and the answers that
 * were given them.  Any thread.
 *
 *     put --> queued --> indexing --> ready     a new version begins again;
 *                            \-----> failed    the old one is searched until
 *                                              the new one is ready */
#ifndef STORE_DOCUMENT_DOCUMENT_H
#define STORE_DOCUMENT_DOCUMENT_H
#include "base/sha256.h"
#include "store/session/course.h"

struct reference_count;
struct store;

enum document_kind {
    DOCUMENT_SLIDES = 1,
    DOCUMENT_LECTURE,
    DOCUMENT_JOURNAL,
    DOCUMENT_PAGE,
    DOCUMENT_TEXT
};
enum document_status {
    DOCUMENT_QUEUED,
    DOCUMENT_INDEXING,
    DOCUMENT_READY,
    DOCUMENT_FAILED
};
/* Of the pages of a PDF: slides are wide, the pages of a paper tall. */
enum page_layout { LAYOUT_NONE, LAYOUT_WIDE, LAYOUT_TALL };
enum progress_unit { UNIT_NONE, UNIT_PAGES, UNIT_SECONDS, UNIT_BYTES };
struct document_progress {
    enum progress_unit unit; /* UNIT_NONE: nothing is known */
    int64_t done, total;     /* total 0: not known */
};
/* A recording beside its transcript: an object here, or a URL elsewhere. */
struct document_media {
    struct str object_key, url, filename, media_type;
    struct sha256 digest; /* with an object */
    int64_t bytes;
};
struct document {
    struct str id, course, title, date, url;
    enum document_kind kind;
    enum document_status status; /* of the newest version, as are the next */
    struct str error;            /* failed: a sentence */
    struct str error_code;       /* failed: why, as reason.h names it */
    struct document_progress progress;
    int64_t version, searchable_version, created_ms;
    /* Of one version: the newest, or the one asked for. */
    struct str filename, media_type, object_key, language, warning;
    int64_t changed_ms; /* when it came */
    enum page_layout layout;
    struct str page_labels; /* JSON; absent: as they are counted */
    struct str encoding;    /* that its text was read in; absent: it has none */
    struct sha256 digest;
    bool has_bytes, has_pages, has_seconds;
    int64_t bytes, pages;
    double seconds;
    struct document_media media;
    enum member_role role; /* document_get: of the asker */
    int64_t key;
};

/* Makes a document, or a new version of an existing one.  Without an id, a
 * journal entry is known by course, date and title, a page by its URL, others
 * by their bytes.  The same digest and recording again write nothing, unless
 * reading them failed: then they are read once more.  The old version is
 * searched until the new one is ready.  Needs MEMBER_EDITOR.
 *
 * The caller stores the objects before, and deletes those that the document
 * does not keep (`keeps`, `keeps_media`). */
struct document_put {
    struct document document; /* id absent: one is made, or found */
    bool must_exist;          /* by id; NOTFOUND; course as in document_get */
    bool queue;               /* a worker reads it in: job.h */
    bool made;                /* out: a new document or version */
    bool retried;             /* out: nothing new, but it is read once more */
    bool keeps, keeps_media;  /* out: the given objects are named by a row */
    int64_t version;          /* out */
    char id_text[STORE_ID_BYTES_MAX + 1];
    char course_text[STORE_ID_BYTES_MAX + 1]; /* out: its course */
};
STORE_OP(document_put);

enum { PASSAGE_BOXES_BYTES_MAX = 16 * 1024 };
/* Extras: of a passage on a tall page, which its source takes along; of one of
 * a table of contents or an index, which is found last. */
#define PASSAGE_TALL          STR("{\"layout\":\"tall\"}")
#define PASSAGE_CONTENTS      STR("{\"contents\":true}")
#define PASSAGE_TALL_CONTENTS STR("{\"layout\":\"tall\",\"contents\":true}")
static inline bool passage_is_contents(struct str extra)
{
    return str_eq(extra, PASSAGE_CONTENTS) ||
           str_eq(extra, PASSAGE_TALL_CONTENTS);
}
struct passage {
    int64_t position, page; /* page 0: none */
    bool has_seconds;
    double start, end;
    struct str heading, text, extra;
    struct str locator; /* where in its text, as footnote_source has it */
    struct str boxes;   /* on its page, as ingest/pdf/packed_boxes.h */
    struct str on_page; /* the part of `text` on its page; absent: all.
                           Not stored: boxes are made of it */
};
/* Adds passages to a version that is not ready yet.  A position that is there
 * stays as it is, so a repeat changes nothing. */
struct passages_add {
    struct str document, course; /* as document_get has them */
    int64_t version;
    const struct passage *passages;
    size_t passages_n; /* at most 100 a call */
};
STORE_OP(passages_add);

/* Sets the status of the newest version; READY makes it the searched one. */
struct document_status_set {
    struct str document, course; /* as document_get has them */
    enum document_status status;
    struct str error;
    char course_text[STORE_ID_BYTES_MAX + 1]; /* out: its course */
};
STORE_OP(document_status_set);

/* Ids are unique in their course.  Without a course it is the one that the
 * asker may read; of several, one of the asker's own courses comes first, then
 * the oldest. */
struct document_get {
    struct str id, course;    /* course may be absent */
    int64_t version;          /* 0: the newest; NOTFOUND when there is none */
    struct document document; /* out */
};
STORE_OP(document_get);

/* Facts of every version, the newest first. */
struct document_version {
    int64_t version, created_ms;
    struct str filename, media_type;
    struct sha256 digest;
    bool has_bytes, has_pages, has_seconds;
    int64_t bytes, pages;
    double seconds;
};
struct document_versions {
    struct str document, course; /* as document_get has them */
    int64_t before_version; /* cursor: the last one's; 0: from the newest */
    size_t limit;
    struct document_version *versions; /* out */
    size_t versions_n;
};
STORE_OP(document_versions);

/* Removes the versions that nothing cites, with their files, passages and
 * vectors.  The newest one and the searched one stay, and so does every version
 * that a source of a message is from.  Needs MEMBER_EDITOR. */
struct document_prune {
    struct str id, course;  /* as document_get has them */
    int64_t removed, bytes; /* out: versions, and their files' bytes */
};
STORE_OP(document_prune);

struct document_list {
    struct str course;
    bool has_status; /* only with this status */
    enum document_status status;
    int64_t after_key; /* cursor: the last one's key; 0: from the start */
    size_t limit;
    struct document *documents; /* out */
    size_t documents_n;
};
STORE_OP(document_list);

struct passages_read {
    struct str document, course; /* as document_get has them */
    int64_t version;             /* 0: the searched one */
    int64_t page;                /* only those of that page; 0: all */
    int64_t after_position;
    size_t limit;
    struct passage *passages; /* out */
    size_t passages_n;
};
STORE_OP(passages_read);

/* Ends search in it at once; with `redact`, old citations lose their text. */
struct document_delete {
    struct str id, course; /* as document_get has them */
    bool redact;
    char course_text[STORE_ID_BYTES_MAX + 1]; /* out: its course, if any */
};
STORE_OP(document_delete);

/* A watcher is called after the commit that changes a document's status or
 * deletes it (document absent: all of the course), in any thread.  It must be
 * quick and must not call the store.  It is not told what another node does:
 * waiters also look about once a second.  At most 4 watchers; store_unwatch()
 * with the same arg removes one. */
struct document_change {
    struct str tenant, course, document;
    int64_t course_key; /* of a deleted course; 0: not known */
    bool deleted;
    enum document_status status;
};
typedef void store_watch_fn(void *arg, const struct document_change *c);
void store_watch(struct store *st, store_watch_fn *fn, void *arg);
void store_unwatch(struct store *st, const void *arg);

/* Lists the answers that were given the document and the asker may read: their
 * own.  If they may read no such document, those whose sources only name it. */
struct citation {
    struct str session, message;
    uint32_t number;
    bool cited;
    int64_t created_ms;
};
struct document_citations {
    struct str document, course; /* as document_get has them */
    int64_t after_session, after_seq, after_number; /* cursor; 0: all */
    size_t limit;
    struct citation *citations; /* out */
    size_t citations_n;
    size_t rows_n; /* with those that are damaged: as `limit`, there may be more
                    */
    int64_t next_session, next_seq, next_number;
};
STORE_OP(document_citations);

/* How often each document was cited, not by whom.  For editors in all answers,
 * for readers in their own. */
struct course_counts {
    struct str course;
    size_t limit;
    struct reference_count *counts; /* out: every document, most cited first */
    size_t counts_n;
};
STORE_OP(course_counts);

/* The most cited and the never cited documents, and citations per day, oldest
 * first; days without one are left out.  Counted as above. */
struct day_count {
    char date[11]; /* 2026-02-26, UTC */
    int64_t count;
};
struct course_stats {
    struct str course;
    size_t limit;                         /* of the first two lists */
    int days;                             /* 0: 30 */
    struct reference_count *most, *never; /* out: documents */
    size_t most_n, never_n;
    struct day_count *per_day; /* out */
    size_t per_day_n;
    /* Out: of the answers of these days that are shown and cite a document,
     * what the words of their sources carry. */
    struct {
        int64_t answers, unsupported; /* those with a sentence that is not */
        int64_t sentences, carried;
    } verdicts;
};
STORE_OP(course_stats);

#endif
