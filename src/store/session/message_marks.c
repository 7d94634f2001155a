/* message_marks.c - markers and verdicts of messages whose sources change. */

#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/source/digest.h"
#include "store/source/marking.h"
#include "store/source/verdicts.h"
#include "store/state.h"

enum footnote_rc message_keep_verdicts(struct tx *tx, int64_t session,
                                       int64_t seq, const struct sha256 *digest,
                                       const struct new_references *list,
                                       bool first, struct footnote_err *err)
{
    struct verdict_new v = {.session = session,
                            .seq = seq,
                            .digest = digest,
                            .judge = STR(VERDICT_JUDGE_TEXT),
                            .sentences = list->verdicts,
                            .first = first};

    return verdict_insert(tx, &v, err);
}

enum footnote_rc message_remark(struct tx *tx, int64_t session, int64_t seq,
                                struct new_references *whole,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct sha256 digest;
    struct str content = STR_NONE;
    bool row;

    TRY(db_one(tx->db, STMT_MESSAGE_CONTENT, &cur, &row, err,
               db_i64(tx->tenant), db_i64(session), db_i64(seq)));
    if (row)
        content = arena_str(tx->scratch,
                            db_col_str(cur, COL_MESSAGE_CONTENT_CONTENT));
    TRY(arena_rc(tx->scratch, err));
    TRY(new_references_mark(tx, content, whole, MARKING_BYTES_WRITER, err));
    TRY(new_references_digest(tx, tx->store->hasher, FOOTNOTE_ASSISTANT,
                              content, whole, &digest, err));
    TRY(message_keep_verdicts(tx, session, seq, &digest, whole, false, err));
    TRY(seal_open(tx, SEALED_MESSAGE, err, db_i64(tx->tenant), db_i64(session),
                  db_i64(seq)));
    return db_do(tx->db, STMT_MESSAGE_REDIGEST, err,
                 db_blob(digest_str(&digest)), db_i64(tx->tenant),
                 db_i64(session), db_i64(seq));
}

enum footnote_rc mark_borrowed(struct tx *tx, int64_t session, int64_t seq,
                               struct str content, struct footnote_err *err)
{
    struct new_references list;
    struct sha256 digest;
    enum footnote_role role;
    int64_t question;

    TRY(message_above(tx, session, seq,
                      ROLE_BIT(FOOTNOTE_USER) | ROLE_BIT(FOOTNOTE_ASSISTANT),
                      &question, &role, err));
    if (question == 0 || role != FOOTNOTE_USER)
        return FOOTNOTE_OK;
    TRY(new_references_load_sound(tx, session, question, &list, err));
    TRY(new_references_mark(tx, content, &list, MARKING_BYTES_WRITER, err));
    message_digest(tx->store->hasher, FOOTNOTE_ASSISTANT, content, &digest,
                   NULL, 0);
    TRY(message_keep_verdicts(tx, session, seq, &digest, &list, false, err));
    return new_references_write(tx, session, question, &list, err);
}
