/* messages.c - messages as readers get them: rows, sources, proof.
 *
 * A message that does not match its digest is DAMAGED, never shown. */
#include "store/read/messages.h"
#include "cite/marks.h"
#include "cite/unknown.h"
#include "store/answer/answer.h"
#include "store/answer/event.h"
#include "store/answer/lease.h"
#include "store/damage.h"
#include "store/list.h"
#include "store/read/loader.h"
#include "store/read/source_cache.h"
#include "store/read/verified.h"
#include "store/session/feedback.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/source/marking.h"
#include "store/source/refs.h"
#include "store/source/spans.h"
#include "store/source/verdicts.h"
#include "store/state.h"
#include "store/strings.h"

/* Whether there is one. */
static bool maybe(const struct db_value *v, int64_t *out)
{
    if (v->type == DB_NULL)
        return false;
    *out = db_value_i64(v);
    return true;
}

/* Few have one. */
static void read_image(struct tx *tx, const struct db_value *row,
                       struct message *m)
{
    m->image_s3key =
        arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_IMAGE_S3KEY]));
    m->has_image = m->image_s3key.p != NULL;
    if (!m->has_image)
        return;
    m->image_slide =
        arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_IMAGE_SLIDE]));
    m->has_image_page =
        maybe(&row[COL_MESSAGE_SEALED_IMAGE_PAGE], &m->image_page);
}

static void read_plain(struct tx *tx, const struct db_value *row,
                       struct message *m)
{
    struct str digest = db_value_str(&row[COL_MESSAGE_SEALED_DIGEST]);
    int64_t low = 0;

    *m = (struct message){
        .seq = db_value_i64(&row[COL_MESSAGE_SEALED_SEQ]),
        .id = arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_ID])),
        .role = (enum footnote_role)db_value_i64(&row[COL_MESSAGE_SEALED_ROLE]),
        .status =
            (enum footnote_status)db_value_i64(&row[COL_MESSAGE_SEALED_STATUS]),
        .created_ms = db_value_i64(&row[COL_MESSAGE_SEALED_CREATED_MS]),
        .content =
            arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_CONTENT])),
        .has_low_confidence =
            maybe(&row[COL_MESSAGE_SEALED_LOW_CONFIDENCE], &low),
        .parent_seq = db_value_i64(&row[COL_MESSAGE_SEALED_PARENT]),
        .model =
            arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_MODEL])),
        .failure =
            arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_FAILURE])),
        .scope =
            arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_SCOPE])),
        .tokens_in = -1,
        .tokens_out = -1,
        .late_from = db_value_i64(&row[COL_MESSAGE_SEALED_LATE_FROM])};
    m->low_confidence = low != 0;
    if (digest.p && digest.n == SHA256_BYTES) {
        m->has_digest = true;
        memcpy(m->digest.b, digest.p, SHA256_BYTES);
    }
    read_image(tx, row, m);
}

static enum footnote_rc read_rest(struct tx *tx, const struct db_value *row,
                                  struct message *m, struct footnote_err *err)
{
    (void)maybe(&row[COL_MESSAGE_SEALED_TOKENS_IN], &m->tokens_in);
    (void)maybe(&row[COL_MESSAGE_SEALED_TOKENS_OUT], &m->tokens_out);
    TRY(strings_unpack(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_DOC_REFS]),
                       &m->doc_refs, &m->doc_refs_n, err));
    TRY(strings_unpack(tx->out,
                       db_value_str(&row[COL_MESSAGE_SEALED_RAG_SOURCE_IDS]),
                       &m->rag_source_ids, &m->rag_source_ids_n, err));
    return strings_unpack(tx->out,
                          db_value_str(&row[COL_MESSAGE_SEALED_WEB_SOURCE_IDS]),
                          &m->web_source_ids, &m->web_source_ids_n, err);
}

/* *refs: packed; they live as long as the row. */
static enum footnote_rc read_row(struct tx *tx, struct db_cur *cur,
                                 int64_t session, bool brief, struct message *m,
                                 struct str *refs, struct footnote_err *err)
{
    struct db_value row[SEAL_COLUMNS_MAX];

    TRY(message_check(tx, cur, row, err));
    if (db_value_i64(&row[COL_MESSAGE_SEALED_SESSION]) != session)
        return damage_in_row(tx->store, SEALED_MESSAGE, cur, 0, err);
    read_plain(tx, row, m);
    m->shown = (enum shown)db_col_i64(cur, COL_MESSAGE_ROW_SHOWN);
    TRY(path_check(tx, session, m->seq, m->parent_seq, err));
    if (!brief)
        TRY(read_rest(tx, row, m, err));
    TRY(feedback_unpack(tx->out,
                        db_value_str(&row[COL_MESSAGE_SEALED_FEEDBACK]),
                        &m->feedback, &m->feedback_n, err));
    *refs = db_value_str(&row[COL_MESSAGE_SEALED_REFS]);
    return arena_rc(tx->out, err);
}

enum footnote_rc message_read(struct tx *tx, struct db_cur *cur,
                              int64_t session, bool brief, struct message *m,
                              struct footnote_err *err)
{
    struct str refs = STR_NONE;

    return read_row(tx, cur, session, brief, m, &refs, err);
}

/* ---- Sources ------------------------------------------------------------ */

/* *room: for the spans of this and those that follow. */
static enum footnote_rc read_ref(struct refs *refs, uint32_t **room,
                                 struct reference *out,
                                 struct footnote_err *err)
{
    struct ref r;

    TRY(refs_next(refs, &r, err));
    out->number = r.number;
    out->key = r.source;
    out->support = r.support;
    out->has_score = r.has_score;
    out->score = r.score;
    out->late = false;
    TRY(spans_unpack(r.spans, *room, &out->spans_n, err));
    out->spans = *room;
    *room += 2 * out->spans_n;
    out->cited = out->spans_n > 0;
    return FOOTNOTE_OK;
}

/* The loader writes what is left: source, digest and state. */
enum footnote_rc refs_read(struct tx *tx, struct str packed,
                           struct message *out, struct footnote_err *err)
{
    struct reference *list;
    struct refs refs;
    uint32_t *spans;

    TRY(refs_begin(&refs, packed, err));
    if (refs.n == 0)
        return FOOTNOTE_OK;
    list = arena_raw(tx->out, refs.n * sizeof(*list));
    spans = arena_raw(tx->out, packed.n * sizeof(*spans));
    if (!list || !spans)
        return arena_rc(tx->out, err);
    for (out->sources_n = 0; refs.n; out->sources_n++)
        TRY(read_ref(&refs, &spans, &list[out->sources_n], err));
    out->sources = list;
    return FOOTNOTE_OK;
}

enum footnote_rc message_read_refs(struct tx *tx, struct db_cur *cur,
                                   int64_t session, bool brief,
                                   struct message *out,
                                   struct footnote_err *err)
{
    struct str refs = STR_NONE;

    TRY(read_row(tx, cur, session, brief, out, &refs, err));
    return refs_read(tx, refs, out, err);
}

/* Results are const for callers; we still write them. */
static void *ours(const void *result)
{
    return (void *)(uintptr_t)result;
}

/* docRefs do not name what its source no longer does. */
static void drop_doc_ref(struct message *m, struct str ref)
{
    struct str *list = ours(m->doc_refs);
    size_t n = 0;

    for (size_t i = 0; i < m->doc_refs_n; i++)
        if (!str_eq(list[i], ref))
            list[n++] = list[i];
    m->doc_refs_n = n;
}

enum footnote_rc message_sources(struct loader *l, struct message *m,
                                 struct footnote_err *err)
{
    struct reference *list = ours(m->sources);

    for (size_t k = 0; k < m->sources_n; k++) {
        TRY(loader_source(l, &list[k], err));
        if (list[k].state == FOOTNOTE_WITHDRAWN)
            drop_doc_ref(m, l->withdrawn);
        list[k].late = m->late_from > 0 && list[k].number >= m->late_from;
    }
    return FOOTNOTE_OK;
}

/* ---- Proof -------------------------------------------------------------- */

static enum footnote_rc check(struct loader *l, int64_t session,
                              const struct message *m, struct footnote_err *err)
{
    struct digested_message digested = {
        l->tx->tenant, session,    m->seq, m->role,
        m->content,    m->sources, 0,      &m->digest};
    const struct db_value key[] = {db_i64(l->tx->tenant), db_i64(session),
                                   db_i64(m->seq)};
    bool good;

    if (!m->has_digest && m->content.p && m->status != FOOTNOTE_STREAMING)
        return damage_found(l->tx->store, SEALED_MESSAGE, key, err);
    if (!m->has_digest)
        return FOOTNOTE_OK;
    if (m->role == FOOTNOTE_ASSISTANT)
        digested.sources_n = m->sources_n;
    TRY(verified_check(l->tx->store->verified, l->hasher, l->tx->scratch,
                       &digested, &good, err));
    return good ? FOOTNOTE_OK
                : damage_found(l->tx->store, SEALED_MESSAGE, key, err);
}

/* ---- What comes from elsewhere ------------------------------------------ */

static enum footnote_rc running_text(struct loader *l, int64_t session,
                                     struct message *m,
                                     struct footnote_err *err)
{
    struct answer a = {
        .tenant = l->tx->tenant, .session = session, .seq = m->seq};

    if (m->status != FOOTNOTE_STREAMING || l->settled)
        return FOOTNOTE_OK;
    return answer_text(l->tx, l->tx->out, &a, &m->content, err);
}

struct message *message_at(struct message *m, size_t n, int64_t seq)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (m[mid].seq < seq)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && m[low].seq == seq ? &m[low] : NULL;
}

/* Of a message that may not be in the list. */
static enum footnote_rc id_of(struct tx *tx, int64_t session, struct message *m,
                              size_t n, int64_t seq, struct str *out,
                              struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    const struct message *there = message_at(m, n, seq);
    bool row;

    if (seq == 0 || out->p)
        return FOOTNOTE_OK;
    if (there) {
        *out = there->id;
        return FOOTNOTE_OK;
    }
    TRY(seal_read(tx, SEALED_MESSAGE, &cur, &row, err, db_i64(tx->tenant),
                  db_i64(session), db_i64(seq)));
    if (!row)
        return err_set(err, FOOTNOTE_DAMAGED, "a message's row is missing");
    *out = arena_str(tx->out, db_col_str(cur, COL_MESSAGE_SEALED_ID));
    return arena_rc(tx->out, err);
}

static enum footnote_rc add_ids(struct tx *tx, int64_t session,
                                struct message *m, size_t n, size_t i,
                                struct footnote_err *err)
{
    TRY(id_of(tx, session, m, n, m[i].parent_seq, &m[i].parent, err));
    return id_of(tx, session, m, n, m[i].replaced_seq, &m[i].replaced_by, err);
}

struct message *message_front(struct message *m, size_t n,
                              const struct message *of)
{
    struct message *front;

    if (of->front_seq)
        return message_at(m, n, of->front_seq);
    front = message_at(m, n, of->parent_seq);
    while (front && front->role == FOOTNOTE_SYSTEM)
        front = message_at(m, n, front->parent_seq);
    return front;
}

/* Where `content` cites the source; how far it carries that is not measured. */
static enum footnote_rc mark_lent(struct tx *tx, const struct mark *marks,
                                  size_t n, struct reference *r,
                                  struct footnote_err *err)
{
    size_t max = n < SPANS_MAX ? n : SPANS_MAX;
    uint32_t *spans = arena_many(tx->out, 2 * max + 2, uint32_t), *end = spans;

    if (!spans)
        return arena_rc(tx->out, err);
    for (size_t i = 0; i < n && end < spans + 2 * max; i++) {
        if (!mark_names(&marks[i], r->number,
                        r->source.type == FOOTNOTE_IMAGE) ||
            (end > spans && end[-2] == marks[i].start_utf16))
            continue; /* [1,1] is one place */
        *end++ = (uint32_t)marks[i].start_utf16;
        *end++ = (uint32_t)marks[i].end_utf16;
    }
    r->spans = spans;
    r->spans_n = (size_t)(end - spans) / 2;
    r->cited = r->spans_n > 0;
    r->support = -1;
    return FOOTNOTE_OK;
}

/* The marks that are stored with a question are those of the answer that is
 * shown. */
static enum footnote_rc lend(struct tx *tx, const struct message *question,
                             struct message *answer, struct footnote_err *err)
{
    struct reference *list;
    struct mark *marks;
    size_t n;

    answer->sources = question->sources;
    answer->sources_n = question->sources_n;
    if (answer->shown == SHOWN_ON || !answer->content.p ||
        question->sources_n == 0)
        return FOOTNOTE_OK;
    list = arena_many(tx->out, question->sources_n, struct reference);
    if (!list)
        return arena_rc(tx->out, err);
    memcpy(list, question->sources, question->sources_n * sizeof(*list));
    TRY(marks_find(tx->scratch, answer->content, &marks, &n, err));
    for (size_t i = 0; i < answer->sources_n; i++)
        TRY(mark_lent(tx, marks, n, &list[i], err));
    answer->sources = list;
    return FOOTNOTE_OK;
}

/* An answer shows what a caller retrieved for its question, when it has no
 * sources of its own.  Questions themselves show none. */
static enum footnote_rc lend_sources(struct tx *tx, struct message *m, size_t n,
                                     struct footnote_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct message *front;

        if (m[i].role != FOOTNOTE_ASSISTANT || m[i].sources_n > 0)
            continue;
        front = message_front(m, n, &m[i]);
        if (!front || front->role != FOOTNOTE_USER)
            continue;
        TRY(lend(tx, front, &m[i], err));
    }
    for (size_t i = 0; i < n; i++)
        if (m[i].role != FOOTNOTE_ASSISTANT) {
            m[i].sources = NULL;
            m[i].sources_n = 0;
        }
    return FOOTNOTE_OK;
}

/* They follow from the text and its sources, so no record has to be kept, and
 * none can be missing. */
static enum footnote_rc find_unknown(struct tx *tx, struct message *m,
                                     struct footnote_err *err)
{
    uint32_t *known;

    if (m->role != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    known = arena_many(tx->scratch, m->sources_n + 1, uint32_t);
    if (!known)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < m->sources_n; i++)
        known[i] = m->sources[i].number;
    return unknown_numbers(tx->out, m->content, known, m->sources_n,
                           &m->unknown, &m->unknown_n, err);
}

static enum footnote_rc add_event_id(struct tx *tx, struct str id,
                                     const struct str **ids, size_t *n,
                                     struct footnote_err *err)
{
    struct str *list = ours(*ids);
    struct str *at;

    at = list_add(tx->out, &list, n, sizeof(*at));
    if (!at)
        return arena_rc(tx->out, err);
    *ids = list;
    *at = arena_str(tx->out, id);
    return arena_rc(tx->out, err);
}

static enum footnote_rc apply_event(struct tx *tx, const struct event *e,
                                    struct message *m, struct footnote_err *err)
{
    if (e->has_low_confidence && m->status != FOOTNOTE_STREAMING &&
        !m->said_confidence) {
        m->has_low_confidence = true;
        m->low_confidence = e->low_confidence;
    }
    if (!e->answer_seq || m->said_ids)
        return FOOTNOTE_OK;
    if (e->web)
        return add_event_id(tx, e->id, &m->web_source_ids, &m->web_source_ids_n,
                            err);
    return add_event_id(tx, e->id, &m->rag_source_ids, &m->rag_source_ids_n,
                        err);
}

/* To the answer that it names, or else to those that the user's message has. */
static enum footnote_rc apply_to_all(struct tx *tx, const struct event *e,
                                     struct message *m, size_t n,
                                     struct footnote_err *err)
{
    const struct message *question = message_at(m, n, e->question_seq);
    struct message *answer = message_at(m, n, e->answer_seq);

    if (answer)
        return apply_event(tx, e, answer, err);
    for (size_t i = 0; !e->answer_seq && question && i < n; i++)
        if (m[i].role == FOOTNOTE_ASSISTANT &&
            message_front(m, n, &m[i]) == question)
            TRY(apply_event(tx, e, &m[i], err));
    return FOOTNOTE_OK;
}

static enum footnote_rc apply_events(struct tx *tx, int64_t session,
                                     struct db_cur *cur, struct message *m,
                                     size_t n, struct footnote_err *err)
{
    for (size_t i = 0; i < n; i++) {
        m[i].said_confidence = m[i].has_low_confidence;
        m[i].said_ids = m[i].rag_source_ids_n || m[i].web_source_ids_n;
    }
    for (;;) {
        struct event e;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(event_read(tx, session, cur, &e, err));
        TRY(apply_to_all(tx, &e, m, n, err));
    }
}

void beside_end(struct beside_messages *b)
{
    db_end(&b->events);
    db_end(&b->verdicts);
}

enum footnote_rc events_ask(struct tx *tx, int64_t session, struct db_cur **out,
                            struct footnote_err *err)
{
    return db_run(tx->db, STMT_EVENTS_OF_SESSION, out, err, db_i64(tx->tenant),
                  db_i64(session));
}

enum footnote_rc beside_ask(struct tx *tx, int64_t session,
                            struct beside_messages *out,
                            struct footnote_err *err)
{
    TRY(events_ask(tx, session, &out->events, err));
    return db_run(tx->db, STMT_VERDICTS_OF_SESSION, &out->verdicts, err,
                  db_i64(tx->tenant), db_i64(session));
}

/* Each is proven right after its sources were loaded, which are near then. */
static enum footnote_rc load_all(struct loader *l, int64_t session,
                                 struct message *m, size_t n,
                                 struct footnote_err *err)
{
    l->ahead = m;
    l->ahead_n = n;
    l->ahead_source = 0;
    for (size_t i = 0; i < n; i++) {
        TRY(message_sources(l, &m[i], err));
        TRY(check(l, session, &m[i], err));
    }
    l->ahead_n = 0;
    return FOOTNOTE_OK;
}

enum footnote_rc messages_finish(struct loader *l, int64_t session,
                                 struct beside_messages *beside,
                                 struct message *m, size_t n,
                                 struct footnote_err *err)
{
    TRY(load_all(l, session, m, n, err));
    for (size_t i = 0; i < n; i++) {
        TRY(running_text(l, session, &m[i], err));
        if (!l->unlinked)
            TRY(add_ids(l->tx, session, m, n, i, err));
    }
    TRY(verdicts_read(l->tx, l->hasher, session, beside->verdicts, m, n, err));
    if (l->stored)
        return FOOTNOTE_OK;
    TRY(lend_sources(l->tx, m, n, err));
    for (size_t i = 0; i < n; i++)
        TRY(find_unknown(l->tx, &m[i], err));
    return apply_events(l->tx, session, beside->events, m, n, err);
}
