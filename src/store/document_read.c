/* document_read.c - reading documents, and passages in and out. */
#include <math.h>

#include "store/inner.h"

static void read_version(struct tx *tx, struct db_cur *cur, struct document *d)
{
    struct str digest = db_col_str(cur, 14);

    d->filename = arena_str(tx->out, db_col_str(cur, 11));
    d->media_type = arena_str(tx->out, db_col_str(cur, 12));
    d->object_key = arena_str(tx->out, db_col_str(cur, 13));
    if (digest.n == SHA256_BYTES)
        memcpy(d->digest.b, digest.p, SHA256_BYTES);
    d->has_bytes = !db_col_null(cur, 15);
    d->bytes = db_col_i64(cur, 15);
    d->has_pages = !db_col_null(cur, 16);
    d->pages = db_col_i64(cur, 16);
    d->has_seconds = !db_col_null(cur, 17);
    d->seconds = db_col_f64(cur, 17);
}

static void read_document(struct tx *tx, struct db_cur *cur, struct document *d)
{
    *d = (struct document){.id = arena_str(tx->out, db_col_str(cur, 0)),
                           .course = arena_str(tx->out, db_col_str(cur, 1)),
                           .title = arena_str(tx->out, db_col_str(cur, 2)),
                           .date = arena_str(tx->out, db_col_str(cur, 3)),
                           .url = arena_str(tx->out, db_col_str(cur, 4)),
                           .kind = (enum document_kind)db_col_i64(cur, 5),
                           .status = (enum document_status)db_col_i64(cur, 6),
                           .error = arena_str(tx->out, db_col_str(cur, 7)),
                           .version = db_col_i64(cur, 8),
                           .searchable_version = db_col_i64(cur, 9),
                           .created_ms = db_col_i64(cur, 10),
                           .key = db_col_i64(cur, 18)};
    read_version(tx, cur, d);
}

static enum footnote_rc get_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_get *op = arg;
    struct document_row r;
    bool row;

    TRY(document_need(tx, op->id, MEMBER_READER, &r, err));
    TRY(db_one(tx->db, STMT_DOCUMENT_GET, &cur, &row, err, db_i64(tx->tenant),
               db_i64(r.key)));
    if (row)
        read_document(tx, cur, &op->document);
    return arena_rc(tx->out, err);
}

const struct store_op document_get_op = {NULL, get_run};

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_list *op = arg;
    struct course_row c;

    op->documents = NULL;
    op->documents_n = 0;
    TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    TRY(db_run(tx->db, STMT_DOCUMENT_LIST, &cur, err, db_i64(tx->tenant),
               db_i64(c.key), db_i64(op->after_key),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    for (;;) {
        struct document *d;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        d = list_add(tx->out, &op->documents, &op->documents_n, sizeof(*d));
        if (!d)
            return arena_rc(tx->out, err);
        read_document(tx, cur, d);
    }
}

const struct store_op document_list_op = {NULL, list_run};

/* ---- Passages ----------------------------------------------------------- */

enum { PASSAGES_MAX = 100 };

static enum footnote_rc check_passage(const struct passage *p,
                                      struct footnote_err *err)
{
    if (p->position < 1 || p->position > INT32_MAX)
        return err_set(err, FOOTNOTE_INVALID, "position: not 1 to %d",
                       INT32_MAX);
    if (p->page < 0 || p->page > INT32_MAX)
        return err_set(err, FOOTNOTE_INVALID, "page: not 0 to %d", INT32_MAX);
    if (p->has_seconds && !(isfinite(p->start) && isfinite(p->end) &&
                            p->start >= 0 && p->end >= p->start))
        return err_set(err, FOOTNOTE_INVALID,
                       "seconds: are negative, not in order or not numbers");
    if (!p->text.p)
        return err_set(err, FOOTNOTE_INVALID, "text: is missing");
    TRY(check_text(p->heading, SOURCE_LABEL_BYTES_MAX, "heading", err));
    TRY(check_text(p->extra, STORE_CONTENT_BYTES_MAX, "extra", err));
    return check_text(p->text, SOURCE_TEXT_BYTES_MAX, "text", err);
}

static enum footnote_rc add_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct passages_add *op = arg;

    (void)tx;
    if (op->passages_n > PASSAGES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "passages: %zu, at most %d",
                       op->passages_n, PASSAGES_MAX);
    for (size_t i = 0; i < op->passages_n; i++)
        TRY(check_passage(&op->passages[i], err));
    return FOOTNOTE_OK;
}

static enum footnote_rc add_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct passages_add *op = arg;
    struct document_row r;

    TRY(document_need(tx, op->document, MEMBER_EDITOR, &r, err));
    if (op->version != r.version || r.status == DOCUMENT_READY)
        return err_set(err, FOOTNOTE_CONFLICT,
                       "document: version %lld is not being read in",
                       (long long)op->version);
    for (size_t i = 0; i < op->passages_n; i++) {
        const struct passage *p = &op->passages[i];

        TRY(db_do(tx->db, STMT_PASSAGE_ADD, err, db_i64(tx->tenant),
                  db_i64(r.key), db_i64(op->version), db_i64(p->position),
                  db_opt(p->page > 0, p->page),
                  db_opt_f64(p->has_seconds, p->start),
                  db_opt_f64(p->has_seconds, p->end), db_text(p->heading),
                  db_text(p->text), db_text(p->extra)));
    }
    return FOOTNOTE_OK;
}

const struct store_op passages_add_op = {add_prepare, add_run};

static void read_passage(struct tx *tx, struct db_cur *cur, struct passage *p)
{
    *p = (struct passage){.position = db_col_i64(cur, 0),
                          .page = db_col_i64(cur, 1),
                          .has_seconds = !db_col_null(cur, 2),
                          .start = db_col_f64(cur, 2),
                          .end = db_col_f64(cur, 3),
                          .heading = arena_str(tx->out, db_col_str(cur, 4)),
                          .text = arena_str(tx->out, db_col_str(cur, 5)),
                          .extra = arena_str(tx->out, db_col_str(cur, 6))};
}

static enum footnote_rc passages_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct passages_read *op = arg;
    struct document_row r;

    op->passages = NULL;
    op->passages_n = 0;
    TRY(document_need(tx, op->document, MEMBER_READER, &r, err));
    TRY(db_run(tx->db, STMT_PASSAGES_READ, &cur, err, db_i64(tx->tenant),
               db_i64(r.key),
               db_i64(op->version ? op->version : r.searchable_version),
               db_i64(op->after_position),
               db_i64(op->limit ? (int64_t)op->limit : INT32_MAX)));
    for (;;) {
        struct passage *p;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        p = list_add(tx->out, &op->passages, &op->passages_n, sizeof(*p));
        if (!p)
            return arena_rc(tx->out, err);
        read_passage(tx, cur, p);
    }
}

const struct store_op passages_read_op = {NULL, passages_run};
