/* put.c - a new document, or a new version of one.
 *
 * A new version makes new passages beside the old ones: an old citation keeps
 * what it quoted, and search moves on when the new version is ready.
 *
 * Rows of objects are made here, in the transaction that first names them, so
 * no row is without its object: the caller stored it before. */
#include <assert.h>
#include <math.h>

#include "cite/source.h"
#include "store/check.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/id_cache.h"
#include "store/seal.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/source/digest.h"
#include "store/source/pool.h"
#include "store/state.h"
#include "store/usage.h"

/* ---- Bad input ---------------------------------------------------------- */

static enum footnote_rc check_numbers(const struct document *d,
                                      struct footnote_err *err)
{
    if (d->kind < DOCUMENT_SLIDES || d->kind > DOCUMENT_TEXT)
        return err_field(err, FOOTNOTE_INVALID, "kind", "%d does not exist",
                         (int)d->kind);
    if ((d->has_bytes && d->bytes < 0) || d->media.bytes < 0)
        return err_field(err, FOOTNOTE_INVALID, "bytes", "is negative");
    if (d->has_pages && (d->pages < 0 || d->pages > INT32_MAX))
        return err_field(err, FOOTNOTE_INVALID, "pages", "not 0 to %d",
                         INT32_MAX);
    if (d->has_seconds && !(isfinite(d->seconds) && d->seconds >= 0))
        return err_field(err, FOOTNOTE_INVALID, "durationSeconds",
                         "is negative or not a number");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_file(const struct document *d,
                                   struct footnote_err *err)
{
    size_t label = SOURCE_LABEL_BYTES_MAX, id = STORE_ID_BYTES_MAX;

    TRY(check_text(d->filename, label, "filename", err));
    TRY(check_text(d->media_type, id, "mediaType", err));
    TRY(check_text(d->object_key, id, "object key", err));
    TRY(check_text(d->language, id, "language", err));
    TRY(check_text(d->media.filename, label, "filename of media", err));
    TRY(check_text(d->media.media_type, id, "mediaType of media", err));
    TRY(check_text(d->media.object_key, id, "object key of media", err));
    return check_text(d->media.url, label, "media", err);
}

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct document_put *op = arg;
    const struct document *d = &op->document;
    size_t label = SOURCE_LABEL_BYTES_MAX;

    (void)tx;
    if (op->must_exist ? !d->id.p : !d->course.p)
        return err_field(err, FOOTNOTE_INVALID,
                         op->must_exist ? "id" : "course", "is missing");
    TRY(check_numbers(d, err));
    TRY(check_id(d->id, "id", err));
    TRY(check_id(d->course, "course", err));
    TRY(check_text(d->title, label, "title", err));
    TRY(check_text(d->date, STORE_ID_BYTES_MAX, "date", err));
    TRY(check_text(d->url, label, "url", err));
    TRY(check_file(d, err));
    id_or_new(d->id, op->id_text);
    return FOOTNOTE_OK;
}

/* ---- Which document it is ----------------------------------------------- */

/* A document that comes without an id is known by its entry, URL or bytes. */
static enum footnote_rc find_same(struct tx *tx, const struct document *d,
                                  int64_t course, struct db_cur **cur,
                                  bool *row, struct footnote_err *err)
{
    if (d->kind == DOCUMENT_JOURNAL && d->date.p && d->title.p)
        return db_one(tx->db, STMT_DOCUMENT_ENTRY, cur, row, err,
                      db_i64(tx->tenant), db_i64(course), db_text(d->date),
                      db_text(d->title), db_i64(d->kind));
    if (d->kind == DOCUMENT_PAGE && d->url.p)
        return db_one(tx->db, STMT_DOCUMENT_URL, cur, row, err,
                      db_i64(tx->tenant), db_i64(course), db_text(d->url),
                      db_i64(d->kind));
    return db_one(tx->db, STMT_DOCUMENT_SAME, cur, row, err,
                  db_blob(digest_str(&d->digest)), db_i64(tx->tenant),
                  db_i64(course));
}

static bool key_is(struct str ours, struct str row)
{
    return ours.p && str_eq(ours, row);
}

/* *same when the newest version has the same bytes and recording.  `keeps` is
 * set when it has our objects: an earlier run of this was committed. */
static enum footnote_rc compare(struct tx *tx, struct document_put *op,
                                const struct document_row *r, bool *same,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct document *d = &op->document;
    const struct document_media *m = &d->media;
    bool row;

    TRY(db_one(tx->db, STMT_DOCUMENT_HELD, &cur, &row, err, db_i64(tx->tenant),
               db_i64(r->key), db_i64(r->version)));
    if (row)
        TRY(seal_check_key(tx, SEALED_VERSION, cur, 0, err, db_i64(tx->tenant),
                           db_i64(r->key), db_i64(r->version)));
    *same = row && str_eq(db_col_str(cur, COL_VERSION_SEALED_DIGEST),
                          digest_str(&d->digest));
    if (*same && m->object_key.p)
        *same = str_eq(db_col_str(cur, COL_DOCUMENT_HELD_RECORDING_DIGEST),
                       digest_str(&m->digest));
    if (*same && m->url.p)
        *same =
            str_eq(db_col_str(cur, COL_VERSION_SEALED_RECORDING_URL), m->url);
    op->keeps = row && key_is(d->object_key,
                              db_col_str(cur, COL_VERSION_SEALED_OBJECT_KEY));
    op->keeps_media =
        row && key_is(m->object_key,
                      db_col_str(cur, COL_VERSION_SEALED_RECORDING_KEY));
    return FOOTNOTE_OK;
}

/* ---- Rows --------------------------------------------------------------- */

static enum footnote_rc objects_insert(struct tx *tx, struct document_put *op,
                                       struct footnote_err *err)
{
    const struct document *d = &op->document;
    const struct document_media *m = &d->media;

    op->keeps = d->object_key.p != NULL;
    op->keeps_media = m->object_key.p != NULL;
    if (op->keeps)
        TRY(object_add(tx,
                       &(struct object_new){d->object_key, tx->account,
                                            d->bytes, &d->digest},
                       err));
    if (op->keeps_media)
        TRY(object_add(tx,
                       &(struct object_new){m->object_key, tx->account,
                                            m->bytes, &m->digest},
                       err));
    return FOOTNOTE_OK;
}

/* What a new version needs, and a document when it is the first. */
static struct usage needed(const struct document_put *op, bool first)
{
    const struct document *d = &op->document;

    return (struct usage){.bytes = SQL_USAGE_VERSION +
                                   (d->object_key.p ? d->bytes : 0) +
                                   (d->media.object_key.p ? d->media.bytes : 0),
                          .documents = first};
}

static enum footnote_rc version_insert(struct tx *tx, struct document_put *op,
                                       int64_t key, struct footnote_err *err)
{
    const struct document *d = &op->document;
    const struct document_media *m = &d->media;

    op->made = true;
    TRY(objects_insert(tx, op, err));
    TRY(usage_add(tx, tx->account, (struct usage){.bytes = SQL_USAGE_VERSION},
                  err));
    TRY(seal_new(tx, SEALED_VERSION, err, db_i64(tx->tenant), db_i64(key),
                 db_i64(op->version)));
    TRY(db_do(
        tx->db, STMT_VERSION_NEW, err, db_i64(tx->tenant), db_i64(key),
        db_i64(op->version), db_blob(digest_str(&d->digest)),
        db_text(d->filename), db_text(d->media_type), db_text(d->object_key),
        db_opt(d->has_bytes, d->bytes), db_opt(d->has_pages, d->pages),
        db_opt_f64(d->has_seconds, d->seconds), db_i64(tx->now_ms),
        db_text(m->object_key), db_text(m->url), db_text(m->filename),
        db_text(m->media_type), db_text(d->language), db_i64(tx->account)));
    if (op->queue)
        TRY(job_put(tx, key, op->version, err));
    else if (op->version > 1)
        TRY(db_do(tx->db, STMT_JOB_DELETE, err, db_i64(tx->tenant),
                  db_i64(key)));
    return docs_changed(tx, err);
}

/* Sources that named it in its own course before it came cite it from now on:
 * whoever brings it there may write to that course. */
static enum footnote_rc bind_sources(struct tx *tx, int64_t course,
                                     struct str id, int64_t key,
                                     struct footnote_err *err)
{
    struct db_value before[SEAL_COLUMNS_MAX] = {db_null()},
                    after[SEAL_COLUMNS_MAX] = {db_null()};
    int64_t rows;

    before[COL_SOURCE_SEALED_DOCUMENT] = db_i64(0);
    before[COL_SOURCE_SEALED_VERSION] = db_i64(0);
    after[COL_SOURCE_SEALED_DOCUMENT] = db_i64(key);
    after[COL_SOURCE_SEALED_VERSION] = db_i64(1);
    TRY(db_change(tx->db, STMT_SOURCES_BIND, &rows, err, db_i64(key),
                  db_i64(seal_change(SEALED_SOURCE, before, after)),
                  db_i64(tx->tenant), db_i64(course), db_text(id)));
    if (rows)
        pool_forget(tx->store->pool);
    return FOOTNOTE_OK;
}

static enum footnote_rc put_new(struct tx *tx, struct document_put *op,
                                int64_t course, struct footnote_err *err)
{
    const struct document *d = &op->document;
    int64_t key;

    TRY(usage_check(tx, needed(op, true), err));
    TRY(usage_add(tx, tx->account, (struct usage){.documents = 1}, err));
    TRY(key_new(tx, &key, err));
    TRY(seal_new(tx, SEALED_DOCUMENT, err, db_i64(tx->tenant), db_i64(key)));
    TRY(db_do(tx->db, STMT_DOCUMENT_NEW, err, db_i64(tx->tenant), db_i64(key),
              db_text(str_c(op->id_text)), db_i64(course), db_i64(d->kind),
              db_text(d->title), db_text(d->date), db_text(d->url),
              db_i64(tx->now_ms), db_i64(tx->account)));
    TRY(bind_sources(tx, course, str_c(op->id_text), key, err));
    op->version = 1;
    return version_insert(tx, op, key, err);
}

/* A file that could not be read before may be readable now: a limit was raised,
 * a program installed. */
static enum footnote_rc put_again(struct tx *tx, struct document_put *op,
                                  const struct document_row *r,
                                  struct footnote_err *err)
{
    op->made = tx->again && op->keeps;
    if (!op->queue || r->status != DOCUMENT_FAILED)
        return FOOTNOTE_OK;
    op->retried = true;
    TRY(document_open(tx, r->key, err));
    TRY(db_do(tx->db, STMT_DOCUMENT_AGAIN, err, db_i64(tx->tenant),
              db_i64(r->key)));
    return job_put(tx, r->key, r->version, err);
}

static enum footnote_rc put_version(struct tx *tx, struct document_put *op,
                                    const struct document_row *r,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct document *d = &op->document;
    bool same, row;

    assert(r->found && !r->deleted);
    op->version = r->version;
    TRY(compare(tx, op, r, &same, err));
    if (same)
        return put_again(tx, op, r, err);
    TRY(usage_check(tx, needed(op, false), err));
    TRY(document_open(tx, r->key, err));
    TRY(db_one(tx->db, STMT_DOCUMENT_NEXT, &cur, &row, err, db_text(d->title),
               db_text(d->url), db_i64(tx->tenant), db_i64(r->key)));
    op->version = db_col_i64(cur, COL_DOCUMENT_NEXT_VERSION);
    return version_insert(tx, op, r->key, err);
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_put *op = arg;
    struct document_name name = {op->document.id, op->document.course};
    struct document_row r;
    struct course_row c;
    bool same = false;

    op->made = op->retried = op->keeps = op->keeps_media = false;
    if (op->must_exist) {
        TRY(document_need(tx, &name, MEMBER_EDITOR, &r, err));
        TRY(course_id_of(tx, r.course, op->course_text, err));
        return put_version(tx, op, &r, err);
    }
    TRY(course_need(tx, op->document.course, MEMBER_EDITOR, &c, err));
    id_or_new(op->document.course, op->course_text);
    if (!op->document.id.p)
        TRY(find_same(tx, &op->document, c.key, &cur, &same, err));
    if (same)
        TRY(document_check(tx, cur, 0, err));
    if (same)
        TRY(id_copy(db_col_str(cur, COL_DOCUMENT_SEALED_ID), op->id_text, err));
    TRY(document_in(tx, c.key, str_c(op->id_text), &r, err));
    if (!r.found)
        return put_new(tx, op, c.key, err);
    if (r.deleted)
        return err_field(err, FOOTNOTE_CONFLICT, "document", "id is taken");
    return put_version(tx, op, &r, err);
}

const struct store_op document_put_op = {put_prepare, put_run};
