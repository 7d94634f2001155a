/* flip_test.c - single bits of sealed columns are flipped in the database
 * file's tables: each is found, and no read shows anything else than before. */
#include <sqlite3.h>
#include <stdlib.h>

#include "seal_help.h"
#include "store/scrub.h"
#include "store_help.h"

/* What stands outside of the seals: sql/sealed.sql says why. */
static const char outside[] =
    " last_key docs_version index_version unit done total emptying last_seq "
    "active_ms saved_digest place shown course.version session.version ";

struct column {
    char table[32], name[32];
};
enum { COLUMNS_MAX = 400 };

struct columns {
    struct column list[COLUMNS_MAX];
    int n;
};

static sqlite3 *conn;

static bool is_outside(const char *table, const char *name)
{
    char plain[80], full[80];

    snprintf(plain, sizeof(plain), " %s ", name);
    snprintf(full, sizeof(full), " %s.%s ", table, name);
    return strstr(outside, plain) || strstr(outside, full);
}

/* Generated from the schema, so that a new column is flipped as well. */
static void find_columns(struct columns *all)
{
    for (int t = 0; t < SEALED_N; t++) {
        sqlite3_stmt *s = NULL;

        CHECK_INT(sqlite3_prepare_v2(conn,
                                     "SELECT name FROM pragma_table_info(?)",
                                     -1, &s, NULL),
                  SQLITE_OK);
        sqlite3_bind_text(s, 1, sealed_tables[t].name, -1, SQLITE_STATIC);
        while (sqlite3_step(s) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(s, 0);
            struct column *c = &all->list[all->n];

            if (is_outside(sealed_tables[t].name, name))
                continue;
            CHECK(++all->n < COLUMNS_MAX);
            snprintf(c->table, sizeof(c->table), "%s", sealed_tables[t].name);
            snprintf(c->name, sizeof(c->name), "%s", name);
        }
        sqlite3_finalize(s);
    }
}

/* A value of the column, NULLs apart; NULL when there is none. */
static sqlite3_value *value_of(const struct column *c)
{
    sqlite3_value *v = NULL;
    sqlite3_stmt *s = NULL;
    char sql[200];

    snprintf(sql, sizeof(sql),
             "SELECT %s FROM %s WHERE %s IS NOT NULL ORDER BY random()",
             c->name, c->table, c->name);
    CHECK_INT(sqlite3_prepare_v2(conn, sql, -1, &s, NULL), SQLITE_OK);
    if (sqlite3_step(s) == SQLITE_ROW)
        v = sqlite3_value_dup(sqlite3_column_value(s, 0));
    sqlite3_finalize(s);
    return v;
}

static void flip_bytes(sqlite3_stmt *s, sqlite3_value *v, unsigned bit)
{
    int n = sqlite3_value_bytes(v);
    bool text = sqlite3_value_type(v) == SQLITE_TEXT;
    unsigned char *copy = calloc(1, (size_t)n + 1);

    CHECK(copy);
    memcpy(copy, sqlite3_value_blob(v), (size_t)n);
    copy[bit / 8 % (unsigned)n] ^= (unsigned char)(1U << bit % 8);
    if (text)
        sqlite3_bind_text(s, 1, (char *)copy, n, SQLITE_TRANSIENT);
    else
        sqlite3_bind_blob(s, 1, copy, n, SQLITE_TRANSIENT);
    free(copy);
}

static void bind_flipped(sqlite3_stmt *s, sqlite3_value *v, unsigned bit)
{
    int type = sqlite3_value_type(v);

    if (type == SQLITE_INTEGER) {
        sqlite3_bind_int64(s, 1,
                           (int64_t)((uint64_t)sqlite3_value_int64(v) ^
                                     (uint64_t)1 << bit % 64));
    } else if (type == SQLITE_FLOAT) {
        double d = sqlite3_value_double(v);
        uint64_t bits;

        memcpy(&bits, &d, sizeof(bits));
        bits ^= (uint64_t)1 << bit % 52; /* no NaN, which is NULL */
        memcpy(&d, &bits, sizeof(d));
        sqlite3_bind_double(s, 1, d);
    } else {
        flip_bytes(s, v, bit);
    }
}

/* Changes all rows that have the value, and back.  False when a constraint says
 * no: then nothing has changed. */
static bool change(const struct column *c, sqlite3_value *v, unsigned bit,
                   bool back)
{
    sqlite3_stmt *s = NULL;
    char sql[200];
    int rc;

    snprintf(sql, sizeof(sql), "UPDATE %s SET %s = %s WHERE %s IS %s", c->table,
             c->name, back ? "?2" : "?1", c->name, back ? "?1" : "?2");
    CHECK_INT(sqlite3_prepare_v2(conn, sql, -1, &s, NULL), SQLITE_OK);
    bind_flipped(s, v, bit);
    sqlite3_bind_value(s, 2, v);
    rc = sqlite3_step(s);
    sqlite3_finalize(s);
    CHECK(!back || rc == SQLITE_DONE);
    return rc == SQLITE_DONE;
}

/* Then the rows that were changed could not be told from others. */
static bool is_there(const struct column *c, sqlite3_value *v, unsigned bit)
{
    sqlite3_stmt *s = NULL;
    char sql[200];
    bool there;

    snprintf(sql, sizeof(sql), "SELECT 1 FROM %s WHERE %s IS ?1", c->table,
             c->name);
    CHECK_INT(sqlite3_prepare_v2(conn, sql, -1, &s, NULL), SQLITE_OK);
    bind_flipped(s, v, bit);
    there = sqlite3_step(s) == SQLITE_ROW;
    sqlite3_finalize(s);
    return there;
}

/* False when the bit could not be flipped. */
static bool flip_one(const struct column *c, unsigned i, unsigned bit)
{
    sqlite3_value *v = value_of(c);
    bool flipped = v && (sqlite3_value_type(v) == SQLITE_INTEGER ||
                         sqlite3_value_type(v) == SQLITE_FLOAT ||
                         sqlite3_value_bytes(v) > 0);

    flipped = flipped && !is_there(c, v, bit) && change(c, v, bit, false);
    if (flipped) {
        if (help_scrub() == 0)
            FAIL("bit %u of %s.%s was not found", bit, c->table, c->name);
        if (i % 100 == 0)
            help_reopen(); /* nothing is remembered */
        (void)damaged_reads();
        CHECK(change(c, v, bit, true));
    }
    sqlite3_value_free(v);
    return flipped;
}

TEST_LIMIT(sqlite_no_flipped_bit_is_missed_or_shown, 300)
{
    unsigned wanted = test_count(1000, 5000), flipped = 0, seed = 4711;
    struct columns columns = {.n = 0};

    help_damaged = true;
    help_open();
    seal_fill();
    CHECK_INT(sqlite3_open(test_url() + strlen("sqlite:"), &conn), SQLITE_OK);
    sqlite3_busy_timeout(conn, 10000);
    find_columns(&columns);
    CHECK(columns.n > 100);
    for (unsigned i = 0; flipped < wanted && i < 20 * wanted; i++) {
        seed = seed * 1103515245 + 12345;
        flipped += flip_one(&columns.list[i % (unsigned)columns.n], flipped,
                            seed >> 8);
    }
    CHECK_INT(flipped, wanted);
    CHECK_INT(help_scrub(), 0);
    CHECK_INT(damaged_reads(), 0);
    sqlite3_close(conn);
    help_close();
}
