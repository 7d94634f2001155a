/* v1_test.c - sources in one table, texts in sessions of Agno. */
#include <stdlib.h>
#include <string.h>

#include "help/raw_sql.h"
#include "importing.h"

/* The table as its product makes it. */
static const char tables[] =
    "CREATE SCHEMA ai;"
    "CREATE TABLE IF NOT EXISTS ai.message_sources ("
    "    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),"
    "    message_id TEXT NOT NULL,"
    "    session_id TEXT NOT NULL,"
    "    source_id TEXT NOT NULL,"
    "    source_type TEXT NOT NULL,"
    "    chunk_number INT NOT NULL,"
    "    content_preview TEXT,"
    "    document_id UUID,"
    "    slide_number INT,"
    "    lecture_id UUID,"
    "    start_seconds FLOAT,"
    "    end_seconds FLOAT,"
    "    course_id UUID,"
    "    owner_id UUID,"
    "    title TEXT,"
    "    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),"
    "    CONSTRAINT uq_message_source UNIQUE (message_id, source_id)"
    ");"
    "CREATE INDEX idx_message_sources_message_id"
    " ON ai.message_sources(message_id);"
    "CREATE TABLE ai.agno_sessions (session_id TEXT PRIMARY KEY,"
    " session_type TEXT, agent_id TEXT, user_id TEXT, session_data JSON,"
    " runs JSON, created_at BIGINT, updated_at BIGINT);";

/* 230 sessions of three questions; answers have five sources each. */
static const char fill[] =
    "INSERT INTO ai.message_sources (message_id, session_id, source_id,"
    " source_type, chunk_number, content_preview, document_id, slide_number,"
    " lecture_id, start_seconds, end_seconds, course_id, owner_id, title,"
    " created_at) "
    "SELECT 'a-' || s || '-' || q, 's-' || s,"
    " CASE WHEN k % 2 = 0 THEN 'doc_' || md5('d' || (s + k) % 40)::uuid"
    "   || '_slide_' || s % 30 + 1"
    " ELSE 'lec_' || md5('l' || k)::uuid || '_' || s || '_' || q END,"
    " CASE WHEN k % 2 = 0 THEN 'slide' ELSE 'lecture' END, k,"
    " CASE WHEN k <> 3 THEN 'Worte \xc3\xbc"
    "ber ' || s || '.' || q || '.' || k"
    "   || E' \"x\" \\\\ \\n' END,"
    " CASE WHEN k % 2 = 0 THEN md5('d' || (s + k) % 40)::uuid END,"
    " CASE WHEN k % 2 = 0 THEN s % 30 + 1 END,"
    " CASE WHEN k % 2 = 1 THEN md5('l' || k)::uuid END,"
    " CASE WHEN k % 2 = 1 THEN s + 0.1 END,"
    " CASE WHEN k % 2 = 1 THEN s + k + 1.0 / 3 END,"
    " md5('c' || s % 3)::uuid, md5('o' || s)::uuid,"
    " CASE WHEN k <> 4 THEN 'Titel ' || k END,"
    " timestamptz '2024-01-15 10:30:00.123+00' + s * interval '1 hour'"
    " + q * interval '1 minute' "
    "FROM generate_series(1, 230) s, generate_series(1, 3) q,"
    " generate_series(1, 5) k;"
    /* Each run repeats the one before, and has steps that nobody is shown. */
    "INSERT INTO ai.agno_sessions SELECT 's-' || s, 'agent', 'tutor',"
    " 'u' || s % 10, json_build_object('session_name', 'Sitzung ' || s),"
    " (SELECT json_agg(json_build_object('run_id', 'r' || q, 'messages',"
    "  json_build_array("
    "   json_build_object('id', 'y-' || s || q, 'role', 'system', 'content',"
    "    'You are', 'created_at', 1705314600 + s),"
    "   json_build_object('id', 'u-' || s || '-1', 'role', 'user', 'content',"
    "    'old', 'from_history', q > 1, 'created_at', 1705314600 + s),"
    "   json_build_object('id', 'u-' || s || '-' || q, 'role', 'user',"
    "    'content', 'Frage ' || q, 'created_at', 1705314600 + s + q),"
    "   json_build_object('id', 't-' || s || '-' || q, 'role', 'assistant',"
    "    'content', NULL, 'created_at', 1705314600 + s + q),"
    "   json_build_object('id', 'x-' || s || '-' || q, 'role', 'tool',"
    "    'content', '[]', 'created_at', 1705314600 + s + q),"
    "   json_build_object('id', 'a-' || s || '-' || q, 'role', 'assistant',"
    "    'content', 'Weil [1] und [3], nicht [9].', 'created_at',"
    "    1705314600 + s + q))) ORDER BY q)"
    "  FROM generate_series(1, 3) q), 1705314600 + s, 1705318200 + s "
    "FROM generate_series(1, 230) s;";

/* Everything that may be odd about it. */
static const char odd[] =
    /* Three sources with number 2 in session 7: the earliest keeps it. */
    "UPDATE ai.message_sources SET chunk_number = 2, created_at = created_at"
    " + interval '1 second' WHERE message_id = 'a-7-1' AND chunk_number = 4;"
    "UPDATE ai.message_sources SET chunk_number = 2, created_at = created_at"
    " - interval '1 second' WHERE message_id = 'a-7-1' AND chunk_number = 5;"
    /* Numbers that are none. */
    "UPDATE ai.message_sources SET chunk_number = 0"
    " WHERE message_id = 'a-8-1' AND chunk_number = 5;"
    /* Rows that point nowhere. */
    "INSERT INTO ai.message_sources (message_id, session_id, source_id,"
    " source_type, chunk_number) VALUES"
    " ('gone', 's-12', 'x', 'slide', 1), ('a-1-1', 's-lost', 'x', 'slide', 1),"
    " ('u-13-1', 's-13', 'x', 'slide', 1);"
    /* What no source of ours may be: these sessions stay out. */
    "UPDATE ai.message_sources SET source_type = 'video'"
    " WHERE message_id = 'a-20-2' AND chunk_number = 1;"
    "UPDATE ai.message_sources SET start_seconds = 'NaN'"
    " WHERE message_id = 'a-21-2' AND chunk_number = 1;"
    "UPDATE ai.message_sources SET content_preview = repeat('x', 70000)"
    " WHERE message_id = 'a-22-2' AND chunk_number = 1;"
    /* Nobody knows u9's. */
    "UPDATE ai.agno_sessions SET user_id = 'stranger' WHERE session_id"
    " = 's-39';";

#define PLACED                                                                 \
    " FROM ai.message_sources m JOIN ai.agno_sessions a USING (session_id)"    \
    " WHERE message_id LIKE 'a-%' AND session_id NOT IN"                       \
    " ('s-20', 's-21', 's-22', 's-39')"
static const char expected[] =
    "SELECT replace(a.user_id, 'u', 'user-') AS \"user\","
    " session_id AS session, message_id AS message,"
    " CASE WHEN message_id = 'a-7-1' THEN CASE"
    "   WHEN source_id = (SELECT source_id FROM ai.message_sources"
    "    WHERE message_id = 'a-7-1' AND chunk_number = 2 ORDER BY created_at"
    "    LIMIT 1) THEN 2"
    "   WHEN chunk_number <> 2 THEN chunk_number"
    "   WHEN source_type = 'slide' AND m.created_at = (SELECT max(created_at)"
    "    FROM ai.message_sources WHERE message_id = 'a-7-1') THEN 5"
    "   ELSE 4 END"
    "  WHEN chunk_number = 0 THEN 5 ELSE chunk_number END AS number,"
    " source_id, source_type, content_preview, document_id, slide_number,"
    " lecture_id, start_seconds, end_seconds, course_id, owner_id, title" PLACED
    " ORDER BY session, message";

static struct footnote_err err;

static const char *make_map(void)
{
    char *text = NULL;
    const char *path;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    for (int i = 0; i < 10; i++)
        fprintf(f, "%s\n \"u%d\": \"user-%d\"", i ? "," : "{", i, i);
    fputs("}\n", f);
    fclose(f);
    path = text_file("users.json", text);
    free(text);
    return path;
}

static void check_notes(const struct importing *im)
{
    CHECK(
        importing_noted(im, "changed: message_sources", "number 2 is another"));
    CHECK(importing_noted(im, "changed: message_sources", "number 0 is no"));
    CHECK(importing_noted(im, "left out: message_sources", "no answer gone"));
    CHECK(importing_noted(im, "left out: message_sources", "no answer a-1-1"));
    CHECK(importing_noted(im, "left out: message_sources", "no answer u-13-1"));
    CHECK(importing_noted(im, "left out: session s-20", "video"));
    CHECK(importing_noted(im, "left out: session s-21", "startSeconds"));
    CHECK(importing_noted(im, "left out: session s-22", "70000 bytes"));
    CHECK(importing_noted(im, "left out: session s-39", "stranger"));
    CHECK_INT(im->counts.left_out, 7);
    CHECK_INT(im->counts.changed, 3);
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.messages, 226 * 6);
    CHECK_INT(im->counts.references, 226 * 15);
    check_notes(im);
}

static void check_session(struct comparing *c)
{
    const struct history *h = comparing_session(c, STR("user-7"), STR("s-17"));

    CHECK_INT(h->messages_n, 6);
    CHECK_TEXT(h->head.title, STR("Sitzung 17"));
    CHECK_INT(h->head.created_ms, (1705314600LL + 17) * 1000);
    CHECK_INT(h->head.active_ms, (1705318200LL + 17) * 1000);
    CHECK_TEXT(h->messages[2].content, STR("Frage 2"));
    CHECK_TEXT(h->messages[5].id, STR("a-17-3"));
    CHECK_TEXT(h->messages[5].content, STR("Weil [1] und [3], nicht [9]."));
    CHECK_INT(h->messages[5].created_ms, (1705314600LL + 17 + 3) * 1000);
    CHECK_INT(h->messages[5].sources_n, 5);
    CHECK(h->messages[5].sources[0].cited && h->messages[5].sources[2].cited);
    CHECK(!h->messages[5].sources[1].cited);
    CHECK(!h->messages[5].sources[2].source.preview.p);
}

static void check_store(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    CHECK_INT(comparing_query(&c, expected), 226 * 15);
    check_session(&c);
}

static void make_original(void)
{
    contract_engine("postgres");
    raw_sql(tables);
    raw_sql(fill);
    raw_sql(odd);
}

static struct proof made(void)
{
    make_original();
    return (struct proof){.o = {.kind = "v1",
                                .source = str_c(test_url()),
                                .texts = STR("table:ai.agno_sessions"),
                                .users = str_c(make_map())},
                          .sessions = 226,
                          .killed_at = 57,
                          .counts = check_counts,
                          .check = check_store};
}

TEST_LIMIT(postgres_a_v1_comes_whole_into_sqlite, 120)
{
    struct proof p = made();

    prove_whole(&p, sqlite_url());
}

TEST_LIMIT(postgres_a_v1_comes_whole_beside_itself, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

TEST_LIMIT(postgres_a_v1_that_was_killed_goes_on, 120)
{
    struct proof p = made();

    prove_killed(&p, sqlite_url());
}

TEST_LIMIT(postgres_a_v1_that_was_killed_goes_on_beside_itself, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

/* Nobody is shown an answer without its text. */
TEST(postgres_v1_without_texts_keeps_sources_for_them)
{
    struct importing im;

    make_original();
    im = importing_begin(sqlite_url(), "v1", test_url());
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.references, (230 - 3) * 15 + 3);
    CHECK(importing_noted(&im, "session s-20", "video"));
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.unchanged, im.counts.sessions);
    importing_end(&im);
}

TEST(postgres_v1_of_half_a_table_is_refused)
{
    struct importing im;

    contract_engine("postgres");
    raw_sql(tables);
    raw_sql(fill);
    raw_sql("ALTER TABLE ai.message_sources DROP COLUMN chunk_number");
    im = importing_begin(sqlite_url(), "v1", test_url());
    CHECK_INT(importing_run(&im, &err), FOOTNOTE_INVALID);
    CHECK(strstr(err.text, "no column chunk_number") != NULL);
    raw_sql("DROP TABLE ai.message_sources");
    CHECK_INT(importing_run(&im, &err), FOOTNOTE_INVALID);
    CHECK(strstr(err.text, "needs message_sources") != NULL);
    CHECK_INT(im.counts.sessions, 0);
    importing_end(&im);
}

/* Texts from a file, and then again from their table: nothing is different. */
TEST(postgres_v1_texts_may_be_a_file)
{
    struct importing im;
    char path[800];

    make_original();
    dump_table("ai.agno_sessions", "agno.jsonl");
    snprintf(path, sizeof(path), "%s/agno.jsonl", test_dir());
    im = importing_begin(sqlite_url(), "v1", test_url());
    im.o.users = str_c(make_map());
    im.o.texts = str_c(path);
    CHECK_OK(importing_run(&im, &err), &err);
    check_notes(&im);
    check_store(im.o.store);
    im.o.texts = STR("table:ai.agno_sessions");
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.unchanged, 226);
    im.o.texts = STR("table:ai.\"agno sessions\"");
    CHECK_INT(importing_run(&im, &err), FOOTNOTE_INVALID);
    im.o.texts = STR("table:ai.nothing");
    CHECK_INT(importing_run(&im, &err), FOOTNOTE_INVALID);
    importing_end(&im);
}

TEST_LIMIT(postgres_a_v1_without_room_goes_on_later, 120)
{
    struct proof p = made();

    prove_full(&p);
}
