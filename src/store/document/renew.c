/* renew.c - a damaged passage is made anew: its file is read in again.
 *
 * A position that is there stays as it is when a version is read in, so the
 * damaged row goes, and reading puts the right one in its place.  Nothing else
 * of the version changes; it is searched meanwhile. */
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/document/job.h"
#include "store/seal.h"
#include "store/store.h"

/* Whether the row is there and still damaged: it may have been mended, or it
 * was the disk that read it wrong. */
static enum footnote_rc still_damaged(struct tx *tx,
                                      const struct passage_renew *op,
                                      bool *damaged, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_PASSAGE_SEAL_READ, &cur, &row, err,
               db_i64(op->tenant), db_i64(op->document), db_i64(op->version),
               db_i64(op->position)));
    *damaged = row && !seal_fits(SEALED_PASSAGE, cur, 0);
    return FOOTNOTE_OK;
}

/* Only the newest version is read in, and only one that has a file.  One that
 * waits for that, because of another passage, will be read from its start; one
 * that is being read may be past this passage. */
static bool can_be_read(const struct document *d, int64_t version)
{
    return d->object_key.p && d->version == version &&
           d->searchable_version == version &&
           (d->status == DOCUMENT_READY || d->status == DOCUMENT_QUEUED);
}

static enum footnote_rc renew_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct passage_renew *op = arg;
    struct document d;
    bool damaged, found;

    op->queued = false;
    TRY(still_damaged(tx, op, &damaged, err));
    if (!damaged)
        return FOOTNOTE_OK;
    tx->tenant = op->tenant;
    TRY(document_load(tx, tx->scratch, op->document, op->version, &d, &found,
                      err));
    if (!found || !can_be_read(&d, op->version))
        return FOOTNOTE_OK;
    TRY(db_do(tx->db, STMT_PASSAGE_DROP, err, db_i64(op->tenant),
              db_i64(op->document), db_i64(op->version), db_i64(op->position)));
    TRY(document_open(tx, op->document, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_AGAIN, err, db_i64(op->tenant),
              db_i64(op->document)));
    TRY(job_put(tx, op->document, op->version, err));
    op->queued = true;
    return docs_changed(tx, err);
}

const struct store_op passage_renew_op = {NULL, renew_run};
