/* fts.c - the same questions through SQLite's FTS5.
 *
 * With the best settings that FTS5 has: porter stems, bm25 with the title twice
 * as heavy, and questions without function words, joined by OR. */
#include "fts.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "language/analyse.h"

enum { HITS_MAX = 100 };

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "quality: %s\n", what);
    exit(1);
}

static void bind(sqlite3_stmt *s, int column, struct str text)
{
    sqlite3_bind_text(s, column, text.p ? text.p : "", (int)text.n,
                      SQLITE_STATIC);
}

static sqlite3 *build(const struct collection *c)
{
    sqlite3_stmt *add = NULL;
    sqlite3 *db = NULL;

    must(sqlite3_open(":memory:", &db) == SQLITE_OK &&
             sqlite3_exec(db,
                          "CREATE VIRTUAL TABLE p USING fts5(title, text, "
                          "tokenize='porter unicode61');BEGIN",
                          NULL, NULL, NULL) == SQLITE_OK,
         "there is no FTS5");
    sqlite3_prepare_v2(db, "INSERT INTO p(rowid, title, text) VALUES(?, ?, ?)",
                       -1, &add, NULL);
    for (size_t i = 0; i < c->docs_n; i++) {
        sqlite3_bind_int64(add, 1, (int64_t)i + 1);
        bind(add, 2, c->docs[i].title);
        bind(add, 3, c->docs[i].text);
        must(sqlite3_step(add) == SQLITE_DONE, "FTS5 took no text");
        sqlite3_reset(add);
    }
    sqlite3_finalize(add);
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    return db;
}

/* "word" OR "word"; all words when all are function words. */
static void words(struct analyser *a, struct str question, bool all,
                  struct buf *out)
{
    struct token t;

    buf_reset(out);
    analyse(a, question, LANGUAGE_EN);
    while (analyse_next(a, &t)) {
        if (t.stop && !all)
            continue;
        buf_printf(out, "%s\"%.*s\"", out->n ? " OR " : "", STR_ARG(t.word));
    }
}

static double ask(sqlite3_stmt *s, struct str match,
                  const struct collection_query *q, size_t top)
{
    uint32_t docs[HITS_MAX];
    size_t n = 0;

    sqlite3_bind_text(s, 1, match.p, (int)match.n, SQLITE_STATIC);
    while (n < top && n < HITS_MAX && sqlite3_step(s) == SQLITE_ROW)
        docs[n++] = (uint32_t)(sqlite3_column_int64(s, 0) - 1);
    sqlite3_reset(s);
    return measure_ndcg_of(q, docs, n, top);
}

double fts_ndcg(const struct collection *c, size_t top)
{
    AUTO(analyser_closep) struct analyser *a = NULL;
    AUTO(buf_free) struct buf b = BUF((size_t)1 << 20);
    sqlite3 *db = build(c);
    sqlite3_stmt *s = NULL;
    double sum = 0;
    size_t n = 0;

    must(analyser_open(&a, NULL) == FOOTNOTE_OK, "out of memory");
    sqlite3_prepare_v2(db,
                       "SELECT rowid FROM p WHERE p MATCH ? "
                       "ORDER BY bm25(p, 2.0, 1.0) LIMIT 100",
                       -1, &s, NULL);
    for (size_t i = 0; i < c->queries_n; i++) {
        const struct collection_query *q = &c->queries[i];

        if (q->judgements_n == 0)
            continue;
        words(a, q->text, false, &b);
        if (b.n == 0)
            words(a, q->text, true, &b);
        sum += ask(s, buf_str(&b), q, top);
        n++;
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return n ? sum / (double)n : 0;
}
