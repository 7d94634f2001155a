/* rows.c - see rows.h. */
#include "rows.h"

#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "../common.h"

enum { NEW_SOURCE_EVERY = 5, LINE_BYTES = 8192, SECOND0 = 1700000000 };

/* ---- The rows ------------------------------------------------------------ */

static void id_of(char *out, unsigned kind, int64_t n)
{
    (void)snprintf(out, FIELD_BYTES, "%08x-0000-4000-8000-%012llx", kind,
                   (unsigned long long)n);
}

static void time_of(char *out, int64_t second)
{
    second += SECOND0;
    (void)snprintf(out, FIELD_BYTES, "2024-%02d-%02dT%02d:%02d:%02d+00:00",
                   (int)(second / 2419200 % 12) + 1,
                   (int)(second / 86400 % 28) + 1, (int)(second / 3600 % 24),
                   (int)(second / 60 % 60), (int)(second % 60));
}

static int64_t answers(int64_t references)
{
    return references / SOURCES_A_MESSAGE;
}

static int64_t sessions(int64_t references)
{
    return (answers(references) + TURNS_A_SESSION - 1) / TURNS_A_SESSION;
}

static int64_t messages(int64_t references)
{
    return 2 * answers(references);
}

static int64_t sources(int64_t references)
{
    return references / NEW_SOURCE_EVERY + COURSES;
}

static int64_t all(int64_t references)
{
    return references;
}

enum { SESSION = 1, MESSAGE, SOURCE, REFERENCE, COURSE, DOCUMENT };

static void session_row(int64_t n, char f[COLUMNS_MAX][FIELD_BYTES])
{
    id_of(f[0], SESSION, n);
    (void)snprintf(f[1], FIELD_BYTES, "user-%d", (int)(n / COURSES % 50));
    id_of(f[2], COURSE, n % COURSES);
    (void)snprintf(f[3], FIELD_BYTES, "Session %lld", (long long)n);
    time_of(f[4], 0);
    time_of(f[5], 3600);
}

/* A question, then its answer. */
static void message_row(int64_t n, char f[COLUMNS_MAX][FIELD_BYTES])
{
    static const char words[] =
        "The entropy of a closed system does not decrease [1], which the demon "
        "seemed to break [2]; but what it remembers has to be erased [3], and "
        "that costs at least as much as was gained [4]. See also [5]. ";

    id_of(f[0], MESSAGE, n);
    id_of(f[1], SESSION, n / 2 / TURNS_A_SESSION);
    (void)snprintf(f[2], FIELD_BYTES, "%s", n % 2 ? "assistant" : "user");
    if (n % 2)
        (void)snprintf(f[3], FIELD_BYTES, "%s%s(%lld)", words, words,
                       (long long)n);
    else
        (void)snprintf(f[3], FIELD_BYTES, "Why did demon %lld fail?",
                       (long long)n);
    time_of(f[4], n);
}

static void source_row(int64_t n, char f[COLUMNS_MAX][FIELD_BYTES])
{
    id_of(f[0], SOURCE, n);
    id_of(f[1], COURSE, n % COURSES);
    (void)snprintf(f[2], FIELD_BYTES, "doc_%lld_slide_%d", (long long)n / 40,
                   (int)(n % 40) + 1);
    (void)snprintf(f[3], FIELD_BYTES, "slide");
    id_of(f[4], DOCUMENT, n / 40);
    (void)snprintf(f[5], FIELD_BYTES, "%d", (int)(n % 40) + 1);
    (void)snprintf(f[6], FIELD_BYTES,
                   "Slide %lld says that erasing one bit of memory sets free "
                   "at least k T ln 2 of heat; %0200lld",
                   (long long)n, (long long)n);
    (void)snprintf(f[7], FIELD_BYTES, "Heat, part %lld", (long long)n / 40);
}

/* The source is one of its course: every answer has one that no other has. */
static void reference_row(int64_t n, char f[COLUMNS_MAX][FIELD_BYTES])
{
    int64_t answer = n / SOURCES_A_MESSAGE, k = n % SOURCES_A_MESSAGE;
    int64_t session = answer / TURNS_A_SESSION;
    int64_t of_course =
        k ? (answer * 7 + k * 13) % (answer / COURSES + 1) : answer / COURSES;

    id_of(f[0], REFERENCE, n);
    id_of(f[1], MESSAGE, 2 * answer + 1);
    id_of(f[2], SESSION, session);
    id_of(f[3], SOURCE, of_course * COURSES + session % COURSES);
    (void)snprintf(f[4], FIELD_BYTES, "%d", (int)k + 1);
    time_of(f[5], 2 * answer + 1);
}

const struct table tables[4] = {
    {"chat_sessions",
     {"id", "user_id", "course_id", "title", "created_at", "updated_at"},
     session_row,
     sessions},
    {"chat_messages",
     {"id", "session_id", "role", "content", "created_at"},
     message_row,
     messages},
    {"course_sources",
     {"id", "course_id", "source_key", "source_type", "document_id",
      "slide_number", "content_preview", "title"},
     source_row,
     sources},
    {"message_source_refs",
     {"id", "message_id", "session_id", "course_source_id", "chunk_number",
      "created_at"},
     reference_row,
     all}};
enum { TABLES = sizeof(tables) / sizeof(tables[0]) };

static int columns_of(const struct table *t)
{
    int n = 0;

    while (t->columns[n])
        n++;
    return n;
}

static char fields[COLUMNS_MAX][FIELD_BYTES];

/* ---- Files --------------------------------------------------------------- */

static void to_file(const char *folder, const struct table *t, int64_t rows)
{
    char path[1000];
    FILE *f;

    (void)snprintf(path, sizeof(path), "%s/%s.jsonl", folder, t->name);
    f = fopen(path, "w");
    if (!f)
        die(path, "cannot be written");
    for (int64_t n = 0; n < rows; n++) {
        t->row(n, fields);
        for (int c = 0; t->columns[c]; c++)
            fprintf(f, "%s\"%s\":\"%s\"", c ? "," : "{", t->columns[c],
                    fields[c]);
        fputs("}\n", f);
    }
    if (fclose(f) != 0)
        die(path, "cannot be written");
}

void rows_to_files(const char *folder, int64_t references)
{
    for (int i = 0; i < TABLES; i++)
        to_file(folder, &tables[i], tables[i].rows(references));
}

/* ---- Databases ----------------------------------------------------------- */

/* As the product makes them; SQLite takes any name for a type. */
static const char schema[] =
    "CREATE TABLE chat_sessions (id UUID PRIMARY KEY, user_id TEXT NOT NULL,"
    " course_id UUID NOT NULL, title TEXT, created_at TIMESTAMPTZ NOT NULL,"
    " updated_at TIMESTAMPTZ NOT NULL);"
    "CREATE TABLE chat_messages (id UUID PRIMARY KEY, session_id UUID NOT NULL,"
    " role TEXT NOT NULL, content TEXT NOT NULL, created_at TIMESTAMPTZ NOT "
    "NULL);"
    "CREATE TABLE course_sources (id UUID PRIMARY KEY, course_id UUID NOT NULL,"
    " source_key TEXT NOT NULL, source_type TEXT NOT NULL, document_id UUID,"
    " slide_number INT, content_preview TEXT, title TEXT,"
    " UNIQUE (course_id, source_key));"
    "CREATE INDEX by_course ON course_sources (course_id);"
    "CREATE TABLE message_source_refs (id UUID PRIMARY KEY,"
    " message_id TEXT NOT NULL, session_id UUID NOT NULL,"
    " course_source_id UUID NOT NULL, chunk_number INT NOT NULL,"
    " created_at TIMESTAMPTZ NOT NULL);"
    "CREATE INDEX by_message ON message_source_refs (message_id);"
    "CREATE INDEX by_session ON message_source_refs (session_id);"
    "CREATE INDEX by_source ON message_source_refs (course_source_id);";

static void insert(sqlite3 *db, const struct table *t, int64_t rows)
{
    sqlite3_stmt *s = NULL;
    char sql[300];
    int columns = columns_of(t);

    (void)snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (%.*s)", t->name,
                   2 * columns - 1, "?,?,?,?,?,?,?,?");
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        die(sql, sqlite3_errmsg(db));
    for (int64_t n = 0; n < rows; n++) {
        t->row(n, fields);
        for (int c = 0; c < columns; c++)
            (void)sqlite3_bind_text(s, c + 1, fields[c], -1, SQLITE_STATIC);
        if (sqlite3_step(s) != SQLITE_DONE || sqlite3_reset(s) != SQLITE_OK)
            die(sql, sqlite3_errmsg(db));
    }
    (void)sqlite3_finalize(s);
}

double rows_to_sqlite(const char *path, int64_t references)
{
    sqlite3 *db = NULL;
    double began;

    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) ||
        sqlite3_exec(db, schema, NULL, NULL, NULL) ||
        sqlite3_exec(db, "BEGIN", NULL, NULL, NULL))
        die(path, sqlite3_errmsg(db));
    began = seconds_now();
    for (int i = 0; i < TABLES; i++)
        insert(db, &tables[i], tables[i].rows(references));
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL))
        die(path, sqlite3_errmsg(db));
    began = seconds_now() - began;
    (void)sqlite3_close(db);
    return began;
}

static void must(PGconn *c, const char *sql, ExecStatusType want)
{
    PGresult *r = PQexec(c, sql);

    if (PQresultStatus(r) != want)
        die(sql, PQerrorMessage(c));
    PQclear(r);
}

static void copy(PGconn *c, const struct table *t, int64_t rows)
{
    char line[LINE_BYTES], sql[100];

    (void)snprintf(sql, sizeof(sql), "COPY %s FROM STDIN", t->name);
    must(c, sql, PGRES_COPY_IN);
    for (int64_t n = 0; n < rows; n++) {
        int at = 0;

        t->row(n, fields);
        for (int i = 0; t->columns[i]; i++)
            at += snprintf(line + at, sizeof(line) - (size_t)at, "%s%s",
                           i ? "\t" : "", fields[i]);
        line[at++] = '\n';
        if (PQputCopyData(c, line, at) != 1)
            die(sql, PQerrorMessage(c));
    }
    if (PQputCopyEnd(c, NULL) != 1)
        die(sql, PQerrorMessage(c));
    PQclear(PQgetResult(c));
    if (PQgetResult(c))
        die(sql, PQerrorMessage(c));
}

double rows_to_postgres(const char *url, int64_t references)
{
    PGconn *c = PQconnectdb(url);
    double began;

    if (PQstatus(c) != CONNECTION_OK)
        die(url, PQerrorMessage(c));
    must(c, schema, PGRES_COMMAND_OK);
    began = seconds_now();
    must(c, "BEGIN", PGRES_COMMAND_OK);
    for (int i = 0; i < TABLES; i++)
        copy(c, &tables[i], tables[i].rows(references));
    must(c, "COMMIT", PGRES_COMMAND_OK);
    began = seconds_now() - began;
    PQfinish(c);
    return began;
}
