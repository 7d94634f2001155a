/* onyx_test.c - chats of Onyx, from its PostgreSQL and from its API. */
#include <stdlib.h>
#include <string.h>

#include "help/raw_sql.h"
#include "importing.h"

/* The tables as their product makes them, as far as they are read. */
static const char tables[] =
    "CREATE TABLE chat_session (id UUID PRIMARY KEY, user_id UUID, persona_id"
    " INT, description TEXT, one_shot BOOLEAN NOT NULL DEFAULT false, deleted"
    " BOOLEAN NOT NULL DEFAULT false, shared_status VARCHAR NOT NULL DEFAULT"
    " 'PRIVATE', time_updated TIMESTAMPTZ NOT NULL, time_created TIMESTAMPTZ"
    " NOT NULL);"
    "CREATE TABLE chat_message (id SERIAL PRIMARY KEY, chat_session_id UUID NOT"
    " NULL, parent_message INT, latest_child_message INT, message TEXT NOT"
    " NULL, rephrased_query TEXT, message_type VARCHAR NOT NULL, citations"
    " JSONB, files JSONB, error TEXT, token_count INT NOT NULL DEFAULT 0,"
    " time_sent TIMESTAMPTZ NOT NULL);"
    "CREATE TABLE search_doc (id SERIAL PRIMARY KEY, document_id VARCHAR NOT"
    " NULL, chunk_ind INT NOT NULL, semantic_id VARCHAR NOT NULL, link VARCHAR,"
    " blurb VARCHAR NOT NULL, boost INT NOT NULL DEFAULT 0, source_type VARCHAR"
    " NOT NULL, hidden BOOLEAN NOT NULL DEFAULT false, doc_metadata JSONB,"
    " score FLOAT NOT NULL, match_highlights VARCHAR[], updated_at TIMESTAMPTZ,"
    " is_internet BOOLEAN);"
    "CREATE TABLE chat_message__search_doc (chat_message_id INT NOT NULL,"
    " search_doc_id INT NOT NULL, PRIMARY KEY (chat_message_id,"
    " search_doc_id));";

/* 210 sessions: a root, a question, two answers to it, another turn.  Message
 * s * 10 + k is the k-th of session s; an answer has four documents. */
static const char fill[] =
    "INSERT INTO chat_session SELECT md5('s' || s)::uuid, md5('u' || s %"
    " 6)::uuid, 0, 'Gespr\xc3\xa4"
    "ch ' || s, false, false, 'PRIVATE', timestamptz '2025-02-01 12:00:00.25Z',"
    " timestamptz '2025-02-01 10:00:00.5Z' FROM generate_series(1, 210) s;"
    "INSERT INTO chat_message SELECT s * 10 + k, md5('s' || s)::uuid,"
    " CASE k WHEN 0 THEN NULL WHEN 3 THEN s * 10 + 1 WHEN 4 THEN s * 10 + 2"
    "  ELSE s * 10 + k - 1 END,"
    " CASE k WHEN 0 THEN s * 10 + 1 WHEN 1 THEN s * 10 + 2 WHEN 2 THEN s * 10"
    "  + 4 WHEN 4 THEN s * 10 + 5 END,"
    " CASE k WHEN 0 THEN '' WHEN 1 THEN 'Warum?' WHEN 4 THEN 'Und nun?'"
    "  ELSE 'Weil [[1]](https://wiki.example/' || s || '), [[3]]() und"
    " [[9]](https://no.example/).' END,"
    " NULL, CASE k WHEN 0 THEN 'SYSTEM' WHEN 1 THEN 'USER' WHEN 4 THEN 'USER'"
    "  ELSE 'ASSISTANT' END,"
    " CASE WHEN k IN (2, 3, 5) THEN jsonb_build_object('1', (s * 10 + k) * 10 +"
    "  2, '3', (s * 10 + k) * 10 + 1) END, NULL, NULL, 7,"
    " timestamptz '2025-02-01 10:00:01Z' + k * interval '1 second' "
    "FROM generate_series(1, 210) s, generate_series(0, 5) k;"
    "INSERT INTO search_doc SELECT m.id * 10 + d, 'doc-' || m.id % 7 || '-' ||"
    " d, d, 'Seite ' || d, CASE WHEN d = 2 THEN 'https://wiki.example/' || m.id"
    "  / 10 END, 'Worte ' || m.id || '.' || d, 0, 'file', false, '{}', d / 4.0"
    " FROM chat_message m, generate_series(1, 4) d WHERE m.citations IS NOT"
    " NULL;"
    "INSERT INTO chat_message__search_doc SELECT id / 10, id FROM search_doc;";

static const char odd[] =
    /* A document that is gone; a citation of one that was not given. */
    "INSERT INTO chat_message__search_doc VALUES (12, 999999);"
    "UPDATE chat_message SET citations = citations || '{\"5\": 4711}' WHERE id"
    " = 22;"
    /* Deleted there; without a user; a message of a session that is gone. */
    "INSERT INTO chat_session VALUES (md5('gone')::uuid, NULL, 0, 'x', false,"
    " true, 'PRIVATE', now(), now());"
    "UPDATE chat_session SET user_id = NULL WHERE id = md5('s6')::uuid;"
    "INSERT INTO chat_message VALUES (5, md5('lost')::uuid, NULL, NULL, 'x',"
    " NULL, 'USER', NULL, NULL, NULL, 0, now());";

static const char expected[] =
    "SELECT coalesce(s.user_id::text, 'local') AS \"user\", s.id AS session,"
    " m.id AS message, CASE d.chunk_ind WHEN 2 THEN 1 WHEN 1 THEN 3"
    "  WHEN 3 THEN 4 ELSE 5 END AS number,"
    " d.document_id || '__' || d.chunk_ind AS source_id,"
    " CASE WHEN link IS NULL THEN 'text' ELSE 'web' END AS source_type,"
    " blurb AS content_preview, d.document_id, d.semantic_id AS title, link AS"
    " url "
    "FROM chat_session s JOIN chat_message m ON m.chat_session_id = s.id"
    " JOIN chat_message__search_doc l ON l.chat_message_id = m.id"
    " JOIN search_doc d ON d.id = l.search_doc_id"
    " WHERE m.id % 10 <> 3 ORDER BY s.id, m.id";

static struct footnote_err err;

static void check_session(struct comparing *c)
{
    struct str user = query_text("SELECT md5('u5')::uuid");
    char name[60], id[60];
    const struct history *h;

    snprintf(name, sizeof(name), "%.*s", STR_ARG(user));
    snprintf(id, sizeof(id), "%.*s",
             STR_ARG(query_text("SELECT md5('s17')::uuid")));
    h = comparing_session(c, str_c(name), str_c(id));
    CHECK_TEXT(h->head.title, STR("Gespr\xc3\xa4"
                                  "ch 17"));
    CHECK_INT(h->head.created_ms, 1738404000500);
    CHECK_INT(h->head.active_ms, 1738411200250);
    CHECK_INT(h->messages_n, 4);
    CHECK_TEXT(h->messages[0].id, STR("171"));
    CHECK_TEXT(h->messages[1].id, STR("172"));
    CHECK_TEXT(h->messages[1].content,
               STR("Weil [1], [3] und [[9]](https://no.example/)."));
    CHECK_INT(h->messages[1].versions_n, 2);
    CHECK_TEXT(h->messages[1].versions[1], STR("173"));
    CHECK_INT(h->messages[1].created_ms, 1738404003000);
    CHECK(h->messages[1].sources[0].cited && h->messages[1].sources[1].cited);
    CHECK(!h->messages[1].sources[2].cited);
    CHECK_F64(h->messages[1].sources[0].score, 0.5);
    CHECK_TEXT(h->messages[3].id, STR("175"));
}

static void check_store(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    CHECK_INT(comparing_query(&c, expected), 210 * 2 * 4);
    check_session(&c);
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.messages, 210 * 5);
    CHECK_INT(im->counts.references, 210 * 3 * 4);
    CHECK(importing_noted(im, "left out: chat_message__search_doc",
                          "999999 is not there"));
    CHECK(importing_noted(im, "(id 22)", "citation 5 names"));
    CHECK(importing_noted(im, "left out: session", "was deleted there"));
    CHECK(importing_noted(im, "(id 5)", "is not there"));
    CHECK_INT(im->counts.left_out, 4);
    CHECK_INT(im->counts.changed, 0);
}

static struct proof made(void)
{
    contract_engine("postgres");
    raw_sql(tables);
    raw_sql(fill);
    raw_sql(odd);
    return (struct proof){.o = {.kind = "onyx", .source = str_c(test_url())},
                          .sessions = 210,
                          .killed_at = 88,
                          .counts = check_counts,
                          .check = check_store};
}

TEST_LIMIT(postgres_onyx_comes_whole_into_sqlite, 120)
{
    struct proof p = made();

    prove_whole(&p, sqlite_url());
}

TEST_LIMIT(postgres_onyx_comes_whole_beside_itself, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

TEST_LIMIT(postgres_onyx_that_was_killed_goes_on, 120)
{
    struct proof p = made();

    prove_killed(&p, sqlite_url());
}

TEST_LIMIT(postgres_onyx_that_was_killed_goes_on_beside_itself, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

TEST(postgres_onyx_of_half_a_table_is_refused)
{
    struct proof p = made();
    struct importing im;

    raw_sql("ALTER TABLE chat_message DROP COLUMN message_type");
    im = importing_begin(sqlite_url(), "onyx", p.o.source.p);
    CHECK_INT(importing_run(&im, &err), FOOTNOTE_INVALID);
    CHECK(strstr(err.text, "no column message_type") != NULL);
    CHECK_INT(im.counts.sessions, 0);
    importing_end(&im);
}

/* One session as GET /api/chat/get-chat-session/{id} gives it. */
CONTRACT(onyx_sessions_of_its_api)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im = importing_begin(
        test_url(), "onyx",
        text_file(
            "s.json",
            "{\"chat_session_id\":\"s\",\"description\":\"D\",\"time_created\":"
            "\"2025-02-01T10:00:00Z\",\"messages\":[{\"message_id\":1,"
            "\"message\":\"\",\"message_type\":\"system\",\"parent_message\":"
            "null,\"latest_child_message\":2},{\"message_id\":2,\"message\":"
            "\"Q\",\"message_type\":\"user\",\"parent_message\":1,"
            "\"latest_child_message\":3,\"time_sent\":\"2025-02-01T10:00:01Z\"}"
            ",{\"message_id\":3,\"message\":\"A [[2]](u)\",\"message_type\":"
            "\"assistant\",\"parent_message\":2,\"time_sent\":"
            "\"2025-02-01T10:00:02Z\",\"citations\":{\"2\":\"D1\"},"
            "\"context_docs\":{\"top_documents\":[{\"db_doc_id\":9,"
            "\"document_id\":\"D1\",\"chunk_ind\":0,\"semantic_identifier\":"
            "\"T\",\"link\":null,\"blurb\":\"words\",\"score\":null}]}}]}"));

    CHECK_OK(importing_run(&im, &err), &err);
    c.store = im.o.store;
    h = comparing_session(&c, STR("local"), STR("s"));
    CHECK_INT(h->messages_n, 2);
    CHECK_TEXT(h->messages[1].content, STR("A [2]"));
    CHECK_INT(h->messages[1].sources[0].number, 2);
    CHECK_TEXT(h->messages[1].sources[0].source.title, STR("T"));
    CHECK_TEXT(h->messages[1].sources[0].source.preview, STR("words"));
    importing_end(&im);
}

TEST_LIMIT(postgres_onyx_without_room_goes_on_later, 120)
{
    struct proof p = made();

    prove_full(&p);
}
