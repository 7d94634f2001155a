/* librechat_test.c - conversations of LibreChat, by its export and its MongoDB.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "importing.h"

enum { CHATS = 205 };
#define ROOT "00000000-0000-0000-0000-000000000000"

static struct footnote_err err;

/* ---- As it exports ------------------------------------------------------- */

static void add_attachments(FILE *f, int c)
{
    fprintf(f,
            "\"attachments\":["
            "{\"type\":\"file_search\",\"toolCallId\":\"t1\",\"file_search\":"
            "{\"sources\":[{\"type\":\"file\",\"fileId\":\"f1\",\"fileName\":"
            "\"heat.pdf\",\"content\":\"Heat %d\",\"relevance\":0.5,\"pages\":"
            "[3]},{\"type\":\"file\",\"fileId\":\"f2\",\"fileName\":\"work.md\""
            ",\"content\":\"Work %d\",\"pages\":[]}]}},"
            "{\"type\":\"web_search\",\"toolCallId\":\"t2\",\"web_search\":"
            "{\"turn\":1,\"organic\":[{\"title\":\"Demon\",\"link\":"
            "\"https://example.org/%d\",\"snippet\":\"It sorts.\"}],"
            "\"topStories\":[{\"title\":\"News\",\"link\":"
            "\"https://news.example/%d\"}]}},"
            "{\"type\":\"file_search\",\"toolCallId\":\"t3\",\"file_search\":"
            "{\"sources\":[{\"type\":\"file\",\"fileId\":\"f1\",\"fileName\":"
            "\"heat.pdf\",\"content\":\"More heat %d\",\"relevance\":0.25,"
            "\"pages\":[9]}]}}]",
            c, c, c, c, c);
}

/* The same anchor names another list behind the next call. */
static void add_content(FILE *f)
{
    fputs("\"content\":[{\"type\":\"think\",\"think\":\"Hm\"},"
          "{\"type\":\"tool_call\",\"tool_call\":{\"id\":\"t1\",\"name\":"
          "\"file_search\"}},"
          "{\"type\":\"text\",\"text\":\"Heat \\\\ue202turn0file0 and work "
          "\\ue202turn0file1. \"},"
          "{\"type\":\"tool_call\",\"tool_call\":{\"id\":\"t2\"}},"
          "{\"type\":\"tool_call\",\"tool_call\":{\"id\":\"t3\"}},"
          "{\"type\":\"text\",\"text\":{\"value\":\"\\ue203More\\ue204 "
          "\\ue200\\ue202turn0file0\\ue202turn1search0\\ue201, "
          "\\ue202turn1news0; \\ue202turn0file7\"}}],",
          f);
}

static void add_messages(FILE *f, int c, bool mongo)
{
    char at[4][60];

    for (int i = 0; i < 4; i++)
        snprintf(at[i], sizeof(at[i]), "%s\"2024-06-01T10:00:%02d.000Z\"%s",
                 mongo ? "{\"$date\":" : "", i, mongo ? "}" : "");
    fprintf(f,
            "{\"messageId\":\"q%d\",\"conversationId\":\"c%d\","
            "\"parentMessageId\":\"" ROOT "\",\"isCreatedByUser\":true,"
            "\"sender\":\"User\",\"text\":\"Why?\",\"createdAt\":%s}%s",
            c, c, at[0], mongo ? "\n" : ",");
    fprintf(f,
            "{\"messageId\":\"a%d\",\"conversationId\":\"c%d\","
            "\"parentMessageId\":\"q%d\",\"isCreatedByUser\":false,"
            "\"sender\":\"GPT\",\"text\":\"\",",
            c, c, c);
    add_content(f);
    add_attachments(f, c);
    fprintf(f, ",\"createdAt\":%s}%s", at[1], mongo ? "\n" : ",");
    fprintf(f,
            "{\"messageId\":\"b%d\",\"conversationId\":\"c%d\","
            "\"parentMessageId\":\"q%d\",\"isCreatedByUser\":false,\"text\":"
            "\"Because [1].\",\"createdAt\":%s}%s",
            c, c, c, at[2], mongo ? "\n" : "");
}

static void add_export(FILE *f, int c)
{
    fprintf(f,
            "{\"conversationId\":\"c%d\",\"endpoint\":\"agents\",\"title\":"
            "\"Chat %d\",\"exportAt\":\"10:00:00\",\"branches\":true,"
            "\"recursive\":false,\"options\":{},\"messages\":[",
            c, c);
    add_messages(f, c, false);
    fputs("]}\n", f);
}

static void export_all(FILE *f)
{
    for (int c = 0; c < CHATS; c++)
        add_export(f, c);
    /* Recursive, and one whose time is none. */
    fputs("{\"conversationId\":\"tree\",\"messagesTree\":[{\"messageId\":"
          "\"t1\",\"isCreatedByUser\":true,\"text\":\"one\",\"children\":["
          "{\"messageId\":\"t2\",\"parentMessageId\":\"t1\","
          "\"isCreatedByUser\":false,\"text\":\"two\",\"children\":[]}]}]}\n"
          "{\"conversationId\":\"bad\",\"messages\":[{\"messageId\":\"x\","
          "\"createdAt\":\"never\",\"text\":\"x\"}]}\n",
          f);
}

/* ---- As MongoDB has it --------------------------------------------------- */

static void mongo_heads(FILE *f)
{
    for (int c = 0; c < CHATS; c++)
        fprintf(
            f,
            "{\"_id\":{\"$oid\":\"%024x\"},\"conversationId\":\"c%d\","
            "\"user\":\"u%d\",\"title\":\"Chat %d\",\"messages\":[{\"$oid\":"
            "\"%024x\"}],\"createdAt\":{\"$date\":"
            "\"2024-06-01T09:00:00.000Z\"},\"updatedAt\":{\"$date\":"
            "\"2024-06-01T11:00:00.000Z\"}}\n",
            c, c, c % 5, c, c);
}

static void mongo_messages(FILE *f)
{
    for (int c = 0; c < CHATS; c++)
        add_messages(f, c, true);
    fputs("{\"messageId\":\"x\",\"conversationId\":\"gone\",\"text\":\"\"}\n",
          f);
}

/* ---- The same as it was? ------------------------------------------------- */

static void check_file(struct comparing *c, struct citation *want, int number,
                       const char *id, const char *name, int page,
                       const char *begin, int i)
{
    char words[40];

    snprintf(words, sizeof(words), "%s %d", begin, i);
    want->number = number;
    want->source = (struct source){
        .type = page ? FOOTNOTE_SLIDE : FOOTNOTE_TEXT,
        .id = passage_id(str_c(id), STR_NONE, str_c(name), page, str_c(words)),
        .document = str_c(id),
        .title = str_c(name),
        .has_page = page > 0,
        .page = page,
        .preview = str_c(words)};
    comparing_check(c, want);
}

static void check_page(struct comparing *c, struct citation *want, int number,
                       const char *title, const char *host, int i,
                       struct str words)
{
    char url[60];

    snprintf(url, sizeof(url), "https://%s/%d", host, i);
    want->number = number;
    want->source = (struct source){
        .type = FOOTNOTE_WEB,
        .id = passage_id(STR_NONE, str_c(url), str_c(title), 0, words),
        .url = str_c(url),
        .title = str_c(title),
        .preview = words};
    comparing_check(c, want);
}

static void check_chat(struct comparing *c, int i, struct str user)
{
    char session[20], message[20], other[20];
    struct citation want = {.user = user};
    const struct message *m = NULL;
    const struct history *h;

    snprintf(session, sizeof(session), "c%d", i);
    snprintf(message, sizeof(message), "a%d", i);
    snprintf(other, sizeof(other), "b%d", i);
    want.session = str_c(session);
    want.message = str_c(message);
    c->at = str_c(message);
    h = comparing_session(c, want.user, want.session);
    CHECK_INT(h->messages_n, 2);
    m = &h->messages[1];
    CHECK_TEXT(m->id, want.message);
    CHECK_TEXT(m->content, STR("Heat [1] and work [2]. More [5][3], [4]; "
                               "\xee\x88\x82turn0file7"));
    CHECK_INT(m->created_ms, 1717236001000);
    CHECK_INT(m->sources_n, 5);
    CHECK_INT(m->versions_n, 2);
    check_file(c, &want, 1, "f1", "heat.pdf", 3, "Heat", i);
    check_file(c, &want, 2, "f2", "work.md", 0, "Work", i);
    check_page(c, &want, 3, "Demon", "example.org", i, STR("It sorts."));
    check_page(c, &want, 4, "News", "news.example", i, STR_NONE);
    check_file(c, &want, 5, "f1", "heat.pdf", 9, "More heat", i);
}

static void check_export(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};
    const struct history *h;

    for (int i = 0; i < CHATS; i++)
        check_chat(&c, i, STR("local"));
    c.at = STR_NONE;
    h = comparing_session(&c, STR("local"), STR("tree"));
    CHECK_INT(h->messages_n, 2);
    CHECK_TEXT(h->messages[1].content, STR("two"));
}

static void check_mongo(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};
    char user[20];

    for (int i = 0; i < CHATS; i++) {
        snprintf(user, sizeof(user), "u%d", i % 5);
        check_chat(&c, i, str_c(user));
        CHECK_INT(c.history.head.created_ms, 1717232400000);
        CHECK_INT(c.history.head.active_ms, 1717239600000);
    }
}

static void count_export(const struct importing *im)
{
    CHECK_INT(im->counts.messages, CHATS * 3 + 2);
    CHECK_INT(im->counts.references, CHATS * 5);
    CHECK_INT(importing_notes(im, "turn0file7"), CHATS);
    CHECK(importing_noted(im, "left out: session bad", "time of message x"));
    CHECK_INT(im->counts.left_out, 1);
    CHECK_INT(im->counts.changed, CHATS);
}

static void count_mongo(const struct importing *im)
{
    CHECK_INT(im->counts.messages, CHATS * 3);
    CHECK(importing_noted(im, "left out: messages", "gone is not there"));
    CHECK_INT(im->counts.left_out, 1);
    CHECK_INT(im->counts.changed, CHATS);
}

static struct proof exported(void)
{
    return (struct proof){
        .o = {.kind = "librechat",
              .source = str_c(made_file("export.jsonl", export_all))},
        .sessions = CHATS + 1,
        .killed_at = 66,
        .counts = count_export,
        .check = check_export};
}

CONTRACT_LIMIT(a_librechat_export_comes_whole, 120)
{
    struct proof p = exported();

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(a_librechat_export_that_was_killed_goes_on, 120)
{
    struct proof p = exported();

    prove_killed(&p, test_url());
}

CONTRACT_LIMIT(a_librechat_mongodb_comes_whole, 120)
{
    struct proof p = {.o = {.kind = "librechat", .source = str_c(test_dir())},
                      .sessions = CHATS,
                      .counts = count_mongo,
                      .check = check_mongo};

    (void)made_file("conversations.jsonl", mongo_heads);
    (void)made_file("messages.jsonl", mongo_messages);
    prove_whole(&p, test_url());
}

/* Anchors without end, of calls that are not there, in a text that is cut. */
CONTRACT(librechat_anchors_that_are_none_stay_text)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    struct importing im = importing_begin(
        test_url(), "librechat",
        text_file("a.jsonl",
                  "{\"conversationId\":\"c\",\"messages\":[{\"messageId\":"
                  "\"a\",\"isCreatedByUser\":false,\"text\":\"\\\\ue202turn "
                  "\\\\ue202turn99999999999999999999file0 \\\\ue202turn0cat3 "
                  "\\\\ue20 \\\\ue202\",\"attachments\":[{\"file_search\":"
                  "{\"sources\":[{\"fileId\":\"f\",\"content\":\"x\"}]}},"
                  "{\"file_search\":{\"sources\":null}},{}, null]}]}\n"));

    CHECK_OK(importing_run(&im, &err), &err);
    c.store = im.o.store;
    CHECK_TEXT(
        comparing_session(&c, STR("local"), STR("c"))->messages[0].content,
        STR("\\ue202turn \\ue202turn99999999999999999999file0 "
            "\\ue202turn0cat3 \\ue20 \\ue202"));
    importing_end(&im);
}

TEST_LIMIT(sqlite_a_librechat_export_without_room_goes_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = exported();
    prove_full(&p);
}
