/* v2_test.c - sources pooled by course, and references to them. */
#include <stdlib.h>
#include <string.h>

#include "help/raw_sql.h"
#include "importing.h"

/* The tables as their product makes them. */
static const char tables[] =
    "CREATE SCHEMA ai;"
    "CREATE TABLE ai.course_sources ("
    "    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),"
    "    course_id UUID NOT NULL,"
    "    source_key TEXT NOT NULL,"
    "    source_type TEXT NOT NULL,"
    "    document_id UUID,"
    "    slide_number INT,"
    "    lecture_id UUID,"
    "    start_seconds REAL,"
    "    end_seconds REAL,"
    "    content_preview TEXT,"
    "    title TEXT,"
    "    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),"
    "    CONSTRAINT idx_course_sources_unique UNIQUE (course_id, source_key)"
    ");"
    "CREATE TABLE ai.message_source_refs ("
    "    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),"
    "    message_id TEXT NOT NULL,"
    "    session_id UUID NOT NULL,"
    "    course_source_id UUID NOT NULL REFERENCES ai.course_sources(id)"
    "        ON DELETE CASCADE,"
    "    chunk_number INT NOT NULL,"
    "    created_at TIMESTAMPTZ NOT NULL DEFAULT now()"
    ");"
    "CREATE TABLE ai.chat_sessions (id UUID PRIMARY KEY, user_id TEXT NOT NULL,"
    " course_id UUID NOT NULL, title TEXT, created_at TIMESTAMPTZ NOT NULL,"
    " updated_at TIMESTAMPTZ NOT NULL);"
    "CREATE TABLE ai.chat_messages (id UUID PRIMARY KEY, session_id UUID"
    " NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,"
    " created_at TIMESTAMPTZ NOT NULL);"
    "SET timezone = 'Asia/Kolkata';";

/* 240 sessions of four courses, two answers each, of five sources. */
static const char fill[] =
    "INSERT INTO ai.course_sources SELECT md5('k' || c || '/' || k)::uuid,"
    " md5('c' || c)::uuid,"
    " CASE WHEN k % 2 = 0 THEN 'doc_' || md5('d' || k)::uuid || '_slide_' || k"
    "  ELSE 'lec_' || md5('l' || k)::uuid || '_' || k || '_' || k + 2 END,"
    " CASE WHEN k % 2 = 0 THEN 'slide' ELSE 'lecture' END,"
    " CASE WHEN k % 2 = 0 THEN md5('d' || k)::uuid END,"
    " CASE WHEN k % 2 = 0 THEN k END,"
    " CASE WHEN k % 2 = 1 THEN md5('l' || k)::uuid END,"
    " CASE WHEN k % 2 = 1 THEN k + 0.1::real END,"
    " CASE WHEN k % 2 = 1 AND k % 3 <> 0 THEN k + 2.7::real END,"
    " CASE WHEN k % 7 <> 0 THEN 'Stelle ' || k || ' \xf0\x9f\x93\x9a' END,"
    " CASE WHEN k % 5 <> 0 THEN 'Titel ' || k END, now() "
    "FROM generate_series(0, 3) c, generate_series(1, 60) k;"
    "INSERT INTO ai.chat_sessions SELECT md5('s' || s)::uuid, 'u' || s % 9,"
    " md5('c' || s % 4)::uuid, 'Gespr\xc3\xa4"
    "ch ' || s,"
    " timestamptz '2024-03-31 01:59:59.999+00' + s * interval '1 hour',"
    " timestamptz '2024-04-30 00:00:00+00' + s * interval '1 hour' "
    "FROM generate_series(1, 240) s;"
    /* Stored in another order than they were said. */
    "INSERT INTO ai.chat_messages SELECT md5(r || s || '/' || q)::uuid,"
    " md5('s' || s)::uuid, CASE r WHEN 'a' THEN 'assistant' ELSE 'user' END,"
    " r || ' ' || q || ': [1] [2]',"
    " timestamptz '2024-03-31 02:00:00+00' + s * interval '1 hour'"
    "  + q * interval '1 minute' + CASE r WHEN 'a' THEN interval '3 s' ELSE"
    "  interval '0' END "
    "FROM generate_series(1, 240) s, unnest(ARRAY['a', 'u']) r,"
    " generate_series(2, 1, -1) q;"
    "INSERT INTO ai.message_source_refs (message_id, session_id,"
    " course_source_id, chunk_number) SELECT md5('a' || s || '/' || q)::uuid,"
    " md5('s' || s)::uuid,"
    " md5('k' || s % 4 || '/' || (s * 7 + q * 5 + n) % 60 + 1)::uuid, n "
    "FROM generate_series(1, 240) s, generate_series(1, 2) q,"
    " generate_series(1, 5) n;";

static const char odd[] =
    "ALTER TABLE ai.message_source_refs DROP CONSTRAINT"
    " message_source_refs_course_source_id_fkey;"
    /* Twice the same; a source that is gone; a message that is; a session. */
    "INSERT INTO ai.message_source_refs (message_id, session_id,"
    " course_source_id, chunk_number, created_at) SELECT message_id,"
    " session_id, course_source_id, chunk_number, created_at"
    " + interval '1 s' FROM ai.message_source_refs"
    " WHERE session_id = md5('s5')::uuid;"
    "INSERT INTO ai.message_source_refs (message_id, session_id,"
    " course_source_id, chunk_number) VALUES"
    " (md5('a6/1')::uuid, md5('s6')::uuid, md5('none')::uuid, 6),"
    " (md5('a7/1')::uuid, md5('s6')::uuid, md5('k0/1')::uuid, 6),"
    " (md5('a8/1')::uuid, md5('lost')::uuid, md5('k0/1')::uuid, 6);"
    "INSERT INTO ai.chat_messages VALUES (md5('m')::uuid, md5('lost')::uuid,"
    " 'user', 'hello', now()), (md5('m2')::uuid, md5('s9')::uuid, 'oracle',"
    " 'hello', now());"
    /* A source under two numbers keeps both. */
    "INSERT INTO ai.message_source_refs (message_id, session_id,"
    " course_source_id, chunk_number) SELECT message_id, session_id,"
    " course_source_id, 9 FROM ai.message_source_refs"
    " WHERE message_id = md5('a10/1')::uuid::text AND chunk_number = 2;"
    /* And one number for two. */
    "INSERT INTO ai.message_source_refs (message_id, session_id,"
    " course_source_id, chunk_number, created_at) VALUES"
    " (md5('a11/1')::uuid, md5('s11')::uuid, md5('k3/60')::uuid, 1,"
    "  now() + interval '1 hour');"
    "INSERT INTO ai.chat_sessions VALUES (md5('empty')::uuid, 'u1',"
    " md5('c1')::uuid, NULL, '2024-01-01', '2024-01-01');";

static const char expected[] =
    "SELECT s.user_id AS \"user\", r.session_id AS session,"
    " r.message_id AS message, CASE WHEN r.course_source_id ="
    "  md5('k3/60')::uuid AND r.message_id = md5('a11/1')::uuid::text"
    "  AND chunk_number = 1 THEN 6 ELSE r.chunk_number END AS number,"
    " c.source_key AS source_id, c.source_type, c.content_preview,"
    " c.document_id, c.slide_number, c.lecture_id, c.start_seconds,"
    " c.end_seconds, c.course_id, c.title "
    "FROM ai.message_source_refs r"
    " JOIN ai.course_sources c ON c.id = r.course_source_id"
    " JOIN ai.chat_messages m ON m.id::text = r.message_id"
    "  AND m.session_id = r.session_id"
    " JOIN ai.chat_sessions s ON s.id = r.session_id"
    " ORDER BY r.session_id, r.message_id";

static struct footnote_err err;

static void check_notes(const struct importing *im)
{
    CHECK_INT(importing_notes(im, "stands there twice"), 10);
    CHECK(importing_noted(im, "left out: message_source_refs", "is not there"));
    CHECK(
        importing_noted(im, "left out: message_source_refs", "has no answer"));
    CHECK(importing_noted(im, "left out: chat_messages", "is not there"));
    CHECK(importing_noted(im, "left out: chat_messages", "role"));
    CHECK(importing_noted(im, "changed", "number 1 is another"));
    CHECK_INT(im->counts.left_out, 5);
    CHECK_INT(im->counts.changed, 11);
}

/* In the order in which they were said, at their times. */
static void check_session(struct comparing *c)
{
    const struct history *h =
        comparing_session(c, STR("u8"), query_text("SELECT md5('s17')::uuid"));

    CHECK_TEXT(h->head.title, STR("Gespr\xc3\xa4"
                                  "ch 17"));
    CHECK_INT(h->head.created_ms, 1711850399999 + 17 * 3600000LL);
    CHECK_INT(h->head.active_ms, 1714435200000 + 17 * 3600000LL);
    CHECK_INT(h->messages_n, 4);
    CHECK_TEXT(h->messages[0].content, STR("u 1: [1] [2]"));
    CHECK_TEXT(h->messages[1].content, STR("a 1: [1] [2]"));
    CHECK_TEXT(h->messages[2].content, STR("u 2: [1] [2]"));
    CHECK_TEXT(h->messages[3].content, STR("a 2: [1] [2]"));
    CHECK_INT(h->messages[3].created_ms,
              1711850400000 + 17 * 3600000LL + 2 * 60000 + 3000);
    CHECK_TEXT(h->messages[3].id, query_text("SELECT md5('a17/2')::uuid"));
}

static void check_store(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    CHECK_INT(comparing_query(&c, expected), 240 * 10 + 10 + 2);
    check_session(&c);
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.messages, 240 * 4);
    CHECK_INT(im->counts.references, 240 * 10 + 2);
    CHECK_INT(im->counts.sources, 240);
    check_notes(im);
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
    return (struct proof){.o = {.kind = "v2", .source = str_c(test_url())},
                          .sessions = 241,
                          .killed_at = 101,
                          .counts = check_counts,
                          .check = check_store};
}

TEST_LIMIT(postgres_a_v2_comes_whole_into_sqlite, 120)
{
    struct proof p = made();

    prove_whole(&p, sqlite_url());
}

TEST_LIMIT(postgres_a_v2_comes_whole_beside_itself, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

TEST_LIMIT(postgres_a_v2_that_was_killed_goes_on, 120)
{
    struct proof p = made();

    prove_killed(&p, sqlite_url());
}

TEST_LIMIT(postgres_a_v2_that_was_killed_goes_on_beside_itself, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

/* Real seconds are what was written, not the double beside it. */
TEST(postgres_v2_seconds_are_the_shortest)
{
    struct importing im;
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;

    contract_engine("postgres");
    raw_sql(tables);
    raw_sql("INSERT INTO ai.course_sources VALUES (md5('1')::uuid,"
            " md5('c')::uuid, 'lec_x_61_70', 'lecture', NULL, NULL,"
            " md5('l')::uuid, 61.1, 70.70001, 'p', 't', now());"
            "INSERT INTO ai.chat_sessions VALUES (md5('s')::uuid, 'ann',"
            " md5('c')::uuid, 't', now(), now());"
            "INSERT INTO ai.chat_messages VALUES (md5('m')::uuid,"
            " md5('s')::uuid, 'assistant', '[4]', now());"
            "INSERT INTO ai.message_source_refs (message_id, session_id,"
            " course_source_id, chunk_number) VALUES (md5('m')::uuid,"
            " md5('s')::uuid, md5('1')::uuid, 4)");
    im = importing_begin(sqlite_url(), "v2", test_url());
    CHECK_OK(importing_run(&im, &err), &err);
    c.store = im.o.store;
    h = comparing_session(&c, STR("ann"), query_text("SELECT md5('s')::uuid"));
    CHECK_F64(h->messages[0].sources[0].source.start, 61.1);
    CHECK_F64(h->messages[0].sources[0].source.end, 70.70001);
    CHECK_INT(h->messages[0].sources[0].number, 4);
    importing_end(&im);
}

/* What was continued here, or there, does not stop the next import. */
TEST(postgres_v2_takes_what_came_meanwhile)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct who who = {STR("default"), STR("u3")};
    struct message_save save = {.message = {.id = STR("ours"),
                                            .role = FOOTNOTE_USER,
                                            .content = STR("And here?")}};
    struct importing im;

    make_original();
    im = importing_begin(sqlite_url(), "v2", test_url());
    CHECK_OK(importing_run(&im, &err), &err);
    save.message.session = query_text("SELECT md5('s3')::uuid");
    CHECK_OK(store_write(im.o.store, who, OP(message_save), &save, &err), &err);
    raw_sql("INSERT INTO ai.chat_messages VALUES (md5('new')::uuid,"
            " md5('s3')::uuid, 'user', 'And there?', now())");
    raw_sql("INSERT INTO ai.chat_messages VALUES (md5('early')::uuid,"
            " md5('s4')::uuid, 'user', 'Before all', '2020-01-01')");
    raw_sql("UPDATE ai.chat_messages SET content = 'Something else'"
            " WHERE id = md5('a4/2')::uuid");
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.unchanged, 241 - 2);
    CHECK_INT(im.counts.sessions, 241 - 1);
    CHECK(importing_noted(&im, "left out: session", "other content"));
    c.store = im.o.store;
    h = comparing_session(&c, STR("u4"), query_text("SELECT md5('s4')::uuid"));
    CHECK_INT(h->messages_n, 4); /* not the new one either */
    h = comparing_session(&c, STR("u3"), query_text("SELECT md5('s3')::uuid"));
    CHECK_INT(h->messages_n, 6);
    importing_end(&im);
}

/* All of it goes into one course, and nothing is kept of a rehearsal. */
static void rehearse(const char *url)
{
    struct session_list list = {.limit = 10};
    AUTO(arena_free) struct arena a = ARENA(1024 * 1024);
    struct who who = {STR("default"), STR("u3")};
    struct importing im;
    char *digests;

    im = importing_begin(url, "v2", test_url());
    im.o.dry = true;
    CHECK_OK(importing_run(&im, &err), &err);
    check_counts(&im);
    digests = strdup(im.digests);
    CHECK_OK(store_read(im.o.store, who, &a, OP(session_list), &list, &err),
             &err);
    CHECK_INT(list.sessions_n, 0);
    im.o.dry = false;
    im.o.course = STR("all");
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_STR(im.digests, digests);
    CHECK_OK(store_read(im.o.store, who, &a, OP(session_list), &list, &err),
             &err);
    CHECK_INT(list.sessions_n, 10);
    CHECK_TEXT(list.sessions[0].course, STR("all"));
    free(digests);
    importing_end(&im);
}

TEST_LIMIT(postgres_v2_dry_run_keeps_nothing, 120)
{
    make_original();
    rehearse(sqlite_url());
    rehearse(test_url());
}

/* Tables as files, in another store: nothing is different. */
TEST(postgres_v2_files_are_as_good_as_tables)
{
    struct importing im;
    char *digests;

    make_original();
    dump_table("ai.chat_sessions", "chat_sessions.jsonl");
    dump_table("ai.chat_messages", "chat_messages.json");
    dump_table("ai.message_source_refs", "message_source_refs.ndjson");
    dump_table("ai.course_sources", "course_sources.jsonl");
    im = importing_begin(test_url(), "v2", test_url());
    CHECK_OK(importing_run(&im, &err), &err);
    digests = strdup(im.digests);
    importing_end(&im);
    im = importing_begin(sqlite_url(), "v2", test_dir());
    CHECK_OK(importing_run(&im, &err), &err);
    check_counts(&im);
    check_store(im.o.store);
    CHECK_STR(im.digests, digests);
    free(digests);
    importing_end(&im);
}

TEST_LIMIT(postgres_a_v2_without_room_goes_on_later, 120)
{
    struct proof p = made();

    prove_full(&p);
}
