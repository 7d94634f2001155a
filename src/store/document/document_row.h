/* document_row.h - a document's row, its job and its pictures, for operations.
 */
#ifndef STORE_DOCUMENT_DOCUMENT_ROW_H
#define STORE_DOCUMENT_DOCUMENT_ROW_H
#include "store/document/document.h"
#include "store/session/course.h"

struct tx;

struct document_row {
    int64_t key, course, version, searchable_version;
    enum document_status status;
    bool found, deleted, redacted;
};
enum footnote_rc document_find(struct tx *tx, struct str id,
                               struct document_row *out,
                               struct footnote_err *err);
/* NOTFOUND unless it is there and the asker has at least that role. */
enum footnote_rc document_need(struct tx *tx, struct str id,
                               enum member_role role, struct document_row *out,
                               struct footnote_err *err);
/* Tells readers that what they remember of documents is out of date. */
enum footnote_rc docs_changed(struct tx *tx, struct footnote_err *err);
/* Deletes its job and passages; its objects become garbage. */
enum footnote_rc document_empty(struct tx *tx, int64_t key,
                                struct footnote_err *err);
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
