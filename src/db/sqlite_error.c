/* sqlite_error.c - what the result codes of SQLite mean to us. */
#include "db/sqlite_impl.h"

static enum footnote_rc constraint_rc(int code)
{
    switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID: return FOOTNOTE_CONFLICT;
    case SQLITE_CONSTRAINT_FOREIGNKEY: return FOOTNOTE_NOTFOUND;
    case SQLITE_CONSTRAINT_CHECK:
    case SQLITE_CONSTRAINT_NOTNULL:
    case SQLITE_CONSTRAINT_DATATYPE: return FOOTNOTE_INVALID;
    default: return FOOTNOTE_INTERNAL;
    }
}

static enum footnote_rc code_rc(int code)
{
    switch (code & 0xff) {
    case SQLITE_CONSTRAINT: return constraint_rc(code);
    case SQLITE_IOERR:
        return code == SQLITE_IOERR_NOMEM ? FOOTNOTE_NOMEM : FOOTNOTE_BUSY;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_INTERRUPT:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN: return FOOTNOTE_BUSY;
    case SQLITE_READONLY:
    case SQLITE_PERM: return FOOTNOTE_READONLY;
    case SQLITE_CORRUPT: return FOOTNOTE_DAMAGED;
    case SQLITE_NOTADB: return FOOTNOTE_FOREIGN;
    case SQLITE_NOMEM: return FOOTNOTE_NOMEM;
    case SQLITE_TOOBIG: return FOOTNOTE_TOOBIG;
    case SQLITE_MISMATCH: return FOOTNOTE_INVALID;
    default: return FOOTNOTE_INTERNAL;
    }
}

static const char *code_text(sqlite3 *conn, int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL: return "no room on disk";
    case SQLITE_INTERRUPT: return "out of time";
    case SQLITE_BUSY: return "another process holds the lock";
    case SQLITE_NOMEM: return "out of memory";
    case SQLITE_NOTADB: return "the file is not a database";
    default: return conn ? sqlite3_errmsg(conn) : sqlite3_errstr(code);
    }
}

enum footnote_rc sqlite_explain(sqlite3 *conn, int code, const char *what,
                                struct footnote_err *err)
{
    enum footnote_rc rc = code_rc(code);

    err_put(err, rc, "%s", code_text(conn, code));
    if (what)
        err_prefix(err, "%s", what);
    return rc;
}
