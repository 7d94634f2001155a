/* hostile_rows_test.c - every column of every table holds what nobody can have
 * stored: bytes that are no UTF-8, a NUL, nothing, far too much, numbers out of
 * all bounds, JSON that breaks off.  The server is started over it, so that no
 * cache knows better, and everything is asked that can be read, a question
 * among it.  It never ends, and whatever it says is valid text and valid JSON.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"
#include "canary_site.h"
#include "contract.h"
#include "rows_beside.h"

enum {
    EVERY = 5 /* columns that get one value each; SOAK=1: all get all */
};

/* ---- What to put there ----------------------------------------------------
 */

enum { VALUES_MAX = 8 };

static const char *const hostile[2][KIND_BYTES + 1][VALUES_MAX] = {
    {{"CAST(x'c328' AS TEXT)", "CAST(x'61ff' AS TEXT)",
      "CAST(x'610062' AS TEXT)", "''", "'[\"a\",'",
      "CAST(replace(hex(zeroblob(60000)), '0', 'x') AS TEXT)", "'{}'", "NULL"},
     {"-1", "9223372036854775807", "-9223372036854775807 - 1", "0", "99",
      "4294967296", "NULL"},
     {"9e999", "-9e999", "-1.0", "1e308", "NULL"},
     {"x''", "x'ff'", "randomblob(5000)", "zeroblob(40)", "NULL"}},
    {{"'\\xc328'::bytea::text", "'\\x61ff'::bytea::text",
      "'\\x610062'::bytea::text", "''", "'[\"a\",'", "repeat('x', 120000)",
      "'{}'", "NULL"},
     {"-1", "9223372036854775807", "-2147483648", "0", "99", "32767", "NULL"},
     {"'NaN'", "'Infinity'", "-1.0", "1e308", "NULL"},
     {"'\\x'", "'\\xff'", "repeat('z', 5000)::bytea",
      "decode(repeat('00', 40), 'hex')", "NULL"}}};

/* What ended a server, or was shown, before it was looked at. */
static bool has_ended_one(const struct beside_column *c, size_t value)
{
    static const struct {
        const char *table, *name;
        size_t value;
    } found[] = {{"object", "bytes", 2},
                 {"retrieval_event", "coverage", 5},
                 {"answer_text", "text", 1},
                 {"session", "title", 1}};

    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
        if (strcmp(found[i].table, c->table) == 0 &&
            strcmp(found[i].name, c->name) == 0 && found[i].value == value)
            return true;
    return false;
}

/* All rows, or, where they have to differ, one. */
static bool put(const struct beside_column *c, const char *value)
{
    return beside_do("UPDATE %s SET %s = %s", c->table, c->name, value) ||
           beside_do(
               "UPDATE %s SET %s = %s WHERE %s = (SELECT max(%s) FROM %s)",
               c->table, c->name, value, c->name, c->name, c->table);
}

/* ---- Asking ---------------------------------------------------------------
 */

#define UI(id)                                                                 \
    "{'id':'" id "','model':'extractive','messages':[{'id':'q-" id "',"        \
    "'role':'user','parts':[{'type':'text','text':'What is a " TOPIC "?'}]}]"

static const struct {
    const char *method, *path, *body;
} requests[] = {
    {"GET", "/api/me", NULL},
    {"GET", "/api/sessions", NULL},
    {"GET", "/api/sessions?q=" TOPIC, NULL},
    {"GET", "/api/sessions/" SESSION, NULL},
    {"GET", "/api/sessions/" SESSION "/messages", NULL},
    {"GET", "/api/sessions/" SESSION "/messages?as=ui", NULL},
    {"GET", "/api/sessions/" SESSION "/messages?as=rows", NULL},
    {"GET", "/api/sessions/" RUNNING "/messages?versions=all", NULL},
    {"GET", "/api/sessions/" OPEN "/messages", NULL},
    {"GET", "/api/sessions/" SESSION "/references", NULL},
    {"GET", "/api/sessions/" SESSION "/retrievals", NULL},
    {"GET", "/api/sessions/" PICTURED "/images", NULL},
    {"POST", "/api/sources/by-message", "{'messageIds':['" ANSWER "']}"},
    {"GET", "/api/courses", NULL},
    {"GET", "/api/courses/" SHARED, NULL},
    {"GET", "/api/courses/" SHARED "/members", NULL},
    {"GET", "/api/courses/" SHARED "/documents", NULL},
    {"GET", "/api/courses/" SHARED "/stats", NULL},
    {"GET", "/api/documents/" TEXT, NULL},
    {"GET", "/api/documents/" ENTRY, NULL},
    {"GET", "/api/documents/" TEXT "/citations", NULL},
    {"GET", "/api/documents/" TALK "/transcript", NULL},
    {"GET", "/api/documents/" PDF "/pages/1", NULL},
    {"GET", "/api/search?q=" TOPIC, NULL},
    {"GET", "/api/search?q=" TOPIC "&courseId=" SHARED, NULL},
    {"GET", "/api/search?q=" TOPIC "&sessionId=" SESSION, NULL},
    {"POST", "/api/chat", UI(SESSION) "}"},
    {"POST", "/api/chat", UI("hostile") ",'courseId':'" SHARED "'}"},
    {"POST", "/api/query",
     "{'query':'" TOPIC "','thread_id':'" SESSION "','model':'extractive'}"},
    {"POST", "/v1/chat/completions",
     "{'model':'footnote@extractive','stream':true,'messages':[{'role':'user',"
     "'content':'What is a " TOPIC "?'}]}"},
    {"GET", "/metrics", NULL},
};

/* Of these, an answer may break off: a file that is not what it was. */
static const char *const files[] = {"/api/documents/" PDF "/download",
                                    "/api/documents/" TALK "/media"};

static char now[BESIDE_SQL]; /* what a crash is due to */

static void tell(int signal_number)
{
    (void)!write(STDOUT_FILENO, now, strlen(now));
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void check_json(struct site *s, struct str text)
{
    struct json *out;
    struct footnote_err err;

    if (json_read(&s->arena, text, &out, &err) != FOOTNOTE_OK)
        FAIL("%s%s: %.300s", now, err.text, text.p);
}

static void check_stream(struct site *s, struct str rest)
{
    while (rest.n) {
        struct str line = {rest.p, str_find(rest, '\n')};

        if (str_starts(line, STR("data: {")))
            check_json(s, str_skip(line, strlen("data: ")));
        rest = str_skip(rest, line.n < rest.n ? line.n + 1 : rest.n);
    }
}

static int ask(struct canary_site *e, size_t i)
{
    struct ask ask = {.method = requests[i].method,
                      .path = requests[i].path,
                      .header = e->headers[OWNER]};
    struct answer_to a;
    char *body = strdup(requests[i].body ? requests[i].body : "");

    for (char *p = body; (p = strchr(p, '\''));)
        *p = '"';
    if (requests[i].body)
        ask.body = str_c(body);
    a = site_ask(&e->site, &ask);
    free(body);
    if (!a.type.p)
        return a.status;
    if (str_starts(a.type, STR("application/json")) ||
        str_starts(a.type, STR("application/problem+json")))
        check_json(&e->site, a.body);
    else if (str_starts(a.type, STR("text/")) && !utf8_valid(a.body))
        FAIL("%s%s is not UTF-8", now, requests[i].path);
    if (str_starts(a.type, STR("text/event-stream")))
        check_stream(&e->site, a.body);
    return a.status;
}

static int ask_file(struct canary_site *e, const char *path)
{
    struct client c;
    struct response r = {.status = 0};

    client_open(&c, e->site.served.port);
    client_send(&c, arena_printf(&e->site.arena,
                                 "GET %s HTTP/1.1\r\nHost: localhost\r\n"
                                 "%s\r\nConnection: close\r\n\r\n",
                                 path, e->headers[OWNER]));
    (void)client_answer(&c, &r);
    client_close(&c);
    return r.status;
}

static void ask_all(struct canary_site *e)
{
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
        (void)ask(e, i);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        (void)ask_file(e, files[i]);
}

/* ---- All of it ------------------------------------------------------------
 */

/* Texts of the site live as long as it does; answers are not kept. */
static void start_over(struct canary_site *e, const struct beside_column *c,
                       const char *value)
{
    struct arena kept = e->site.arena;

    snprintf(now, sizeof(now), "%.63s.%.63s = %.200s: ", c->table, c->name,
             value);
    beside_restore();
    if (!put(c, value))
        return;
    e->site.arena = ARENA((size_t)1 << 30);
    served_start(&e->site.served);
    ask_all(e);
    served_stop(&e->site.served);
    arena_free(&e->site.arena);
    e->site.arena = kept;
}

/* As it is, everything is there: or else the test asks for nothing. */
static void check_requests(struct canary_site *e)
{
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        int status = ask(e, i);

        if (status != 200)
            FAIL("%s %s is %d", requests[i].method, requests[i].path, status);
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        CHECK_INT(ask_file(e, files[i]), 200);
}

CONTRACT_LIMIT(hostile_rows_end_no_server_and_are_never_bad_text, 3600)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};
    bool all = getenv("SOAK") != NULL;

    signal(SIGABRT, tell);
    signal(SIGSEGV, tell);
    canary_site_open(&e);
    upstream_pass(e.up, "end");
    client_close(&e.turn);
    check_requests(&e);
    served_stop(&e.site.served);
    beside_open();
    for (size_t i = 0; i < beside_columns_n; i++) {
        const char *const *values =
            hostile[test_is_postgres()][beside_columns[i].kind];
        size_t n = 0;

        while (n < VALUES_MAX && values[n])
            n++;
        for (size_t v = 0; v < n; v++)
            if (all || has_ended_one(&beside_columns[i], v) ||
                (i % EVERY == 0 && v == i / EVERY % n))
                start_over(&e, &beside_columns[i], values[v]);
    }
    beside_close();
    served_start(&e.site.served);
}
