/* postgres_value.c - values to and from PostgreSQL's binary form, the meaning
 * of its error codes, and the one place that waits for its socket. */
#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>

#include "base/clock.h"
#include "db/postgres_impl.h"

/* From pg_type.dat; they never change. */
enum {
    OID_BOOL = 16,
    OID_BYTEA = 17,
    OID_INT8 = 20,
    OID_INT2 = 21,
    OID_INT4 = 23,
    OID_TEXT = 25,
    OID_FLOAT8 = 701,
    OID_UNKNOWN = 705,
    OID_VARCHAR = 1043
};

bool pg_type_known(Oid type)
{
    switch (type) {
    case OID_BOOL:
    case OID_BYTEA:
    case OID_INT8:
    case OID_INT2:
    case OID_INT4:
    case OID_TEXT:
    case OID_FLOAT8:
    case OID_UNKNOWN:
    case OID_VARCHAR: return true;
    default: return false;
    }
}

/* --- arguments -------------------------------------------------------- */

static bool is_text(Oid type)
{
    return type == OID_TEXT || type == OID_VARCHAR || type == OID_UNKNOWN;
}

static void put_number(struct pg_args *out, int i, uint64_t v, int bytes)
{
    out->numbers[i] = htobe64(v << (64 - 8 * bytes));
    out->values[i] = (const char *)&out->numbers[i];
    out->lengths[i] = bytes;
}

static void put_f64(struct pg_args *out, int i, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof(bits));
    put_number(out, i, bits, 8);
}

static enum footnote_rc put_i64(struct pg_args *out, int i, Oid type, int64_t v,
                                struct footnote_err *err)
{
    if ((type == OID_INT2 && (v < INT16_MIN || v > INT16_MAX)) ||
        (type == OID_INT4 && (v < INT32_MIN || v > INT32_MAX)))
        return err_set(err, FOOTNOTE_INVALID, "%lld does not fit in $%d",
                       (long long)v, i + 1);
    switch (type) {
    case OID_BOOL: put_number(out, i, v != 0, 1); return FOOTNOTE_OK;
    case OID_INT2: put_number(out, i, (uint64_t)v, 2); return FOOTNOTE_OK;
    case OID_INT4: put_number(out, i, (uint64_t)v, 4); return FOOTNOTE_OK;
    case OID_INT8: put_number(out, i, (uint64_t)v, 8); return FOOTNOTE_OK;
    case OID_FLOAT8: put_f64(out, i, (double)v); return FOOTNOTE_OK;
    default:
        return err_set(err, FOOTNOTE_INTERNAL, "$%d is not a number", i + 1);
    }
}

static enum footnote_rc put_str(struct pg_args *out, int i, Oid type,
                                const struct db_value *v,
                                struct footnote_err *err)
{
    if (type != OID_BYTEA && !(is_text(type) && v->type == DB_TEXT))
        return err_set(err, FOOTNOTE_INTERNAL, "$%d is not %s", i + 1,
                       v->type == DB_TEXT ? "text" : "bytes");
    if (v->s.n > INT_MAX / 2)
        return err_set(err, FOOTNOTE_TOOBIG, "$%d is over 1 GB", i + 1);
    out->values[i] = v->s.p;
    out->lengths[i] = (int)v->s.n;
    return FOOTNOTE_OK;
}

static enum footnote_rc put(struct pg_args *out, int i, Oid type,
                            const struct db_value *v, struct footnote_err *err)
{
    out->values[i] = NULL;
    out->lengths[i] = 0;
    out->formats[i] = 1;
    switch (v->type) {
    case DB_NULL: return FOOTNOTE_OK;
    case DB_I64: return put_i64(out, i, type, v->i, err);
    case DB_F64:
        if (type != OID_FLOAT8)
            return err_set(err, FOOTNOTE_INTERNAL, "$%d is not a double",
                           i + 1);
        put_f64(out, i, v->f);
        return FOOTNOTE_OK;
    case DB_TEXT:
    case DB_BLOB: return put_str(out, i, type, v, err);
    }
    return err_set(err, FOOTNOTE_INTERNAL, "$%d has no type", i + 1);
}

enum footnote_rc pg_bind(struct pg_args *out, const Oid *types,
                         const struct db_value *args, int n,
                         struct footnote_err *err)
{
    for (int i = 0; i < n; i++)
        TRY(put(out, i, types[i], &args[i], err));
    return FOOTNOTE_OK;
}

/* --- columns ---------------------------------------------------------- */

static const struct pg_cur *on_row(struct db_cur *base)
{
    const struct pg_cur *cur = (const struct pg_cur *)base;

    assert(cur->result && cur->row >= 0);
    return cur;
}

/* The bits of a value of up to eight bytes, sign-extended. */
static int64_t number(const struct pg_cur *cur, int column)
{
    int bytes = PQgetlength(cur->result, cur->row, column);
    uint64_t v = 0;

    assert(bytes > 0 && bytes <= 8);
    memcpy(&v, PQgetvalue(cur->result, cur->row, column), (size_t)bytes);
    return (int64_t)be64toh(v) >> (64 - 8 * bytes);
}

bool pg_col_null(struct db_cur *base, int column)
{
    const struct pg_cur *cur = on_row(base);

    return PQgetisnull(cur->result, cur->row, column);
}

double pg_col_f64(struct db_cur *base, int column)
{
    const struct pg_cur *cur = on_row(base);
    double v;

    if (pg_col_null(base, column))
        return 0;
    int64_t bits = number(cur, column);
    if (PQftype(cur->result, column) != OID_FLOAT8)
        return (double)bits;
    memcpy(&v, &bits, sizeof(v));
    if (isfinite(v))
        return v;
    db_unsound(base->db, cur->name, PQfname(cur->result, column));
    return 0;
}

int64_t pg_col_i64(struct db_cur *base, int column)
{
    const struct pg_cur *cur = on_row(base);

    if (pg_col_null(base, column))
        return 0;
    if (PQftype(cur->result, column) == OID_FLOAT8)
        return (int64_t)pg_col_f64(base, column);
    return number(cur, column);
}

static struct str bytes_of(const struct pg_cur *cur, int column)
{
    return (struct str){PQgetvalue(cur->result, cur->row, column),
                        (size_t)PQgetlength(cur->result, cur->row, column)};
}

struct str pg_col_str(struct db_cur *base, int column)
{
    const struct pg_cur *cur = on_row(base);

    if (pg_col_null(base, column))
        return STR_NONE;
    bool text = is_text(PQftype(cur->result, column));
    struct str s = bytes_of(cur, column);

    assert(text || PQftype(cur->result, column) == OID_BYTEA);
    if (!text || db_text_is_sound(s))
        return s;
    db_unsound(base->db, cur->name, PQfname(cur->result, column));
    return STR("");
}

static struct db_value value(struct db_cur *base, int column)
{
    const struct pg_cur *cur = on_row(base);
    Oid type = PQftype(cur->result, column);
    double v;

    if (pg_col_null(base, column))
        return db_null();
    if (is_text(type))
        return db_text(bytes_of(cur, column));
    if (type == OID_BYTEA)
        return db_blob(bytes_of(cur, column));
    if (type != OID_FLOAT8)
        return db_i64(number(cur, column));
    int64_t bits = number(cur, column);
    memcpy(&v, &bits, sizeof(v));
    return db_f64(v);
}

void pg_col_values(struct db_cur *base, int first, size_t n,
                   struct db_value *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = value(base, first + (int)i);
}

/* --- errors ----------------------------------------------------------- */

/* A state, or the beginning of several, and what it means.  The first row
 * that fits counts. */
// clang-format off
static const struct {
    const char *state;
    struct pg_meaning meaning;
} meanings[] = {
    {"23505", {FOOTNOTE_CONFLICT, false, false, false}}, /* unique */
    {"23503", {FOOTNOTE_NOTFOUND, false, false, false}}, /* foreign key */
    {"23502", {FOOTNOTE_INVALID,  false, false, false}}, /* not null */
    {"23514", {FOOTNOTE_INVALID,  false, false, false}}, /* check */
    {"22",    {FOOTNOTE_INVALID,  false, false, false}}, /* data */
    {"40003", {FOOTNOTE_BUSY,     true,  true,  true}},  /* outcome unknown */
    {"40",    {FOOTNOTE_BUSY,     true,  false, false}}, /* serialization */
    {"55P03", {FOOTNOTE_BUSY,     true,  false, false}}, /* lock */
    {"08",    {FOOTNOTE_BUSY,     true,  true,  true}},  /* connection */
    {"57P0",  {FOOTNOTE_BUSY,     true,  true,  true}},  /* server stops */
    {"57014", {FOOTNOTE_BUSY,     false, false, false}}, /* cancelled */
    {"53",    {FOOTNOTE_BUSY,     false, false, false}}, /* disk, memory */
    {"58030", {FOOTNOTE_BUSY,     false, false, false}}, /* I/O */
    {"54",    {FOOTNOTE_TOOBIG,   false, false, false}}, /* limits */
    {"XX00",  {FOOTNOTE_DAMAGED,  false, false, false}}, /* corrupted */
};
// clang-format on

struct pg_meaning pg_meaning(const char *state, enum db_mode mode)
{
    struct pg_meaning other = {FOOTNOTE_INTERNAL, false, false, false};

    if (!state) /* libpq's own: the connection broke */
        state = "08006";
    if (strcmp(state, "XX000") == 0)
        return other;
    /* A writer meets this when its server has become a standby. */
    if (strcmp(state, "25006") == 0)
        return (struct pg_meaning){FOOTNOTE_READONLY, mode == DB_WRITE,
                                   mode == DB_WRITE, false};
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
        if (str_starts(str_c(state), str_c(meanings[i].state)))
            return meanings[i].meaning;
    return other;
}

void pg_put_message(struct footnote_err *err, enum footnote_rc rc,
                    const char *what, const char *message)
{
    struct str line = str_c(message ? message : "");

    line.n = str_find(line, '\n');
    if (line.n == 0)
        line = STR("out of memory");
    err_put(err, rc, "%s: %.*s", what, STR_ARG(line));
}

/* --- waiting ---------------------------------------------------------- */

static int left_ms(int64_t deadline_ms)
{
    if (deadline_ms < 0)
        return -1;
    int64_t left = deadline_ms - clock_mono_ms();
    return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

enum pg_wait pg_wait(PGconn *conn, int64_t deadline_ms)
{
    int unsent = PQflush(conn);
    struct pollfd p = {.fd = PQsocket(conn), .events = POLLIN};

    if (unsent < 0 || p.fd < 0)
        return PG_LOST;
    if (unsent > 0)
        p.events |= POLLOUT;
    int n = poll(&p, 1, left_ms(deadline_ms));
    if (n == 0)
        return PG_LATE;
    if (n < 0)
        return errno == EINTR ? PG_READY : PG_LOST;
    if ((p.revents & ~POLLOUT) && !PQconsumeInput(conn))
        return PG_LOST;
    return PG_READY;
}
