/* migrate.c - forward-only migrations, the same walk for every engine.
 *
 * The schema_version table is the one piece of SQL that is kept in C: it must
 * exist before the first file of sql/schema can be recorded. */
#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/sha256.h"
#include "db/driver.h"

enum { LABEL_BYTES = 128, DIGEST_DIGITS = 16 };

/* What schema_version.name says: the migration's name, and the beginning of
 * its text's digest.  Names come from file names that sqlgen has checked:
 * letters, digits and underscores, so nothing needs quoting. */
static enum footnote_rc label_of(const struct sql_migration *m,
                                 char out[LABEL_BYTES],
                                 struct footnote_err *err)
{
    struct sha256 digest;
    char hex[SHA256_HEX + 1];

    TRY(sha256(str_c(m->text), &digest, err));
    sha256_hex(&digest, hex);
    snprintf(out, LABEL_BYTES, "%.80s %.*s", m->name, DIGEST_DIGITS, hex);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_number(const struct sql_set *sql, int version,
                                     struct footnote_err *err)
{
    if (version <= sql->migrations_n)
        return FOOTNOTE_OK;
    return err_set(err, FOOTNOTE_FOREIGN,
                   "the database has schema %d, newer than %d, the newest "
                   "that this program knows",
                   version, sql->migrations_n);
}

enum footnote_rc migrate_check(const struct sql_set *sql,
                               enum sql_engine engine, int version,
                               migrate_ask_fn *ask, void *conn,
                               struct footnote_err *err)
{
    char label[LABEL_BYTES], text[LABEL_BYTES + 100];
    int64_t same = 1;

    if (version >= 1) {
        TRY(label_of(&sql->migrations[engine][0], label, err));
        snprintf(text, sizeof(text),
                 "SELECT count(*) FROM schema_version "
                 "WHERE number = 1 AND name = '%s';",
                 label);
        TRY(ask(conn, text, &same, err));
    }
    if (!same)
        return err_set(err, FOOTNOTE_FOREIGN,
                       "the database was made by another migration 0001 than "
                       "this program has; before the first release there is "
                       "no way from one to the other");
    return check_number(sql, version, err);
}

static enum footnote_rc record(const struct sql_migration *m,
                               migrate_exec_fn *exec, void *conn,
                               struct footnote_err *err)
{
    char label[LABEL_BYTES], text[LABEL_BYTES + 100];

    TRY(label_of(m, label, err));
    snprintf(text, sizeof(text),
             "INSERT INTO schema_version (number, name, applied_ms) "
             "VALUES (%d, '%s', %lld);",
             m->number, label, (long long)clock_wall_ms());
    return exec(conn, text, err);
}

enum footnote_rc migrate(const struct sql_set *sql, enum sql_engine engine,
                         int version, migrate_exec_fn *exec, void *conn,
                         struct footnote_err *err)
{
    TRY(check_number(sql, version, err));
    for (int i = version; i < sql->migrations_n; i++) {
        const struct sql_migration *m = &sql->migrations[engine][i];
        assert(m->number == i + 1);
        enum footnote_rc rc = exec(conn, m->text, err);
        if (rc == FOOTNOTE_OK)
            rc = record(m, exec, conn, err);
        if (rc != FOOTNOTE_OK) {
            err_prefix(err, "migration %d (%s)", m->number, m->name);
            return rc;
        }
    }
    return FOOTNOTE_OK;
}
