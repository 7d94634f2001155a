/* thing_help.h - connections to a database with the schema of tests/db/
 * sql, for the tests of src/db.  Each call must succeed, or the test fails. */
#ifndef THING_HELP_H
#define THING_HELP_H
#include "contract.h"
#include "db/db.h"
#include "test_sql.h"

extern struct footnote_err thing_err; /* for CHECK_OK */

struct db *thing_open(enum db_mode mode, int timeout_ms);
struct db *thing_open_begun(void);
void thing_begin(struct db *db);
void thing_commit(struct db *db);
void thing_add(struct db *db, int64_t id, const char *words);
/* The number that a statement without arguments gives. */
int64_t thing_ask(struct db *db, enum stmt_id stmt);
int64_t thing_count(struct db *db);
/* As another connection sees it. */
int64_t thing_count_committed(void);
/* thing_err holds these words. */
void thing_check_text(const char *part);
/* Ends another connection by the process of its server (PostgreSQL). */
void thing_kill(struct db *db, int64_t pid);

#endif
