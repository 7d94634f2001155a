/* job.c - documents that wait to be read in, or are being read.
 *
 * A job is claimed by an update that finds it unclaimed, and every later step
 * names the claim's epoch in its statement, as with answers: the database
 * decides who holds a job, clocks only when a silent holder is given up. */
#include <assert.h>

#include "base/uuid.h"
#include "cite/source.h"
#include "store/check.h"
#include "store/db_clock.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/document/job.h"
#include "store/document/passage.h"
#include "store/document/reason.h"
#include "store/list.h"
#include "store/seal.h"
#include "store/source/digest.h"
#include "store/state.h"
#include "store/sweep.h"
#include "store/usage.h"

static const char gave_up[] =
    "Reading this file broke off several times. The file may be damaged; "
    "try saving it again with the program that made it.";

enum footnote_rc job_put(struct tx *tx, int64_t document, int64_t version,
                         struct footnote_err *err)
{
    return db_do(tx->db, STMT_JOB_PUT, err, db_i64(tx->tenant),
                 db_i64(document), db_i64(version), db_i64(tx->db_ms),
                 db_i64(tx->account));
}

static enum footnote_rc set_status(struct tx *tx, int64_t document,
                                   enum document_status status,
                                   struct str error, struct str error_code,
                                   struct footnote_err *err)
{
    TRY(document_open(tx, document, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_STATUS, err, db_i64(status), db_text(error),
              db_text(error_code), db_i64(status == DOCUMENT_READY),
              db_i64(tx->tenant), db_i64(document)));
    return status == DOCUMENT_READY ? search_changed(tx, document, err)
                                    : docs_changed(tx, err);
}

/* ---- Claiming ----------------------------------------------------------- */

struct waiting_job {
    bool row;
    int64_t tenant, document, version, attempts;
    struct str tenant_name; /* in the caller's arena */
    struct job_place place;
};

/* The account with `most` jobs here; when nearly all workers are its own, there
 * is only one. */
static enum footnote_rc find_most(struct tx *tx, int64_t most, int64_t *tenant,
                                  int64_t *account, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_JOB_MOST, &cur, &row, err,
               db_text(str_c(tx->store->node)), db_i64(most)));
    if (row) {
        *tenant = db_col_i64(cur, COL_JOB_MOST_TENANT);
        *account = db_col_i64(cur, COL_JOB_MOST_ACCOUNT);
    }
    return FOOTNOTE_OK;
}

/* What this node reads now: how many, and how often the one that was claimed
 * most. */
static enum footnote_rc count_reading(struct tx *tx, int64_t *n,
                                      int64_t *attempts,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_JOB_READING, &cur, &row, err,
               db_text(str_c(tx->store->node))));
    *n = row ? db_col_i64(cur, COL_JOB_READING_N) : 0;
    *attempts = row ? db_col_i64(cur, COL_JOB_READING_ATTEMPTS) : 0;
    return FOOTNOTE_OK;
}

/* One that was claimed less than `below` times. */
static enum footnote_rc next_below(struct tx *tx, const struct job_claim *op,
                                   int64_t below, struct db_cur **cur,
                                   bool *row, struct footnote_err *err)
{
    int64_t tenant = -1, account = -1;

    if (op->most > 0)
        TRY(find_most(tx, op->most, &tenant, &account, err));
    TRY(db_one(tx->db, STMT_JOB_NEXT, cur, row, err, db_i64(tenant),
               db_i64(account), db_i64(below)));
    if (*row || account < 0)
        return FOOTNOTE_OK;
    db_end(cur);
    return db_one(tx->db, STMT_JOB_NEXT, cur, row, err, db_i64(-1), db_i64(-1),
                  db_i64(below));
}

static enum footnote_rc next_job(struct tx *tx, const struct job_claim *op,
                                 struct db_cur **cur, bool *row,
                                 struct footnote_err *err)
{
    int64_t reading, attempts;

    *row = false;
    TRY(count_reading(tx, &reading, &attempts, err));
    if (attempts > JOB_SHARED_MAX)
        return FOOTNOTE_OK; /* it is read alone */
    TRY(next_below(tx, op, JOB_SHARED_MAX, cur, row, err));
    if (*row || reading > 0)
        return FOOTNOTE_OK;
    db_end(cur);
    return next_below(tx, op, INT16_MAX, cur, row, err);
}

static enum footnote_rc find_job(struct tx *tx, const struct job_claim *op,
                                 struct waiting_job *f,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    if (tx->again)
        TRY(db_one(tx->db, STMT_JOB_MINE, &cur, &f->row, err,
                   db_i64(op->epoch)));
    else
        TRY(next_job(tx, op, &cur, &f->row, err));
    if (!f->row)
        return FOOTNOTE_OK;
    f->tenant = db_col_i64(cur, COL_JOB_TENANT);
    f->document = db_col_i64(cur, COL_JOB_DOCUMENT);
    f->version = db_col_i64(cur, COL_JOB_VERSION);
    f->attempts = db_col_i64(cur, COL_JOB_ATTEMPTS);
    f->tenant_name = arena_str(op->out, db_col_str(cur, COL_JOB_TENANT_NAME));
    f->place = (struct job_place){db_col_i64(cur, COL_JOB_PAGES),
                                  db_col_i64(cur, COL_JOB_POSITION),
                                  db_col_i64(cur, COL_JOB_BLANK)};
    tx->tenant = f->tenant;
    return arena_rc(op->out, err);
}

static enum footnote_rc take_job(struct tx *tx, const struct job_claim *op,
                                 struct waiting_job *f,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    if (tx->again)
        return FOOTNOTE_OK; /* find_job() has found our own claim */
    TRY(db_one(tx->db, STMT_JOB_TAKE, &cur, &f->row, err,
               db_text(str_c(tx->store->node)), db_i64(lease_until_ms(tx)),
               db_i64(op->epoch), db_i64(f->tenant), db_i64(f->document)));
    if (f->row)
        f->attempts = db_col_i64(cur, COL_JOB_TAKE_ATTEMPTS);
    return FOOTNOTE_OK;
}

static enum footnote_rc fill_job(struct tx *tx, struct job_claim *op,
                                 const struct waiting_job *f,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool found, row;

    op->job = (struct job){.tenant = f->tenant_name,
                           .epoch = op->epoch,
                           .attempts = f->attempts,
                           .place = f->place,
                           .tenant_key = f->tenant};
    TRY(document_load(tx, op->out, f->document, f->version, &op->job.document,
                      &found, err));
    if (!found)
        return err_set(err, FOOTNOTE_INTERNAL, "a job's version is gone");
    TRY(db_one(tx->db, STMT_PASSAGES_LAST, &cur, &row, err, db_i64(f->tenant),
               db_i64(f->document), db_i64(f->version)));
    op->job.passages = row ? db_col_i64(cur, COL_PASSAGES_LAST_POSITION) : 0;
    op->found = true;
    op->job.document.status = DOCUMENT_INDEXING;
    return set_status(tx, f->document, DOCUMENT_INDEXING, STR_NONE, STR_NONE,
                      err);
}

/* A job that ends its process each time is not tried for ever. */
static enum footnote_rc give_up(struct tx *tx, const struct waiting_job *f,
                                struct footnote_err *err)
{
    TRY(db_do(tx->db, STMT_JOB_DELETE, err, db_i64(f->tenant),
              db_i64(f->document)));
    TRY(db_do(tx->db, STMT_PASSAGES_UNDO, err, db_i64(f->tenant),
              db_i64(f->document), db_i64(f->version)));
    return set_status(tx, f->document, DOCUMENT_FAILED, str_c(gave_up),
                      str_c(reason_code(REASON_GAVE_UP)), err);
}

static enum footnote_rc claim_prepare(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    struct job_claim *op = arg;

    (void)tx;
    (void)err;
    assert(op->out);
    random_bytes(&op->epoch, sizeof(op->epoch));
    op->epoch = (op->epoch & INT64_MAX) | 1; /* 0: no holder */
    return FOOTNOTE_OK;
}

static enum footnote_rc claim_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct job_claim *op = arg;
    struct waiting_job f = {.row = false};

    op->found = false;
    TRY(find_job(tx, op, &f, err));
    if (tx->again && !f.row) { /* the first run was not committed */
        tx->again = false;
        TRY(find_job(tx, op, &f, err));
    }
    if (!f.row)
        return FOOTNOTE_OK;
    if (!tx->again && f.attempts >= JOB_ATTEMPTS_MAX)
        return give_up(tx, &f, err);
    TRY(take_job(tx, op, &f, err));
    return f.row ? fill_job(tx, op, &f, err) : FOOTNOTE_OK;
}

const struct store_op job_claim_op = {claim_prepare, claim_run};

/* ---- Steps -------------------------------------------------------------- */

static enum footnote_rc ended(struct footnote_err *err)
{
    return err_set(err, FOOTNOTE_ENDED,
                   "the document was replaced, deleted or taken over");
}

/* Holds the job for this transaction, in the job's tenant. */
static enum footnote_rc hold(struct tx *tx, const struct job *j,
                             struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    assert(j->epoch != 0);
    tx->tenant = j->tenant_key;
    TRY(db_one(tx->db, STMT_JOB_HOLD, &cur, &row, err,
               db_i64(lease_until_ms(tx)), db_i64(j->tenant_key),
               db_i64(j->document.key), db_i64(j->epoch)));
    return row ? FOOTNOTE_OK : ended(err);
}

static enum footnote_rc step_prepare(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    const struct job_step *op = arg;
    const struct document_progress *p = &op->progress;

    (void)tx;
    if ((int)p->unit < UNIT_NONE || p->unit > UNIT_BYTES || p->done < 0 ||
        p->total < 0)
        return err_field(err, FOOTNOTE_INVALID, "progress", "makes no sense");
    return passages_check(op->passages, op->passages_n, err);
}

static enum footnote_rc step_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    const struct job_step *op = arg;
    const struct document *d = &op->job->document;

    TRY(hold(tx, op->job, err));
    if (op->job->attempts > 1 && (op->passages_n > 0 || op->place))
        TRY(db_do(tx->db, STMT_JOB_MOVED, err, db_i64(tx->tenant),
                  db_i64(d->key), db_i64(op->job->epoch)));
    TRY(passages_insert(tx, d->key, d->version, op->passages, op->passages_n,
                        err));
    if (op->place)
        TRY(db_do(tx->db, STMT_JOB_PLACE, err, db_i64(op->place->pages),
                  db_i64(op->place->position), db_i64(op->place->blank),
                  db_i64(tx->tenant), db_i64(d->key), db_i64(op->job->epoch)));
    if (op->progress.unit == UNIT_NONE)
        return FOOTNOTE_OK;
    return db_do(tx->db, STMT_DOCUMENT_PROGRESS, err, db_i64(op->progress.unit),
                 db_i64(op->progress.done), db_i64(op->progress.total),
                 db_i64(tx->tenant), db_i64(d->key));
}

const struct store_op job_step_op = {step_prepare, step_run};

/* From here on the job asks as the one who brought its version. */
static enum footnote_rc act_for(struct tx *tx, const struct document *d,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(tx->db, STMT_VERSION_BY, &cur, &row, err, db_i64(tx->tenant),
               db_i64(d->key), db_i64(d->version)));
    tx->account = row ? db_col_i64(cur, COL_VERSION_BY_ACCOUNT) : 0;
    return FOOTNOTE_OK;
}

static enum footnote_rc fetched_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    const struct job_fetched *op = arg;
    const struct document *d = &op->job->document;

    TRY(hold(tx, op->job, err));
    TRY(act_for(tx, d, err));
    TRY(usage_check(tx, (struct usage){.bytes = op->bytes + 1}, err));
    if (d->object_key.p) /* of an earlier claim, which was not finished */
        TRY(object_bury(tx, d->object_key, err));
    TRY(object_add(tx,
                   &(struct object_new){op->object_key, tx->account, op->bytes,
                                        &op->digest},
                   err));
    TRY(seal_open(tx, SEALED_VERSION, err, db_i64(tx->tenant), db_i64(d->key),
                  db_i64(d->version)));
    return db_do(tx->db, STMT_VERSION_FETCHED, err, db_text(op->object_key),
                 db_blob(digest_str(&op->digest)), db_i64(op->bytes),
                 db_text(op->media_type), db_i64(tx->tenant), db_i64(d->key),
                 db_i64(d->version));
}

const struct store_op job_fetched_op = {NULL, fetched_run};

/* ---- Ends --------------------------------------------------------------- */

static enum footnote_rc end_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    const struct job_end *op = arg;
    size_t label = SOURCE_LABEL_BYTES_MAX;

    (void)tx;
    if (op->status != DOCUMENT_READY && op->status != DOCUMENT_FAILED)
        return err_field(err, FOOTNOTE_INVALID, "status", "%d is no end",
                         (int)op->status);
    TRY(check_text(op->error, label, "error", err));
    TRY(check_text(op->error_code, STORE_ID_BYTES_MAX, "error code", err));
    TRY(check_text(op->warning, label, "warning", err));
    TRY(check_text(op->title, label, "title", err));
    TRY(check_text(op->date, STORE_ID_BYTES_MAX, "date", err));
    TRY(check_text(op->page_labels, STORE_CONTENT_BYTES_MAX, "page labels",
                   err));
    TRY(check_text(op->encoding, STORE_ID_BYTES_MAX, "encoding", err));
    return check_text(op->language, STORE_ID_BYTES_MAX, "language", err);
}

static enum footnote_rc end_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct job_end *op = arg;
    const struct document *d = &op->job->document;
    bool row;

    tx->tenant = op->job->tenant_key;
    TRY(db_one(tx->db, STMT_JOB_CLOSE, &cur, &row, err, db_i64(tx->tenant),
               db_i64(d->key), db_i64(op->job->epoch)));
    if (!row) /* an earlier run closed it, or another worker */
        return tx->again ? FOOTNOTE_OK : ended(err);
    if (op->status == DOCUMENT_READY) {
        TRY(seal_open(tx, SEALED_VERSION, err, db_i64(tx->tenant),
                      db_i64(d->key), db_i64(d->version)));
        TRY(db_do(
            tx->db, STMT_VERSION_FACTS, err, db_opt(op->has_pages, op->pages),
            db_opt_f64(op->has_seconds, op->seconds), db_text(op->language),
            db_text(op->warning), db_opt(op->layout != LAYOUT_NONE, op->layout),
            db_text(op->page_labels), db_text(op->encoding), db_i64(tx->tenant),
            db_i64(d->key), db_i64(d->version)));
        TRY(document_open(tx, d->key, err));
        TRY(db_do(tx->db, STMT_DOCUMENT_FACTS, err, db_text(op->title),
                  db_text(op->date), db_i64(tx->tenant), db_i64(d->key)));
    } else {
        TRY(db_do(tx->db, STMT_PASSAGES_UNDO, err, db_i64(tx->tenant),
                  db_i64(d->key), db_i64(d->version)));
    }
    return set_status(tx, d->key, op->status, op->error, op->error_code, err);
}

const struct store_op job_end_op = {end_prepare, end_run};

static enum footnote_rc free_job(struct tx *tx, const struct job *j,
                                 bool uncount, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    tx->tenant = j->tenant_key;
    TRY(db_one(tx->db, STMT_JOB_FREE, &cur, &row, err, db_i64(uncount),
               db_i64(tx->tenant), db_i64(j->document.key), db_i64(j->epoch)));
    if (!row)
        return FOOTNOTE_OK; /* not ours any more */
    return set_status(tx, j->document.key, DOCUMENT_QUEUED, STR_NONE, STR_NONE,
                      err);
}

static enum footnote_rc release_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    const struct job_release *op = arg;

    return free_job(tx, op->job, !op->counts, err);
}

const struct store_op job_release_op = {NULL, release_run};

static enum footnote_rc waits_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct job_waits *op = arg;

    return db_one_n(tx->db, STMT_JOB_WAITS, NULL, 0, &cur, &op->waits, err);
}

const struct store_op job_waits_op = {NULL, waits_run};

static enum footnote_rc count_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct job_count *op = arg;
    bool row;

    TRY(db_one_n(tx->db, STMT_JOB_COUNT, NULL, 0, &cur, &row, err));
    op->waiting = row ? db_col_i64(cur, COL_JOB_COUNT_WAITING) : 0;
    op->running = row ? db_col_i64(cur, COL_JOB_COUNT_RUNNING) : 0;
    return FOOTNOTE_OK;
}

const struct store_op job_count_op = {NULL, count_run};

/* ---- The sweep ---------------------------------------------------------- */

struct lost {
    struct job job;
    bool ours; /* we are closing; it did not break us */
};

/* Reads all rows first: freeing a job changes the table that is being read. */
static enum footnote_rc find_lost(struct tx *tx, struct lost **jobs, size_t *n,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run_n(tx->db, STMT_JOB_HELD, NULL, 0, &cur, err));
    for (;;) {
        struct lost *l;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (!lease_is_lost(tx, db_col_str(cur, COL_JOB_HELD_NODE),
                           db_col_i64(cur, COL_JOB_HELD_UNTIL_MS)))
            continue;
        l = list_add(tx->scratch, jobs, n, sizeof(*l));
        if (!l)
            return arena_rc(tx->scratch, err);
        l->job.tenant_key = db_col_i64(cur, COL_JOB_HELD_TENANT);
        l->job.document.key = db_col_i64(cur, COL_JOB_HELD_DOCUMENT);
        l->job.epoch = db_col_i64(cur, COL_JOB_HELD_EPOCH);
        l->ours =
            str_eq(db_col_str(cur, COL_JOB_HELD_NODE), str_c(tx->store->node));
    }
}

enum footnote_rc jobs_sweep(struct tx *tx, bool renew, struct footnote_err *err)
{
    struct lost *lost = NULL;
    size_t n = 0;

    if (renew)
        TRY(db_do(tx->db, STMT_JOB_RENEW, err, db_i64(lease_until_ms(tx)),
                  db_text(str_c(tx->store->node))));
    TRY(find_lost(tx, &lost, &n, err));
    for (size_t i = 0; i < n; i++)
        TRY(free_job(tx, &lost[i].job, lost[i].ours, err));
    return FOOTNOTE_OK;
}
