/* verdicts.c - records of verdicts: packed, stored, read back.
 *
 * A record is a JSON array with an array of numbers for each sentence, in the
 * order of struct sentence_verdict, what is missing last: people with SQL can
 * read it. */
#include "store/source/verdicts.h"

#include "base/buf.h"
#include "base/json.h"
#include "cite/unknown.h"
#include "store/check.h"
#include "store/list.h"
#include "store/read/messages.h"
#include "store/seal.h"
#include "store/session/message.h"
#include "store/source/digest.h"
#include "store/source/marking.h"
#include "store/source/reference.h"
#include "store/state.h"

enum {
    FIELDS = 10,
    FIELDS_MAX = FIELDS + 2 * JUDGE_MISSING_MAX,
    PACKED_BYTES_MAX = 128 * 1024
};

enum footnote_rc verdicts_pack(struct arena *a,
                               const struct sentence_verdict *list, size_t n,
                               struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(PACKED_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_array(&w);
    for (size_t i = 0; i < n; i++) {
        const struct sentence_verdict *s = &list[i];
        const uint32_t fields[FIELDS] = {
            s->start,      s->end,     (uint32_t)s->kind, (uint32_t)s->reason,
            s->number,     s->support, s->from,           s->to,
            s->word_start, s->word_end};

        json_array(&w);
        for (size_t k = 0; k < FIELDS; k++)
            json_i64(&w, fields[k]);
        for (size_t k = 0; k < 2 * (size_t)s->missing_n; k++)
            json_i64(&w, s->missing[k]);
        json_end(&w, ']');
    }
    json_end(&w, ']');
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    return arena_rc(a, err);
}

/* ---- Stored ------------------------------------------------------------- */

/* It covers what was judged, who did and what was found. */
static void record_digest(struct sha256_ctx *c, const struct sha256 *message,
                          struct str judge, struct str sentences,
                          struct sha256 *out)
{
    sha256_begin(c);
    sha256_add(c, STR("footnote verdict 1\n"));
    sha256_add(c, digest_str(message));
    sha256_add(c, judge);
    sha256_add(c, STR("\n"));
    sha256_add(c, sentences);
    sha256_end(c, out);
}

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
    struct sha256 digest;
    int64_t record;

    if (!v->sentences.p)
        return FOOTNOTE_OK;
    record_digest(tx->store->hasher, v->digest, v->judge, v->sentences,
                  &digest);
    TRY(next_record(tx, v, &digest, &record, err));
    if (!record)
        return FOOTNOTE_OK;
    row[COL_VERDICT_SEALED_TENANT] = db_i64(tx->tenant);
    row[COL_VERDICT_SEALED_SESSION] = db_i64(v->session);
    row[COL_VERDICT_SEALED_SEQ] = db_i64(v->seq);
    row[COL_VERDICT_SEALED_RECORD] = db_i64(record);
    row[COL_VERDICT_SEALED_CREATED_MS] = db_i64(tx->now_ms);
    row[COL_VERDICT_SEALED_JUDGE] = db_text(v->judge);
    row[COL_VERDICT_SEALED_DIGEST] = db_blob(digest_str(&digest));
    row[COL_VERDICT_SEALED_SENTENCES] = db_text(v->sentences);
    row[SEAL] = seal_of(SEALED_VERDICT, row, SEAL);
    return db_do_n(tx->db, STMT_VERDICT_INSERT, row, SEAL + 1, err);
}

/* ---- Read --------------------------------------------------------------- */

/* The numbers of one sentence; false when it is not of this form. */
static bool unpack_one(const struct json *fields, struct sentence_verdict *out)
{
    uint32_t v[FIELDS_MAX] = {0};
    size_t n = 0;

    if (fields->type != JSON_ARRAY || fields->n < FIELDS ||
        fields->n > FIELDS_MAX || fields->n % 2)
        return false;
    for (const struct json *f = fields->first; f; f = f->next) {
        if (f->type != JSON_I64 || f->i < 0 || f->i > UINT32_MAX)
            return false;
        v[n++] = (uint32_t)f->i;
    }
    *out = (struct sentence_verdict){.start = v[0],
                                     .end = v[1],
                                     .kind = (enum verdict_kind)v[2],
                                     .reason = (enum verdict_reason)v[3],
                                     .number = v[4],
                                     .support = v[5],
                                     .from = v[6],
                                     .to = v[7],
                                     .word_start = v[8],
                                     .word_end = v[9],
                                     .missing_n = (uint32_t)(n - FIELDS) / 2};
    memcpy(out->missing, v + FIELDS, sizeof(out->missing));
    return v[2] <= VERDICT_CONTRADICTS && v[3] <= REASON_UNKNOWN;
}

static enum footnote_rc unpack(struct tx *tx, struct str packed,
                               struct verdict_record *out, bool *sound,
                               struct footnote_err *err)
{
    struct sentence_verdict *list;
    struct json *all;

    *sound = json_read(tx->scratch, packed, &all, NULL) == FOOTNOTE_OK &&
             all->type == JSON_ARRAY;
    TRY(arena_rc(tx->scratch, err));
    if (!*sound)
        return FOOTNOTE_OK;
    list = arena_many(tx->out, all->n + 1, struct sentence_verdict);
    if (!list)
        return arena_rc(tx->out, err);
    for (const struct json *s = all->first; s && *sound; s = s->next) {
        *sound = unpack_one(s, &list[out->n]);
        out->carried += list[out->n++].kind == VERDICT_CARRIED;
    }
    out->sentences = list;
    return FOOTNOTE_OK;
}

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
    record_digest(c, &m->digest, record.judge, sentences, &digest);
    if (!str_eq(digest_str(&digest),
                db_col_str(cur, COL_VERDICT_SEALED_DIGEST)))
        return FOOTNOTE_OK;
    TRY(unpack(tx, sentences, &record, &sound, err));
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
    return list.verdicts.p ? unpack(tx, list.verdicts, &op->record, &sound, err)
                           : FOOTNOTE_OK;
}

const struct store_op text_judge_op = {NULL, judge_run};
