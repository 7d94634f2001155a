/* contract.h - one case, every engine.
 *
 * CONTRACT(name) becomes sqlite_name and postgres_name.  test_url() is the
 * URL of a fresh, empty database of that engine: a file in test_dir(), or a
 * database of its own in the private cluster that tools/cluster started
 * (TEST_POSTGRES holds its socket folder; missing is a failure, not a skip). */
#ifndef CONTRACT_H
#define CONTRACT_H
#include "test.h"

void contract_engine(const char *engine);
const char *test_url(void); /* the same for the whole test */
bool test_is_postgres(void);
/* Databases of PostgreSQL begin with what fn() put into one, once for all the
 * tests of a cluster; it leaves no connection behind.  For a constructor; NULL:
 * with nothing. */
typedef void contract_fill_fn(const char *url);
void contract_begin_with(contract_fill_fn *fn);
/* Takes the database of PostgreSQL away, whoever is connected. */
void test_drop_database(void);

#define CONTRACT_LIMIT(id, seconds)                                            \
    static void contract_run_##id(void);                                       \
    TEST_LIMIT(sqlite_##id, seconds)                                           \
    {                                                                          \
        contract_engine("sqlite");                                             \
        contract_run_##id();                                                   \
    }                                                                          \
    TEST_LIMIT(postgres_##id, seconds)                                         \
    {                                                                          \
        contract_engine("postgres");                                           \
        contract_run_##id();                                                   \
    }                                                                          \
    static void contract_run_##id(void)
#define CONTRACT(id) CONTRACT_LIMIT(id, 0)

#endif
