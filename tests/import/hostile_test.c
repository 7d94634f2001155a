/* hostile_test.c - files in which bytes are changed, cut out or repeated: an
 * import of any kind ends with a sentence or with a report, never with a crash
 * or with half a session. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "importing.h"
#include "store/session/session.h"

enum { ROUNDS = 120, TEXT_BYTES = 4096, TABLES_MAX = 3 };

/* `text` is the source, or one table of it: the others lie beside it. */
struct sample {
    const char *kind, *text, *name;
    struct {
        const char *name, *text;
    } tables[TABLES_MAX];
};

#define V2_SESSIONS                                                            \
    {                                                                          \
        "chat_sessions", "{\"id\":\"s\",\"course_id\":\"c\"}"                  \
    }
#define V2_MESSAGES                                                            \
    {                                                                          \
        "chat_messages",                                                       \
            "{\"id\":\"q\",\"session_id\":\"s\",\"role\":\"user\","            \
            "\"content\":"                                                     \
            "\"Q\",\"created_at\":\"2026-02-26T20:15:00Z\"}\n"                 \
            "{\"id\":\"a\",\"session_id\":\"s\",\"role\":\"assistant\","       \
            "\"content\":"                                                     \
            "\"A [1]\",\"created_at\":\"2026-02-26T20:15:01Z\"}\n"             \
    }
#define V2_REFS                                                                \
    {                                                                          \
        "message_source_refs",                                                 \
            "{\"message_id\":\"a\",\"session_id\":\"s\",\"course_source_id\":" \
            "\"k\","                                                           \
            "\"chunk_number\":1}\n{\"message_id\":\"a\",\"session_id\":\"s\"," \
            "\"course_source_id\":\"l\",\"chunk_number\":2}\n"                 \
    }
#define V2_SOURCES                                                             \
    {                                                                          \
        "course_sources", "{\"id\":\"k\",\"course_id\":\"c\",\"source_key\":"  \
                          "\"x\",\"source_type\":"                             \
                          "\"text\"}\n{\"id\":\"l\",\"course_id\":\"c\","      \
                          "\"source_key\":\"y\","                              \
                          "\"source_type\":\"text\"}\n"                        \
    }

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
     "}}"},
    {"v1",
     "{\"id\":\"1\",\"message_id\":\"a\",\"session_id\":\"s\",\"source_id\":"
     "\"doc_d_slide_3\",\"source_type\":\"slide\",\"chunk_number\":1,"
     "\"content_preview\":null,\"document_id\":\"d\",\"slide_number\":3,"
     "\"course_id\":\"c\",\"created_at\":\"2024-01-15T10:30:00.123Z\"}\n"
     "{\"id\":\"2\",\"message_id\":\"a\",\"session_id\":\"s\",\"source_id\":"
     "\"lec_l_1_2\",\"source_type\":\"lecture\",\"chunk_number\":1,"
     "\"content_preview\":\"w\",\"lecture_id\":\"l\",\"start_seconds\":1.5,"
     "\"end_seconds\":2e0,\"created_at\":\"2024-01-15T10:30:01Z\"}\n",
     .name = "message_sources",
     .tables = {{"agno_sessions",
                 "{\"session_id\":\"s\",\"user_id\":null,\"session_data\":{"
                 "\"session_name\":\"S\"},\"runs\":[{\"messages\":[{\"id\":"
                 "\"q\",\"role\":\"user\",\"content\":\"Q\"},{\"id\":\"a\","
                 "\"role\":\"assistant\",\"content\":\"A [1]\"}]}]}"}}},
    {"v1",
     "{\"session_id\":\"s\",\"user_id\":null,\"session_data\":{"
     "\"session_name\":\"S\"},\"created_at\":1705314600,\"runs\":[{"
     "\"run_id\":\"r\",\"messages\":[{\"id\":\"y\",\"role\":\"system\","
     "\"content\":\"Y\"},{\"id\":\"q\",\"role\":\"user\",\"content\":\"Q\","
     "\"from_history\":false,\"created_at\":1705314601},{\"id\":\"a\","
     "\"role\":\"assistant\",\"content\":\"A [1]\",\"created_at\":"
     "1705314602}]}]}",
     .name = "agno_sessions",
     .tables = {{"message_sources",
                 "{\"message_id\":\"a\",\"session_id\":\"s\",\"source_id\":"
                 "\"x\",\"source_type\":\"text\",\"chunk_number\":1}"}}},
    {"v2",
     "{\"id\":\"r\",\"message_id\":\"a\",\"session_id\":\"s\","
     "\"course_source_id\":\"k\",\"chunk_number\":1,\"created_at\":"
     "\"2024-01-15T10:30:00Z\"}\n{\"id\":\"t\",\"message_id\":\"a\","
     "\"session_id\":\"s\",\"course_source_id\":\"l\",\"chunk_number\":1}\n",
     .name = "message_source_refs",
     .tables = {V2_SESSIONS, V2_MESSAGES, V2_SOURCES}},
    {"v2",
     "{\"id\":\"k\",\"course_id\":\"c\",\"source_key\":\"doc_d_slide_3\","
     "\"source_type\":\"slide\",\"document_id\":\"d\",\"slide_number\":3,"
     "\"content_preview\":\"w\",\"title\":\"t\"}\n{\"id\":\"l\","
     "\"course_id\":\"c\",\"source_key\":\"lec_l_1_2\",\"source_type\":"
     "\"lecture\",\"lecture_id\":\"l\",\"start_seconds\":1.1,"
     "\"end_seconds\":null}\n",
     .name = "course_sources", .tables = {V2_SESSIONS, V2_MESSAGES, V2_REFS}},
    {"events",
     "{\"id\":\"e\",\"message_id\":\"q\",\"query\":\"w\",\"low_confidence\":"
     "true,\"created_at\":\"2026-02-26T20:15:00Z\",\"citations\":[{\"chunkId\":"
     "\"k\",\"documentId\":\"d\",\"documentTitle\":\"t\",\"page\":1,"
     "\"excerpt\":\"w\",\"score\":0.5,\"index\":1},{\"chunk_id\":\"l\"}]}",
     .name = "retrieval_events", .tables = {V2_SESSIONS, V2_MESSAGES}},
    {"events",
     "{\"id\":\"q\",\"session_id\":\"s\",\"role\":\"user\",\"content\":\"Q\","
     "\"created_at\":\"2026-02-26T20:15:00Z\"}\n{\"id\":\"a\",\"sessionId\":"
     "\"s\",\"role\":\"assistant\",\"content\":\"A [1]\",\"created_at\":"
     "1705314600}\n",
     .name = "messages",
     .tables = {{"sessions", "{\"id\":\"s\",\"user_id\":null}"},
                {"retrieval_events",
                 "{\"id\":\"e\",\"messageId\":\"q\",\"query\":\"w\","
                 "\"citations\":[{\"chunkId\":\"k\"}]}"}}},
    {"journal",
     "{\"message_id\":\"q\",\"thread_id\":\"t\",\"role\":\"user\","
     "\"content\":\"Q\",\"doc_refs\":null}\n{\"message_id\":\"a\","
     "\"thread_id\":\"t\",\"timestamp\":\"2024-03-01T08:00:05.5\",\"role\":"
     "\"assistant\",\"content\":\"A [1]\",\"doc_refs\":[\"2024-02-29:Day: 1\","
     "\"2024-01-01:none\"]}\n",
     .name = "messages",
     .tables = {{"threads", "{\"thread_id\":\"t\",\"title\":\"T\"}"},
                {"entries", "{\"date\":\"2024-02-29\",\"title\":\"Day: 1\","
                            "\"text\":\"w\"}"}}},
    {"journal",
     "{\"date\":\"2024-02-29\",\"title\":\"Day: 1\",\"text\":\"w\","
     "\"embedding\":[0.1,-2e-3]}\n{\"date\":\"2024-02-28\",\"title\":null}",
     .name = "entries",
     .tables = {{"threads", "{\"thread_id\":\"t\",\"created_at\":"
                            "\"2024-03-01T08:00:00.000001\"}"},
                {"messages", "{\"message_id\":\"a\",\"thread_id\":\"t\","
                             "\"role\":\"assistant\",\"content\":\"A [1]\","
                             "\"doc_refs\":[\"2024-02-29:Day: 1\"]}"}}}};
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

/* A folder with the tables, or the one file; `path` is what is damaged. */
static struct str make_source(const struct sample *s, size_t i, char path[1000])
{
    static char folder[900];

    snprintf(folder, sizeof(folder), "%s/%zu", test_dir(), i);
    CHECK(mkdir(folder, 0700) == 0);
    for (size_t k = 0; k < TABLES_MAX && s->tables[k].name; k++) {
        char name[100];

        snprintf(name, sizeof(name), "%zu/%s.jsonl", i, s->tables[k].name);
        (void)text_file(name, s->tables[k].text);
    }
    snprintf(path, 1000, "%s/%s.jsonl", folder, s->name ? s->name : s->kind);
    return str_c(s->name ? folder : path);
}

/* Their ids are the same, of courses as well. */
static struct who who_of(size_t i)
{
    static char tenant[20];

    snprintf(tenant, sizeof(tenant), "t%zu", i);
    return (struct who){str_c(tenant), STR("local")};
}

static void hurt(const struct sample *s, size_t number)
{
    char path[1000];
    struct str source = make_source(s, number, path);
    struct importing im = importing_begin(test_url(), s->kind, source.p);
    int told = 0;

    im.o.who = who_of(number);
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
static void read_all(struct store *st, size_t number)
{
    AUTO(arena_free) struct arena a = ARENA(16 * 1024 * 1024);
    struct session_list list = {.limit = 1000};
    struct who who = who_of(number);

    CHECK_OK(store_read(st, who, &a, OP(session_list), &list, &err), &err);
    CHECK(list.sessions_n > 0);
    for (size_t i = 0; i < list.sessions_n; i++) {
        struct history all = {.session = list.sessions[i].id};

        CHECK_OK(store_read(st, who, &a, OP(history), &all, &err), &err);
    }
}

CONTRACT_LIMIT(damaged_files_of_every_kind_do_no_harm, 240)
{
    struct store *st;

    for (size_t i = 0; i < SAMPLES; i++)
        hurt(&samples[i], i);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    for (size_t i = 0; i < SAMPLES; i++)
        read_all(st, i);
    store_close(st);
}
