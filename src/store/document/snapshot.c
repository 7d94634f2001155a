/* snapshot.c - page pictures: labels, who may see them, when they go. */
#include "store/document/snapshot.h"

#include <assert.h>
#include <stdio.h>

#include "cite/source.h"
#include "store/check.h"
#include "store/damage.h"
#include "store/document/document_row.h"
#include "store/document/passage.h"
#include "store/list.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/source/digest.h"
#include "store/usage.h"

/* ---- snapshot_put ------------------------------------------------------- */

bool snapshot_slide_ok(struct str slide)
{
    if (!id_can_be(slide) || str_eq(slide, STR(".")) ||
        str_eq(slide, STR("..")))
        return false;
    for (size_t i = 0; i < slide.n; i++)
        if ((unsigned char)slide.p[i] < ' ' || slide.p[i] == 0x7F ||
            slide.p[i] == '/' || slide.p[i] == '\\')
            return false;
    return true;
}

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    const struct snapshot_put *op = arg;

    (void)tx;
    if (!snapshot_slide_ok(op->slide))
        return err_field(err, FOOTNOTE_INVALID, "slideId",
                         "has 1 to %d bytes, no slash, and is no way up",
                         STORE_ID_BYTES_MAX);
    if (op->page < 1 || op->page > INT32_MAX)
        return err_field(err, FOOTNOTE_INVALID, "pageNumber", "counts from 1");
    TRY(check_id(op->course, "course", err));
    TRY(check_text(op->label, SNAPSHOT_LABEL_BYTES, "s3key", err));
    TRY(check_id(op->media_type, "mediaType", err));
    return check_id(op->object_key, "object key", err);
}

static enum footnote_rc find_same(struct tx *tx, struct snapshot_put *op,
                                  int64_t course, bool *found,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_one(tx->db, STMT_SNAPSHOT_SAME, &cur, found, err, db_text(op->slide),
               db_i64(op->page), db_i64(tx->account), db_i64(tx->tenant),
               db_i64(course), db_blob(digest_str(&op->digest))));
    if (!*found)
        return FOOTNOTE_OK;
    TRY(seal_check_key(tx, SEALED_SNAPSHOT, cur, 0, err, db_i64(tx->tenant),
                       db_i64(tx->account)));
    snprintf(op->label_text, sizeof(op->label_text), "%.*s",
             STR_ARG(db_col_str(cur, COL_SNAPSHOT_SEALED_LABEL)));
    /* An earlier run of this operation may have been committed. */
    op->keeps =
        str_eq(db_col_str(cur, COL_SNAPSHOT_SEALED_OBJECT_KEY), op->object_key);
    op->made = op->keeps;
    return FOOTNOTE_OK;
}

static void make_label(struct snapshot_put *op, int64_t n)
{
    char suffix[24] = "";
    int bytes;

    if (n > 1)
        snprintf(suffix, sizeof(suffix), "-%lld", (long long)n);
    if (op->label.p)
        bytes = snprintf(op->label_text, sizeof(op->label_text), "%.*s",
                         STR_ARG(op->label));
    else
        bytes = snprintf(op->label_text, sizeof(op->label_text),
                         "snapshots/%.*s/page-%lld%s.%.*s", STR_ARG(op->slide),
                         (long long)op->page, suffix, STR_ARG(op->extension));
    assert(bytes > 0 && bytes <= SNAPSHOT_LABEL_BYTES);
}

/* Adds the page's n-th picture; *added is false when its label is taken. */
static enum footnote_rc add_picture(struct tx *tx, struct snapshot_put *op,
                                    int64_t course, int64_t n, bool *added,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    enum { SEAL = COL_SNAPSHOT_SEALED_SEAL };
    struct db_value row[SEAL + 1];

    make_label(op, n);
    row[COL_SNAPSHOT_SEALED_TENANT] = db_i64(tx->tenant);
    row[COL_SNAPSHOT_SEALED_OWNER] = db_i64(tx->account);
    row[COL_SNAPSHOT_SEALED_LABEL] = db_text(str_c(op->label_text));
    row[COL_SNAPSHOT_SEALED_COURSE] = db_i64(course);
    row[COL_SNAPSHOT_SEALED_PAGE] = db_i64(op->page);
    row[COL_SNAPSHOT_SEALED_CREATED_MS] = db_i64(tx->db_ms);
    row[COL_SNAPSHOT_SEALED_SLIDE] = db_text(op->slide);
    row[COL_SNAPSHOT_SEALED_MEDIA_TYPE] = db_text(op->media_type);
    row[COL_SNAPSHOT_SEALED_OBJECT_KEY] = db_text(op->object_key);
    row[SEAL] = seal_of(SEALED_SNAPSHOT, row, SEAL);
    return db_one_n(tx->db, STMT_SNAPSHOT_ADD, row, SEAL + 1, &cur, added, err);
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct snapshot_put *op = arg;
    struct course_row c;
    bool done, row;
    int64_t n;

    op->made = op->keeps = false;
    TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    TRY(find_same(tx, op, c.key, &done, err));
    if (done)
        return FOOTNOTE_OK;
    TRY(usage_check(tx, (struct usage){.bytes = op->bytes + 1}, err));
    TRY(db_one(tx->db, STMT_SNAPSHOT_COUNT, &cur, &row, err, db_text(op->slide),
               db_i64(op->page), db_i64(tx->account), db_i64(tx->tenant)));
    n = row ? db_col_i64(cur, COL_SNAPSHOT_COUNT_PICTURES) : 0;
    TRY(object_add(tx,
                   &(struct object_new){op->object_key, tx->account, op->bytes,
                                        &op->digest},
                   err));
    while (!done) {
        if (++n > SNAPSHOT_SAME_PAGE_MAX)
            return err_field(err, FOOTNOTE_TOOBIG, "pageNumber",
                             "there are %d pictures of this page",
                             SNAPSHOT_SAME_PAGE_MAX);
        TRY(add_picture(tx, op, c.key, n, &done, err));
    }
    op->made = op->keeps = true;
    return FOOTNOTE_OK;
}

const struct store_op snapshot_put_op = {put_prepare, put_run};

/* ---- snapshot_find ------------------------------------------------------ */

static bool read_digest(struct db_cur *cur, int column, struct sha256 *out)
{
    struct str b = db_col_str(cur, column);

    if (b.n != SHA256_BYTES)
        return false;
    memcpy(out->b, b.p, SHA256_BYTES);
    return true;
}

static enum footnote_rc find_one(struct tx *tx, struct str label,
                                 struct snapshot *s, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    enum member_role role;
    int64_t course;
    bool row;

    if (check_text(label, SOURCE_LABEL_BYTES_MAX, "s3key", NULL) != FOOTNOTE_OK)
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_SNAPSHOT_FIND, &cur, &row, err, db_i64(tx->tenant),
               db_i64(tx->account), db_text(label)));
    if (!row)
        return FOOTNOTE_OK;
    TRY(seal_check_key(tx, SEALED_SNAPSHOT, cur, 0, err, db_i64(tx->tenant),
                       db_i64(tx->account), db_text(label)));
    course = db_col_i64(cur, COL_SNAPSHOT_SEALED_COURSE);
    s->slide = arena_str(tx->out, db_col_str(cur, COL_SNAPSHOT_SEALED_SLIDE));
    s->page = db_col_i64(cur, COL_SNAPSHOT_SEALED_PAGE);
    s->media_type =
        arena_str(tx->out, db_col_str(cur, COL_SNAPSHOT_SEALED_MEDIA_TYPE));
    s->object_key =
        arena_str(tx->out, db_col_str(cur, COL_SNAPSHOT_SEALED_OBJECT_KEY));
    s->bytes = db_col_i64(cur, COL_SNAPSHOT_FIND_BYTES);
    if (!read_digest(cur, COL_SNAPSHOT_FIND_DIGEST, &s->digest))
        return err_field(err, FOOTNOTE_DAMAGED, "snapshot",
                         "its row is damaged");
    TRY(course_role(tx, course, &role, err));
    s->found = role >= MEMBER_READER;
    return arena_rc(tx->out, err);
}

static enum footnote_rc find_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    struct snapshot_find *op = arg;

    op->snapshots = arena_many(tx->out, op->n + 1, struct snapshot);
    if (!op->snapshots)
        return arena_rc(tx->out, err);
    for (size_t i = 0; i < op->n; i++)
        if (op->labels[i].p)
            TRY(find_one(tx, op->labels[i], &op->snapshots[i], err));
    return FOOTNOTE_OK;
}

const struct store_op snapshot_find_op = {NULL, find_run};

/* ---- page_text ---------------------------------------------------------- */

static enum footnote_rc text_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct page_text *op = arg;
    struct document_name name = {op->document, op->course};
    struct document_row r;

    op->passages = NULL;
    op->passages_n = 0;
    TRY(document_find(tx, &name, &r, err));
    if (!r.found || r.deleted)
        return FOOTNOTE_OK;
    TRY(db_run(tx->db, STMT_PAGE_PASSAGES, &cur, err, db_i64(tx->tenant),
               db_i64(r.key), db_i64(r.searchable_version), db_i64(op->page)));
    for (;;) {
        struct str *p;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        if (!passage_is_whole(tx, cur, 0, r.key))
            continue;
        p = list_add(tx->out, &op->passages, &op->passages_n, sizeof(*p));
        if (!p)
            return arena_rc(tx->out, err);
        *p = arena_str(tx->out, db_col_str(cur, COL_PASSAGE_SEALED_TEXT));
    }
}

const struct store_op page_text_op = {NULL, text_run};

/* ---- snapshot_served ---------------------------------------------------- */

static enum footnote_rc served_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct snapshot_served *op = arg;
    bool row;

    TRY(db_one(tx->db, STMT_SNAPSHOT_SERVED, &cur, &row, err,
               db_text(op->object_key)));
    if (!row || !read_digest(cur, COL_SNAPSHOT_SERVED_DIGEST, &op->digest))
        return err_field(err, FOOTNOTE_NOTFOUND, "object", "is not there");
    TRY(seal_check(tx, SEALED_SNAPSHOT, cur, 0, err));
    if (!str_eq(db_col_str(cur, COL_SNAPSHOT_SEALED_OBJECT_KEY),
                op->object_key))
        return damage_in_row(tx->store, SEALED_SNAPSHOT, cur, 0, err);
    op->media_type =
        arena_str(tx->out, db_col_str(cur, COL_SNAPSHOT_SEALED_MEDIA_TYPE));
    op->bytes = db_col_i64(cur, COL_SNAPSHOT_SERVED_BYTES);
    return arena_rc(tx->out, err);
}

const struct store_op snapshot_served_op = {NULL, served_run};

/* ---- Deleting ----------------------------------------------------------- */

/* Reads all rows first: one statement runs at a time. */
static enum footnote_rc bury(struct tx *tx, struct db_cur *cur, int64_t *n,
                             struct footnote_err *err)
{
    struct gone {
        int64_t tenant;
        struct str key;
    } *gone = NULL;
    size_t gone_n = 0;

    for (;;) {
        struct gone *g;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            break;
        g = list_add(tx->scratch, &gone, &gone_n, sizeof(*g));
        if (!g)
            return arena_rc(tx->scratch, err);
        g->tenant = db_col_i64(cur, COL_DROPPED_SNAPSHOT_TENANT);
        g->key = arena_str(tx->scratch,
                           db_col_str(cur, COL_DROPPED_SNAPSHOT_OBJECT_KEY));
    }
    TRY(arena_rc(tx->scratch, err));
    for (size_t i = 0; i < gone_n; i++) {
        tx->tenant = gone[i].tenant;
        TRY(object_bury(tx, gone[i].key, err));
    }
    *n = (int64_t)gone_n;
    return FOOTNOTE_OK;
}

enum footnote_rc snapshots_drop(struct tx *tx, int64_t course, struct str slide,
                                struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t n;

    if (slide.p)
        TRY(db_run(tx->db, STMT_SNAPSHOTS_OF_SLIDE, &cur, err, db_i64(course),
                   db_i64(tx->tenant), db_text(slide)));
    else
        TRY(db_run(tx->db, STMT_SNAPSHOTS_OF_COURSE, &cur, err, db_i64(course),
                   db_i64(tx->tenant)));
    return bury(tx, cur, &n, err);
}

static enum footnote_rc sweep_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct snapshot_sweep *op = arg;

    TRY(db_run(tx->db, STMT_SNAPSHOTS_UNUSED, &cur, err,
               db_i64(op->created_before_ms)));
    return bury(tx, cur, &op->forgotten, err);
}

const struct store_op snapshot_sweep_op = {NULL, sweep_run};

/* ---- Every object ------------------------------------------------------- */

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct object_list *op = arg;

    op->rows = NULL;
    op->rows_n = 0;
    TRY(db_run(tx->db, STMT_OBJECTS_PAGE, &cur, err, db_text(op->after),
               db_i64((int64_t)op->limit)));
    for (;;) {
        struct object_row *r;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        r = list_add(tx->out, &op->rows, &op->rows_n, sizeof(*r));
        if (!r)
            return arena_rc(tx->out, err);
        r->key =
            arena_str(tx->out, db_col_str(cur, COL_OBJECTS_PAGE_OBJECT_KEY));
        r->bytes = db_col_i64(cur, COL_OBJECTS_PAGE_BYTES);
        if (!read_digest(cur, COL_OBJECTS_PAGE_DIGEST, &r->digest))
            return err_field(err, FOOTNOTE_DAMAGED, "object",
                             "its row is damaged");
    }
}

const struct store_op object_list_op = {NULL, list_run};

static enum footnote_rc count_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct object_count *op = arg;
    bool row;

    TRY(db_one(tx->db, STMT_OBJECTS_COUNT, &cur, &row, err, db_text(STR(""))));
    op->objects = row ? db_col_i64(cur, COL_OBJECTS_COUNT_OBJECTS) : 0;
    op->bytes = row ? db_col_i64(cur, COL_OBJECTS_COUNT_BYTES) : 0;
    return FOOTNOTE_OK;
}

const struct store_op object_count_op = {NULL, count_run};
