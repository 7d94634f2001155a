/* fts.c - the same questions asked of SQLite's FTS5, in memory.
 *
 * They come without function words, which makes FTS5 faster. */
#include <sqlite3.h>
#include <stdlib.h>

#include "bench.h"

static sqlite3 *fts_build(struct text *t, uint32_t n)
{
    struct buf b = BUF(1 << 20);
    sqlite3_stmt *add = NULL;
    sqlite3 *db = NULL;

    must(sqlite3_open(":memory:", &db) == SQLITE_OK &&
             sqlite3_exec(db,
                          "CREATE VIRTUAL TABLE p USING fts5(text, "
                          "tokenize='porter unicode61');BEGIN",
                          NULL, NULL, NULL) == SQLITE_OK,
         "no FTS5");
    sqlite3_prepare_v2(db, "INSERT INTO p(rowid, text) VALUES(?, ?)", -1, &add,
                       NULL);
    for (uint32_t i = 0; i < n; i++) {
        buf_reset(&b);
        text_passage(t, i, &b);
        sqlite3_bind_int64(add, 1, i + 1);
        sqlite3_bind_text(add, 2, b.p, (int)b.n, SQLITE_STATIC);
        must(sqlite3_step(add) == SQLITE_DONE, "FTS5 failed");
        sqlite3_reset(add);
    }
    sqlite3_finalize(add);
    sqlite3_exec(db, "COMMIT;INSERT INTO p(p) VALUES('optimize')", NULL, NULL,
                 NULL);
    buf_free(&b);
    return db;
}

static void fts_ask_all(sqlite3 *db, struct text *t, uint32_t passages,
                        struct times *out)
{
    struct buf b = BUF(1 << 16);
    sqlite3_stmt *ask = NULL;

    sqlite3_prepare_v2(
        db, "SELECT rowid FROM p WHERE p MATCH ? ORDER BY rank LIMIT 10", -1,
        &ask, NULL);
    out->n = 0;
    for (uint32_t k = 0; k < SLOW_QUESTIONS; k++) {
        double start;

        buf_reset(&b);
        text_question(t,
                      asked_about(k * (QUESTIONS / SLOW_QUESTIONS), passages),
                      true, &b);
        start = cpu_ms();
        sqlite3_bind_text(ask, 1, b.p, (int)b.n, SQLITE_STATIC);
        while (sqlite3_step(ask) == SQLITE_ROW)
            continue;
        sqlite3_reset(ask);
        out->ms[out->n++] = cpu_ms() - start;
    }
    sqlite3_finalize(ask);
    buf_free(&b);
}

double measure_fts(struct text *t, uint32_t passages)
{
    struct times *times = calloc(1, sizeof(*times));
    sqlite3 *db = fts_build(t, passages);
    double p50;

    must(times != NULL, "no memory");
    fts_ask_all(db, t, passages, times);
    p50 = times_print("FTS5", times, "");
    sqlite3_close(db);
    free(times);
    return p50;
}
