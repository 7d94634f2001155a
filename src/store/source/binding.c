/* binding.c - which document a new source cites, and who may write where.
 *
 * A text id says too little: anybody may make a document with any id in a
 * course of their own.  A source keeps the key of the document that its saver
 * could read, and what happens to other documents is nothing to it.
 *
 * The writer remembers what it found.  tenant.docs_version moves with every
 * document, right and deleted course, so what was true at one holds at it; a
 * rollback takes the number back, and empties this. */
#include <assert.h>
#include <stdlib.h>

#include "store/document/document_row.h"
#include "store/session/course_row.h"
#include "store/session/scope.h"
#include "store/source/binding.h"
#include "store/source/pool.h"
#include "store/state.h"

enum { NAMES = 4 * 1024, COURSES = 1024 };

struct bound_name { /* a document's id as it is named in a pool */
    uint64_t generation;
    int64_t tenant, docs_version, pool;
    int64_t account; /* 0: true for all who may write to the pool */
    struct binding binding;
    size_t course_n, id_n;
    char text[2 * STORE_ID_BYTES_MAX]; /* course, id */
};
struct known_course {
    uint64_t generation;
    int64_t tenant, docs_version, account, course;
    enum course_state state;
};
struct bindings {
    uint64_t generation;
    struct bound_name names[NAMES];
    struct known_course courses[COURSES];
};

enum footnote_rc bindings_open(struct bindings **out, struct footnote_err *err)
{
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    (*out)->generation = 1;
    return FOOTNOTE_OK;
}

void bindings_close(struct bindings *b)
{
    free(b);
}

void bindings_forget(struct bindings *b)
{
    b->generation++;
}

/* Reads tx->docs_version, which a new session does not bring. */
static enum footnote_rc docs_version_now(struct tx *tx,
                                         struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    if (tx->docs_version >= 0)
        return FOOTNOTE_OK;
    TRY(db_one(tx->db, STMT_DOCS_VERSION, &cur, &row, err, db_i64(tx->tenant)));
    tx->docs_version = row ? db_col_i64(cur, COL_DOCS_VERSION_DOCS_VERSION) : 0;
    return FOOTNOTE_OK;
}

/* ---- Documents ---------------------------------------------------------- */

/* *account: whose answer it is; 0: everybody's. */
static enum footnote_rc find(struct tx *tx, int64_t pool, struct str course,
                             struct str id, struct document_row *out,
                             int64_t *account, struct footnote_err *err)
{
    struct course_row named = {.found = false};

    *out = (struct document_row){.found = false};
    if (course.p)
        TRY(course_find(tx, course, &named, err));
    *account = pool == tx->account || (named.found && named.key != pool)
                   ? tx->account
                   : 0;
    if (named.found && named.key != pool && named.role != MEMBER_NONE)
        TRY(document_in(tx, named.key, id, out, err));
    if (out->found)
        return FOOTNOTE_OK;
    if (pool != tx->account)
        return document_in(tx, pool, id, out, err);
    TRY(document_own(tx, id, out, err));
    return out->found
               ? FOOTNOTE_OK
               : document_find(tx, &(struct document_name){.id = id}, out, err);
}

static bool is_known(const struct bindings *b, const struct tx *tx,
                     const struct bound_name *k, int64_t pool,
                     struct str course, struct str id)
{
    return k->generation == b->generation && k->tenant == tx->tenant &&
           k->docs_version == tx->docs_version && k->pool == pool &&
           (k->account == 0 || k->account == tx->account) &&
           k->course_n == course.n && k->id_n == id.n &&
           (course.n == 0 || memcmp(k->text, course.p, course.n) == 0) &&
           memcmp(k->text + course.n, id.p, id.n) == 0;
}

enum footnote_rc binding_now(struct tx *tx, int64_t pool,
                             const struct source *s, struct binding *out,
                             struct footnote_err *err)
{
    struct bindings *b = pool_bindings(tx->store->pool);
    struct str id = s->document.p ? s->document : s->lecture,
               course = s->course;
    struct bound_name *k = &b->names[(str_hash(id) ^ (uint64_t)pool) % NAMES];
    struct document_row d;
    int64_t account;

    *out = (struct binding){.document = 0};
    if (!id.p)
        return FOOTNOTE_OK;
    TRY(docs_version_now(tx, err));
    if (tx->docs_version == 0)
        return FOOTNOTE_OK;
    if (!scope_confines(tx->scope) && is_known(b, tx, k, pool, course, id)) {
        *out = k->binding;
        return FOOTNOTE_OK;
    }
    TRY(find(tx, pool, course, id, &d, &account, err));
    if (d.found)
        *out = (struct binding){
            d.key, d.searchable_version ? d.searchable_version : d.version};
    if (scope_confines(tx->scope)) /* it holds for this key alone */
        return FOOTNOTE_OK;
    assert(course.n + id.n <= sizeof(k->text)); /* source_check() */
    *k = (struct bound_name){.generation = b->generation,
                             .tenant = tx->tenant,
                             .docs_version = tx->docs_version,
                             .pool = pool,
                             .account = account,
                             .binding = *out,
                             .course_n = course.n,
                             .id_n = id.n};
    if (course.n)
        memcpy(k->text, course.p, course.n);
    memcpy(k->text + course.n, id.p, id.n);
    return FOOTNOTE_OK;
}

/* ---- Courses ------------------------------------------------------------ */

static enum course_state state_of(const struct course_row *c)
{
    if (!c->found || c->role == MEMBER_NONE)
        return COURSE_CLOSED;
    return c->deleted ? COURSE_DELETED : COURSE_OPEN;
}

enum footnote_rc course_state_now(struct tx *tx, int64_t course,
                                  enum course_state *out,
                                  struct footnote_err *err)
{
    struct bindings *b = pool_bindings(tx->store->pool);
    struct known_course *k =
        &b->courses[((uint64_t)tx->account * 31 + (uint64_t)course) % COURSES];
    struct course_row c;

    if (scope_confines(tx->scope)) { /* what holds for this key alone */
        TRY(course_of(tx, course, &c, err));
        *out = state_of(&c);
        return FOOTNOTE_OK;
    }
    TRY(docs_version_now(tx, err));
    if (k->generation != b->generation || k->tenant != tx->tenant ||
        k->docs_version != tx->docs_version || k->account != tx->account ||
        k->course != course) {
        TRY(course_of(tx, course, &c, err));
        *k = (struct known_course){b->generation, tx->tenant, tx->docs_version,
                                   tx->account,   course,     state_of(&c)};
    }
    *out = k->state;
    return FOOTNOTE_OK;
}
