/* ui_test.c - chats of the AI SDK. */
#include <stdlib.h>
#include <string.h>

#include "help/raw_sql.h"
#include "importing.h"

enum { CHATS = 200 };

static struct footnote_err err;

static void add_chat(FILE *f, int c)
{
    fprintf(f,
            "{\"id\":\"c%d\",\"userId\":\"ann\",\"title\":\"Chat %d\","
            "\"createdAt\":\"2024-05-01T10:00:00Z\",\"messages\":["
            "{\"id\":\"q%d\",\"role\":\"user\",\"parts\":[{\"type\":\"text\","
            "\"text\":\"Why?\"},{\"type\":\"file\",\"mediaType\":\"image/png\","
            "\"url\":\"data:,\"}]},",
            c, c, c);
    fprintf(
        f,
        "{\"id\":\"a%d\",\"role\":\"assistant\",\"metadata\":{"
        "\"createdAt\":1714557605000},\"parts\":[{\"type\":\"step-start\"},"
        "{\"type\":\"reasoning\",\"text\":\"Hm.\"},{\"type\":\"tool-search\","
        "\"toolCallId\":\"t\",\"state\":\"output-available\",\"input\":{},"
        "\"output\":\"x\"},{\"type\":\"text\",\"text\":\"So [1]\"},"
        "{\"type\":\"source-url\",\"sourceId\":\"u%d\",\"url\":"
        "\"https://example.org/%d\",\"title\":\"Page\"},"
        "{\"type\":\"source-document\",\"sourceId\":\"d%d\",\"mediaType\":"
        "\"application/pdf\",\"title\":\"Paper\",\"filename\":\"p.pdf\"},"
        "{\"type\":\"data-rag-source\",\"data\":{\"source_id\":\"r%d\","
        "\"source_type\":\"slide\",\"document_id\":\"heat\","
        "\"slide_number\":14,\"chunk_number\":7,\"content_preview\":"
        "\"W = %d\"}},{\"type\":\"text\",\"text\":\" and [7].\"}]}]}\n",
        c, c, c, c, c, c);
}

static const char *make_original(void)
{
    char *text = NULL;
    const char *path;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    for (int c = 0; c < CHATS; c++)
        add_chat(f, c);
    fclose(f);
    path = text_file("chats.jsonl", text);
    free(text);
    return path;
}

static void check_chat(struct comparing *c, int i)
{
    char id[20], answer[20], ids[3][20], url[60], words[20];
    const struct message *m;
    struct citation want = {.user = STR("ann")};

    snprintf(id, sizeof(id), "c%d", i);
    snprintf(answer, sizeof(answer), "a%d", i);
    for (int k = 0; k < 3; k++)
        snprintf(ids[k], sizeof(ids[k]), "%c%d", "udr"[k], i);
    snprintf(url, sizeof(url), "https://example.org/%d", i);
    snprintf(words, sizeof(words), "W = %d", i);
    want.session = str_c(id);
    want.message = str_c(answer);
    m = &comparing_session(c, want.user, want.session)->messages[1];
    CHECK_TEXT(m->content, STR("So [1] and [7]."));
    CHECK_INT(m->created_ms, 1714557605000);
    CHECK_INT(m->sources_n, 3);
    want.number = 8;
    want.source = (struct source){.type = FOOTNOTE_WEB,
                                  .id = str_c(ids[0]),
                                  .url = str_c(url),
                                  .title = STR("Page")};
    comparing_check(c, &want);
    want.number = 9;
    want.source = (struct source){
        .type = FOOTNOTE_TEXT, .id = str_c(ids[1]), .title = STR("Paper")};
    comparing_check(c, &want);
    want.number = 7;
    want.source = (struct source){.type = FOOTNOTE_SLIDE,
                                  .id = str_c(ids[2]),
                                  .document = STR("heat"),
                                  .has_page = true,
                                  .page = 14,
                                  .preview = str_c(words)};
    comparing_check(c, &want);
}

static void check_all(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    for (int i = 0; i < CHATS; i++)
        check_chat(&c, i);
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.references, CHATS * 3);
    CHECK_INT(im->counts.left_out + im->counts.changed, 0);
}

static struct proof made(void)
{
    return (struct proof){.o = {.kind = "ui", .source = str_c(make_original())},
                          .sessions = CHATS,
                          .killed_at = 70,
                          .counts = check_counts,
                          .check = check_all};
}

CONTRACT_LIMIT(chats_of_the_ai_sdk_come_whole_by_threads, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(chats_of_the_ai_sdk_that_were_killed_go_on, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

TEST_LIMIT(sqlite_chats_of_the_ai_sdk_without_room_go_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = made();
    prove_full(&p);
}

/* Rows of a database: a chat each, and a message each. */
CONTRACT(chats_of_the_ai_sdk_by_rows)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im = importing_begin(test_url(), "ui", test_dir());

    text_file("chat.jsonl", "{\"id\":\"c\",\"userId\":\"ann\"}\n");
    text_file("message_v2.jsonl",
              "{\"id\":\"2\",\"chatId\":\"c\",\"role\":\"assistant\",\"parts\":"
              "[{\"type\":\"text\",\"text\":\"b\"}],\"createdAt\":"
              "\"2024-05-01T10:00:01\"}\n"
              "{\"id\":\"1\",\"chatId\":\"c\",\"role\":\"user\",\"parts\":"
              "[{\"type\":\"text\",\"text\":\"a\"}],\"createdAt\":"
              "\"2024-05-01T10:00:00\"}\n"
              "{\"id\":\"3\",\"chatId\":\"gone\",\"role\":\"user\"}\n");
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK(importing_noted(&im, "left out: messages:3", "chat gone"));
    c.store = im.o.store;
    h = comparing_session(&c, STR("ann"), STR("c"));
    CHECK_INT(h->messages_n, 2);
    CHECK_TEXT(h->messages[0].content, STR("a"));
    CHECK_TEXT(h->messages[1].content, STR("b"));
    importing_end(&im);
}

/* As ai-chatbot has them: names with capitals, parts as JSON. */
TEST(postgres_chats_of_the_ai_sdk_in_their_database)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im;
    char user[60];

    contract_engine("postgres");
    raw_sql("CREATE TABLE \"Chat\" (id UUID PRIMARY KEY, \"createdAt\""
            " TIMESTAMP NOT NULL, \"userId\" UUID NOT NULL, title TEXT);"
            "CREATE TABLE \"Message_v2\" (id UUID PRIMARY KEY, \"chatId\" UUID"
            " NOT NULL, role VARCHAR NOT NULL, parts JSON NOT NULL,"
            " attachments JSON NOT NULL, \"createdAt\" TIMESTAMP NOT NULL);"
            "INSERT INTO \"Chat\" VALUES (md5('c')::uuid, '2024-05-01',"
            " md5('u')::uuid, 'T');"
            "INSERT INTO \"Message_v2\" VALUES (md5('a')::uuid,"
            " md5('c')::uuid, 'assistant', '[{\"type\":\"text\",\"text\":"
            "\"So [1]\"},{\"type\":\"source-url\",\"sourceId\":\"u\","
            "\"url\":\"https://example.org/\"}]', '[]', '2024-05-01');");
    im = importing_begin(sqlite_url(), "ui", test_url());
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.sessions, 1);
    c.store = im.o.store;
    snprintf(user, sizeof(user), "%s", query_text("SELECT md5('u')::uuid").p);
    h = comparing_session(&c, str_c(user), query_text("SELECT md5('c')::uuid"));
    CHECK_TEXT(h->messages[0].content, STR("So [1]"));
    CHECK_TEXT(h->messages[0].sources[0].source.url,
               STR("https://example.org/"));
    importing_end(&im);
}

/* As morphic has them: a row for each part, out of order. */
CONTRACT(chats_of_the_ai_sdk_with_parts_as_rows)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct message *m;
    struct importing im = importing_begin(test_url(), "ui", test_dir());

    text_file("chats.jsonl", "{\"id\":\"c\",\"userId\":\"ann\"}\n");
    text_file("messages.jsonl",
              "{\"id\":\"a\",\"chatId\":\"c\",\"role\":\"assistant\","
              "\"createdAt\":\"2024-05-01T10:00:01\"}\n");
    text_file(
        "parts.jsonl",
        "{\"id\":\"3\",\"messageId\":\"a\",\"order\":2,\"type\":"
        "\"source-document\",\"source_document_source_id\":\"d\","
        "\"source_document_title\":\"Paper\",\"source_url_url\":null}\n"
        "{\"id\":\"2\",\"messageId\":\"a\",\"order\":1,\"type\":"
        "\"source-url\",\"source_url_source_id\":\"u\",\"source_url_url\":"
        "\"https://example.org/\",\"source_url_title\":\"Page\"}\n"
        "{\"id\":\"1\",\"messageId\":\"a\",\"order\":0,\"type\":"
        "\"text\",\"text_text\":\"So [2]\"}\n");
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.left_out + im.counts.changed, 0);
    c.store = im.o.store;
    m = &comparing_session(&c, STR("ann"), STR("c"))->messages[0];
    CHECK_TEXT(m->content, STR("So [2]"));
    CHECK_INT(m->sources_n, 2);
    CHECK_TEXT(m->sources[0].source.url, STR("https://example.org/"));
    CHECK_TEXT(m->sources[0].source.title, STR("Page"));
    CHECK_TEXT(m->sources[1].source.id, STR("d"));
    CHECK_TEXT(m->sources[1].source.title, STR("Paper"));
    CHECK(m->sources[1].cited);
    importing_end(&im);
}
