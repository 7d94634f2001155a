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

enum { HITS_MAX = 1000, HITS_AT_ONCE = 16 };

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
    op->tenant = tx->tenant;
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
        p->contents =
            passage_is_contents(db_col_str(cur, COL_PASSAGE_SEALED_EXTRA));
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
        .extra = text(tx, cur, PASSAGE + COL_PASSAGE_SEALED_EXTRA),
        .locator = text(tx, cur, PASSAGE + COL_PASSAGE_SEALED_LOCATOR)};
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
