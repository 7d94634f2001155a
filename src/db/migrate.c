/* migrate.c - forward-only migrations, the same walk for every engine.
 *
 * The schema_version table is the one piece of SQL that is kept in C: it must
 * exist before the first file of sql/schema can be recorded. */
#include <stdio.h>

#include "base/clock.h"
#include "db/driver.h"

enum footnote_rc migrate_check(const struct sql_set *sql, int version,
                               struct footnote_err *err)
{
    if (version <= sql->migrations_n)
        return FOOTNOTE_OK;
    return err_set(err, FOOTNOTE_FOREIGN,
                   "the database has schema %d, newer than %d, the newest "
                   "that this program knows",
                   version, sql->migrations_n);
}

/* Names come from file names that sqlgen has checked: letters, digits and
 * underscores, so nothing needs quoting. */
static enum footnote_rc record(const struct sql_migration *m,
                               migrate_exec_fn *exec, void *conn,
                               struct footnote_err *err)
{
    char text[200];

    snprintf(text, sizeof(text),
             "INSERT INTO schema_version (number, name, applied_ms) "
             "VALUES (%d, '%.80s', %lld);",
             m->number, m->name, (long long)clock_wall_ms());
    return exec(conn, text, err);
}

enum footnote_rc migrate(const struct sql_set *sql, enum sql_engine engine,
                         int version, migrate_exec_fn *exec, void *conn,
                         struct footnote_err *err)
{
    TRY(migrate_check(sql, version, err));
    for (int i = version; i < sql->migrations_n; i++) {
        const struct sql_migration *m = &sql->migrations[engine][i];
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
