/* hostile_test.c - files in which bytes are changed, cut out or repeated: an
 * import of any kind ends with a sentence or with a report, never with a crash
 * or with half a session. */
#include <stdlib.h>
#include <string.h>

#include "importing.h"
#include "store/session/session.h"

enum { ROUNDS = 120, TEXT_BYTES = 4096 };

struct sample {
    const char *kind, *text;
};

/* Each with all that its reader looks at. */
static const struct sample samples[] = {
    {"state",
     "{\"thread_id\":\"t\",\"user_id\":null,\"course_id\":\"c\","
     "\"messages\":[{\"type\":\"human\",\"id\":\"q\",\"content\":[\"W\"]},"
     "{\"type\":\"ai\",\"id\":\"a\",\"content\":\"A [1]\",\"timestamp\":"
     "1700000000,\"image_source\":{\"s3key\":\"k\",\"page_number\":\"7\"},"
     "\"rag_source_ids\":[\"x\"],\"sources\":[{\"sourceId\":\"s\","
     "\"chunkNumber\":\"1\",\"startSeconds\":1.5}]}],\"sources_data\":{\"a\":"
     "{\"slide_id\":\"s\"}}}"},
    {"ui",
     "{\"id\":\"c\",\"userId\":null,\"createdAt\":\"2024-05-01T10:00:00Z\""
     ",\"messages\":[{\"id\":\"a\",\"role\":\"assistant\",\"parts\":[{\"type\":"
     "\"text\",\"text\":\"So [1]\"},{\"type\":\"source-url\",\"sourceId\":\"u\""
     ",\"url\":\"https://example.org/"
     "\"},{\"type\":\"data-rag-source\",\"data\":"
     "{\"source_id\":\"r\",\"chunk_number\":7,\"slide_number\":3}}]}]}"},
    {"openwebui",
     "{\"id\":\"c\",\"user_id\":null,\"title\":\"T\",\"created_at\":"
     "1700000000,\"chat\":{\"history\":{\"currentId\":\"a\",\"messages\":{"
     "\"q\":{\"id\":\"q\",\"parentId\":null,\"role\":\"user\",\"content\":\"Q\""
     ",\"timestamp\":1700000000},\"a\":{\"id\":\"a\",\"parentId\":\"q\","
     "\"role\":\"assistant\",\"content\":\"A [1#x]\",\"timestamp\":1700000001,"
     "\"sources\":[{\"source\":{\"id\":\"s\",\"type\":\"file\"},\"document\":"
     "[\"w\",\"v\"],\"metadata\":[{\"page\":0,\"file_id\":\"f\"}],"
     "\"distances\":[0.5]}]},\"b\":{\"id\":\"b\",\"parentId\":\"q\",\"role\":"
     "\"assistant\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":"
     "\"output_text\",\"text\":\"B\"}]}]}}}}}"},
    {"anythingllm",
     "{\"id\":7,\"workspaceId\":1,\"user_id\":null,\"thread_id\":3,\"prompt\":"
     "\"Q\",\"createdAt\":1700000000000,\"response\":\"{\\\"text\\\":\\\"A [2]"
     "\\\",\\\"sources\\\":[{\\\"id\\\":\\\"v\\\",\\\"title\\\":\\\"t\\\","
     "\\\"chunkSource\\\":\\\"link://https://e.org\\\",\\\"text\\\":"
     "\\\"<document_metadata>x</document_metadata> w\\\",\\\"score\\\":1}]}\"}"
     "\n{\"slug\":\"h\",\"history\":[{\"role\":\"user\",\"content\":\"Q\","
     "\"sentAt\":1700000000,\"chatId\":9}]}"},
    {"librechat",
     "{\"conversationId\":\"c\",\"title\":\"T\",\"messages\":[{\"messageId\":"
     "\"q\",\"parentMessageId\":\"00000000-0000-0000-0000-000000000000\","
     "\"isCreatedByUser\":true,\"text\":\"Q\"},{\"messageId\":\"a\","
     "\"parentMessageId\":\"q\",\"isCreatedByUser\":false,\"content\":[{"
     "\"type\":\"tool_call\",\"tool_call\":{\"id\":\"t\"}},{\"type\":\"text\","
     "\"text\":\"\\ue200\\ue202turn0file0\\ue202turn1search0\\ue201\"}],"
     "\"attachments\":[{\"toolCallId\":\"t\",\"file_search\":{\"sources\":[{"
     "\"fileId\":\"f\",\"content\":\"w\",\"pages\":[3]}]}},{\"web_search\":"
     "{\"turn\":1,\"organic\":[{\"link\":\"https://e.org\"}]}}]}]}"},
    {"onyx",
     "{\"chat_session_id\":\"s\",\"description\":\"D\",\"messages\":[{"
     "\"message_id\":1,\"message_type\":\"system\",\"latest_child_message\":2},"
     "{\"message_id\":2,\"message\":\"Q\",\"message_type\":\"user\","
     "\"parent_message\":1,\"latest_child_message\":3,\"time_sent\":"
     "\"2025-02-01T10:00:01Z\"},{\"message_id\":3,\"message\":\"A [[2]](u)\","
     "\"message_type\":\"assistant\",\"parent_message\":2,\"time_sent\":"
     "\"2025-02-01T10:00:02Z\",\"citations\":{\"2\":\"D1\"},\"context_docs\":"
     "[{\"db_doc_id\":9,\"document_id\":\"D1\",\"chunk_ind\":0,\"blurb\":\"w\","
     "\"score\":0.5}]}]}"},
    {"chatgpt",
     "{\"conversation_id\":\"c\",\"current_node\":\"a\",\"mapping\":{\"q\":{"
     "\"parent\":null,\"message\":{\"id\":\"q\",\"author\":{\"role\":\"user\"},"
     "\"content\":{\"content_type\":\"text\",\"parts\":[\"Q\"]}}},\"a\":{"
     "\"parent\":\"q\",\"message\":{\"id\":\"a\",\"author\":{\"role\":"
     "\"assistant\"},\"create_time\":1700000000.5,\"content\":{\"content_type\""
     ":\"text\",\"parts\":[\"A \xe3\x80\x90"
     "1\xe3\x80\x91\"]},\"metadata\":{\"content_references\":[{\"matched_text\""
     ":\"A \xe3\x80\x90\",\"items\":[]}],\"citations\":[{\"start_ix\":2,"
     "\"end_ix\":5,\"metadata\":{\"title\":\"T\",\"url\":\"https://"
     "e.org\"}}]}}}"
     "}}"}};
enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

static struct footnote_err err;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* One to three places: another byte, a part that is gone, or one that is there
 * again. */
static size_t damage(char *text, size_t n, uint32_t seed)
{
    static const char bytes[] = "\"{}[],:0-9e\\\xff\x80 nulltrue";
    uint32_t r = seed;

    for (uint32_t i = next_random(&r) % 3 + 1; i; i--) {
        size_t at = next_random(&r) % n;
        size_t part = next_random(&r) % 40;

        if (part > n - at)
            part = n - at;
        switch (next_random(&r) % 3) {
        case 0: text[at] = bytes[next_random(&r) % (sizeof(bytes) - 1)]; break;
        case 1:
            memmove(text + at, text + at + part, n - at - part);
            n -= part;
            break;
        default:
            if (n + part < TEXT_BYTES) {
                memmove(text + at + part, text + at, n - at);
                n += part;
            }
        }
        if (n < 2)
            return n;
    }
    return n;
}

static void write_damaged(const char *path, const struct sample *s,
                          uint32_t seed)
{
    char text[TEXT_BYTES];
    size_t n = strlen(s->text);
    FILE *f = fopen(path, "w");

    memcpy(text, s->text, n);
    n = seed ? damage(text, n, seed) : n;
    CHECK(f && fwrite(text, 1, n, f) == n);
    CHECK(fclose(f) == 0);
}

static void hurt(const struct sample *s)
{
    char path[1000];
    struct importing im;
    int told = 0;

    snprintf(path, sizeof(path), "%s/%s.json", test_dir(), s->kind);
    im = importing_begin(test_url(), s->kind, path);
    im.o.who.user = str_c(s->kind); /* their ids are the same */
    for (uint32_t i = 0; i < ROUNDS; i++) {
        enum footnote_rc rc;

        write_damaged(path, s, i * 7919);
        rc = importing_run(&im, &err);
        if (i == 0 && im.counts.sessions == 0)
            FAIL("%s: %s %s", s->kind, err.text, im.notes);
        if (rc != FOOTNOTE_OK && rc != FOOTNOTE_INVALID &&
            rc != FOOTNOTE_TOOBIG)
            FAIL("%s %u: %s: %s", s->kind, i, footnote_rc_code(rc), err.text);
        told += rc != FOOTNOTE_OK || im.counts.left_out > 0;
        if (rc != FOOTNOTE_OK)
            CHECK_INT(im.counts.sessions, 0);
    }
    CHECK(told > 0);
    importing_end(&im);
}

/* What is left is still a store in which everything can be read. */
static void read_all(struct comparing *c, const struct sample *s)
{
    AUTO(arena_free) struct arena a = ARENA(16 * 1024 * 1024);
    struct session_list list = {.limit = 1000};
    struct who who = {STR("default"), str_c(s->kind)};

    CHECK_OK(store_read(c->store, who, &a, OP(session_list), &list, &err),
             &err);
    CHECK(list.sessions_n > 0);
    for (size_t i = 0; i < list.sessions_n; i++)
        (void)comparing_session(c, who.user, list.sessions[i].id);
}

CONTRACT_LIMIT(damaged_files_of_every_kind_do_no_harm, 240)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};

    for (size_t i = 0; i < SAMPLES; i++)
        hurt(&samples[i]);
    CHECK_OK(store_open(test_url(), &c.store, &err), &err);
    for (size_t i = 0; i < SAMPLES; i++)
        read_all(&c, &samples[i]);
    store_close(c.store);
}
