/* document_row.h - a document's row, its job and its pictures, for operations.
 */
#ifndef STORE_DOCUMENT_DOCUMENT_ROW_H
#define STORE_DOCUMENT_DOCUMENT_ROW_H
#include "store/document/document.h"
#include "store/session/course.h"

struct db_cur;
struct tx;

struct document_row {
    int64_t key, course, version, searchable_version;
    enum document_status status;
    enum member_role role; /* of the asker */
    bool found, deleted, redacted;
};
/* How a caller names a document: ids are unique in their course, and several
 * courses may use one. */
struct document_name {
    struct str id;
    struct str course; /* absent: see sql/query/document.sql, document_find */
};
/* The document that the asker means and may read; `deleted` when there is no
 * other than one that was. */
enum footnote_rc document_find(struct tx *tx, const struct document_name *name,
                               struct document_row *out,
                               struct footnote_err *err);
/* The same for deleting it: a repeat finds the deleted one again, and not the
 * next one with the id. */
enum footnote_rc document_find_any(struct tx *tx,
                                   const struct document_name *name,
                                   struct document_row *out,
                                   struct footnote_err *err);
/* By its id in a course, whoever asks. */
enum footnote_rc document_in(struct tx *tx, int64_t course, struct str id,
                             struct document_row *out,
                             struct footnote_err *err);
/* In the courses that the asker owns. */
enum footnote_rc document_own(struct tx *tx, struct str id,
                              struct document_row *out,
                              struct footnote_err *err);
/* NOTFOUND unless it is there and the asker has at least that role. */
enum footnote_rc document_need(struct tx *tx, const struct document_name *name,
                               enum member_role role, struct document_row *out,
                               struct footnote_err *err);
/* Tells readers that what they remember of documents is out of date. */
enum footnote_rc docs_changed(struct tx *tx, struct footnote_err *err);
/* The same when the document can be searched from now on, or no longer. */
enum footnote_rc search_changed(struct tx *tx, int64_t document,
                                struct footnote_err *err);
/* That a row whose sealed columns begin at `first` is as it was sealed. */
enum footnote_rc document_check(struct tx *tx, struct db_cur *cur, int first,
                                struct footnote_err *err);
/* Before columns under its seal are changed. */
enum footnote_rc document_open(struct tx *tx, int64_t key,
                               struct footnote_err *err);
/* Erases the text of all sources that cite it. */
enum footnote_rc sources_redact(struct tx *tx, int64_t document,
                                struct footnote_err *err);
/* ---- empty.c ------------------------------------------------------------ */

enum { DOCUMENT_EMPTY_AT_ONCE = 2000 }; /* passages */
/* Of a document that is being deleted: deletes its job and as many passages as
 * there is *room for, which becomes less; its objects become garbage.  The
 * sweep deletes the rest. */
enum footnote_rc document_empty(struct tx *tx, int64_t key, int64_t *room,
                                struct footnote_err *err);
/* Deletes more passages of a deleted document.  store->emptying: there may be
 * still more. */
enum footnote_rc documents_sweep(struct tx *tx, struct footnote_err *err);

/* ---- Objects: counted for who brought them ------------------------------ */

struct object_new {
    struct str key;
    int64_t account, bytes;
    const struct sha256 *digest;
};
enum footnote_rc object_add(struct tx *tx, const struct object_new *o,
                            struct footnote_err *err);
/* Nothing names it any more. */
enum footnote_rc object_bury(struct tx *tx, struct str key,
                             struct footnote_err *err);
/* The rows of a statement that has buried objects; *bytes of them all. */
enum footnote_rc objects_buried(struct tx *tx, struct db_cur *cur,
                                int64_t *bytes, struct footnote_err *err);

/* Reads a document by its key, with the facts of one version;
 * *found false when there is no such version.  Texts live in `out`. */
enum footnote_rc document_load(struct tx *tx, struct arena *out, int64_t key,
                               int64_t version, struct document *d, bool *found,
                               struct footnote_err *err);

/* Queues a version of a document to be read in. */
enum footnote_rc job_put(struct tx *tx, int64_t document, int64_t version,
                         struct footnote_err *err);
/* Part of the sweep: renews our jobs, frees those of dead nodes; our own as
 * well when the store closes. */
enum footnote_rc jobs_sweep(struct tx *tx, bool renew,
                            struct footnote_err *err);

/* Deletes the pictures of a slide of the course, or of all slides when it is
 * absent; their objects become garbage. */
enum footnote_rc snapshots_drop(struct tx *tx, int64_t course, struct str slide,
                                struct footnote_err *err);

#endif
