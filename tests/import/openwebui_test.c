/* openwebui_test.c - chats of Open WebUI, from its export and its database. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "help/raw_sql.h"
#include "importing.h"

enum { CHATS = 220 };
#define BEGAN_S 1717200000LL

static struct footnote_err err;

/* ---- As it exports ------------------------------------------------------- */

static void add_question(FILE *f, int c, int k, const char *above,
                         const char *children)
{
    fprintf(
        f,
        "\"q%d-%d\":{\"id\":\"q%d-%d\",\"parentId\":%s,\"childrenIds\":[%s],"
        "\"role\":\"user\",\"content\":\"Frage %d \\u00fc\",\"timestamp\":"
        "%lld,\"models\":[\"llama3\"]}",
        c, k, c, k, above, children, k, BEGAN_S + c * 60 + k * 10);
}

/* Two files, of which one has two passages, and a page of the web between. */
static void add_sources(FILE *f, int c, const char *name)
{
    fprintf(f,
            "\"%s\":[{\"source\":{\"id\":\"kb\",\"name\":\"Physics\",\"type\":"
            "\"collection\"},\"document\":[\"Heat is %d.\",\"Heat moves %d.\","
            "\"Work is %d.\"],\"metadata\":[{\"source\":\"heat.pdf\",\"name\":"
            "\"heat.pdf\",\"file_id\":\"f-heat\",\"page\":6},{\"source\":"
            "\"heat.pdf\",\"name\":\"heat.pdf\",\"file_id\":\"f-heat\","
            "\"page\":7},{\"source\":\"work.txt\",\"name\":\"work.txt\","
            "\"file_id\":\"f-work\"}],\"distances\":[0.75,0.5,0.25]},"
            "{\"source\":{\"name\":\"web\",\"type\":\"web_search\"},"
            "\"document\":[\"The demon %d\"],\"metadata\":[{\"source\":"
            "\"https://example.org/%d\",\"title\":\"Demon\"}]}]",
            name, c, c, c, c, c);
}

static void add_chat_json(FILE *f, int c)
{
    char above[30], children[60];

    fprintf(f,
            "{\"id\":\"\",\"title\":\"Chat %d\",\"models\":[\"llama3\"],"
            "\"history\":{\"currentId\":\"a%d-2\",\"messages\":{",
            c, c);
    snprintf(children, sizeof(children), "\"a%d-1\",\"b%d-1\"", c, c);
    add_question(f, c, 1, "null", children);
    fprintf(
        f,
        ",\"a%d-1\":{\"id\":\"a%d-1\",\"parentId\":\"q%d-1\",\"childrenIds\":"
        "[\"q%d-2\"],\"role\":\"assistant\",\"content\":\"It is [1], and "
        "[2#part] [3].\",\"model\":\"llama3\",\"timestamp\":%lld,\"done\":"
        "true,",
        c, c, c, c, BEGAN_S + c * 60 + 11);
    add_sources(f, c, c % 2 ? "sources" : "citations");
    /* Another answer to the same question, later, and not shown. */
    fprintf(f,
            "},\"b%d-1\":{\"id\":\"b%d-1\",\"parentId\":\"q%d-1\","
            "\"childrenIds\":[],\"role\":\"assistant\",\"content\":\"\","
            "\"output\":[{\"type\":\"reasoning\",\"content\":[{\"type\":"
            "\"output_text\",\"text\":\"Hm\"}]},{\"type\":\"message\","
            "\"content\":[{\"type\":\"output_text\",\"text\":\"Other %d\"}]}],"
            "\"timestamp\":%lld},",
            c, c, c, c, BEGAN_S + c * 60 + 50);
    snprintf(above, sizeof(above), "\"a%d-1\"", c);
    snprintf(children, sizeof(children), "\"a%d-2\"", c);
    add_question(f, c, 2, above, children);
    fprintf(
        f,
        ",\"a%d-2\":{\"id\":\"a%d-2\",\"parentId\":\"q%d-2\",\"childrenIds\":"
        "[],\"role\":\"assistant\",\"content\":\"No [1]\",\"timestamp\":"
        "%lld,\"sources\":[{\"source\":{\"name\":\"empty\"}}]}",
        c, c, c, BEGAN_S + c * 60 + 21);
    fputs("}}}", f);
}

static void add_head(FILE *f, int c)
{
    fprintf(f,
            "\"id\":\"c%d\",\"user_id\":\"u%d\",\"title\":\"Chat %d\","
            "\"updated_at\":%lld,\"created_at\":%lld,\"archived\":false,"
            "\"meta\":{},\"share_id\":null",
            c, c % 7, c, BEGAN_S + c * 60 + 55, BEGAN_S + c * 60);
}

static void export_all(FILE *f)
{
    for (int c = 0; c < CHATS; c++) {
        fputs(c ? "," : "[", f);
        fputs("{", f);
        add_head(f, c);
        fputs(",\"chat\":", f);
        add_chat_json(f, c);
        fputs("}", f);
    }
    /* A message without a role, one that follows nothing, a ring. */
    fputs(",{\"id\":\"odd\",\"user_id\":\"u1\",\"title\":null,\"chat\":"
          "{\"title\":\"Odd\",\"history\":{\"currentId\":\"x\",\"messages\":{"
          "\"m\":{\"id\":\"m\",\"content\":\"?\",\"role\":\"oracle\"},"
          "\"n\":{\"id\":\"n\",\"parentId\":\"gone\",\"role\":\"user\","
          "\"content\":\"n\",\"timestamp\":1717200000},"
          "\"o\":{\"id\":\"o\",\"parentId\":\"p\",\"role\":\"user\","
          "\"content\":\"o\",\"timestamp\":1717200001},"
          "\"p\":{\"id\":\"p\",\"parentId\":\"o\",\"role\":\"assistant\","
          "\"content\":\"p\",\"timestamp\":1717200002}}}}}",
          f);
    /* Half a session stays out. */
    fputs(",{\"id\":\"bad\",\"user_id\":\"u1\",\"chat\":{\"history\":{"
          "\"messages\":{\"y\":{\"id\":\"y\",\"role\":\"user\",\"content\":"
          "\"y\",\"timestamp\":\"soon\"}}}}}]",
          f);
}

/* ---- The same, in its database ------------------------------------------- */

static const char schema[] =
    "CREATE TABLE chat (id VARCHAR(255) NOT NULL PRIMARY KEY, user_id"
    " VARCHAR(255) NOT NULL, title TEXT NOT NULL, share_id VARCHAR(255) UNIQUE,"
    " archived BOOLEAN NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT"
    " NOT NULL, chat JSON, pinned BOOLEAN, meta JSON DEFAULT '{}', folder_id"
    " TEXT, picture BLOB DEFAULT x'00ff');"
    "CREATE TABLE chat_message (id TEXT NOT NULL PRIMARY KEY, chat_id TEXT NOT"
    " NULL, user_id TEXT, role TEXT NOT NULL, parent_id TEXT, content JSON,"
    " output JSON, sources JSON, created_at BIGINT, updated_at BIGINT);";

static void database_all(FILE *f)
{
    fputs("BEGIN;", f);
    for (int c = 0; c < CHATS; c++) {
        fprintf(f,
                "INSERT INTO chat (id, user_id, title, archived, created_at,"
                " updated_at, chat) VALUES ('c%d', 'u%d', 'Chat %d', 0, %lld,"
                " %lld, '",
                c, c % 7, c, BEGAN_S + c * 60, BEGAN_S + c * 60 + 55);
        add_chat_json(f, c);
        fputs("');", f);
    }
    /* Newer versions: one whose messages are rows alone. */
    fputs("INSERT INTO chat (id, user_id, title, archived, created_at,"
          " updated_at, chat) VALUES ('rows', 'u1', 'Rows', 0, 1717200000,"
          " 1717200009, '{}');"
          "INSERT INTO chat_message VALUES ('rows-q', 'rows', 'u1', 'user',"
          " NULL, '\"[1] was a lie\"', NULL, NULL, 1717200000, 1717200000),"
          "('rows-a', 'rows', 'u1', 'assistant', 'q', '\"Was it [1]?\"', NULL,"
          " '[{\"source\":{\"id\":\"s\"},\"document\":[\"Yes\"],\"metadata\":"
          "[{}]}]', 1717200001, 1717200001),"
          "('lost-a', 'lost', 'u1', 'user', NULL, '\"x\"', NULL, NULL, 1, 1);"
          "COMMIT;",
          f);
}

/* Its path; in a folder of its own. */
static const char *make_database(void)
{
    static char path[1000];
    char *sql = NULL;
    size_t n;
    FILE *f = open_memstream(&sql, &n);

    snprintf(path, sizeof(path), "%s/theirs", test_dir());
    CHECK(mkdir(path, 0700) == 0);
    database_all(f);
    fclose(f);
    lite_sql("theirs/webui.db", schema);
    lite_sql("theirs/webui.db", sql);
    free(sql);
    snprintf(path, sizeof(path), "%s/theirs/webui.db", test_dir());
    return path;
}

/* ---- The same as it was? ------------------------------------------------- */

static void check_file(struct comparing *c, struct citation *want, int number,
                       int page, const char *words)
{
    struct str file = page ? STR("heat.pdf") : STR("work.txt");
    struct str id = page ? STR("f-heat") : STR("f-work");

    want->number = number;
    want->source = (struct source){
        .type = page ? FOOTNOTE_SLIDE : FOOTNOTE_TEXT,
        .id = passage_id(id, STR_NONE, file, page, str_c(words)),
        .document = id,
        .title = file,
        .has_page = page > 0,
        .page = page,
        .preview = str_c(words)};
    comparing_check(c, want);
}

static void check_sources(struct comparing *c, struct citation *want, int i)
{
    char words[60], url[60];

    snprintf(words, sizeof(words), "Heat is %d.", i);
    check_file(c, want, 1, 7, words);
    snprintf(words, sizeof(words), "Work is %d.", i);
    check_file(c, want, 2, 0, words);
    snprintf(words, sizeof(words), "Heat moves %d.", i);
    check_file(c, want, 4, 8, words); /* its file has a number already */
    snprintf(words, sizeof(words), "The demon %d", i);
    snprintf(url, sizeof(url), "https://example.org/%d", i);
    want->number = 3;
    want->source = (struct source){
        .type = FOOTNOTE_WEB,
        .id = passage_id(STR_NONE, str_c(url), STR("Demon"), 0, str_c(words)),
        .url = str_c(url),
        .title = STR("Demon"),
        .preview = str_c(words)};
    comparing_check(c, want);
}

static void check_chat(struct comparing *c, int i)
{
    char user[20], session[20], message[20], title[20], other[20];
    struct citation want;
    const struct history *h;

    snprintf(user, sizeof(user), "u%d", i % 7);
    snprintf(session, sizeof(session), "c%d", i);
    snprintf(message, sizeof(message), "a%d-1", i);
    snprintf(title, sizeof(title), "Chat %d", i);
    snprintf(other, sizeof(other), "b%d-1", i);
    want = (struct citation){.user = str_c(user),
                             .session = str_c(session),
                             .message = str_c(message)};
    check_sources(c, &want, i);
    h = comparing_session(c, want.user, want.session);
    CHECK_TEXT(h->head.title, str_c(title));
    CHECK_INT(h->head.created_ms, (BEGAN_S + i * 60) * 1000);
    CHECK_INT(h->head.active_ms, (BEGAN_S + i * 60 + 55) * 1000);
    CHECK_INT(h->messages_n, 4); /* the path that was shown */
    CHECK_TEXT(h->messages[0].content, STR("Frage 1 \xc3\xbc"));
    CHECK_TEXT(h->messages[1].content, STR("It is [1], and [2] [3]."));
    CHECK_INT(h->messages[1].created_ms, (BEGAN_S + i * 60 + 11) * 1000);
    CHECK_INT(h->messages[1].sources_n, 4);
    CHECK(h->messages[1].sources[2].cited && !h->messages[1].sources[3].cited);
    CHECK_F64(h->messages[1].sources[0].score, 0.75);
    CHECK_INT(h->messages[1].versions_n, 2);
    CHECK_TEXT(h->messages[1].versions[1], str_c(other));
    CHECK_TEXT(h->messages[3].content, STR("No [1]"));
    CHECK_INT(h->messages[3].sources_n, 0);
}

static void check_store(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    for (int i = 0; i < CHATS; i++)
        check_chat(&c, i);
}

static void check_export(const struct importing *im)
{
    CHECK_INT(im->counts.messages, CHATS * 5 + 3);
    CHECK_INT(im->counts.references, CHATS * 4);
    CHECK_INT(importing_notes(im, "has no passage"), CHATS);
    CHECK(importing_noted(im, "left out: chat:221 (id odd)", "message m"));
    CHECK(importing_noted(im, "changed: chat:221", "n follows gone"));
    CHECK(importing_noted(im, "changed: chat:221", "follows itself"));
    CHECK(importing_noted(im, "left out: session bad", "time of message y"));
    CHECK_INT(im->counts.left_out, CHATS + 2);
    CHECK_INT(im->counts.changed, 2);
}

static void check_database(const struct importing *im)
{
    AUTO(comparing_free) struct comparing c = {.store = im->o.store};
    const struct history *h = comparing_session(&c, STR("u1"), STR("rows"));

    CHECK_INT(im->counts.messages, CHATS * 5 + 2);
    CHECK(importing_noted(im, "left out: chat_message", "chat lost"));
    CHECK_INT(im->counts.left_out, CHATS + 1);
    CHECK_INT(h->messages_n, 2);
    CHECK_TEXT(h->messages[0].id, STR("q"));
    CHECK_TEXT(h->messages[0].content, STR("[1] was a lie"));
    CHECK_TEXT(h->messages[1].content, STR("Was it [1]?"));
    CHECK_TEXT(h->messages[1].sources[0].source.preview, STR("Yes"));
}

static struct proof exported(void)
{
    return (struct proof){
        .o = {.kind = "openwebui",
              .source = str_c(made_file("export.json", export_all))},
        .sessions = CHATS + 1,
        .killed_at = 80,
        .counts = check_export,
        .check = check_store};
}

CONTRACT_LIMIT(an_openwebui_export_comes_whole, 120)
{
    struct proof p = exported();

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(an_openwebui_export_that_was_killed_goes_on, 120)
{
    struct proof p = exported();

    prove_killed(&p, test_url());
}

CONTRACT_LIMIT(an_openwebui_database_comes_whole_and_stays_as_it_is, 120)
{
    struct proof p = {
        .o = {.kind = "openwebui", .source = str_c(make_database())},
        .sessions = CHATS + 1,
        .killed_at = 80,
        .counts = check_database,
        .check = check_store};
    struct sha256 before = folder_digest("theirs"), after;

    prove_whole(&p, test_url());
    after = folder_digest("theirs");
    CHECK(sha256_eq(&before, &after));
}

/* Whoever stops it with a kill leaves a log: what stands in it counts. */
CONTRACT_LIMIT(an_openwebui_database_with_a_log_stays_as_it_is, 120)
{
    struct importing im;
    struct sha256 before, after;
    char command[3000];

    (void)make_database();
    snprintf(
        command, sizeof(command),
        "cd %s && mkdir live && sqlite3 theirs/webui.db "
        "\"PRAGMA journal_mode = WAL; UPDATE chat SET title = 'Later' "
        "WHERE id = 'c3';\" \".shell cp theirs/webui.db* live\" >/dev/null",
        test_dir());
    CHECK(system(command) == 0);
    before = folder_digest("live");
    snprintf(command, sizeof(command), "%s/live/webui.db", test_dir());
    im = importing_begin(test_url(), "openwebui", command);
    CHECK_OK(importing_run(&im, &err), &err);
    after = folder_digest("live");
    CHECK(sha256_eq(&before, &after));
    {
        AUTO(comparing_free) struct comparing c = {.store = im.o.store};

        CHECK_TEXT(comparing_session(&c, STR("u3"), STR("c3"))->head.title,
                   STR("Later"));
    }
    importing_end(&im);
}

/* ---- Bad input ----------------------------------------------------------- */

static void refused(const char *source, const char *why)
{
    struct importing im = importing_begin(test_url(), "openwebui", source);

    CHECK_INT(importing_run(&im, &err), FOOTNOTE_INVALID);
    if (!strstr(err.text, why))
        FAIL("\"%s\" has no \"%s\"", err.text, why);
    CHECK_INT(im.counts.sessions, 0);
    importing_end(&im);
}

CONTRACT_LIMIT(what_is_no_openwebui_is_refused_whole, 120)
{
    char path[1000];

    refused(text_file("cut.json", "[{\"id\":\"a\",\"chat\":{}},{\"id\":\"b"),
            "ends within its list");
    refused(text_file("cut.jsonl", "{\"id\":\"a\",\"chat\":{}}\n{\"id\":\"b"),
            "cannot be read");
    refused(text_file("odd.json", "[{\"id\":\"a\",\"chat\":{\"title\":\"\xff\"}"
                                  "}]"),
            "cannot be read");
    lite_sql("half.db", "CREATE TABLE chat (id TEXT, title TEXT);"
                        "INSERT INTO chat VALUES ('a', 'b')");
    snprintf(path, sizeof(path), "%s/half.db", test_dir());
    refused(path, "no column chat");
    lite_sql("other.db", "CREATE TABLE chats2 (id TEXT)");
    snprintf(path, sizeof(path), "%s/other.db", test_dir());
    refused(path, "needs chat");
    lite_sql("rot.db", "CREATE TABLE chat (id TEXT, chat TEXT);"
                       "INSERT INTO chat VALUES ('a', '{}'),"
                       " ('b', CAST(x'7bff7d' AS TEXT))");
    snprintf(path, sizeof(path), "%s/rot.db", test_dir());
    refused(path, "cannot be read");
}

/* Who is missing in the map stays out; a chat is whole or not there. */
CONTRACT(an_openwebui_user_without_a_name_stays_out)
{
    struct importing im = importing_begin(test_url(), "openwebui",
                                          made_file("export.json", export_all));

    im.o.users = str_c(text_file("users.json", "{\"u1\":\"ann\"}"));
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.sessions, (CHATS + 5) / 7 + 1);
    CHECK(importing_noted(&im, "left out: session c0", "user u0"));
    importing_end(&im);
}

TEST_LIMIT(sqlite_an_openwebui_export_without_room_goes_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = exported();
    prove_full(&p);
}

/* In PostgreSQL a column of JSON is JSON, also when it is a text in quotes. */
TEST(postgres_an_openwebui_of_its_own)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im;

    contract_engine("postgres");
    raw_sql("CREATE TABLE chat (id TEXT PRIMARY KEY, user_id TEXT, title TEXT,"
            " created_at BIGINT, updated_at BIGINT, chat JSON);"
            "CREATE TABLE chat_message (id TEXT PRIMARY KEY, chat_id TEXT, role"
            " TEXT, parent_id TEXT, content JSON, sources JSON, created_at"
            " BIGINT);"
            "INSERT INTO chat VALUES ('c', 'ann', 'T', 1717200000, 1717200001,"
            " '{\"history\":{\"messages\":{\"q\":{\"id\":\"q\",\"role\":"
            "\"user\",\"content\":\"Q\",\"timestamp\":1717200000}}}}');"
            "INSERT INTO chat_message VALUES ('c-q', 'c', 'user', NULL,"
            " '\"Q\"', NULL, 1717200000), ('c-a', 'c', 'assistant', 'q',"
            " '\"\\\"A\\\" [1]\"', '[{\"source\":{\"id\":\"s\"},"
            "\"document\":[\"words\"]}]', 1717200001);");
    im = importing_begin(sqlite_url(), "openwebui", test_url());
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.messages, 2);
    c.store = im.o.store;
    h = comparing_session(&c, STR("ann"), STR("c"));
    CHECK_TEXT(h->messages[1].content, STR("\"A\" [1]"));
    CHECK_TEXT(h->messages[1].sources[0].source.preview, STR("words"));
    CHECK(h->messages[1].sources[0].cited);
    importing_end(&im);
}
