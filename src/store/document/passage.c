/* passage.c - checking, storing and reading passages.
 *
 * A position that is there stays as it is: reading a file in again, after a
 * crash in the middle, ends with the same passages. */
#include <math.h>

#include "cite/source.h"
#include "store/check.h"
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/document/passage.h"
#include "store/list.h"
#include "store/seal.h"
#include "store/session/course.h"

static enum footnote_rc check_passage(const struct passage *p,
                                      struct footnote_err *err)
{
    if (p->position < 1 || p->position > INT32_MAX)
        return err_field(err, FOOTNOTE_INVALID, "position", "not 1 to %d",
                         INT32_MAX);
    if (p->page < 0 || p->page > INT32_MAX)
        return err_field(err, FOOTNOTE_INVALID, "page", "not 0 to %d",
                         INT32_MAX);
    if (p->has_seconds && !(isfinite(p->start) && isfinite(p->end) &&
                            p->start >= 0 && p->end >= p->start))
        return err_field(err, FOOTNOTE_INVALID, "seconds",
                         "are negative, not in order or not numbers");
    if (!p->text.p)
        return err_field(err, FOOTNOTE_INVALID, "text", "is missing");
    if (p->boxes.n > PASSAGE_BOXES_BYTES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "boxes", "over %d bytes",
                         PASSAGE_BOXES_BYTES_MAX);
    TRY(check_text(p->heading, SOURCE_LABEL_BYTES_MAX, "heading", err));
    TRY(check_text(p->locator, SOURCE_ID_BYTES_MAX, "locator", err));
    TRY(check_text(p->extra, STORE_CONTENT_BYTES_MAX, "extra", err));
    return check_text(p->text, SOURCE_TEXT_BYTES_MAX, "text", err);
}

enum footnote_rc passages_check(const struct passage *p, size_t n,
                                struct footnote_err *err)
{
    if (n > PASSAGES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "passages", "%zu, at most %d", n,
                         PASSAGES_MAX);
    for (size_t i = 0; i < n; i++)
        TRY(check_passage(&p[i], err));
    return FOOTNOTE_OK;
}

enum footnote_rc passages_insert(struct tx *tx, int64_t document,
                                 int64_t version, const struct passage *p,
                                 size_t n, struct footnote_err *err)
{
    for (size_t i = 0; i < n; i++, p++) {
        struct db_value row[COL_PASSAGE_SEALED_SEAL + 1] = {
            db_i64(tx->tenant),
            db_i64(document),
            db_i64(version),
            db_i64(p->position),
            db_opt(p->page > 0, p->page),
            db_opt_f64(p->has_seconds, p->start),
            db_opt_f64(p->has_seconds, p->end),
            db_text(p->heading),
            db_text(p->text),
            db_text(p->extra),
            db_blob(p->boxes),
            db_text(p->locator)};

        row[COL_PASSAGE_SEALED_SEAL] =
            seal_of(SEALED_PASSAGE, row, COL_PASSAGE_SEALED_SEAL);
        TRY(db_do_n(tx->db, STMT_PASSAGE_ADD, row, COL_PASSAGE_SEALED_SEAL + 1,
                    err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc add_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct passages_add *op = arg;

    (void)tx;
    return passages_check(op->passages, op->passages_n, err);
}

static enum footnote_rc add_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct passages_add *op = arg;
    struct document_name name = {op->document, op->course};
    struct document_row r;

    TRY(document_need(tx, &name, MEMBER_EDITOR, &r, err));
    if (op->version != r.version || r.status == DOCUMENT_READY)
        return err_field(err, FOOTNOTE_CONFLICT, "document",
                         "version %lld is not being read in",
                         (long long)op->version);
    return passages_insert(tx, r.key, op->version, op->passages, op->passages_n,
                           err);
}

const struct store_op passages_add_op = {add_prepare, add_run};

bool passage_is_whole(struct tx *tx, struct db_cur *cur, int first,
                      int64_t document)
{
    return seal_check_key(tx, SEALED_PASSAGE, cur, first, NULL,
                          db_i64(tx->tenant), db_i64(document)) == FOOTNOTE_OK;
}

static void read_passage(struct tx *tx, struct db_cur *cur, struct passage *p)
{
    *p = (struct passage){
        .position = db_col_i64(cur, COL_PASSAGE_SEALED_POSITION),
        .page = db_col_i64(cur, COL_PASSAGE_SEALED_PAGE),
        .has_seconds = !db_col_null(cur, COL_PASSAGE_SEALED_START_SECONDS),
        .start = db_col_f64(cur, COL_PASSAGE_SEALED_START_SECONDS),
        .end = db_col_f64(cur, COL_PASSAGE_SEALED_END_SECONDS),
        .heading =
            arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_HEADING)),
        .text = arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_TEXT)),
        .extra = arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_EXTRA)),
        .boxes = arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_BOXES)),
        .locator =
            arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_LOCATOR))};
}

static enum footnote_rc passages_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct passages_read *op = arg;
    struct document_name name = {op->document, op->course};
    struct document_row r;

    op->passages = NULL;
    op->passages_n = 0;
    TRY(document_need(tx, &name, MEMBER_READER, &r, err));
    TRY(db_run(tx->db, STMT_PASSAGES_READ, &cur, err, db_i64(tx->tenant),
               db_i64(r.key),
               db_i64(op->version ? op->version : r.searchable_version),
               db_i64(op->after_position), db_i64(op->page),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    for (;;) {
        struct passage *p;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        if (!passage_is_whole(tx, cur, 0, r.key))
            continue;
        p = list_add(tx->out, &op->passages, &op->passages_n, sizeof(*p));
        if (!p)
            return arena_rc(tx->out, err);
        read_passage(tx, cur, p);
    }
}

const struct store_op passages_read_op = {NULL, passages_run};
