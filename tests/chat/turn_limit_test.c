/* turn_limit_test.c - turns at their limits: time, room, number, the end of
 * the server, a database that stands still. */
#include <curl/curl.h>
#include <libpq-fe.h>
#include <poll.h>
#include <sqlite3.h>

#include "base/clock.h"
#include "contract.h"
#include "help/chat_site.h"
#include "store/read/history.h"

static const char *const gated =
    "text One [1].\ngate g\ntext  Two.\nfinish stop\ndone\n";

static void ask_gated(struct viewer *v, struct chat_site *r)
{
    chat_site_script(r, "gated", gated);
    viewer_ask(v, r, chat_site_body(r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(v, "[1]");
}

static bool saw(const struct viewer *v, const char *text)
{
    return memmem(v->seen.p, v->seen.n, text, strlen(text)) != NULL;
}

/* ---- The model ---------------------------------------------------------- */

CONTRACT(turn_of_a_model_without_end_fails_and_keeps_its_text)
{
    CHAT_SITE(r);
    struct str body;
    struct json *v;

    chat_site_script(&r, "endless",
                     "repeat forever text All work and no play. \\e\n");
    body = chat_site_ask(&r, "s1", "q1", "cats script:endless");
    CHECK(memmem(body.p, body.n, "\"type\":\"error\"", 14) != NULL);
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, v, "messages.1.status", "'failed'");
    CHECK_AT(&r.site, v, "messages.1.failure", "'model_limit'");
    CHECK_INT(json_get(v, STR("messages"))->n, 2);
    CHECK(strlen(json_at(&r.site, v, "messages.1.content")) > 1000000);
    talk(&r.site, 204, "GET", "/api/chat/s1/stream", NULL);
}

/* ---- How many ----------------------------------------------------------- */

CONTRACT(turn_too_many_of_one_user_are_refused)
{
    AUTO(chat_site_close) struct chat_site r = {.site = {.turns_per_user = 1}};
    struct viewer v;
    struct ask second = {.method = "POST", .path = "/api/chat"};

    chat_site_open(&r);
    ask_gated(&v, &r);
    second.body =
        chat_site_body(&r, "s2", "q2", "cats", ",'model':'extractive'");
    talk_ask(&r.site, 429, &second);
    CHECK(talk_header("Retry-After").n > 0);
    talk_refused(&r.site, 404, "session_not_found", NULL, "GET",
                 "/api/sessions/s2", NULL);
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    chat_site_ask_with(&r, "s2", "q2", "cats", ",'model':'extractive'");
    viewer_close(&v);
}

/* ---- The end of the server ---------------------------------------------- */

static void await_server(struct chat_site *r, struct viewer *v)
{
    viewer_close(v);
    pthread_join(r->site.served.thread, NULL);
}

/* What another process finds. */
static void check_left(struct chat_site *r, enum footnote_status status,
                       const char *text)
{
    struct who local = {STR("default"), STR("local")};
    struct history h = {.session = STR("s1"), .limit = 10};
    struct footnote_err err;

    CHECK_OK(store_read(r->site.served.store, local, &r->site.arena,
                        OP(history), &h, &err),
             &err);
    CHECK_INT(h.messages_n, 2);
    CHECK_INT(h.messages[1].status, status);
    CHECK_TEXT(h.messages[1].content, str_c(text));
    CHECK_INT(h.messages[1].sources_n, 3);
}

static void close_stopped(struct chat_site *r)
{
    curl_easy_cleanup(r->site.curl);
    served_close(&r->site.served);
    upstream_close(r->up);
    arena_free(&r->site.arena);
}

CONTRACT(turn_ends_well_within_the_grace_time)
{
    struct chat_site r = {.up = NULL};
    struct viewer v;

    chat_site_open(&r);
    ask_gated(&v, &r);
    server_stop(r.site.served.server);
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    await_server(&r, &v);
    check_left(&r, FOOTNOTE_COMPLETE, "One [1]. Two.");
    close_stopped(&r);
}

CONTRACT(turn_past_the_grace_time_is_interrupted)
{
    struct chat_site r = {.site = {.grace_ms = 100}};
    struct viewer v;

    chat_site_open(&r);
    ask_gated(&v, &r);
    server_stop(r.site.served.server);
    CHECK(!viewer_end(&v)); /* cut off, so that its client comes again */
    await_server(&r, &v);
    check_left(&r, FOOTNOTE_INTERRUPTED, "One [1].");
    close_stopped(&r);
}

/* ---- A database that stands still --------------------------------------- */

struct lock {
    sqlite3 *sqlite;
    PGconn *postgres;
};

static void sqlite_do(struct lock *l, const char *sql)
{
    if (sqlite3_exec(l->sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
        FAIL("%s: %s", sql, sqlite3_errmsg(l->sqlite));
}

static void postgres_do(struct lock *l, const char *sql)
{
    PGresult *r = PQexec(l->postgres, sql);

    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        FAIL("%s: %s", sql, PQerrorMessage(l->postgres));
    PQclear(r);
}

/* Nobody else can write from here on. */
static void lock_take(struct lock *l)
{
    if (test_is_postgres()) {
        l->postgres = PQconnectdb(test_url());
        postgres_do(l, "BEGIN");
        postgres_do(
            l, "LOCK TABLE footnote.answer_lease IN ACCESS EXCLUSIVE MODE");
        return;
    }
    CHECK_INT(sqlite3_open(test_url() + sizeof("sqlite:") - 1, &l->sqlite),
              SQLITE_OK);
    sqlite3_busy_timeout(l->sqlite, test_wait_ms());
    sqlite_do(l, "BEGIN IMMEDIATE");
}

static void lock_release(struct lock *l)
{
    if (l->postgres)
        postgres_do(l, "ROLLBACK");
    PQfinish(l->postgres);
    if (l->sqlite)
        sqlite_do(l, "ROLLBACK");
    sqlite3_close(l->sqlite);
}

/* The model sends no more: we do not read, and the kernel keeps only so
 * much.  How much it has sent by then. */
static uint64_t await_standstill(struct chat_site *r)
{
    int64_t end = clock_mono_ms() + test_wait_ms();
    uint64_t before, now = upstream_sent(r->up);

    do {
        CHECK(clock_mono_ms() < end);
        before = now;
        poll(NULL, 0, 300);
        now = upstream_sent(r->up);
    } while (now != before);
    return now;
}

CONTRACT(turn_pauses_the_model_while_the_database_stands_still)
{
    enum { SAYS_BYTES = 32 * 1024 * 1024 };
    CHAT_SITE(r);
    struct lock lock = {NULL, NULL};
    struct viewer v;
    uint64_t sent;

    chat_site_script(
        &r, "flood",
        "text One [1].\ngate g\nrepeat 1000000 text It goes on. \\e\n"
        "finish stop\ndone\n");
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q1", "cats script:flood", NULL));
    viewer_await(&v, "[1]");
    lock_take(&lock);
    upstream_pass(r.up, "g");
    sent = await_standstill(&r);
    printf("%llu bytes sent by the model\n", (unsigned long long)sent);
    CHECK(sent < SAYS_BYTES);
    CHECK_INT(upstream_left(r.up), 0); /* it waits: we are not at a limit */
    CHECK_INT(client_read(&v.client, 50), -1); /* nothing is shown, either */
    lock_release(&lock);
    CHECK(viewer_end(&v)); /* it goes on, to the limit of an answer */
    CHECK(saw(&v, "It goes on. It goes on. "));
    viewer_close(&v);
}

/* ---- Bodies ------------------------------------------------------------- */

static int ask_padded(struct chat_site *r, size_t file_bytes, size_t text_bytes)
{
    struct buf b = BUF((size_t)64 * 1024 * 1024);
    struct ask ask = {.method = "POST", .path = "/api/chat"};
    struct answer_to a;

    buf_add(&b, STR("{\"id\":\"s1\",\"courseId\":\"cats\",\"model\":"
                    "\"extractive\",\"messages\":[{\"id\":\"q1\",\"role\":"
                    "\"user\",\"parts\":[{\"type\":\"file\",\"mediaType\":"
                    "\"image/png\",\"url\":\"data:image/png;base64,"));
    for (size_t i = 0; i < file_bytes; i++)
        buf_add_c(&b, 'A');
    buf_add(&b, STR("\"},{\"type\":\"text\",\"text\":\"How do cats sleep? "));
    for (size_t i = 0; i < text_bytes; i++)
        buf_add_c(&b, 'x');
    buf_add(&b, STR("\"}]}]}"));
    ask.body = buf_str(&b);
    a = site_ask(&r->site, &ask);
    buf_free(&b);
    return a.status;
}

CONTRACT(turn_huge_bodies_are_taken_up_to_their_limits)
{
    CHAT_SITE(r);

    CHECK_INT(ask_padded(&r, 0, (size_t)1024 * 1024), 413);
    CHECK_INT(ask_padded(&r, (size_t)33 * 1024 * 1024, 0), 413);
    talk_refused(&r.site, 404, "session_not_found", NULL, "GET",
                 "/api/sessions/s1", NULL);
    CHECK_INT(ask_padded(&r, (size_t)8 * 1024 * 1024, 0), 200);
}
