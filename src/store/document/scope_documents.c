/* scope_documents.c - the documents that a search is limited to.
 *
 * Rights were checked with the courses: a document is looked for in these
 * alone, so one that the asker may not read is one that is not there.  Columns
 * are read here without their seals: hits_read checks those of all that is
 * found. */
#include "store/document/scope_documents.h"

#include <stdlib.h>

#include "store/document/document_row.h"
#include "store/document/search.h"
#include "store/list.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/strings.h"

enum footnote_rc scope_course_of(struct tx *tx, const struct search_scope *op,
                                 char text[STORE_ID_BYTES_MAX + 1],
                                 struct str *id, struct footnote_err *err)
{
    const struct search_filter *f = op->filter;

    for (size_t i = 0; i < f->documents_n; i++) {
        struct document_name name = {.id = f->documents[i]};
        struct document_row r;
        enum footnote_rc rc = document_need(tx, &name, MEMBER_READER, &r, err);

        if (rc == FOOTNOTE_NOTFOUND && op->kept)
            continue;
        TRY(rc);
        TRY(course_id_of(tx, r.course, text, err));
        *id = str_c(text);
        return FOOTNOTE_OK;
    }
    return FOOTNOTE_OK;
}

/* ---- One filter --------------------------------------------------------- */

struct found { /* what a filter leaves */
    int64_t *keys;
    size_t n;
    bool *named; /* by the filter's documents: whether it is there */
    bool waits;
};

static enum footnote_rc run(struct tx *tx, const struct search_filter *f,
                            int64_t course, struct db_cur **cur,
                            struct footnote_err *err)
{
    struct db_value kinds = db_i64(f->kinds),
                    from = db_text(f->from.p ? f->from : STR("")),
                    to = db_text(f->to.p ? f->to : STR("")),
                    changed = db_i64(f->has_changed ? f->changed_ms : 0);
    struct str ids;

    if (f->documents_n == 0)
        return db_run(tx->db, STMT_SCOPE_DOCUMENTS, cur, err, kinds, from, to,
                      changed, db_i64(tx->tenant), db_i64(course));
    TRY(strings_pack(tx, f->documents, f->documents_n, &ids, err));
    return db_run(tx->db, STMT_SCOPE_NAMED, cur, err, kinds, from, to, changed,
                  db_text(ids), db_i64(tx->tenant), db_i64(course));
}

static enum footnote_rc take_row(struct tx *tx, const struct search_filter *f,
                                 struct db_cur *cur, struct found *out,
                                 struct footnote_err *err)
{
    int64_t status = db_col_i64(cur, COL_SCOPE_ROW_STATUS);
    int64_t *key;

    for (size_t i = 0; i < f->documents_n; i++)
        if (str_eq(f->documents[i], db_col_str(cur, COL_SCOPE_ROW_ID)))
            out->named[i] = true;
    if (!db_col_i64(cur, COL_SCOPE_ROW_FITS))
        return FOOTNOTE_OK;
    if (db_col_i64(cur, COL_SCOPE_ROW_SEARCHABLE_VERSION) == 0) {
        out->waits |= status == DOCUMENT_QUEUED || status == DOCUMENT_INDEXING;
        return FOOTNOTE_OK;
    }
    key = list_add(tx->out, &out->keys, &out->n, sizeof(*key));
    if (key)
        *key = db_col_i64(cur, COL_SCOPE_ROW_DOCUMENT);
    return arena_rc(tx->out, err);
}

static int by_key(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* By key: a course's come in that order, but there may be several courses, and
 * an id may be given twice. */
static void sort(struct found *f)
{
    size_t n = 0;

    if (f->n)
        qsort(f->keys, f->n, sizeof(*f->keys), by_key);
    for (size_t i = 0; i < f->n; i++)
        if (n == 0 || f->keys[n - 1] != f->keys[i])
            f->keys[n++] = f->keys[i];
    f->n = n;
}

static enum footnote_rc find(struct tx *tx, const struct search_scope *op,
                             const struct search_filter *f, struct found *out,
                             struct footnote_err *err)
{
    *out = (struct found){
        .named = arena_many(tx->scratch, f->documents_n + 1, bool)};
    TRY(arena_rc(tx->scratch, err));
    for (size_t i = 0; i < op->courses_n; i++) {
        AUTO(db_end) struct db_cur *cur = NULL;

        TRY(run(tx, f, op->courses[i].key, &cur, err));
        for (;;) {
            bool row;

            TRY(db_next(cur, &row, err));
            if (!row)
                break;
            TRY(take_row(tx, f, cur, out, err));
        }
    }
    sort(out);
    return FOOTNOTE_OK;
}

/* ---- Both --------------------------------------------------------------- */

static enum footnote_rc need_named(const struct search_filter *f,
                                   const struct found *found,
                                   struct footnote_err *err)
{
    for (size_t i = 0; i < f->documents_n; i++)
        if (!found->named[i])
            return err_field(err, FOOTNOTE_NOTFOUND, "document",
                             "is not there");
    return FOOTNOTE_OK;
}

/* Keeps what stands in both. */
static void narrow(struct search_scope *op, const struct found *by)
{
    size_t n = 0, k = 0;

    for (size_t i = 0; i < op->documents_n; i++) {
        while (k < by->n && by->keys[k] < op->documents[i])
            k++;
        if (k < by->n && by->keys[k] == op->documents[i])
            op->documents[n++] = op->documents[i];
    }
    op->documents_n = n;
}

enum footnote_rc scope_limit(struct tx *tx, struct search_scope *op,
                             struct footnote_err *err)
{
    bool first = filter_limits(op->filter), second = filter_limits(op->within);
    struct found found;

    op->limited = first || second;
    op->waits = false;
    op->documents = NULL;
    op->documents_n = 0;
    if (!op->limited)
        return FOOTNOTE_OK;
    TRY(find(tx, op, first ? op->filter : op->within, &found, err));
    if (first && !op->kept)
        TRY(need_named(op->filter, &found, err));
    op->documents = found.keys;
    op->documents_n = found.n;
    op->waits = found.waits;
    if (!first || !second)
        return FOOTNOTE_OK;
    TRY(find(tx, op, op->within, &found, err));
    op->waits = op->waits && found.waits;
    narrow(op, &found);
    return FOOTNOTE_OK;
}
