/* postgres_open.c - the URL, connecting, and preparing all statements, which
 * is one round trip. */
#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "db/postgres_impl.h"

enum {
    URL_BYTES_MAX = 8 * 1024,
    KEYS_MAX = 64,
    /* The server gives up a little after we have: what was abandoned with a
     * dropped connection must not hold its locks for ever. */
    SERVER_EXTRA_MS = 1000,
    HOST_MS = 3000 /* for a host while there are others */
};

/* --- the URL ---------------------------------------------------------- */

/* True when the option is not libpq's. */
static bool is_ours(struct pg_db *db, struct str pair)
{
    if (str_eq(pair, STR("allow_unsafe=1"))) {
        db->allow_unsafe = true;
        return true;
    }
    return str_starts(pair, STR("durability=")); /* the store above reads it */
}

enum footnote_rc pg_parse_url(struct pg_db *db, const char *url,
                              struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(URL_BYTES_MAX);
    struct str rest = str_c(url), out;
    size_t end = str_find(rest, '?');
    char before = '?';

    buf_add(&b, (struct str){rest.p, end});
    while (end < rest.n) {
        rest = str_skip(rest, end + 1);
        end = str_find(rest, '&');
        struct str pair = {rest.p, end};
        if (is_ours(db, pair))
            continue;
        buf_add_c(&b, before);
        buf_add(&b, pair);
        before = '&';
    }
    TRY(buf_take(&b, &out, err));
    db->url = strndup(out.p, out.n);
    free((void *)(uintptr_t)out.p);
    if (!db->url)
        return err_set(err, FOOTNOTE_NOMEM, "opening a database");
    return FOOTNOTE_OK;
}

/* --- connecting ------------------------------------------------------- */

static enum footnote_rc await_connected(struct pg_db *db, int64_t deadline_ms,
                                        struct footnote_err *err)
{
    PostgresPollingStatusType state = PGRES_POLLING_WRITING;
    PGconn *conn = db->conn;

    if (PQstatus(conn) == CONNECTION_BAD)
        state = PGRES_POLLING_FAILED;
    while (state != PGRES_POLLING_OK) {
        if (state == PGRES_POLLING_FAILED) {
            pg_put_message(err, FOOTNOTE_BUSY, "connect", PQerrorMessage(conn));
            return FOOTNOTE_BUSY;
        }
        short events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        struct pollfd p = {.fd = PQsocket(conn), .events = events};
        int64_t left = deadline_ms - clock_mono_ms();
        if (left <= 0 || poll(&p, 1, (int)left) == 0) {
            db->base.late = true;
            return err_set(err, FOOTNOTE_BUSY,
                           "connect: the database did not answer in time");
        }
        state = PQconnectPoll(conn);
    }
    return FOOTNOTE_OK;
}

struct params {
    const char *keys[KEYS_MAX + 1], *values[KEYS_MAX + 1];
    int n;
};

static void add(struct params *p, const char *key, const char *value)
{
    assert(p->n < KEYS_MAX);
    p->keys[p->n] = key;
    p->values[p->n++] = value;
}

static void free_info(PQconninfoOption **info)
{
    PQconninfoFree(*info);
}

/* What a reader sends is a snapshot without being told: see commit_reading. */
#define READER_OPTIONS                                                         \
    " -c default_transaction_isolation=repeatable\\ read"                      \
    " -c default_transaction_read_only=on"

/* One plan for each statement, whatever its arguments: a tenant that is new
 * must not be planned for as if it had nothing.  All that we ask for has an
 * index, and tables grow faster than plans are made anew: a plan that reads a
 * whole table because it is small now is never worth its risk.  Joins are made
 * in the order in which they are written. */
#define PLAN_OPTIONS                                                           \
    " -c plan_cache_mode=force_generic_plan -c jit=off"                        \
    " -c enable_seqscan=off -c enable_bitmapscan=off -c enable_material=off"   \
    " -c enable_hashjoin=off -c enable_mergejoin=off"                          \
    " -c join_collapse_limit=1"

static void on_notice(void *arg, const PGresult *r)
{
    struct pg_db *db = arg;
    const char *severity = PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED);

    if (!severity || strcmp(severity, "WARNING") == 0)
        db->warned = true;
}

static bool is_listed(const char *keyword)
{
    return strcmp(keyword, "host") == 0 || strcmp(keyword, "hostaddr") == 0 ||
           strcmp(keyword, "port") == 0;
}

/* Our own part of the options. */
static void add_options(const struct pg_db *db, struct buf *options)
{
    buf_printf(options, "-c search_path=footnote -c statement_timeout=%d",
               db->base.timeout_ms + SERVER_EXTRA_MS);
    buf_add(options, STR(PLAN_OPTIONS));
    if (db->base.mode == DB_READ)
        buf_add(options, STR(READER_OPTIONS));
    buf_add_c(options, '\0');
}

/* The URL's own settings and ours.  Ours are start-up parameters rather than
 * SET, because a pooler may hand the session to somebody else. */
static enum footnote_rc start_connect(struct pg_db *db,
                                      const PQconninfoOption *info, size_t host,
                                      const char *want,
                                      struct footnote_err *err)
{
    AUTO(pg_host_free) struct pg_host at = {.host = NULL};
    AUTO(buf_free) struct buf options = BUF(URL_BYTES_MAX);
    struct params p = {.n = 0};

    TRY(pg_host_at(info, host, &at, err));
    for (const PQconninfoOption *o = info; o->keyword; o++) {
        if (!o->val || is_listed(o->keyword))
            continue;
        if (strcmp(o->keyword, "options") == 0)
            buf_printf(&options, "%s ", o->val);
        else if (strcmp(o->keyword, "target_session_attrs") != 0)
            add(&p, o->keyword, o->val);
    }
    add_options(db, &options);
    TRY(buf_rc(&options, err));
    if (at.host)
        add(&p, "host", at.host);
    if (at.hostaddr)
        add(&p, "hostaddr", at.hostaddr);
    if (at.port)
        add(&p, "port", at.port);
    add(&p, "options", options.p);
    add(&p, "client_encoding", "UTF8");
    add(&p, "fallback_application_name", "footnote");
    add(&p, "target_session_attrs", want);
    db->conn = PQconnectStartParams(p.keys, p.values, 0);
    if (!db->conn)
        return err_set(err, FOOTNOTE_NOMEM, "connect: out of memory");
    return FOOTNOTE_OK;
}

/* Where a password has an @, / or ? as it is, libpq takes the rest of it for a
 * host or a port, and would name that in its message. */
static bool is_ambiguous(struct str url)
{
    const char *slashes = memmem(url.p, url.n, "://", 3);
    size_t end = 0, at = 0;

    if (!slashes)
        return false;
    url = str_skip(url, (size_t)(slashes - url.p) + 3);
    while (end < url.n && url.p[end] != '/' && url.p[end] != '?')
        at += url.p[end++] == '@';
    return at > 1 ||
           (at == 0 && str_find(url, ':') < end && str_find(url, '@') < url.n);
}

static enum footnote_rc parse_info(const struct pg_db *db,
                                   PQconninfoOption **out,
                                   struct footnote_err *err)
{
    char *why = NULL;

    *out = NULL;
    if (is_ambiguous(str_c(db->url)))
        return err_set(err, FOOTNOTE_INVALID,
                       "url: write @, / and ? of a password as %%40, %%2F and "
                       "%%3F");
    *out = PQconninfoParse(db->url, &why);
    if (*out)
        return FOOTNOTE_OK;
    bool memory = !why || str_starts(str_c(why), STR("out of memory"));
    enum footnote_rc rc = memory ? FOOTNOTE_NOMEM : FOOTNOTE_INVALID;
    /* It quotes what it could not read, which may be the password. */
    if (why && strchr(db->url, '@'))
        why[strcspn(why, "\"")] = '\0';
    pg_put_message(err, rc, "url", why);
    PQfreemem(why);
    return rc;
}

/* Connects to the first host that is as wanted. */
static enum footnote_rc connect_any(struct pg_db *db,
                                    const PQconninfoOption *info,
                                    const char *want, struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_BUSY;
    size_t n;

    TRY(pg_hosts_count(info, &n, err));
    for (size_t i = 0; i < n && rc == FOOTNOTE_BUSY; i++) {
        int64_t now = clock_mono_ms(), until = pg_deadline(db);

        if (i + 1 < n && until > now + HOST_MS)
            until = now + HOST_MS;
        PQfinish(db->conn);
        db->conn = NULL;
        TRY(start_connect(db, info, i, want, err));
        (void)PQsetNoticeReceiver(db->conn, on_notice, db);
        rc = await_connected(db, until, err);
    }
    return rc;
}

/* A standby is never taken, whatever the URL lists first: what it shows may be
 * old.  A primary that takes no writes at present is better than none, because
 * it says so.  A reader, which is read-only by its own options, cannot ask for
 * a session that writes. */
static enum footnote_rc connect_primary(struct pg_db *db,
                                        struct footnote_err *err)
{
    AUTO(free_info) PQconninfoOption *info = NULL;

    TRY(parse_info(db, &info, err));
    if (db->base.mode == DB_WRITE &&
        connect_any(db, info, "read-write", err) == FOOTNOTE_OK)
        return FOOTNOTE_OK;
    return connect_any(db, info, "primary", err);
}

/* --- the statements --------------------------------------------------- */

static bool send_prepares(struct pg_db *db)
{
    for (size_t i = 0; i < db->base.sql->stmts_n; i++) {
        const struct sql_stmt *s = &db->base.sql->stmts[i];
        if (!PQsendPrepare(db->conn, s->name, s->text[SQL_POSTGRES], 0, NULL) ||
            !PQsendDescribePrepared(db->conn, s->name))
            return false;
    }
    return PQpipelineSync(db->conn);
}

/* One result and the NULL behind it. */
static enum footnote_rc await_one(struct pg_db *db, const char *name,
                                  PGresult **out, struct footnote_err *err)
{
    PGresult *end = NULL;

    TRY(pg_await_result(db, pg_deadline(db), out, err));
    if (!*out || !pg_is_good(*out))
        return pg_result_fail(db, *out, name, err);
    return pg_await_result(db, pg_deadline(db), &end, err);
}

static enum footnote_rc learn_types(struct pg_stmt *stmt,
                                    const struct sql_stmt *s, const PGresult *r,
                                    struct footnote_err *err)
{
    int n = PQnparams(r);

    assert(s->args_n <= PG_ARGS_MAX);
    if (n != s->args_n) /* sqlgen has counted: libpq had no room for them */
        return err_set(err, FOOTNOTE_NOMEM, "%s: out of memory", s->name);
    for (int i = 0; i < n; i++) {
        stmt->args[i] = PQparamtype(r, i);
        if (!pg_type_known(stmt->args[i]))
            return err_set(err, FOOTNOTE_INTERNAL,
                           "%s: $%d has type %u, which has to be cast", s->name,
                           i + 1, stmt->args[i]);
    }
    for (int i = 0; i < PQnfields(r); i++)
        if (!pg_type_known(PQftype(r, i)))
            return err_set(err, FOOTNOTE_INTERNAL,
                           "%s: column %d has type %u, which has to be cast",
                           s->name, i, PQftype(r, i));
    return FOOTNOTE_OK;
}

static enum footnote_rc prepare_all(struct pg_db *db, struct footnote_err *err)
{
    AUTO(pg_clearp) PGresult *sync = NULL;

    if (!PQenterPipelineMode(db->conn) || !send_prepares(db))
        return err_set(err, FOOTNOTE_BUSY, "connect: cannot prepare");
    for (size_t i = 0; i < db->base.sql->stmts_n; i++) {
        const struct sql_stmt *s = &db->base.sql->stmts[i];
        AUTO(pg_clearp) PGresult *prepared = NULL;
        AUTO(pg_clearp) PGresult *described = NULL;
        TRY(await_one(db, s->name, &prepared, err));
        TRY(await_one(db, s->name, &described, err));
        TRY(learn_types(&db->stmts[i], s, described, err));
    }
    return pg_await_result(db, pg_deadline(db), &sync, err);
}

static enum footnote_rc connect_steps(struct pg_db *db,
                                      struct footnote_err *err)
{
    TRY(connect_primary(db, err));
    if (PQsetnonblocking(db->conn, 1) != 0)
        return err_set(err, FOOTNOTE_BUSY, "connect: cannot be nonblocking");
    TRY(pg_check_server(db, err));
    TRY(pg_bring_up_to_date(db, err));
    return prepare_all(db, err);
}

enum footnote_rc pg_connect(struct pg_db *db, struct footnote_err *err)
{
    enum footnote_rc rc = connect_steps(db, err);

    if (rc == FOOTNOTE_OK) {
        db->base.late = false;
        return rc;
    }
    PQfinish(db->conn);
    db->conn = NULL;
    return rc;
}
