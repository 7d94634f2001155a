/* postgres_examine.c - what a PostgreSQL server says of a whole database: the
 * settings that keep it, and amcheck, where it is installed.
 *
 * The connection leaves pipeline mode for it: such a connection is closed
 * afterwards. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "db/postgres_impl.h"

/* Of one statement: an examination is no call with a limit for all of it. */
static int64_t deadline(const struct pg_db *db)
{
    return clock_mono_ms() + db->base.timeout_ms;
}

/* ---- Settings ------------------------------------------------------------ */

/* `bad` are the values that may lose or damage what was acknowledged. */
static const struct {
    const char *name, *bad, *risk, *mend;
    enum db_grade grade;
} settings[] = {
    {"fsync", "off", "a power cut destroys the database",
     "ALTER SYSTEM SET fsync = on, then reload the server", DB_BROKEN},
    {"full_page_writes", "off", "a power cut leaves torn pages",
     "ALTER SYSTEM SET full_page_writes = on, then reload the server",
     DB_BROKEN},
    {"synchronous_commit", "off", "a crash loses acknowledged answers",
     "ALTER SYSTEM SET synchronous_commit = on, then reload the server",
     DB_BROKEN},
    {"zero_damaged_pages", "on", "damaged pages are read as empty ones",
     "ALTER SYSTEM RESET zero_damaged_pages, then reload the server",
     DB_BROKEN},
    {"data_checksums", "off", "a damaged page is not noticed",
     "stop the server, then pg_checksums --enable", DB_DOUBTFUL},
};

static enum footnote_rc check_settings(struct pg_db *db,
                                       struct db_examination *x, bool *fine,
                                       struct footnote_err *err)
{
    AUTO(pg_clearp) PGresult *r = NULL;
    char text[200];

    TRY(pg_ask(db, "SELECT name, setting FROM pg_settings;", deadline(db), &r,
               err));
    for (int i = 0; i < PQntuples(r); i++)
        for (size_t j = 0; j < sizeof(settings) / sizeof(settings[0]); j++) {
            if (strcmp(PQgetvalue(r, i, 0), settings[j].name) != 0 ||
                strcmp(PQgetvalue(r, i, 1), settings[j].bad) != 0)
                continue;
            snprintf(text, sizeof(text), "the server has %s=%s: %s",
                     settings[j].name, settings[j].bad, settings[j].risk);
            x->found(x->arg, settings[j].grade, text, settings[j].mend);
            *fine = false;
        }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_clock(struct pg_db *db, struct db_examination *x,
                                   struct footnote_err *err)
{
    AUTO(pg_clearp) PGresult *r = NULL;

    TRY(pg_ask(db,
               "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 "
               "AS bigint);",
               deadline(db), &r, err));
    x->clock_ms = strtoll(PQgetvalue(r, 0, 0), NULL, 10);
    return FOOTNOTE_OK;
}

/* ---- amcheck ------------------------------------------------------------- */

/* Puts amcheck's schema into the search path; false: it is not installed. */
static enum footnote_rc find_amcheck(struct pg_db *db, bool *there,
                                     struct footnote_err *err)
{
    AUTO(pg_clearp) PGresult *r = NULL;

    TRY(pg_ask(db,
               "SELECT set_config('search_path', 'footnote,' || "
               "quote_ident(n.nspname), false) FROM pg_extension e "
               "JOIN pg_namespace n ON n.oid = e.extnamespace "
               "WHERE e.extname = 'amcheck';",
               deadline(db), &r, err));
    *there = PQntuples(r) > 0;
    return FOOTNOTE_OK;
}

/* One statement a table and a tree, so that progress shows, and the first
 * damage does not hide the rest. */
static enum footnote_rc list_checks(struct pg_db *db, PGresult **out,
                                    struct footnote_err *err)
{
    return pg_ask(
        db,
        "SELECT c.relname, CASE c.relkind WHEN 'r' THEN "
        "'SELECT msg FROM verify_heapam(' || c.oid || ') LIMIT 1' ELSE "
        "'SELECT bt_index_check(' || c.oid || ', true)' END "
        "FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam "
        "WHERE c.relnamespace = to_regnamespace('footnote') AND "
        "(c.relkind = 'r' OR c.relkind = 'i' AND a.amname = 'btree') "
        "ORDER BY c.relname;",
        deadline(db), out, err);
}

static enum footnote_rc check_one(struct pg_db *db, struct db_examination *x,
                                  const char *name, const char *sql, bool *fine)
{
    AUTO(pg_clearp) PGresult *r = NULL;
    struct footnote_err why = {.text = ""};
    enum footnote_rc rc = pg_ask(db, sql, -1, &r, &why);
    char text[300];

    if (rc == FOOTNOTE_BUSY)
        return rc; /* the connection is gone */
    if (rc == FOOTNOTE_OK && PQntuples(r) > 0 && !PQgetisnull(r, 0, 0) &&
        PQgetlength(r, 0, 0) > 0)
        snprintf(text, sizeof(text), "amcheck: %s: %s", name,
                 PQgetvalue(r, 0, 0));
    else if (rc != FOOTNOTE_OK)
        snprintf(text, sizeof(text), "amcheck: %s: %s", name, why.text);
    else
        return FOOTNOTE_OK;
    *fine = false;
    x->found(x->arg, DB_BROKEN, text,
             "REINDEX what is an index; else restore a backup");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_trees(struct pg_db *db, struct db_examination *x,
                                    bool *fine, struct footnote_err *err)
{
    AUTO(pg_clearp) PGresult *list = NULL;
    bool there;

    TRY(find_amcheck(db, &there, err));
    if (!there) {
        *fine = false;
        x->found(x->arg, DB_DOUBTFUL,
                 "amcheck is not installed: tables and their indexes were "
                 "not compared",
                 "CREATE EXTENSION amcheck");
        return FOOTNOTE_OK;
    }
    TRY(list_checks(db, &list, err));
    for (int i = 0; i < PQntuples(list); i++) {
        x->goes_on(x->arg);
        if (check_one(db, x, PQgetvalue(list, i, 0), PQgetvalue(list, i, 1),
                      fine) != FOOTNOTE_OK)
            return err_set(err, FOOTNOTE_BUSY,
                           "the connection to the database was lost");
    }
    return FOOTNOTE_OK;
}

enum footnote_rc pg_examine(struct db *base, struct db_examination *x,
                            struct footnote_err *err)
{
    struct pg_db *db = (struct pg_db *)base;
    bool fine = true;

    if (!PQexitPipelineMode(db->conn))
        return err_set(err, FOOTNOTE_INTERNAL, "leaving pipeline mode");
    TRY(pg_ask(db, "SET statement_timeout = 0;", deadline(db), NULL, err));
    TRY(read_clock(db, x, err));
    TRY(check_settings(db, x, &fine, err));
    if (!x->quick)
        TRY(check_trees(db, x, &fine, err));
    if (fine)
        x->found(x->arg, DB_FINE,
                 x->quick ? "PostgreSQL's settings keep what is acknowledged"
                          : "PostgreSQL's settings keep what is acknowledged, "
                            "amcheck finds nothing",
                 NULL);
    return FOOTNOTE_OK;
}
