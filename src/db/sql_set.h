/* sql_set.h - the shape of what tools/sqlgen makes.  Constant; any thread.
 *
 * One set is the statements and the migrations of one application of db.h.
 * The product's is `sql_set` in the generated sql.h; tests bring their own.  A
 * set without migrations is for a database of another program, which is only
 * read.  A file of SQLite beside which there is a log or a journal is opened
 * for writing, for only a writer can bring them in: give a copy. */
#ifndef DB_SQL_SET_H
#define DB_SQL_SET_H
#include <stdbool.h>
#include <stddef.h>

enum sql_engine { SQL_SQLITE, SQL_POSTGRES, SQL_ENGINES };

struct sql_stmt {
    const char *name;
    const char *text[SQL_ENGINES];
    unsigned char args_n;
    bool writes; /* holds INSERT, UPDATE or DELETE; FOR UPDATE counts */
};

struct sql_migration {
    int number; /* counts from 1 without gaps */
    const char *name;
    const char *text; /* any number of SQL statements */
};

struct sql_set {
    const struct sql_stmt *stmts; /* by enum stmt_id */
    size_t stmts_n;
    const struct sql_migration *migrations[SQL_ENGINES];
    int migrations_n; /* the same for every engine; also the newest number */
};

#endif
