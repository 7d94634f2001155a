/* events_test.c - searches of their own, attached to answers. */
#include <stdlib.h>
#include <string.h>

#include "help/raw_sql.h"
#include "importing.h"
#include "store/answer/event.h"

static const char tables[] =
    "CREATE TABLE conversations (id UUID PRIMARY KEY, user_id TEXT,"
    " title TEXT, created_at TIMESTAMPTZ);"
    "CREATE TABLE messages (id UUID PRIMARY KEY, conversation_id UUID,"
    " role TEXT, content TEXT, created_at TIMESTAMPTZ);"
    "CREATE TABLE retrieval_events (id UUID PRIMARY KEY, conversation_id UUID,"
    " message_id UUID, query TEXT, citations JSONB, low_confidence BOOLEAN,"
    " created_at TIMESTAMPTZ);";

/* 215 sessions of two questions; the second was searched for twice, and in
 * every fifth its answer never came. */
static const char fill[] =
    "INSERT INTO conversations SELECT md5('s' || s)::uuid, 'u' || s % 6,"
    " 'Caso ' || s, timestamptz '2026-02-26 20:15:00Z' + s * interval '1 s' "
    "FROM generate_series(1, 215) s;"
    "INSERT INTO messages SELECT md5(r || s || q)::uuid, md5('s' || s)::uuid,"
    " CASE r WHEN 'a' THEN 'assistant' ELSE 'user' END,"
    " r || q || ': [1] [2]', timestamptz '2026-02-26 20:15:00Z'"
    " + s * interval '1 s' + q * interval '10 s' + CASE r WHEN 'a' THEN"
    " interval '1 s' ELSE interval '0' END "
    "FROM generate_series(1, 215) s, generate_series(1, 2) q,"
    " unnest(ARRAY['u', 'a']) r WHERE NOT (s % 5 = 0 AND q = 2 AND r = 'a');"
    "INSERT INTO retrieval_events SELECT md5('e' || s || q || e)::uuid,"
    " md5('s' || s)::uuid, md5('u' || s || q)::uuid, 'consulta ' || e,"
    " (SELECT jsonb_agg(jsonb_build_object('chunkId', 'k' || s || e || n,"
    "   'documentId', 'd' || (s + n) % 20, 'documentTitle', 'Ley ' || n,"
    "   'page', n, 'excerpt', 'art\xc3\xad"
    "culo ' || s || '.' || n,"
    "   'score', 1.0 / n, 'index', n)) FROM generate_series(1, 2) n),"
    " s % 3 = 0, timestamptz '2026-02-26 20:15:00Z' + s * interval '1 s'"
    "  + q * interval '10 s' + e * interval '100 ms' "
    "FROM generate_series(1, 215) s, generate_series(1, 2) q,"
    " generate_series(2, 1, -1) e WHERE e = 1 OR q = 2;";

static const char odd[] =
    "INSERT INTO retrieval_events (id, conversation_id, message_id, query)"
    " VALUES (md5('x1')::uuid, md5('s1')::uuid, md5('gone')::uuid, 'x'),"
    " (md5('x2')::uuid, md5('s1')::uuid, md5('a11')::uuid, 'x'),"
    " (md5('x3')::uuid, md5('s1')::uuid, NULL, 'x');"
    "INSERT INTO retrieval_events VALUES (md5('x4')::uuid, md5('s2')::uuid,"
    " md5('u21')::uuid, 'nada', NULL, true, '2026-03-01');"
    "INSERT INTO messages VALUES (md5('m')::uuid, md5('lost')::uuid, 'user',"
    " 'x', now());"
    "INSERT INTO retrieval_events (id, message_id) VALUES"
    " (md5('x5')::uuid, md5('m')::uuid)";

/* An answer shows what its question's searches found: the first has 1 and 2,
 * the second the next free ones. */
static const char expected[] =
    "SELECT c.user_id AS \"user\", c.id AS session, a.id AS message,"
    " CASE e.query WHEN 'consulta 2' THEN n + 2 ELSE n END AS number,"
    " t ->> 'chunkId' AS source_id, 'text' AS source_type,"
    " t ->> 'documentId' AS document_id, t ->> 'documentTitle' AS title,"
    " t ->> 'page' AS slide_number, t ->> 'excerpt' AS content_preview "
    "FROM retrieval_events e JOIN conversations c ON c.id = e.conversation_id"
    " JOIN messages u ON u.id = e.message_id AND u.role = 'user'"
    " JOIN messages a ON a.conversation_id = c.id AND a.role = 'assistant'"
    "  AND a.created_at = u.created_at + interval '1 s',"
    " jsonb_array_elements(e.citations) WITH ORDINALITY AS x(t, n)"
    " ORDER BY c.id";

static struct footnote_err err;

/* The searches of a session, with the question of each. */
static void check_events(struct store *st, int s, size_t n)
{
    AUTO(arena_free) struct arena a = ARENA(16 * 1024 * 1024);
    struct event_list list = {.session = STR_NONE};
    struct who who = {STR("default"), STR_NONE};
    char sql[100], user[10], id[40];

    snprintf(user, sizeof(user), "u%d", s % 6);
    snprintf(sql, sizeof(sql), "SELECT md5('s%d')::uuid", s);
    snprintf(id, sizeof(id), "%.36s", query_text(sql).p);
    who.user = str_c(user);
    list.session = str_c(id);
    CHECK_OK(store_read(st, who, &a, OP(event_list), &list, &err), &err);
    CHECK_INT(list.events_n, n);
    for (size_t i = 0; i < n; i++) {
        const struct event *e = &list.events[i];
        int q = i ? 2 : 1, number = i == 2 ? 2 : 1;

        if (str_eq(e->query, STR("nada")))
            continue;
        snprintf(sql, sizeof(sql), "SELECT md5('e%d%d%d')::uuid", s, q, number);
        CHECK_TEXT(e->id, query_text(sql));
        snprintf(sql, sizeof(sql), "SELECT md5('u%d%d')::uuid", s, q);
        CHECK_TEXT(e->user_message, query_text(sql));
        CHECK(e->has_low_confidence && e->low_confidence == (s % 3 == 0));
        CHECK_INT(e->sources_n, 2);
        CHECK(e->sources[1].has_score);
        CHECK_F64(e->sources[1].score, 0.5);
        CHECK_INT(e->created_ms,
                  1772136900000LL + s * 1000 + q * 10000 + number * 100);
    }
}

static void check_store(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    CHECK_INT(comparing_query(&c, expected), 215 * 2 + (215 - 43) * 4);
    check_events(st, 1, 3);
    check_events(st, 5, 3); /* the answer never came */
    check_events(st, 9, 3);
}

static void check_notes(const struct importing *im)
{
    CHECK(importing_noted(im, "left out: retrieval_events", "is not there"));
    CHECK(importing_noted(im, "left out: retrieval_events", "is no user's"));
    CHECK(importing_noted(im, "left out: retrieval_events", "no message_id"));
    CHECK(importing_noted(im, "left out: retrieval_events", "has no session"));
    CHECK(importing_noted(im, "left out: messages", "is not there"));
    CHECK_INT(im->counts.left_out, 5);
    CHECK_INT(im->counts.changed, 215 * 2);
    CHECK_INT(im->counts.events, 215 * 3 + 1);
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
    return (struct proof){.o = {.kind = "events", .source = str_c(test_url())},
                          .sessions = 215,
                          .killed_at = 90,
                          .counts = check_notes,
                          .check = check_store};
}

TEST_LIMIT(postgres_events_come_whole_into_sqlite, 120)
{
    struct proof p = made();

    prove_whole(&p, sqlite_url());
}

TEST_LIMIT(postgres_events_come_whole_beside_themselves, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

TEST_LIMIT(postgres_events_that_were_killed_go_on, 120)
{
    struct proof p = made();

    prove_killed(&p, sqlite_url());
}

TEST_LIMIT(postgres_events_that_were_killed_go_on_beside_themselves, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

TEST_LIMIT(postgres_events_without_room_goes_on_later, 120)
{
    struct proof p = made();

    prove_full(&p);
}
