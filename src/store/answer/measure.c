/* measure.c - what an answer's end needs to know of its text and sources, found
 * by a reader: measuring may take long, and all writes wait for the writer. */
#include "store/answer/answer.h"
#include "store/answer/lease.h"
#include "store/session/message_row.h"
#include "store/source/marking.h"
#include "store/source/reference.h"

static enum footnote_rc find_answer(struct tx *tx,
                                    const struct answer_measure *op,
                                    struct answer *out,
                                    struct footnote_err *err)
{
    struct message_row row;

    if (op->answer) {
        *out = *op->answer;
        return FOOTNOTE_OK;
    }
    TRY(message_find(tx, op->id, &row, err));
    if (!row.found)
        return err_field(err, FOOTNOTE_NOTFOUND, "message", "is not there");
    *out = (struct answer){
        .tenant = tx->tenant, .session = row.session, .seq = row.seq};
    return FOOTNOTE_OK;
}

static enum footnote_rc measure_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct answer_measure *op = arg;
    struct measured *m = &op->measured;
    struct new_references refs;
    struct answer a;
    struct str text = op->text;

    *m = (struct measured){.n = 0};
    TRY(find_answer(tx, op, &a, err));
    if (!text.p)
        TRY(answer_text(tx, tx->scratch, &a, &text, err));
    if (op->append.n)
        text = arena_printf(tx->scratch, "%.*s%.*s", STR_ARG(text),
                            STR_ARG(op->append));
    TRY(arena_rc(tx->scratch, err));
    TRY(new_references_load_sound(tx, a.session, a.seq, &refs, err));
    TRY(new_references_mark(tx, text, &refs, MARKING_BYTES, err));
    m->support = arena_many(tx->out, refs.n + 1, int);
    if (!m->support)
        return arena_rc(tx->out, err);
    for (size_t i = 0; i < refs.n; i++)
        m->support[i] = refs.items[i].support;
    m->verdicts = arena_str(tx->out, refs.verdicts);
    m->n = refs.n;
    m->content_bytes = text.n;
    return arena_rc(tx->out, err);
}

const struct store_op answer_measure_op = {NULL, measure_run};
