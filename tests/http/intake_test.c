/* intake_test.c - bodies that are taken, and each way to refuse one. */
#include "http/shape/intake_message.h"

#include "store/session/message.h"
#include "test.h"

enum { TREE_BYTES = 16 * 1024 * 1024, BODY_BYTES = 8 * 1024 * 1024 };

static struct arena arena;

static struct json *parse(const char *text)
{
    struct footnote_err err;
    struct json *v = NULL;

    arena = ARENA(TREE_BYTES);
    CHECK_OK(json_read(&arena, str_c(text), &v, &err), &err);
    return v;
}

static bool take(const char *text, struct message *m, struct intake *in)
{
    struct message_in read;
    bool ok;

    *in = (struct intake){.a = &arena};
    ok = intake_message(in, parse(text), &read);
    *m = read.m;
    return ok;
}

static void check_refused(const char *text, int status, const char *code,
                          const char *where)
{
    struct intake in;
    struct message m;

    CHECK(!take(text, &m, &in));
    CHECK_INT(in.problem.status, status);
    CHECK_TEXT(in.problem.code, str_c(code));
    CHECK_TEXT(in.problem.where, str_c(where));
    CHECK(in.problem.text.n > 0);
    arena_free(&arena);
}

static void check_message(const struct message *m)
{
    const struct source *s = &m->sources[0].source;

    CHECK_TEXT(m->id, STR("m1"));
    CHECK_INT(m->role, FOOTNOTE_ASSISTANT);
    CHECK_INT(m->status, FOOTNOTE_STOPPED);
    CHECK_INT(m->created_ms, 1772136900123);
    CHECK(m->has_low_confidence && m->low_confidence);
    CHECK_INT(m->doc_refs_n, 1);
    CHECK_TEXT(m->doc_refs[0], STR("d1"));
    CHECK_TEXT(m->rag_source_ids[0], STR("t1"));
    CHECK_TEXT(m->web_source_ids[0], STR("t2"));
    CHECK(m->has_image && m->has_image_page);
    CHECK_TEXT(m->image_s3key, STR("k"));
    CHECK_TEXT(m->image_slide, STR("sl"));
    CHECK_INT(m->image_page, 42);
    CHECK_INT(m->sources_n, 1);
    CHECK_INT(m->sources[0].number, 3);
    CHECK(m->sources[0].has_score);
    CHECK_F64(m->sources[0].score, 0.5);
    CHECK_INT(s->type, FOOTNOTE_LECTURE);
    CHECK_TEXT(s->id, STR("x"));
    CHECK_TEXT(s->preview, STR("p"));
    CHECK_TEXT(s->document, STR("d"));
    CHECK_TEXT(s->lecture, STR("l"));
    CHECK_TEXT(s->course, STR("c"));
    CHECK_TEXT(s->owner, STR("o"));
    CHECK(s->has_page && s->has_start && s->has_end);
    CHECK_INT(s->page, 2);
    CHECK_F64(s->start, 1.5);
    CHECK_F64(s->end, 2);
    CHECK_TEXT(s->meta, STR("{ \"a\" : [1] }"));
}

TEST(intake_a_message_in_camel_case)
{
    struct intake in;
    struct message m;

    CHECK(take("{\"id\":\"m1\",\"role\":\"assistant\",\"content\":\"x [3]\","
               "\"status\":\"stopped\",\"lowConfidence\":true,"
               "\"createdAt\":\"2026-02-26T20:15:00.123Z\",\"docRefs\":"
               "[\"d1\"],\"ragSourceIds\":[\"t1\"],\"webSourceIds\":[\"t2\"],"
               "\"imageSource\":{\"s3key\":\"k\",\"slideId\":\"sl\","
               "\"pageNumber\":42,\"url\":null},\"sources\":[{\"sourceId\":"
               "\"x\",\"sourceType\":\"lecture\",\"chunkNumber\":3,"
               "\"contentPreview\":\"p\",\"documentId\":\"d\",\"slideNumber\":"
               "2,\"lectureId\":\"l\",\"startSeconds\":1.5,\"endSeconds\":2,"
               "\"courseId\":\"c\",\"ownerId\":\"o\",\"title\":null,\"url\":"
               "null,\"date\":null,\"s3key\":null,\"part\":null,\"meta\":"
               "{ \"a\" : [1] },\"score\":0.5,\"cited\":true,\"support\":0.5,"
               "\"spans\":[[0,1]],\"state\":\"live\"}]}",
               &m, &in));
    check_message(&m);
    arena_free(&arena);
}

TEST(intake_a_message_in_snake_case)
{
    struct intake in;
    struct message m;

    CHECK(take("{\"id\":\"m1\",\"role\":\"assistant\",\"content\":\"x [3]\","
               "\"status\":\"stopped\",\"low_confidence\":true,"
               "\"created_at\":\"2026-02-26T21:15:00.123+01:00\",\"doc_refs\":"
               "[\"d1\"],\"rag_source_ids\":[\"t1\"],\"web_source_ids\":"
               "[\"t2\"],\"image_source\":{\"s3key\":\"k\",\"slide_id\":\"sl\","
               "\"page_number\":42},\"sources\":[{\"source_id\":\"x\","
               "\"source_type\":\"lecture\",\"chunk_number\":3,"
               "\"content_preview\":\"p\",\"document_id\":\"d\","
               "\"slide_number\":2,\"lecture_id\":\"l\",\"start_seconds\":1.5,"
               "\"end_seconds\":2,\"course_id\":\"c\",\"owner_id\":\"o\","
               "\"meta\":{ \"a\" : [1] },\"score\":0.5}]}",
               &m, &in));
    check_message(&m);
    arena_free(&arena);
}

/* As agents keep their state in MongoDB or Redis. */
TEST(intake_a_message_of_the_state_of_a_graph)
{
    struct intake in;
    struct message m;

    CHECK(take("{\"type\":\"ai\",\"content\":\"[^Page]\",\"id\":\"m\","
               "\"rag_source_ids\":[\"t1\"],\"web_source_ids\":[],"
               "\"image_source\":{\"s3key\":\"k\",\"slide_id\":\"s\","
               "\"page_number\":42},\"timestamp\":\"2024-01-15T10:30:00Z\"}",
               &m, &in));
    CHECK_INT(m.role, FOOTNOTE_ASSISTANT);
    CHECK_INT(m.created_ms, INT64_C(1705314600000));
    CHECK_INT(m.image_page, 42);
    arena_free(&arena);
    CHECK(take("{\"role\":\"user\",\"type\":\"human\",\"content\":\"x\"}", &m,
               &in));
    CHECK_INT(m.role, FOOTNOTE_USER);
    arena_free(&arena);
    CHECK(!take("{\"role\":\"user\",\"type\":\"ai\",\"content\":\"x\"}", &m,
                &in));
    CHECK_TEXT(in.problem.where, STR("/type"));
    arena_free(&arena);
    CHECK(!take("{\"role\":\"user\",\"content\":\"x\",\"timestamp\":"
                "\"2024-01-15T10:30:00Z\",\"createdAt\":"
                "\"2024-01-15T10:30:01Z\"}",
                &m, &in));
    CHECK_TEXT(in.problem.where, STR("/timestamp"));
    arena_free(&arena);
}

TEST(intake_a_streaming_answer_needs_no_content)
{
    struct intake in;
    struct message m;

    CHECK(take("{\"role\":\"assistant\",\"status\":\"streaming\","
               "\"content\":null}",
               &m, &in));
    CHECK(!m.content.p);
    arena_free(&arena);
}

#define SOURCE_IN(x)                                                           \
    "{\"role\":\"assistant\",\"content\":\"\",\"sources\":[{\"sourceType\":"   \
    "\"text\",\"sourceId\":\"s\"}," x "]}"
static const struct {
    const char *body, *code, *where;
} refused[] = {
    {"{}", "invalid_field", "/role"},
    {"{\"role\":null}", "invalid_field", "/role"},
    {"{\"role\":\"user\"}", "invalid_field", "/content"},
    {"{\"role\":\"tool\",\"content\":\"\"}", "invalid_field", "/role"},
    {"{\"role\":7,\"content\":\"\"}", "invalid_field", "/role"},
    {"{\"role\":\"user\",\"content\":[]}", "invalid_field", "/content"},
    {"{\"role\":\"user\",\"content\":\"a\\u0000\"}", "invalid_field",
     "/content"},
    {"{\"role\":\"user\",\"content\":\"\",\"owner\":1}", "unknown_field",
     "/owner"},
    {"{\"a/b~c\":1}", "unknown_field", "/a~1b~0c"},
    {"{\"role\":\"user\",\"content\":\"\",\"docRefs\":[],\"doc_refs\":[]}",
     "invalid_field", "/doc_refs"},
    {"{\"role\":\"user\",\"content\":\"\",\"docRefs\":[\"a\",1]}",
     "invalid_field", "/docRefs/1"},
    {"{\"role\":\"user\",\"content\":\"\",\"docRefs\":\"a\"}", "invalid_field",
     "/docRefs"},
    {"{\"role\":\"user\",\"content\":\"\",\"id\":\"\"}", "invalid_field",
     "/id"},
    {"{\"role\":\"user\",\"content\":\"\",\"lowConfidence\":0}",
     "invalid_field", "/lowConfidence"},
    {"{\"role\":\"user\",\"content\":\"\",\"createdAt\":\"today\"}",
     "invalid_field", "/createdAt"},
    {"{\"role\":\"user\",\"content\":\"\",\"status\":\"done\"}",
     "invalid_field", "/status"},
    {"{\"role\":\"user\",\"content\":\"\",\"status\":\"streaming\"}",
     "invalid_field", "/status"},
    {"{\"role\":\"user\",\"content\":\"\",\"imageSource\":{}}", "invalid_field",
     "/imageSource"},
    {"{\"role\":\"user\",\"content\":\"\",\"image_source\":{\"s3key\":"
     "\"k\",\"page_number\":-1}}",
     "invalid_field", "/image_source/page_number"},
    {"{\"role\":\"user\",\"content\":\"\",\"imageSource\":{\"x\":1}}",
     "unknown_field", "/imageSource/x"},
    {"{\"role\":\"user\",\"content\":\"\",\"imageSource\":17.25}",
     "invalid_field", "/imageSource"},
    {"{\"role\":\"user\",\"content\":\"\",\"sources\":[{\"sourceType\":"
     "\"text\",\"sourceId\":\"s\"}]}",
     "invalid_field", "/sources"},
    {"{\"role\":\"assistant\",\"content\":\"\",\"sources\":{}}",
     "invalid_field", "/sources"},
    {SOURCE_IN("1"), "invalid_field", "/sources/1"},
    {SOURCE_IN("{\"sourceId\":\"s\"}"), "invalid_field",
     "/sources/1/sourceType"},
    {SOURCE_IN("{\"source_type\":\"book\"}"), "invalid_field",
     "/sources/1/source_type"},
    {SOURCE_IN("{\"sourceType\":\"text\"}"), "invalid_field", "/sources/1"},
    {SOURCE_IN("{\"sourceType\":\"text\",\"sourceId\":\"s\",\"x\":1}"),
     "unknown_field", "/sources/1/x"},
    {SOURCE_IN("{\"sourceType\":\"text\",\"sourceId\":\"s\","
               "\"chunkNumber\":0}"),
     "invalid_field", "/sources/1/chunkNumber"},
    {SOURCE_IN("{\"sourceType\":\"text\",\"sourceId\":\"s\","
               "\"chunk_number\":1000000000}"),
     "invalid_field", "/sources/1/chunk_number"},
    {SOURCE_IN("{\"sourceType\":\"text\",\"sourceId\":\"s\","
               "\"slideNumber\":1.5}"),
     "invalid_field", "/sources/1/slideNumber"},
    {SOURCE_IN("{\"sourceType\":\"text\",\"sourceId\":\"s\","
               "\"start_seconds\":-1}"),
     "invalid_field", "/sources/1/start_seconds"},
    {SOURCE_IN("{\"sourceType\":\"text\",\"sourceId\":\"s\","
               "\"startSeconds\":2,\"endSeconds\":1}"),
     "invalid_field", "/sources/1/endSeconds"},
    {SOURCE_IN("{\"sourceType\":\"text\",\"sourceId\":\"s\","
               "\"meta\":[]}"),
     "invalid_field", "/sources/1/meta"},
};

TEST(intake_says_what_is_wrong_and_where)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        check_refused(refused[i].body, 400, refused[i].code, refused[i].where);
}

/* {"role":R,"content":"","KEY":BEFORE xxx... AFTER} */
static void check_large(const char *before, size_t n, const char *after,
                        const char *where)
{
    AUTO(buf_free) struct buf b = BUF(BODY_BYTES);

    buf_add(&b, str_c(before));
    for (size_t i = 0; i < n; i++)
        buf_add_c(&b, 'x');
    buf_add(&b, str_c(after));
    buf_add_c(&b, '\0');
    check_refused(b.p, 413, "too_large", where);
}

TEST(intake_names_the_limit_that_was_passed)
{
    check_large("{\"role\":\"user\",\"content\":\"", 64 * 1024 + 1, "\"}",
                "/content");
    check_large("{\"role\":\"assistant\",\"content\":\"", 2 * 1024 * 1024 + 1,
                "\"}", "/content");
    check_large("{\"role\":\"assistant\",\"content\":\"\",\"sources\":[{"
                "\"sourceType\":\"text\",\"sourceId\":\"s\",\"content_preview"
                "\":\"",
                64 * 1024 + 1, "\"}]}", "/sources/0/content_preview");
    check_large("{\"role\":\"assistant\",\"content\":\"\",\"sources\":[{"
                "\"sourceType\":\"text\",\"sourceId\":\"s\",\"meta\":{\"a\":\"",
                SOURCE_META_BYTES_MAX, "\"}}]}", "/sources/0/meta");
}

static void check_many(const char *before, const char *item, size_t n,
                       const char *where)
{
    AUTO(buf_free) struct buf b = BUF(BODY_BYTES);

    buf_add(&b, str_c(before));
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(&b, ',');
        buf_add(&b, str_c(item));
    }
    buf_add(&b, STR("]}"));
    buf_add_c(&b, '\0');
    check_refused(b.p, 413, "too_large", where);
}

TEST(intake_takes_so_many_and_no_more)
{
    check_many("{\"role\":\"assistant\",\"content\":\"\",\"sources\":[",
               "{\"sourceType\":\"text\",\"sourceId\":\"s\"}", 201, "/sources");
    check_many("{\"role\":\"user\",\"content\":\"\",\"rag_source_ids\":[",
               "\"a\"", 1001, "/rag_source_ids");
}

TEST(intake_times_are_rfc_3339)
{
    static const struct {
        const char *text;
        int64_t ms; /* -1: refused */
    } cases[] = {{"1970-01-01T00:00:00Z", 0},
                 {"2026-02-26T20:15:00.123Z", 1772136900123},
                 {"2026-02-26t20:15:00.1239z", 1772136900123},
                 {"2026-02-26 20:15:00+00:00", 1772136900000},
                 {"2026-02-26T15:15:00.5-05:00", 1772136900500},
                 {"2024-02-29T00:00:00Z", 1709164800000},
                 {"2000-03-01T00:00:00Z", 951868800000},
                 {"9999-12-31T23:59:59.999Z", 253402300799999},
                 {"2023-02-29T00:00:00Z", -1},
                 {"2026-13-01T00:00:00Z", -1},
                 {"2026-02-26T24:00:00Z", -1},
                 {"2026-02-26T20:15:00", 1772136900000},
                 {"2026-02-26T20:15:00.123456", 1772136900123},
                 {"2026-02-26T20:15:00.", -1},
                 {"2026-02-26T20:15", -1},
                 {"2026-02-26", -1},
                 {"2026-02-26T20:15:00.Z", -1},
                 {"2026-02-26T20:15:00Zx", -1},
                 {"2026-02-26T20:15:00+0100", -1},
                 {"1969-12-31T23:59:59Z", -1},
                 {"", -1}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t ms = -1;

        CHECK_INT(time_parse(str_c(cases[i].text), &ms), cases[i].ms >= 0);
        CHECK_INT(ms, cases[i].ms);
    }
}
