/* outline.c - the headings of a document, from its passages.  Their texts are
 * read one after the other and not kept. */
#include "store/document/document_row.h"
#include "store/document/library.h"
#include "store/document/passage.h"
#include "store/list.h"

static bool goes_on(const struct document_outline *op, struct str heading)
{
    return op->headings_n > 0 &&
           str_eq(op->headings[op->headings_n - 1].heading, heading);
}

static enum footnote_rc add(struct tx *tx, struct document_outline *op,
                            struct db_cur *cur, struct footnote_err *err)
{
    struct str heading = db_col_str(cur, COL_PASSAGE_SEALED_HEADING);
    struct outline_heading *h;

    if (heading.n == 0 || goes_on(op, heading) ||
        op->headings_n == OUTLINE_HEADINGS_MAX ||
        passage_is_contents(db_col_str(cur, COL_PASSAGE_SEALED_EXTRA)))
        return FOOTNOTE_OK;
    h = list_add(tx->out, &op->headings, &op->headings_n, sizeof(*h));
    if (h)
        *h = (struct outline_heading){
            .heading = arena_str(tx->out, heading),
            .page = db_col_i64(cur, COL_PASSAGE_SEALED_PAGE),
            .has_seconds = !db_col_null(cur, COL_PASSAGE_SEALED_START_SECONDS),
            .seconds = db_col_f64(cur, COL_PASSAGE_SEALED_START_SECONDS)};
    return arena_rc(tx->out, err);
}

static enum footnote_rc outline_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct document_outline *op = arg;
    struct document_name name = {op->id, op->course};
    struct document_row r;

    op->headings = NULL;
    op->headings_n = 0;
    TRY(document_need(tx, &name, MEMBER_READER, &r, err));
    TRY(db_run(tx->db, STMT_PASSAGES_READ, &cur, err, db_i64(tx->tenant),
               db_i64(r.key),
               db_i64(op->version ? op->version : r.searchable_version),
               db_i64(0), db_i64(0), db_i64(INT32_MAX)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (passage_is_whole(tx, cur, 0, r.key))
            TRY(add(tx, op, cur, err));
    }
}

const struct store_op document_outline_op = {NULL, outline_run};
