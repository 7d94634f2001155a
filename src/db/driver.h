/* driver.h - what a driver of db.h fills in.  One thread per connection.
 *
 * A driver's connection begins with struct db and its cursor with struct
 * db_cur, so a pointer to one is a pointer to the other.  All slots but the
 * last two are mandatory.  db.c checks the order of calls (no statement outside
 * of a transaction, no second begin), so that drivers need not. */
#ifndef DB_DRIVER_H
#define DB_DRIVER_H
#include "db/db.h"

enum { DB_TIMEOUT_MS = 10000 };

struct db_driver {
    const char *name;
    enum sql_engine engine;
    bool round_trips, rival_writers, other_machines; /* see db_has_...() */
    bool parts; /* a part can be undone, in a transaction with care */

    /* Connects, checks, migrates.  `o` has no zeroes left to fill in, but is
     * borrowed for the call.  *out is untouched on failure. */
    enum footnote_rc (*open)(const struct db_options *o, struct db **out,
                             struct footnote_err *err);
    void (*close)(struct db *db);
    enum footnote_rc (*examine)(struct db *db, struct db_examination *x,
                                struct footnote_err *err);

    /* May connect again.  After a failure nothing is begun. */
    enum footnote_rc (*begin)(struct db *db, struct footnote_err *err);
    /* The transaction is over, whatever is returned. */
    enum footnote_rc (*commit)(struct db *db, struct footnote_err *err);
    void (*rollback)(struct db *db);

    /* `parts` drivers look at db->care. */
    enum footnote_rc (*part_begin)(struct db *db, struct footnote_err *err);
    enum footnote_rc (*part_end)(struct db *db, struct footnote_err *err);
    bool (*part_undo)(struct db *db);

    /* args has as many values as the statement wants.  *cur is untouched on
     * failure. */
    enum footnote_rc (*run)(struct db *db, enum stmt_id stmt,
                            const struct db_value *args, struct db_cur **cur,
                            struct footnote_err *err);
    enum footnote_rc (*run_alone)(struct db *db, enum stmt_id stmt,
                                  const struct db_value *args,
                                  struct footnote_err *err);
    /* Nothing more is run before commit or rollback; readers only. */
    void (*last)(struct db *db);
    enum footnote_rc (*next)(struct db_cur *cur, bool *row,
                             struct footnote_err *err);
    int64_t (*col_i64)(struct db_cur *cur, int column);
    /* A value that nobody can have stored goes through db_unsound(). */
    double (*col_f64)(struct db_cur *cur, int column);
    struct str (*col_str)(struct db_cur *cur, int column);
    bool (*col_null)(struct db_cur *cur, int column);
    void (*col_values)(struct db_cur *cur, int first, size_t n,
                       struct db_value *out);
    /* By a statement that was run to its end and returns no rows. */
    int64_t (*changed)(struct db_cur *cur);
    void (*end)(struct db_cur *cur);

    /* As db_copy_file(); NULL: the database is no file. */
    enum footnote_rc (*copy_file)(struct db *db, const char *path,
                                  const atomic_bool *stop,
                                  struct footnote_err *err);
    /* As db_check_log(); NULL: the engine looks after its own. */
    enum footnote_rc (*check_log)(const char *url, struct footnote_err *err);
};

extern const struct db_driver db_sqlite, db_postgres;

struct db {
    const struct db_driver *driver;
    const struct sql_set *sql;
    enum db_mode mode;
    int timeout_ms;
    bool scratch;
    int64_t transaction; /* how many were begun */
    bool begun;          /* between begin and commit or rollback */
    bool last;           /* db_last was called since begin */
    bool wrote;          /* since db_part_begin */
    bool care;           /* see db_care() */
    bool retry; /* the transaction failed, but may well succeed if repeated */
    int64_t until_ms; /* of the first answer; 0: it came */
    bool late;        /* see db_is_late(); the driver's to set and to clear */
    struct footnote_err unsound; /* see db_sound(); rc OK: all was sound */
};

struct db_cur {
    struct db *db;
};

/* Fills in what is the same for every driver. */
void db_base_init(struct db *db, const struct db_driver *driver,
                  const struct db_options *o);

/* Text as the store lets it in: UTF-8 without a NUL byte. */
bool db_text_is_sound(struct str s);
/* This column of the statement's row is not, or no number. */
void db_unsound(struct db *db, const char *stmt, const char *column);

/* migrate.c: brings a schema up to date, inside a transaction that the driver
 * has begun under a lock.  `version` is the newest number recorded. */
typedef enum footnote_rc migrate_exec_fn(void *conn, const char *sql,
                                         struct footnote_err *err);
enum footnote_rc migrate(const struct sql_set *sql, enum sql_engine engine,
                         int version, migrate_exec_fn *exec, void *conn,
                         struct footnote_err *err);
/* FOREIGN when `version` is newer than the set knows, or when the database was
 * made by another first migration.  `ask` gives the number that a query has. */
typedef enum footnote_rc migrate_ask_fn(void *conn, const char *sql,
                                        int64_t *out, struct footnote_err *err);
enum footnote_rc migrate_check(const struct sql_set *sql,
                               enum sql_engine engine, int version,
                               migrate_ask_fn *ask, void *conn,
                               struct footnote_err *err);

#endif
