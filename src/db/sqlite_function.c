/* sqlite_function.c - what SQLite is lent while it migrates: bytes of numbers,
 * by the names that PostgreSQL has or is given for them. */
#include <endian.h>

#include "base/varint.h"
#include "db/sqlite_impl.h"

static void varint(sqlite3_context *c, int n, sqlite3_value **v)
{
    unsigned char bytes[VARINT_BYTES_MAX];

    (void)n;
    sqlite3_result_blob(
        c, bytes, (int)varint_put((uint64_t)sqlite3_value_int64(v[0]), bytes),
        SQLITE_TRANSIENT);
}

static void float8send(sqlite3_context *c, int n, sqlite3_value **v)
{
    double f = sqlite3_value_double(v[0]);
    uint64_t bits;

    (void)n;
    memcpy(&bits, &f, sizeof(bits));
    bits = htobe64(bits);
    sqlite3_result_blob(c, &bits, sizeof(bits), SQLITE_TRANSIENT);
}

enum footnote_rc sqlite_functions(sqlite3 *conn, struct footnote_err *err)
{
    static const struct {
        const char *name;
        void (*run)(sqlite3_context *, int, sqlite3_value **);
    } all[] = {{"varint", varint}, {"float8send", float8send}};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        int code = sqlite3_create_function_v2(
            conn, all[i].name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
            all[i].run, NULL, NULL, NULL);

        if (code != SQLITE_OK)
            return sqlite_fail(conn, code, NULL, err);
    }
    return FOOTNOTE_OK;
}
