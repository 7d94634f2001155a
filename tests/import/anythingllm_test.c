/* anythingllm_test.c - chats of AnythingLLM, from its SQLite and its API. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "importing.h"

enum { THREADS = 200, TURNS = 3, DEFAULTS = 5 };
#define BEGAN_MS 1717200000000LL

static struct footnote_err err;

/* As its migrations make them. */
static const char schema[] =
    "CREATE TABLE \"workspaces\" (\"id\" INTEGER NOT NULL PRIMARY KEY"
    " AUTOINCREMENT, \"name\" TEXT NOT NULL, \"slug\" TEXT NOT NULL,"
    " \"vectorTag\" TEXT, \"createdAt\" DATETIME NOT NULL DEFAULT"
    " CURRENT_TIMESTAMP, \"openAiTemp\" REAL);"
    "CREATE TABLE \"workspace_threads\" (\"id\" INTEGER NOT NULL PRIMARY KEY"
    " AUTOINCREMENT, \"name\" TEXT NOT NULL, \"slug\" TEXT NOT NULL,"
    " \"workspace_id\" INTEGER NOT NULL, \"user_id\" INTEGER, \"createdAt\""
    " DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP);"
    "CREATE TABLE \"workspace_chats\" (\"id\" INTEGER NOT NULL PRIMARY KEY"
    " AUTOINCREMENT, \"workspaceId\" INTEGER NOT NULL, \"prompt\" TEXT NOT"
    " NULL, \"response\" TEXT NOT NULL, \"include\" BOOLEAN NOT NULL DEFAULT"
    " true, \"user_id\" INTEGER, \"thread_id\" INTEGER, \"api_session_id\" "
    "TEXT,"
    " \"createdAt\" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,"
    " \"lastUpdatedAt\" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,"
    " \"feedbackScore\" BOOLEAN);"
    "INSERT INTO workspaces (id, name, slug) VALUES (1, 'Heat and work',"
    " 'heat'), (2, 'Light', 'light');";

static void add_chat(FILE *f, int id, int workspace, const char *user,
                     const char *thread, const char *api)
{
    fprintf(
        f,
        "INSERT INTO workspace_chats (id, workspaceId, prompt, response,"
        " user_id, thread_id, api_session_id, createdAt) VALUES (%d, %d,"
        " 'Frage \"%d\"', '{\"text\":\"Weil [2] so ist.\",\"type\":\"chat\","
        "\"attachments\":[],\"sources\":["
        "{\"id\":\"v-%d\",\"url\":\"file:///docs/heat.pdf\",\"title\":"
        "\"heat.pdf\",\"chunkSource\":\"localfile://x\",\"text\":"
        "\"<document_metadata>\\nsourceDocument: heat.pdf\\n"
        "</document_metadata>\\n\\nHeat %d\",\"score\":0.5},"
        "{\"id\":\"w-%d\",\"title\":\"Demon\",\"chunkSource\":"
        "\"link://https://example.org/%d\",\"text\":\"It sorts.\"},"
        "{\"title\":\"pinned.txt\",\"text\":\"Pinned words\"}]}', %s, %s,"
        " %s, %lld);",
        id, workspace, id, id, id, id, id, user, thread, api,
        BEGAN_MS + id * 1000LL);
}

static void fill(FILE *f)
{
    int id = 1;

    fputs("BEGIN;", f);
    for (int t = 1; t <= THREADS; t++) {
        char user[20], thread[20];

        snprintf(user, sizeof(user), "%d", t % 4);
        snprintf(thread, sizeof(thread), "%d", t);
        fprintf(f,
                "INSERT INTO workspace_threads (id, name, slug, workspace_id,"
                " user_id) VALUES (%d, 'Thread %d', 'slug-%d', %d, %s);",
                t, t, t, t % 2 + 1, user);
        for (int k = 0; k < TURNS; k++)
            add_chat(f, id++, t % 2 + 1, user, thread, "NULL");
    }
    for (int u = 0; u < DEFAULTS; u++) {
        char user[20];

        snprintf(user, sizeof(user), "%d", u);
        add_chat(f, id++, 1, user, "NULL", "NULL");
    }
    add_chat(f, id++, 1, "NULL", "NULL", "NULL");
    add_chat(f, id++, 1, "NULL", "NULL", "'bot 7'");
    /* Cleared away, a thread that is gone, a response that was cut off. */
    add_chat(f, 9001, 1, "1", "NULL", "NULL");
    fputs("UPDATE workspace_chats SET include = 0 WHERE id = 9001;", f);
    add_chat(f, 9002, 1, "1", "777", "NULL");
    add_chat(f, 9003, 1, "1", "778", "NULL");
    fputs("UPDATE workspace_chats SET response = '{\"text\":\"cu' WHERE id ="
          " 9003;"
          "UPDATE workspace_chats SET createdAt = '2024-06-01 00:00:01' WHERE"
          " id = 1;"
          "COMMIT;",
          f);
}

static const char *make_original(void)
{
    static char path[1000];
    char *sql = NULL;
    size_t n;
    FILE *f = open_memstream(&sql, &n);

    fill(f);
    fclose(f);
    snprintf(path, sizeof(path), "%s/theirs", test_dir());
    CHECK(mkdir(path, 0700) == 0);
    lite_sql("theirs/anythingllm.db", schema);
    lite_sql("theirs/anythingllm.db", sql);
    free(sql);
    snprintf(path, sizeof(path), "%s/theirs/anythingllm.db", test_dir());
    return path;
}

/* ---- The same as it was? ------------------------------------------------- */

/* The text has a [2] that is none of theirs: their numbers begin behind it. */
static void check_turn(struct comparing *c, const char *user,
                       const char *session, int id)
{
    char message[20], vector[20], words[20], url[40];
    struct citation want = {
        .user = str_c(user), .session = str_c(session), .number = 3};

    snprintf(message, sizeof(message), "%d", id);
    snprintf(vector, sizeof(vector), "v-%d", id);
    snprintf(words, sizeof(words), "Heat %d", id);
    snprintf(url, sizeof(url), "https://example.org/%d", id);
    want.message = str_c(message);
    want.source = (struct source){.type = FOOTNOTE_TEXT,
                                  .id = str_c(vector),
                                  .title = STR("heat.pdf"),
                                  .preview = str_c(words)};
    comparing_check(c, &want);
    vector[0] = 'w';
    want.number = 4;
    want.source = (struct source){.type = FOOTNOTE_WEB,
                                  .id = str_c(vector),
                                  .title = STR("Demon"),
                                  .url = str_c(url),
                                  .preview = STR("It sorts.")};
    comparing_check(c, &want);
    want.number = 5;
    want.source =
        (struct source){.type = FOOTNOTE_TEXT,
                        .id = passage_id(STR_NONE, STR_NONE, STR("pinned.txt"),
                                         0, STR("Pinned words")),
                        .title = STR("pinned.txt"),
                        .preview = STR("Pinned words")};
    comparing_check(c, &want);
}

static void check_thread(struct comparing *c, int t)
{
    char user[20], session[20], title[20];
    const struct history *h;

    snprintf(user, sizeof(user), "%d", t % 4);
    snprintf(session, sizeof(session), "slug-%d", t);
    snprintf(title, sizeof(title), "Thread %d", t);
    for (int k = 0; k < TURNS; k++)
        check_turn(c, user, session, (t - 1) * TURNS + k + 1);
    h = comparing_session(c, str_c(user), str_c(session));
    CHECK_TEXT(h->head.title, str_c(title));
    CHECK_TEXT(h->head.course, t % 2 ? STR("light") : STR("heat"));
    CHECK_INT(h->messages_n, TURNS * 2);
    CHECK_INT(h->messages[5].created_ms, BEGAN_MS + t * TURNS * 1000);
    CHECK_TEXT(h->messages[5].content, STR("Weil [2] so ist."));
    CHECK(!h->messages[5].sources[0].cited);
    CHECK(h->messages[4].role == FOOTNOTE_USER);
}

static void check_store(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};
    int id = THREADS * TURNS + 1;

    for (int t = 1; t <= THREADS; t++)
        check_thread(&c, t);
    for (int u = 0; u < DEFAULTS; u++) {
        char user[20], session[40];

        snprintf(user, sizeof(user), "%d", u);
        snprintf(session, sizeof(session), "workspace-heat-user-%d", u);
        check_turn(&c, user, session, id++);
    }
    check_turn(&c, "local", "workspace-heat", id++);
    check_turn(&c, "local", "workspace-heat-api-bot 7", id);
    check_turn(&c, "1", "thread-777", 9002);
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.references, (THREADS * TURNS + DEFAULTS + 3) * 3);
    CHECK(importing_noted(im, "(id 9001)", "cleared away"));
    CHECK(importing_noted(im, "left out: session thread:778", "is no JSON"));
    CHECK_INT(im->counts.left_out, 2);
    CHECK_INT(im->counts.changed, 0);
}

static struct proof made(void)
{
    return (struct proof){
        .o = {.kind = "anythingllm", .source = str_c(make_original())},
        .sessions = THREADS + DEFAULTS + 3,
        .killed_at = 60,
        .counts = check_counts,
        .check = check_store};
}

CONTRACT_LIMIT(an_anythingllm_comes_whole_and_stays_as_it_is, 120)
{
    struct proof p = made();
    struct sha256 before = folder_digest("theirs"), after;

    prove_whole(&p, test_url());
    after = folder_digest("theirs");
    CHECK(sha256_eq(&before, &after));
}

CONTRACT_LIMIT(an_anythingllm_that_was_killed_goes_on, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

/* As its API says it, with the name of the workspace put in front. */
CONTRACT(an_anythingllm_history_of_its_api)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im = importing_begin(
        test_url(), "anythingllm",
        text_file("h.json",
                  "{\"slug\":\"heat\",\"history\":[{\"role\":\"user\","
                  "\"content\":\"Q\",\"sentAt\":1717200000,\"chatId\":7},"
                  "{\"role\":\"assistant\",\"type\":\"chat\",\"content\":\"A\","
                  "\"sources\":[{\"id\":\"v\",\"title\":\"t\",\"text\":\"w\"}],"
                  "\"chatId\":7,\"sentAt\":1717200000}]}"));

    CHECK_OK(importing_run(&im, &err), &err);
    c.store = im.o.store;
    h = comparing_session(&c, STR("local"), STR("workspace-heat"));
    CHECK_INT(h->messages_n, 2);
    CHECK_TEXT(h->messages[0].id, STR("7-prompt"));
    CHECK_TEXT(h->messages[1].id, STR("7"));
    CHECK_INT(h->messages[1].sources[0].number, 1);
    CHECK_INT(h->messages[1].created_ms, 1717200000000);
    importing_end(&im);
}

TEST_LIMIT(sqlite_an_anythingllm_without_room_goes_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = made();
    prove_full(&p);
}
