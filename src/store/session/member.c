/* member.c - who may read a course, and who said so. */
#include "store/check.h"
#include "store/document/document_row.h"
#include "store/id_cache.h"
#include "store/list.h"
#include "store/seal.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/group.h"

enum footnote_rc member_write(struct tx *tx, int64_t course, int64_t account,
                              enum member_role role, enum member_origin origin,
                              struct footnote_err *err)
{
    struct db_value row[] = {db_i64(tx->tenant),
                             db_i64(course),
                             db_i64(account),
                             db_i64(role),
                             origin == MEMBER_BY_HAND ? db_null()
                                                      : db_i64(origin),
                             db_null()};

    row[COL_MEMBER_SEALED_SEAL] =
        seal_of(SEALED_MEMBER, row, COL_MEMBER_SEALED_SEAL);
    return db_do_n(tx->db, STMT_MEMBER_PUT, row, COL_MEMBER_SEALED_SEAL + 1,
                   err);
}

static enum footnote_rc drop(struct tx *tx, int64_t course, int64_t account,
                             struct footnote_err *err)
{
    return db_do(tx->db, STMT_MEMBER_DROP, err, db_i64(tx->tenant),
                 db_i64(course), db_i64(account));
}

/* A changed right changes how sources read in sessions of any course, so what
 * readers remember of the tenant's documents is out of date. */
static enum footnote_rc changed(struct tx *tx, int64_t course,
                                struct footnote_err *err)
{
    TRY(db_do(tx->db, STMT_COURSE_TOUCH, err, db_i64(tx->tenant),
              db_i64(course)));
    return docs_changed(tx, err);
}

/* ---- By hand ------------------------------------------------------------ */

static enum footnote_rc put_prepare(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    struct member_put *op = arg;

    (void)tx;
    if (!op->user.p)
        return err_field(err, FOOTNOTE_INVALID, "user", "is missing");
    if ((int)op->role < MEMBER_NONE || op->role > MEMBER_EDITOR)
        return err_field(err, FOOTNOTE_INVALID, "role", "%d does not exist",
                         (int)op->role);
    return check_id(op->user, "user", err);
}

static enum footnote_rc put_run(struct tx *tx, void *arg,
                                struct footnote_err *err)
{
    struct member_put *op = arg;
    struct course_row c;
    int64_t account;

    TRY(course_need(tx, op->course, MEMBER_OWNER, &c, err));
    TRY(account_of(tx, op->user, &account, err));
    if (op->role == MEMBER_NONE)
        TRY(drop(tx, c.key, account, err));
    else
        TRY(member_write(tx, c.key, account, op->role, MEMBER_BY_HAND, err));
    return changed(tx, c.key, err);
}

const struct store_op member_put_op = {put_prepare, put_run};

/* ---- By groups ---------------------------------------------------------- */

/* The highest role that the groups give; the ids are the operator's. */
static enum member_role role_by(const struct group_courses *g, struct str id)
{
    enum member_role role = MEMBER_NONE;

    for (size_t i = 0; i < g->n; i++)
        if (str_eq(g->items[i].course, id) && g->items[i].role > role)
            role = g->items[i].role;
    return role;
}

struct held {
    int64_t course;
    enum member_role role;
    enum member_origin origin;
};

static enum footnote_rc read_held(struct tx *tx, struct held **out, size_t *n,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_MEMBER_OF, &cur, err, db_i64(tx->account),
               db_i64(tx->tenant)));
    for (;;) {
        struct held *h;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(seal_check(tx, SEALED_MEMBER, cur, 0, err));
        h = list_add(tx->scratch, out, n, sizeof(*h));
        if (!h)
            return arena_rc(tx->scratch, err);
        h->course = db_col_i64(cur, COL_MEMBER_SEALED_COURSE);
        h->role = (enum member_role)db_col_i64(cur, COL_MEMBER_SEALED_ROLE);
        if (!db_col_null(cur, COL_MEMBER_SEALED_ORIGIN))
            h->origin = MEMBER_BY_GROUPS;
    }
}

static const struct held *held_in(const struct held *h, size_t n,
                                  int64_t course)
{
    for (size_t i = 0; i < n; i++)
        if (h[i].course == course)
            return &h[i];
    return NULL;
}

static enum footnote_rc give(struct tx *tx, const struct group_courses *g,
                             const struct held *held, size_t held_n,
                             struct footnote_err *err)
{
    for (size_t i = 0; i < g->n; i++) {
        enum member_role role = role_by(g, g->items[i].course);
        const struct held *h;
        struct course_row c;

        TRY(course_find(tx, g->items[i].course, &c, err));
        if (!c.found || c.deleted || c.owner == tx->account)
            continue;
        h = held_in(held, held_n, c.key);
        if (h && (h->origin == MEMBER_BY_HAND || h->role == role))
            continue;
        TRY(member_write(tx, c.key, tx->account, role, MEMBER_BY_GROUPS, err));
        TRY(changed(tx, c.key, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc members_of_groups(struct tx *tx, const struct group_courses *g,
                                   struct footnote_err *err)
{
    struct held *held = NULL;
    size_t n = 0;

    TRY(read_held(tx, &held, &n, err));
    for (size_t i = 0; i < n; i++) {
        char id[STORE_ID_BYTES_MAX + 1];

        if (held[i].origin != MEMBER_BY_GROUPS)
            continue;
        TRY(course_id_of(tx, held[i].course, id, err));
        if (role_by(g, str_c(id)) != MEMBER_NONE)
            continue;
        TRY(drop(tx, held[i].course, tx->account, err));
        TRY(changed(tx, held[i].course, err));
    }
    return give(tx, g, held, n, err);
}

/* ---- Listing ------------------------------------------------------------ */

static enum footnote_rc read_member(struct tx *tx, int64_t course,
                                    struct db_cur *cur, struct member *m,
                                    struct footnote_err *err)
{
    enum { ACCOUNT = COL_MEMBER_LIST_ACCOUNT_SEALED };
    int64_t account = db_col_i64(cur, COL_MEMBER_SEALED_ACCOUNT);

    TRY(seal_check_key(tx, SEALED_MEMBER, cur, 0, err, db_i64(tx->tenant),
                       db_i64(course)));
    m->role = (enum member_role)db_col_i64(cur, COL_MEMBER_SEALED_ROLE);
    if (!db_col_null(cur, COL_MEMBER_SEALED_ORIGIN))
        m->origin = MEMBER_BY_GROUPS;
    m->user = STR("*");
    if (account == 0)
        return FOOTNOTE_OK;
    TRY(seal_check_key(tx, SEALED_ACCOUNT, cur, ACCOUNT, err,
                       db_i64(tx->tenant), db_i64(account)));
    m->user =
        arena_str(tx->out, db_col_str(cur, ACCOUNT + COL_ACCOUNT_SEALED_NAME));
    return arena_rc(tx->out, err);
}

static enum footnote_rc list_run(struct tx *tx, void *arg,
                                 struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct member_list *op = arg;
    struct course_row c;

    op->members = NULL;
    op->members_n = 0;
    TRY(course_need(tx, op->course, MEMBER_READER, &c, err));
    TRY(db_run(tx->db, STMT_MEMBER_LIST, &cur, err, db_i64(tx->tenant),
               db_i64(c.key)));
    for (;;) {
        struct member *m;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return arena_rc(tx->out, err);
        m = list_add(tx->out, &op->members, &op->members_n, sizeof(*m));
        if (!m)
            return arena_rc(tx->out, err);
        TRY(read_member(tx, c.key, cur, m, err));
    }
}

const struct store_op member_list_op = {NULL, list_run};
