/* migrate_test.c - what older programs have stored is read as it was. */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "base/buf.h"
#include "db/db.h"
#include "store/answer/answer.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store_help.h"

enum { FILE_BYTES_MAX = 64 * 1024 };

/* An empty database of that schema. */
static void make_old(int schema)
{
    struct sql_set old = sql_set;
    struct db_options o = {test_url(), DB_WRITE, 0, &old};
    struct db *db = NULL;

    old.migrations_n = schema;
    old.stmts_n = 0; /* they speak of newer tables */
    CHECK_OK(db_open(&o, &db, &err), &err);
    db_close(db);
}

/* The file's text; to PostgreSQL a blob is '\x...'. */
static void read_sql(const char *path, struct buf *to)
{
    static char text[FILE_BYTES_MAX];
    FILE *f = fopen(path, "rb");
    size_t n;

    CHECK(f != NULL);
    n = fread(text, 1, sizeof(text) - 1, f);
    CHECK(n < sizeof(text) - 1 && fclose(f) == 0);
    for (size_t i = 0; i < n; i++) {
        if (test_is_postgres() && strncmp(text + i, " x'", 3) == 0) {
            buf_add(to, STR(" '\\x"));
            i += 2;
        } else {
            buf_add_c(to, text[i]);
        }
    }
    buf_add_c(to, '\0');
    CHECK_OK(buf_rc(to, &err), &err);
}

static void run_sqlite(const char *sql)
{
    sqlite3 *c = NULL;

    CHECK_INT(sqlite3_open(test_url() + strlen("sqlite:"), &c), SQLITE_OK);
    if (sqlite3_exec(c, sql, NULL, NULL, NULL) != SQLITE_OK)
        FAIL("%s", sqlite3_errmsg(c));
    sqlite3_close(c);
}

static void run_postgres(const char *sql)
{
    PGconn *c = PQconnectdb(test_url());
    PGresult *r;

    PQclear(PQexec(c, "SET search_path = ai"));
    r = PQexec(c, sql);
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        FAIL("%s", PQerrorMessage(c));
    PQclear(r);
    PQfinish(c);
}

static void fill_old(const char *path)
{
    AUTO(buf_free) struct buf sql = BUF(2 * FILE_BYTES_MAX);

    read_sql(path, &sql);
    (test_is_postgres() ? run_postgres : run_sqlite)(sql.p);
}

/* Number, support, spans and score of each source. */
static void check_sources(const struct message *m, const char *id,
                          const char *want)
{
    AUTO(buf_free) struct buf b = BUF(4096);

    CHECK_TEXT(m->id, str_c(id));
    for (size_t i = 0; i < m->sources_n; i++) {
        const struct reference *r = &m->sources[i];

        buf_printf(&b, "%s%u %d", i ? "; " : "", r->number, r->support);
        for (size_t k = 0; k < r->spans_n; k++)
            buf_printf(&b, " %u-%u", r->spans[2 * k], r->spans[2 * k + 1]);
        if (r->has_score) {
            buf_add(&b, STR(" score "));
            buf_add_f64(&b, r->score);
        }
        CHECK_INT(r->cited, r->spans_n > 0);
        CHECK_INT(r->late, m->late_from && r->number >= m->late_from);
    }
    buf_add_c(&b, '\0');
    CHECK_STR(b.p, want);
}

static void check_ann(void)
{
    struct history h = {.session = STR("s1"), .replaced = true};

    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 8);
    check_sources(&h.messages[0], "q1", "");
    check_sources(&h.messages[1], "a1", "1 327 39-42 57-60; 2 132 54-57");
    check_sources(&h.messages[3], "a2",
                  "1 635 41-44 56-61 score -0.1; "
                  "7 1000 15-18 56-61 score 0.30000000000000004; 9 -1");
    check_sources(&h.messages[4], "a3",
                  "1 -1 score 1e-7; 130 1000 4-9 score 1.7976931348623157e308;"
                  " 999999999 -1 score 2.2250738585072014e-308");
    check_sources(&h.messages[6], "a4",
                  "1 -1 score -0.1; 2 0 8-11 score 0.30000000000000004; "
                  "3 0 17-20");
    check_sources(&h.messages[7], "a5", "");
    CHECK_INT(h.messages[6].late_from, 3);
}

/* What a2 of the old session has, saved by this program: the same bytes. */
static void check_same_bytes(void)
{
    struct reference r[] = {everything("e1"),
                            slide("heat", 15, "Disorder grows."),
                            web("https://example.org/cold", "Cold flows not.")};

    r[1].number = 7;
    r[1].has_score = true;
    r[1].score = 0.1 + 0.2;
    r[2].number = 9;
    answer(ANN, "s3", "again",
           "Disorder grows [7]. \xF0\x9F\x94\xA5 So disorder grows [1], and "
           "again [7,1].",
           r, 3);
    CHECK_INT(sql_i64("SELECT count(*) FROM message a JOIN message b "
                      "ON a.refs = b.refs "
                      "WHERE a.id = 'a2' AND b.id = 'again'"),
              1);
}

CONTRACT(references_in_rows_of_their_own_come_over)
{
    make_old(10);
    fill_old("tests/store/old/0010.sql");
    help_open();
    check_ann();
    check_sources(&history_of(BEN, "s2").messages[1], "a1", "1 1000 7-14");
    CHECK_INT(sql_i64("SELECT count(*) FROM message_sources"), 12);
    CHECK_INT(sql_i64("SELECT count(*) FROM message_sources WHERE cited"), 8);
    check_same_bytes();
    help_close();
}

CONTRACT(words_beside_a_lease_come_over)
{
    struct answer_patch end = {
        .id = STR("a2"), .append = STR(" heat."), .status = FOOTNOTE_COMPLETE};

    make_old(11);
    fill_old("tests/store/old/0011.sql");
    help_open();
    CHECK_INT(message_of(ANN, "a1").status, FOOTNOTE_INTERRUPTED);
    CHECK_TEXT(message_of(ANN, "a1").content,
               STR("It counts arrangements that look alike"));
    CHECK_TEXT(message_of(ANN, "a2").content, STR("No"));
    WRITE(ANN, answer_patch, &end);
    CHECK_TEXT(message_of(ANN, "a2").content, STR("No heat."));
    help_close();
}
