/* postgres.c - the same questions asked of PostgreSQL's text search.
 *
 * tsvectors with a GIN index, one backend without helpers, its CPU time by the
 * kernel's clock.  Any of the words, ranked, is what we and FTS5 do; all of the
 * words is quicker, and finds nothing where one is mistyped. */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static void must_run(PGconn *c, const char *sql)
{
    PGresult *r = PQexec(c, sql);

    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        die(sql, PQerrorMessage(c));
    PQclear(r);
}

static void copy_passages(PGconn *c, struct text *t, uint32_t passages)
{
    struct buf b = BUF(1 << 20);
    PGresult *r = PQexec(c, "COPY p(id, text) FROM STDIN");

    if (PQresultStatus(r) != PGRES_COPY_IN)
        die("COPY", PQerrorMessage(c));
    PQclear(r);
    for (uint32_t i = 0; i < passages; i++) {
        buf_reset(&b);
        buf_printf(&b, "%u\t", i + 1);
        text_passage(t, i, &b);
        buf_add_c(&b, '\n');
        if (PQputCopyData(c, b.p, (int)b.n) != 1)
            die("COPY", PQerrorMessage(c));
    }
    PQputCopyEnd(c, NULL);
    while ((r = PQgetResult(c))) {
        if (PQresultStatus(r) != PGRES_COMMAND_OK)
            die("COPY", PQerrorMessage(c));
        PQclear(r);
    }
    buf_free(&b);
}

static PGconn *build(const char *postgres, struct text *t, uint32_t passages)
{
    const char *keys[] = {"host", "user", "dbname", NULL};
    const char *values[] = {postgres, "postgres", "search", NULL};
    PGconn *c;

    database_make(postgres, "search");
    c = PQconnectdbParams(keys, values, 0);
    if (PQstatus(c) != CONNECTION_OK)
        die("PostgreSQL", PQerrorMessage(c));
    must_run(c, "SET max_parallel_workers_per_gather = 0");
    must_run(c, "SET maintenance_work_mem = '512MB'");
    must_run(c, "CREATE UNLOGGED TABLE p (id int PRIMARY KEY, text text, "
                "words tsvector GENERATED ALWAYS AS "
                "(to_tsvector('english', text)) STORED)");
    copy_passages(c, t, passages);
    must_run(c, "CREATE INDEX ON p USING gin (words)");
    must_run(c, "VACUUM ANALYZE p");
    return c;
}

/* "a OR b" as PostgreSQL has it: "a | b", or "a & b". */
static void set_joints(struct buf *b, struct str words, char joint)
{
    for (size_t i = 0; i < words.n; i++) {
        bool is_or = words.n - i > 4 && memcmp(words.p + i, " OR ", 4) == 0;

        if (words.p[i] == ' ' && !is_or)
            continue;
        if (is_or)
            buf_add_c(b, joint);
        else
            buf_add_c(b, words.p[i]);
        i += is_or ? 3 : 0;
    }
    buf_add_c(b, '\0');
}

static void ask(PGconn *c, const char *words)
{
    const char *values[] = {words};
    PGresult *r = PQexecParams(
        c,
        "SELECT id FROM p, to_tsquery('english', $1) q WHERE words @@ q "
        "ORDER BY ts_rank_cd(words, q) DESC LIMIT 10",
        1, NULL, values, NULL, NULL, 0);

    if (PQresultStatus(r) != PGRES_TUPLES_OK)
        die("a search", PQerrorMessage(c));
    PQclear(r);
}

static void ask_all(PGconn *c, struct text *t, uint32_t passages, char joint,
                    struct times *out)
{
    pid_t backend = PQbackendPID(c);
    struct buf b = BUF(1 << 16), words = BUF(1 << 16);

    out->n = 0;
    for (uint32_t k = 0; k < SLOW_QUESTIONS; k++) {
        double start;

        buf_reset(&b);
        buf_reset(&words);
        text_question(t,
                      asked_about(k * (QUESTIONS / SLOW_QUESTIONS), passages),
                      true, &b);
        set_joints(&words, buf_str(&b), joint);
        start = program_cpu_s(backend);
        ask(c, words.p);
        out->ms[out->n++] = (program_cpu_s(backend) - start) * 1e3;
    }
    buf_free(&b);
    buf_free(&words);
}

void measure_postgres(const char *postgres, struct text *t, uint32_t passages)
{
    struct times *times = calloc(1, sizeof(*times));
    PGconn *c = build(postgres, t, passages);

    must(times != NULL, "no memory");
    ask_all(c, t, passages, '|', times);
    (void)times_print("PostgreSQL", times, "any of the words, ranked");
    ask_all(c, t, passages, '&', times);
    (void)times_print("PostgreSQL", times, "all of the words, ranked");
    PQfinish(c);
    free(times);
}
