/* verdicts.c - records of verdicts: stored, read back, or not stored. */
#include "store/source/verdicts.h"

#include "cite/unknown.h"
#include "store/check.h"
#include "store/list.h"
#include "store/read/messages.h"
#include "store/seal.h"
#include "store/session/message.h"
#include "store/source/digest.h"
#include "store/source/judges.h"
#include "store/source/marking.h"
#include "store/source/reference.h"
#include "store/source/verdict_form.h"
#include "store/state.h"

/* ---- Stored ------------------------------------------------------------- */

/* *record: the number of the next one; 0 when this one is there. */
static enum footnote_rc next_record(struct tx *tx, const struct verdict_new *v,
                                    const struct sha256 *digest,
                                    int64_t *record, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    *record = 1;
    if (v->first)
        return FOOTNOTE_OK;
    TRY(db_run(tx->db, STMT_VERDICT_DIGESTS, &cur, err, db_i64(tx->tenant),
               db_i64(v->session), db_i64(v->seq)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        *record = db_col_i64(cur, COL_VERDICT_DIGESTS_RECORD) + 1;
        if (str_eq(db_col_str(cur, COL_VERDICT_DIGESTS_DIGEST),
                   digest_str(digest))) {
            *record = 0;
            return FOOTNOTE_OK;
        }
    }
}

enum footnote_rc verdict_insert(struct tx *tx, const struct verdict_new *v,
                                struct footnote_err *err)
{
    enum { SEAL = COL_VERDICT_SEALED_SEAL };
    struct db_value row[SEAL + 1];
    struct verdict_counts counts;
    struct sha256 digest;
    int64_t record;

    if (!v->sentences.p)
        return FOOTNOTE_OK;
    verdicts_digest(tx->store->hasher, v->digest, v->judge, v->sentences,
                    &digest);
    TRY(next_record(tx, v, &digest, &record, err));
    if (!record)
        return FOOTNOTE_OK;
    row[COL_VERDICT_SEALED_TENANT] = db_i64(tx->tenant);
    row[COL_VERDICT_SEALED_SESSION] = db_i64(v->session);
    row[COL_VERDICT_SEALED_SEQ] = db_i64(v->seq);
    row[COL_VERDICT_SEALED_RECORD] = db_i64(record);
    row[COL_VERDICT_SEALED_CREATED_MS] =
        db_i64(v->created_ms ? v->created_ms : tx->now_ms);
    row[COL_VERDICT_SEALED_JUDGE] = db_text(v->judge);
    row[COL_VERDICT_SEALED_DIGEST] = db_blob(digest_str(&digest));
    row[COL_VERDICT_SEALED_SENTENCES] = db_text(v->sentences);
    verdicts_count(v->sentences, &counts);
    row[COL_VERDICT_SEALED_JUDGED] = db_i64(counts.judged);
    row[COL_VERDICT_SEALED_CARRIED] = db_i64(counts.carried);
    row[COL_VERDICT_SEALED_UNSUPPORTED] = db_i64(counts.unsupported);
    row[SEAL] = seal_of(SEALED_VERDICT, row, SEAL);
    return db_do_n(tx->db, STMT_VERDICT_INSERT, row, SEAL + 1, err);
}

/* ---- Read --------------------------------------------------------------- */

/* A later record of the same judge takes the place of the one before. */
static enum footnote_rc put_record(struct tx *tx, struct message *m,
                                   const struct verdict_record *record,
                                   struct footnote_err *err)
{
    struct verdict_record *list = (void *)(uintptr_t)m->verdicts;

    for (size_t i = 0; i < m->verdicts_n; i++)
        if (str_eq(list[i].judge, record->judge)) {
            list[i] = *record;
            return FOOTNOTE_OK;
        }
    struct verdict_record *at =
        list_add(tx->out, &list, &m->verdicts_n, sizeof(*at));
    if (!at)
        return arena_rc(tx->out, err);
    *at = *record;
    m->verdicts = list;
    return FOOTNOTE_OK;
}

/* One that does not fit its message was made for an earlier form of it. */
static enum footnote_rc read_record(struct tx *tx, struct sha256_ctx *c,
                                    struct db_cur *cur, struct message *m,
                                    struct footnote_err *err)
{
    struct verdict_record record = {
        .judge = db_col_str(cur, COL_VERDICT_SEALED_JUDGE),
        .created_ms = db_col_i64(cur, COL_VERDICT_SEALED_CREATED_MS)};
    struct str sentences = db_col_str(cur, COL_VERDICT_SEALED_SENTENCES);
    struct sha256 digest;
    bool sound;

    if (!m->has_digest)
        return FOOTNOTE_OK;
    verdicts_digest(c, &m->digest, record.judge, sentences, &digest);
    if (!str_eq(digest_str(&digest),
                db_col_str(cur, COL_VERDICT_SEALED_DIGEST)))
        return FOOTNOTE_OK;
    TRY(verdicts_unpack(tx->scratch, tx->out, sentences, &record, &sound, err));
    if (!sound)
        return seal_check(tx, SEALED_VERDICT, cur, 0, err);
    record.judge = arena_str(tx->out, record.judge);
    return put_record(tx, m, &record, err);
}

enum footnote_rc verdicts_read(struct tx *tx, struct sha256_ctx *c,
                               int64_t session, struct db_cur *cur,
                               struct message *m, size_t n,
                               struct footnote_err *err)
{
    for (;;) {
        struct message *of;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(seal_check(tx, SEALED_VERDICT, cur, 0, err));
        if (db_col_i64(cur, COL_VERDICT_SEALED_SESSION) != session)
            continue;
        of = message_at(m, n, db_col_i64(cur, COL_VERDICT_SEALED_SEQ));
        if (of)
            TRY(read_record(tx, c, cur, of, err));
    }
}

/* ---- Not stored --------------------------------------------------------- */

static enum footnote_rc find_unknown(struct tx *tx, struct text_judge *op,
                                     const struct new_references *list,
                                     struct footnote_err *err)
{
    uint32_t *known = arena_many(tx->scratch, list->n + 1, uint32_t);

    if (!known)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < list->n; i++)
        known[i] = list->items[i].number;
    return unknown_numbers(tx->out, op->text, known, list->n, &op->unknown,
                           &op->unknown_n, err);
}

static enum footnote_rc judge_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct text_judge *op = arg;
    struct new_references fresh, list;
    bool sound;

    op->record = (struct verdict_record){.judge = STR(VERDICT_JUDGE_TEXT)};
    TRY(check_text(op->text, STORE_CONTENT_BYTES_MAX, "text", err));
    TRY(sha256_open(&c, err));
    TRY(new_references_make(tx, c, op->sources, op->sources_n, &fresh, err));
    TRY(new_references_number(tx, &(struct new_references){.n = 0}, &fresh, 1,
                              &list, err));
    new_references_numbers(&fresh, op->numbers);
    TRY(find_unknown(tx, op, &list, err));
    TRY(new_references_mark(tx, op->text, &list, MARKING_BYTES, err));
    if (list.spent)
        return err_set(err, FOOTNOTE_TOOBIG,
                       "text and sources are too long to be judged");
    return list.verdicts.p
               ? verdicts_unpack(tx->scratch, tx->out, list.verdicts,
                                 &op->record, &sound, err)
               : FOOTNOTE_OK;
}

enum footnote_rc text_judge_alone(struct arena *a, struct text_judge *op,
                                  struct footnote_err *err)
{
    struct store alone = {.judges = NULL};
    struct tx tx = {.store = &alone, .out = a, .scratch = a};
    enum footnote_rc rc;

    TRY(judges_open(&alone.judges, err));
    rc = judge_run(&tx, op, err);
    judges_close(alone.judges);
    return rc;
}

const struct store_op text_judge_op = {NULL, judge_run};
