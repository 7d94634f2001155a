/* search.c - operations of the index and of a search. */
#include <assert.h>

#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/document/passage.h"
#include "store/document/search.h"
#include "store/list.h"
#include "store/seal.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/path.h"
#include "store/session/session_row.h"
#include "store/source/refs.h"
#include "store/strings.h"

enum { HITS_MAX = 1000, HITS_AT_ONCE = 16 };

/* ---- search_scope ------------------------------------------------------- */

static enum footnote_rc add_course(struct tx *tx, struct search_scope *op,
                                   struct scope_course course,
                                   struct footnote_err *err)
{
    struct scope_course *c =
        list_add(tx->out, &op->courses, &op->courses_n, sizeof(*c));

    if (c) {
        *c = course;
        c->id = arena_str(tx->out, course.id);
    }
    return arena_rc(tx->out, err);
}

/* Adds the course of the document that the search is limited to. */
static enum footnote_rc add_document(struct tx *tx, struct search_scope *op,
                                     struct footnote_err *err)
{
    struct document_name name = {op->document, op->course};
    char course[STORE_ID_BYTES_MAX + 1];
    struct document_row r;
    struct course_row its;

    TRY(document_need(tx, &name, MEMBER_READER, &r, err));
    TRY(course_id_of(tx, r.course, course, err));
    op->document_key = r.key;
    TRY(course_need(tx, str_c(course), MEMBER_READER, &its, err));
    return add_course(
        tx, op,
        (struct scope_course){its.key, its.index_version, str_c(course)}, err);
}

/* How often a session's answers cited each source. */
struct cited {
    int64_t *sources, *times;
    size_t n;
};

static enum footnote_rc count(struct tx *tx, struct cited *c, int64_t source,
                              struct footnote_err *err)
{
    size_t n = c->n, i = 0;

    while (i < c->n && c->sources[i] != source)
        i++;
    if (i == c->n &&
        list_add(tx->scratch, &c->sources, &c->n, sizeof(source)) &&
        list_add(tx->scratch, &c->times, &n, sizeof(source)))
        c->sources[i] = source;
    TRY(arena_rc(tx->scratch, err));
    c->times[i]++;
    return FOOTNOTE_OK;
}

static enum footnote_rc count_refs(struct tx *tx, struct str packed,
                                   struct cited *out, struct footnote_err *err)
{
    struct refs refs;

    TRY(refs_begin(&refs, packed, err));
    while (refs.n) {
        struct ref r;

        TRY(refs_next(&refs, &r, err));
        if (r.spans.p)
            TRY(count(tx, out, r.source, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc count_cited(struct tx *tx, int64_t session,
                                    struct cited *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_REFS_FROM, &cur, err, db_i64(tx->tenant),
               db_i64(session), db_i64(0)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (db_col_i64(cur, COL_REFS_FROM_SHOWN) == SHOWN_ON)
            TRY(count_refs(tx, db_col_str(cur, COL_REFS_FROM_REFS), out, err));
    }
}

/* The same passage may be pooled twice, of two versions of its document. */
static enum footnote_rc add_citation(struct tx *tx, struct search_scope *op,
                                     struct db_cur *cur,
                                     const struct cited *cited,
                                     struct footnote_err *err)
{
    int64_t document = db_col_i64(cur, COL_SOURCES_OF_DOCUMENT);
    struct str key = db_col_str(cur, COL_SOURCES_OF_SOURCE_KEY);
    struct scope_citation *c = NULL;
    size_t at = 0;

    while (at < cited->n &&
           cited->sources[at] != db_col_i64(cur, COL_SOURCES_OF_SOURCE))
        at++;
    if (document == 0 || at == cited->n)
        return FOOTNOTE_OK;
    for (size_t i = 0; i < op->citations_n && !c; i++)
        if (op->citations[i].document_key == document &&
            str_eq(op->citations[i].source_key, key))
            c = &op->citations[i];
    if (!c)
        c = list_add(tx->out, &op->citations, &op->citations_n, sizeof(*c));
    if (!c)
        return arena_rc(tx->out, err);
    c->document_key = document;
    c->source_key = arena_str(tx->out, key);
    c->cited_n += cited->times[at];
    return arena_rc(tx->out, err);
}

static enum footnote_rc read_citations(struct tx *tx, struct search_scope *op,
                                       int64_t session,
                                       struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct cited cited = {NULL, NULL, 0};
    struct str packed;

    TRY(count_cited(tx, session, &cited, err));
    if (cited.n == 0)
        return FOOTNOTE_OK;
    TRY(keys_pack(tx->scratch, cited.sources, cited.n, &packed, err));
    TRY(db_run(tx->db, STMT_SOURCES_OF, &cur, err, db_text(packed),
               db_i64(tx->tenant)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(add_citation(tx, op, cur, &cited, err));
    }
}

/* A session that is not there yet has cited nothing. */
static enum footnote_rc add_citations(struct tx *tx, struct search_scope *op,
                                      struct footnote_err *err)
{
    struct session_row s;

    TRY(session_find(tx, op->session, &s, err));
    if (!s.found || s.deleted)
        return FOOTNOTE_OK;
    return read_citations(tx, op, s.key, err);
}

static enum footnote_rc scope_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct search_scope *op = arg;
    struct course_row c = {.found = false};
    struct course_list all = {.limit = 0};

    op->courses = NULL;
    op->citations = NULL;
    op->courses_n = op->citations_n = 0;
    op->document_key = 0;
    if (op->course.p)
        TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    if (op->document.p)
        TRY(add_document(tx, op, err));
    else if (op->course.p)
        TRY(add_course(
            tx, op, (struct scope_course){c.key, c.index_version, op->course},
            err));
    else
        TRY(course_list_op.run(tx, &all, err));
    for (size_t i = 0; i < all.courses_n; i++)
        TRY(add_course(tx, op,
                       (struct scope_course){all.courses[i].key,
                                             all.courses[i].index_version,
                                             all.courses[i].id},
                       err));
    return op->session.p ? add_citations(tx, op, err) : FOOTNOTE_OK;
}

const struct store_op search_scope_op = {NULL, scope_run};

/* ---- index_documents ---------------------------------------------------- */

/* A damaged document is not searched; it was told of. */
static bool is_whole(struct tx *tx, struct db_cur *cur, int version)
{
    struct db_value key = db_i64(db_col_i64(cur, COL_DOCUMENT_SEALED_DOCUMENT));

    return document_check(tx, cur, 0, NULL) == FOOTNOTE_OK &&
           seal_check_key(tx, SEALED_VERSION, cur, version, NULL,
                          db_i64(tx->tenant), key) == FOOTNOTE_OK;
}

static enum footnote_rc documents_run(struct tx *tx, void *arg,
                                      struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct index_documents *op = arg;
    struct course_row c;

    op->documents = NULL;
    op->documents_n = 0;
    TRY(course_find(tx, op->course, &c, err));
    op->key = c.key;
    op->owner = c.owner;
    op->index_version = c.index_version;
    if (op->only_course)
        return FOOTNOTE_OK;
    TRY(db_run(tx->db, STMT_INDEX_DOCUMENTS, &cur, err, db_i64(tx->tenant),
               db_i64(c.key)));
    for (;;) {
        struct index_document *d;
        struct str digest;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        if (!is_whole(tx, cur, COL_INDEX_DOCUMENTS_VERSION_SEALED))
            continue;
        d = list_add(tx->out, &op->documents, &op->documents_n, sizeof(*d));
        if (!d)
            return arena_rc(tx->out, err);
        d->key = db_col_i64(cur, COL_DOCUMENT_SEALED_DOCUMENT);
        d->version = db_col_i64(cur, COL_DOCUMENT_SEALED_SEARCHABLE_VERSION);
        d->kind = (enum document_kind)db_col_i64(cur, COL_DOCUMENT_SEALED_KIND);
        d->title =
            arena_str(tx->out, db_col_str(cur, COL_DOCUMENT_SEALED_TITLE));
        digest = db_col_str(cur, COL_INDEX_DOCUMENTS_VERSION_SEALED +
                                     COL_VERSION_SEALED_DIGEST);
        if (digest.n == SHA256_BYTES)
            memcpy(d->digest.b, digest.p, SHA256_BYTES);
    }
}

const struct store_op index_documents_op = {NULL, documents_run};

enum footnote_rc index_passages_take(struct tx *tx, struct db_cur *cur,
                                     struct index_passage **passages, size_t *n,
                                     struct footnote_err *err)
{
    for (;;) {
        struct index_passage *p;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        p = list_add(tx->out, passages, n, sizeof(*p));
        if (!p)
            return arena_rc(tx->out, err);
        *p = (struct index_passage){
            .document = db_col_i64(cur, COL_PASSAGE_SEALED_DOCUMENT),
            .version = db_col_i64(cur, COL_PASSAGE_SEALED_VERSION),
            .position = db_col_i64(cur, COL_PASSAGE_SEALED_POSITION)};
        p->damaged = !passage_is_whole(tx, cur, 0, p->document);
        p->heading = p->text = STR("");
        if (p->damaged)
            continue;
        p->heading =
            arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_HEADING));
        p->text = arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_TEXT));
    }
}

/* All are asked for before the first is read, so they share a round trip. */
static enum footnote_rc passages_run(struct tx *tx, void *arg,
                                     struct footnote_err *err)
{
    struct db_cur *cursors[INDEX_DOCUMENTS_MAX] = {NULL};
    struct index_passages *op = arg;
    enum footnote_rc rc = FOOTNOTE_OK;

    assert(op->documents_n <= INDEX_DOCUMENTS_MAX);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < op->documents_n; i++)
        rc = db_run(tx->db, STMT_INDEX_PASSAGES, &cursors[i], err,
                    db_i64(tx->tenant), db_i64(op->documents[i].document),
                    db_i64(op->documents[i].version),
                    db_i64(op->after_position), db_i64((int64_t)op->limit));
    for (size_t i = 0; rc == FOOTNOTE_OK && i < op->documents_n; i++) {
        struct document_passages *d = &op->documents[i];

        d->passages = NULL;
        d->passages_n = 0;
        rc = index_passages_take(tx, cursors[i], &d->passages, &d->passages_n,
                                 err);
    }
    for (size_t i = 0; i < op->documents_n; i++)
        db_end(&cursors[i]);
    return rc;
}

const struct store_op index_passages_op = {NULL, passages_run};

/* ---- index_courses ------------------------------------------------------ */

static enum footnote_rc courses_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct index_courses *op = arg;

    op->courses = NULL;
    op->courses_n = 0;
    TRY(db_run(tx->db, STMT_INDEX_COURSES, &cur, err, db_i64(op->after_tenant),
               db_i64(op->after_course), db_i64(INDEX_COURSES_MAX)));
    for (;;) {
        struct index_course *c;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        c = list_add(tx->out, &op->courses, &op->courses_n, sizeof(*c));
        if (!c)
            return arena_rc(tx->out, err);
        op->after_tenant = db_col_i64(cur, COL_INDEX_COURSES_TENANT);
        op->after_course = db_col_i64(cur, COL_INDEX_COURSES_COURSE);
        c->tenant =
            arena_str(tx->out, db_col_str(cur, COL_INDEX_COURSES_TENANT_NAME));
        c->id = arena_str(tx->out, db_col_str(cur, COL_INDEX_COURSES_ID));
    }
}

const struct store_op index_courses_op = {NULL, courses_run};

/* ---- hits_read ---------------------------------------------------------- */

enum {
    COURSE = COL_HIT_GET_COURSE_SEALED,
    PASSAGE = COL_HIT_GET_PASSAGE_SEALED
};

static struct str text(struct tx *tx, struct db_cur *cur, int column)
{
    return arena_str(tx->out, db_col_str(cur, column));
}

static void read_hit(struct tx *tx, struct db_cur *cur, struct hit_read *h)
{
    int start = PASSAGE + COL_PASSAGE_SEALED_START_SECONDS;

    h->found = true;
    h->id = text(tx, cur, COL_DOCUMENT_SEALED_ID);
    h->course = text(tx, cur, COURSE + COL_COURSE_SEALED_ID);
    h->title = text(tx, cur, COL_DOCUMENT_SEALED_TITLE);
    h->date = text(tx, cur, COL_DOCUMENT_SEALED_DATE);
    h->url = text(tx, cur, COL_DOCUMENT_SEALED_URL);
    h->kind = (enum document_kind)db_col_i64(cur, COL_DOCUMENT_SEALED_KIND);
    h->passage = (struct passage){
        .position = h->position,
        .page = db_col_i64(cur, PASSAGE + COL_PASSAGE_SEALED_PAGE),
        .has_seconds = !db_col_null(cur, start),
        .start = db_col_f64(cur, start),
        .end = db_col_f64(cur, PASSAGE + COL_PASSAGE_SEALED_END_SECONDS),
        .heading = text(tx, cur, PASSAGE + COL_PASSAGE_SEALED_HEADING),
        .text = text(tx, cur, PASSAGE + COL_PASSAGE_SEALED_TEXT),
        .extra = text(tx, cur, PASSAGE + COL_PASSAGE_SEALED_EXTRA)};
}

/* Of the document and version that the index named, whose course it still is.
 */
static bool is_sound(struct tx *tx, struct db_cur *cur,
                     const struct hit_read *h)
{
    struct db_value course =
        db_i64(db_col_i64(cur, COL_DOCUMENT_SEALED_COURSE));

    return seal_check_key(tx, SEALED_DOCUMENT, cur, 0, NULL, db_i64(tx->tenant),
                          db_i64(h->document)) == FOOTNOTE_OK &&
           seal_check_key(tx, SEALED_COURSE, cur, COURSE, NULL,
                          db_i64(tx->tenant), course) == FOOTNOTE_OK &&
           seal_check_key(tx, SEALED_PASSAGE, cur, PASSAGE, NULL,
                          db_i64(tx->tenant), db_i64(h->document),
                          db_i64(h->version)) == FOOTNOTE_OK;
}

/* What is damaged is left out: it was told of, and an answer goes on without
 * it. */
static enum footnote_rc take_hit(struct tx *tx, struct db_cur *cur,
                                 struct hit_read *h, int64_t *course,
                                 struct footnote_err *err)
{
    bool row;

    h->found = false;
    TRY(db_next(cur, &row, err));
    if (!row || !is_sound(tx, cur, h))
        return FOOTNOTE_OK;
    *course = db_col_i64(cur, COL_DOCUMENT_SEALED_COURSE);
    read_hit(tx, cur, h);
    return FOOTNOTE_OK;
}

/* All are asked for before the first is read, so they share a round trip. */
static enum footnote_rc take_hits(struct tx *tx, struct hit_read *hits,
                                  size_t n, int64_t *courses,
                                  struct footnote_err *err)
{
    struct db_cur *cursors[HITS_AT_ONCE] = {NULL};
    enum footnote_rc rc = FOOTNOTE_OK;

    assert(n <= HITS_AT_ONCE);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < n; i++)
        rc = db_run(tx->db, STMT_HIT_GET, &cursors[i], err, db_i64(tx->tenant),
                    db_i64(hits[i].document), db_i64(hits[i].version),
                    db_i64(hits[i].position));
    for (size_t i = 0; rc == FOOTNOTE_OK && i < n; i++)
        rc = take_hit(tx, cursors[i], &hits[i], &courses[i], err);
    for (size_t i = 0; i < n; i++)
        db_end(&cursors[i]);
    return rc;
}

/* Leaves out hits that the asker may not read. */
static enum footnote_rc check_roles(struct tx *tx, struct hits_read *op,
                                    const int64_t *courses,
                                    struct footnote_err *err)
{
    enum member_role role = MEMBER_NONE;
    int64_t asked = 0;

    for (size_t i = 0; i < op->hits_n; i++) {
        if (!op->hits[i].found)
            continue;
        if (courses[i] != asked)
            TRY(course_role(tx, courses[i], &role, err));
        asked = courses[i];
        op->hits[i].found = role >= MEMBER_READER;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc hits_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct hits_read *op = arg;
    int64_t *courses = arena_many(tx->scratch, op->hits_n + 1, int64_t);

    if (op->hits_n > HITS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "hits", "%zu, at most %d",
                         op->hits_n, HITS_MAX);
    TRY(arena_rc(tx->scratch, err));
    for (size_t i = 0; i < op->hits_n; i += HITS_AT_ONCE) {
        size_t left = op->hits_n - i;

        TRY(take_hits(tx, op->hits + i,
                      left < HITS_AT_ONCE ? left : HITS_AT_ONCE, courses + i,
                      err));
    }
    TRY(check_roles(tx, op, courses, err));
    return arena_rc(tx->out, err);
}

const struct store_op hits_read_op = {NULL, hits_run};

/* ---- journal_recent ----------------------------------------------------- */

static enum footnote_rc recent_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct journal_recent *op = arg;

    op->hits = NULL;
    op->hits_n = 0;
    TRY(db_run(tx->db, STMT_JOURNAL_RECENT, &cur, err, db_i64(tx->tenant),
               db_i64(op->course), db_i64((int64_t)op->limit)));
    for (;;) {
        struct hit_read *h;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        h = list_add(tx->out, &op->hits, &op->hits_n, sizeof(*h));
        if (!h)
            return arena_rc(tx->out, err);
        h->document = db_col_i64(cur, COL_JOURNAL_RECENT_DOCUMENT);
        h->version = db_col_i64(cur, COL_JOURNAL_RECENT_SEARCHABLE_VERSION);
        h->position = db_col_i64(cur, COL_JOURNAL_RECENT_POSITION);
    }
}

const struct store_op journal_recent_op = {NULL, recent_run};
