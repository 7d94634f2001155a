/* schema.c - the tests of the programs it is linked to begin with our schema
 * in their database, as after the first start: PostgreSQL needs a third of a
 * second for it, and most tests are shorter. */
#include "../contract.h"
#include "db/db.h"

static void migrate_it(const char *url)
{
    struct footnote_err err;
    struct db *db;

    if (db_open(&(struct db_options){.url = url, .mode = DB_WRITE}, &db,
                &err) != FOOTNOTE_OK)
        FAIL("%s", err.text);
    db_close(db);
}

__attribute__((constructor)) static void begin_with_the_schema(void)
{
    contract_begin_with(migrate_it);
}
