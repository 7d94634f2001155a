/* loop_reads_test.c - what the loop reads by itself. */
#include "contract.h"
#include "help/talk.h"

#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"

static struct footnote_err err;
static const struct who local = {{"default", 7}, {"local", 5}};

static enum footnote_rc ask(struct store *st, bool wait, const char *session,
                            struct versions *out)
{
    struct version_ask a = {.who = local, .versions.session = str_c(session)};

    store_versions(st, &a, 1, wait);
    *out = a.versions;
    err = a.err;
    return a.rc;
}

/* A loop may not wait: for a connection to open, or for another machine. */
CONTRACT(thread_versions_can_be_asked_without_waiting)
{
    struct session_put put = {.id = STR("s")};
    struct versions v, now;
    struct store *st = NULL;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_OK(store_write(st, local, OP(session_put), &put, &err), &err);
    CHECK_INT(ask(st, false, "s", &v), FOOTNOTE_BUSY);
    CHECK_OK(ask(st, true, "s", &v), &err);
    CHECK_INT(ask(st, true, "none", &now), FOOTNOTE_NOTFOUND);
    if (test_is_postgres()) {
        CHECK_INT(ask(st, false, "s", &now), FOOTNOTE_BUSY);
    } else {
        CHECK_OK(ask(st, false, "s", &now), &err);
        CHECK(now.session_version > 0);
        CHECK_INT(now.session_version, v.session_version);
    }
    store_close(st);
}

/* Each has its own answer, whatever the others get. */
CONTRACT(thread_versions_of_many_are_asked_at_once)
{
    struct session_put put = {.id = STR("s")};
    struct version_ask asks[VERSIONS_MAX];
    struct store *st = NULL;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_OK(store_write(st, local, OP(session_put), &put, &err), &err);
    for (size_t i = 0; i < VERSIONS_MAX; i++)
        asks[i] =
            (struct version_ask){.who = local,
                                 .versions.session = i % 3 == 0   ? STR("s")
                                                     : i % 3 == 1 ? STR("none")
                                                                  : STR("")};
    store_versions(st, asks, VERSIONS_MAX, true);
    for (size_t i = 0; i < VERSIONS_MAX; i++) {
        CHECK_INT(asks[i].rc, i % 3 == 0   ? FOOTNOTE_OK
                              : i % 3 == 1 ? FOOTNOTE_NOTFOUND
                                           : FOOTNOTE_INVALID);
        CHECK_INT(asks[i].versions.session_version > 0, i % 3 == 0);
    }
    store_close(st);
}

/* Whoever wrote it: the version is read, not remembered. */
CONTRACT(thread_history_shows_what_another_process_wrote)
{
    SITE(s);
    struct store *other = NULL;
    struct message_save save = {.message = {.id = STR("m2"),
                                            .session = STR("s"),
                                            .role = FOOTNOTE_USER,
                                            .status = FOOTNOTE_COMPLETE,
                                            .content = STR("two")}};
    struct json *v;

    talk(&s, 201, "POST", "/api/sessions/s/messages",
         "{'id':'m1','role':'user','content':'one'}");
    for (int i = 0; i < 3; i++) {
        v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
        CHECK_EACH(&s, v, "messages", "id", "'m1'");
    }
    CHECK_OK(store_open(test_url(), &other, &err), &err);
    CHECK_OK(store_write(other, local, OP(message_save), &save, &err), &err);
    v = talk(&s, 200, "GET", "/api/sessions/s/messages", NULL);
    CHECK_EACH(&s, v, "messages", "id", "'m1' 'm2'");
    store_close(other);
}

/* ---- Many at once -------------------------------------------------------- */

enum { READERS = 24, SESSIONS = 4 };

static void send_reads(struct client *clients)
{
    char text[128];

    for (int i = 0; i < READERS; i++) {
        int n = snprintf(text, sizeof(text),
                         "GET /api/sessions/s%d/messages HTTP/1.1\r\n"
                         "Host: localhost\r\n\r\n",
                         i % SESSIONS);

        client_send(&clients[i], (struct str){text, (size_t)n});
    }
}

/* The newest text of each session; NULL: it is not there. */
static void check_reads(struct client *clients,
                        const char *const texts[SESSIONS])
{
    for (int i = 0; i < READERS; i++) {
        const char *text = texts[i % SESSIONS];
        struct response a;

        CHECK(client_answer(&clients[i], &a));
        CHECK_INT(a.status, text ? 200 : 404);
        CHECK(!text || memmem(a.body.p, a.body.n, text, strlen(text)));
    }
}

static void say(struct site *s, int session, const char *text)
{
    char path[64], body[128];

    (void)snprintf(path, sizeof(path), "/api/sessions/s%d/messages", session);
    (void)snprintf(body, sizeof(body), "{'role':'user','content':'%s'}", text);
    talk(s, 201, "POST", path, body);
}

/* Their checks share a round trip, and each gets what is true of its own.  The
 * sessions are one message apart, so that what is true of another looks like
 * what was true of it before. */
CONTRACT(thread_kept_histories_of_many_are_checked_each)
{
    static const char *const words[] = {"one", "two", "three", "four", "five"};
    const char *newest[SESSIONS] = {NULL};
    struct client clients[READERS];
    SITE(s);

    for (int i = 0; i < READERS; i++)
        client_open(&clients[i], s.served.port);
    for (size_t round = 0; round < sizeof(words) / sizeof(words[0]); round++)
        for (int i = 0; i < SESSIONS; i++) {
            say(&s, i, words[round]);
            newest[i] = words[round];
            send_reads(clients);
            check_reads(clients, newest);
        }
    talk(&s, 204, "DELETE", "/api/sessions/s2", NULL);
    newest[2] = NULL;
    send_reads(clients);
    check_reads(clients, newest);
    for (int i = 0; i < READERS; i++)
        client_close(&clients[i]);
}
