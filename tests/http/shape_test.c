/* shape_test.c - the JSON of each thing, byte for byte. */
#include "http/shape/shape.h"

#include "base/json.h"
#include "store/answer/event.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "test.h"

enum { JSON_BYTES = 64 * 1024, TREE_BYTES = 1024 * 1024 };

static const uint32_t spans[] = {14, 17, 20, 23};

static struct reference slide(void)
{
    return (struct reference){.source = {.type = FOOTNOTE_SLIDE,
                                         .id = STR("doc_d1_slide_14"),
                                         .preview = STR("Disorder \"grows\""),
                                         .title = STR("Lecture 4"),
                                         .course = STR("c1"),
                                         .document = STR("d1"),
                                         .has_page = true,
                                         .page = 14,
                                         .meta = STR("{\"a\":1}")},
                              .number = 1,
                              .cited = true,
                              .support = 830,
                              .spans = spans,
                              .spans_n = 2,
                              .state = FOOTNOTE_LIVE};
}

static struct reference page(void)
{
    return (struct reference){.source = {.type = FOOTNOTE_WEB,
                                         .id = STR("w"),
                                         .url = STR("https://example.org/")},
                              .number = 2,
                              .has_score = true,
                              .score = 0.25,
                              .support = -1,
                              .state = FOOTNOTE_EXTERNAL};
}

static struct str done(struct buf *b)
{
    struct footnote_err err;

    CHECK_OK(buf_rc(b, &err), &err);
    return buf_str(b);
}

/* Every output is JSON of one document. */
static void check_json(struct str text)
{
    AUTO(arena_free) struct arena a = ARENA(TREE_BYTES);
    struct footnote_err err;
    struct json *v;

    CHECK_OK(json_read(&a, text, &v, &err), &err);
}

TEST(shape_a_source_has_every_field_and_null_for_what_is_absent)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct reference r = slide();

    r.version = 3;
    shape_source(&b, &r, SOURCE_CAMEL);
    CHECK_TEXT(
        done(&b),
        STR("{\"sourceId\":\"doc_d1_slide_14\",\"sourceType\":\"slide\","
            "\"chunkNumber\":1,\"contentPreview\":\"Disorder \\\"grows\\\"\","
            "\"documentId\":\"d1\",\"slideNumber\":14,\"lectureId\":null,"
            "\"startSeconds\":null,\"endSeconds\":null,\"courseId\":\"c1\","
            "\"ownerId\":null,\"title\":\"Lecture 4\",\"url\":null,"
            "\"date\":null,\"s3key\":null,\"part\":null,\"locator\":null,"
            "\"meta\":{\"a\":1},"
            "\"score\":null,\"state\":\"live\",\"documentVersion\":3,"
            "\"cited\":true,"
            "\"support\":0.83,\"spans\":[[14,17],[20,23]]}"));
}

TEST(shape_a_source_in_snake_case_has_the_same_values)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct reference r = page();

    shape_source(&b, &r, SOURCE_SNAKE);
    CHECK_TEXT(
        done(&b),
        STR("{\"source_id\":\"w\",\"source_type\":\"web\",\"chunk_number\":2,"
            "\"content_preview\":null,\"document_id\":null,"
            "\"slide_number\":null,\"lecture_id\":null,\"start_seconds\":null,"
            "\"end_seconds\":null,\"course_id\":null,\"owner_id\":null,"
            "\"title\":null,\"url\":\"https://example.org/\",\"date\":null,"
            "\"s3key\":null,\"part\":null,\"locator\":null,\"meta\":null,"
            "\"score\":0.25,"
            "\"state\":\"external\",\"document_version\":null,"
            "\"cited\":false,\"support\":null,"
            "\"spans\":[]}"));
}

TEST(shape_support_is_the_shortest_decimal)
{
    static const struct {
        int thousandths;
        const char *text;
    } cases[] = {{0, "0"},     {1000, "1"},    {830, "0.83"}, {5, "0.005"},
                 {500, "0.5"}, {999, "0.999"}, {40, "0.04"},  {1010, "1.01"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(buf_free) struct buf b = BUF(64);

        shape_support(&b, cases[i].thousandths);
        CHECK_TEXT(done(&b), str_c(cases[i].text));
    }
}

static struct message answer(const struct reference *sources, size_t n)
{
    static const struct str refs[] = {{"2024-01-15:On entropy", 21}};
    static const struct str events[] = {{"e1", 2}, {"e2", 2}};

    return (struct message){.id = STR("m2"),
                            .session = STR("s1"),
                            .role = FOOTNOTE_ASSISTANT,
                            .status = FOOTNOTE_COMPLETE,
                            .content = STR("Entropy [1].\n"),
                            .created_ms = 1772136900123,
                            .has_low_confidence = true,
                            .doc_refs = refs,
                            .doc_refs_n = 1,
                            .rag_source_ids = events,
                            .rag_source_ids_n = 2,
                            .has_image = true,
                            .image_s3key = STR("snapshots/p.png"),
                            .image_slide = STR("slide-123"),
                            .has_image_page = true,
                            .image_page = 42,
                            .has_digest = true,
                            .digest = {{0xab}},
                            .sources = sources,
                            .sources_n = n};
}

static struct message question(void)
{
    return (struct message){.id = STR("m1"),
                            .role = FOOTNOTE_USER,
                            .content = STR("What?"),
                            .created_ms = 1772136899000};
}

TEST(shape_an_answer_has_its_lists_digest_and_image)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct message m = answer(NULL, 0);

    shape_message(&b, &m);
    CHECK_TEXT(
        done(&b),
        STR("{\"id\":\"m2\",\"role\":\"assistant\","
            "\"content\":\"Entropy [1].\\n\","
            "\"createdAt\":\"2026-02-26T20:15:00.123Z\","
            "\"status\":\"complete\",\"failure\":null,\"replacedBy\":null,"
            "\"parentId\":null,"
            "\"lowConfidence\":false,\"docRefs\":[\"2024-01-15:On entropy\"],"
            "\"ragSourceIds\":[\"e1\",\"e2\"],\"webSourceIds\":[],"
            "\"digest\":\"sha256:ab00000000000000000000000000000000000000000000"
            "000000000000000000\",\"imageSource\":{\"s3key\":\"snapshots/p.png"
            "\",\"slideId\":\"slide-123\",\"pageNumber\":42,\"url\":null},"
            "\"sources\":[],\"verdicts\":[],\"unknownNumbers\":[]}"));
}

TEST(shape_a_question_has_no_sources_at_all)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct message m = question();

    shape_message(&b, &m);
    CHECK_TEXT(
        done(&b),
        STR("{\"id\":\"m1\",\"role\":\"user\",\"content\":\"What?\","
            "\"createdAt\":\"2026-02-26T20:14:59.000Z\","
            "\"status\":\"complete\",\"failure\":null,\"replacedBy\":null,"
            "\"parentId\":null,"
            "\"lowConfidence\":null,\"docRefs\":[],\"ragSourceIds\":[],"
            "\"webSourceIds\":[],\"digest\":null,\"imageSource\":null}"));
}

TEST(shape_ui_parts_are_those_of_the_stream_without_nulls)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct reference sources[] = {slide(), page()};
    struct message m = answer(sources, 2);

    shape_ui_message(&b, &m);
    CHECK_TEXT(
        done(&b),
        STR("{\"id\":\"m2\",\"role\":\"assistant\",\"metadata\":{"
            "\"createdAt\":\"2026-02-26T20:15:00.123Z\","
            "\"status\":\"complete\",\"lowConfidence\":false,"
            "\"imageSource\":{\"s3key\":\"snapshots/p.png\","
            "\"slideId\":\"slide-123\",\"pageNumber\":42}},\"parts\":["
            "{\"type\":\"data-rag-source\",\"id\":\"src-1\",\"data\":{"
            "\"source_id\":\"doc_d1_slide_14\",\"source_type\":\"slide\","
            "\"chunk_number\":1,\"content_preview\":\"Disorder \\\"grows\\\"\","
            "\"document_id\":\"d1\",\"slide_number\":14,\"course_id\":\"c1\","
            "\"title\":\"Lecture 4\",\"meta\":{\"a\":1},\"state\":\"live\"}},"
            "{\"type\":\"source-document\",\"sourceId\":\"src-1\","
            "\"mediaType\":\"application/pdf\",\"title\":\"Lecture 4\"},"
            "{\"type\":\"data-rag-source\",\"id\":\"src-2\",\"data\":{"
            "\"source_id\":\"w\",\"source_type\":\"web\",\"chunk_number\":2,"
            "\"url\":\"https://example.org/\",\"score\":0.25,"
            "\"state\":\"external\"}},"
            "{\"type\":\"source-url\",\"sourceId\":\"src-2\","
            "\"url\":\"https://example.org/\"},"
            "{\"type\":\"text\",\"text\":\"Entropy [1].\\n\","
            "\"state\":\"done\"},"
            "{\"type\":\"data-citations\",\"id\":\"citations\",\"data\":{"
            "\"low_confidence\":false,\"cited\":[{\"chunk_number\":1,"
            "\"support\":0.83,\"spans\":[[14,17],[20,23]]}]}}]}"));
}

TEST(shape_ui_a_question_always_has_a_part)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct message m = question();

    m.content = STR_NONE;
    shape_ui_message(&b, &m);
    CHECK_TEXT(done(&b),
               STR("{\"id\":\"m1\",\"role\":\"user\",\"metadata\":{"
                   "\"createdAt\":\"2026-02-26T20:14:59.000Z\","
                   "\"status\":\"complete\"},\"parts\":[{\"type\":\"text\","
                   "\"text\":\"\"}]}"));
}

TEST(shape_ui_an_answer_whose_text_is_to_come_has_only_sources)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct reference source = page();
    struct message m = answer(&source, 1);

    m.content = STR_NONE;
    shape_ui_message(&b, &m);
    check_json(done(&b));
    CHECK(!memmem(b.p, b.n, "data-citations", 14));
    CHECK(!memmem(b.p, b.n, "\"text\"", 6));
    CHECK(memmem(b.p, b.n, "source-url", 10) != NULL);
}

static struct history two_and_a_running(struct message m[3])
{
    m[0] = question();
    m[1] = answer(NULL, 0);
    m[2] = (struct message){.id = STR("m3"),
                            .role = FOOTNOTE_ASSISTANT,
                            .status = FOOTNOTE_STREAMING,
                            .content = STR("So f"),
                            .created_ms = 1772136901000};
    return (struct history){.head = {.id = STR("s/1"),
                                     .title = STR("What?"),
                                     .created_ms = 1772136899000,
                                     .active_ms = 1772136901000,
                                     .running = true},
                            .messages = m,
                            .messages_n = 3};
}

TEST(shape_ui_leaves_the_running_answer_out)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct message m[3];
    struct history h = two_and_a_running(m);

    shape_history(&b, &h, SHAPE_UI, NULL, STR_NONE);
    check_json(done(&b));
    CHECK(str_starts(done(&b), STR("{\"id\":\"s/1\",\"messages\":[{\"id\":")));
    CHECK(!memmem(b.p, b.n, "\"m3\"", 4));
    CHECK(memmem(b.p, b.n, "\"m2\"", 4) != NULL);
}

TEST(shape_rows_are_a_bare_array)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct message m[3];
    struct history h = two_and_a_running(m);

    shape_history(&b, &h, SHAPE_ROWS, NULL, STR("cursor"));
    CHECK_TEXT(done(&b),
               STR("[{\"id\":\"m1\",\"role\":\"user\",\"content\":\"What?\","
                   "\"created_at\":\"2026-02-26T20:14:59.000Z\",\"sources\":"
                   "null,\"doc_refs\":[]},"
                   "{\"id\":\"m2\",\"role\":\"assistant\","
                   "\"content\":\"Entropy [1].\\n\","
                   "\"created_at\":\"2026-02-26T20:15:00.123Z\",\"sources\":[],"
                   "\"doc_refs\":[\"2024-01-15:On entropy\"],"
                   "\"image_source\":{\"s3key\":\"snapshots/p.png\","
                   "\"slide_id\":\"slide-123\",\"page_number\":42}},"
                   "{\"id\":\"m3\",\"role\":\"assistant\",\"content\":\"So f\","
                   "\"created_at\":\"2026-02-26T20:15:01.000Z\",\"sources\":[],"
                   "\"doc_refs\":[]}]"));
}

TEST(shape_state_is_that_of_the_seed)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct message m[3];
    struct history h = two_and_a_running(m);

    h.messages_n = 2;
    shape_history(&b, &h, SHAPE_STATE, NULL, STR_NONE);
    CHECK_TEXT(
        done(&b),
        STR("{\"messages\":[{\"type\":\"human\",\"content\":\"What?\","
            "\"id\":\"m1\",\"doc_refs\":[],\"rag_source_ids\":[],\"web_source_"
            "ids\":[],"
            "\"image_source\":null,"
            "\"timestamp\":\"2026-02-26T20:14:59.000Z\"},"
            "{\"type\":\"ai\",\"content\":\"Entropy "
            "[1].\\n\",\"id\":\"m2\",\"doc_refs\":[\"2024-01-15:On entropy\"],"
            "\"rag_source_ids\":[\"e1\",\"e2\"],\"web_source_ids\":[],"
            "\"image_source\":{\"s3key\":\"snapshots/p.png\","
            "\"slide_id\":\"slide-123\",\"page_number\":42,\"url\":null},"
            "\"timestamp\":\"2026-02-26T20:15:00.123Z\"}]}"));
}

TEST(shape_a_list_ends_with_its_cursor)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct history h = {.head = {.id = STR("s1")}};

    shape_history(&b, &h, SHAPE_PLAIN, NULL, STR_NONE);
    CHECK_TEXT(done(&b), STR("{\"messages\":[],\"nextCursor\":null}"));
    buf_reset(&b);
    shape_history(&b, &h, SHAPE_PLAIN, NULL, STR("bTE"));
    CHECK_TEXT(done(&b), STR("{\"messages\":[],\"nextCursor\":\"bTE\"}"));
}

TEST(shape_a_session_with_history_shows_citations_of_answers)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct message m[3];
    struct history h = two_and_a_running(m);

    h.messages_n = 2;
    shape_detail(&b, &h);
    CHECK_TEXT(
        done(&b),
        STR("{\"id\":\"s/1\",\"courseId\":null,\"title\":\"What?\","
            "\"status\":\"running\","
            "\"createdAt\":\"2026-02-26T20:14:59.000Z\","
            "\"updatedAt\":\"2026-02-26T20:15:01.000Z\",\"history\":["
            "{\"id\":\"m1\",\"role\":\"user\",\"content\":\"What?\","
            "\"createdAt\":\"2026-02-26T20:14:59.000Z\",\"citations\":null,"
            "\"lowConfidence\":null},"
            "{\"id\":\"m2\",\"role\":\"assistant\","
            "\"content\":\"Entropy [1].\\n\","
            "\"createdAt\":\"2026-02-26T20:15:00.123Z\",\"citations\":[],"
            "\"lowConfidence\":false,"
            "\"imageSource\":{\"s3key\":\"snapshots/p.png\","
            "\"slideId\":\"slide-123\",\"pageNumber\":42,\"url\":null}}]}"));
}

TEST(shape_events_courses_and_members)
{
    AUTO(buf_free) struct buf b = BUF(JSON_BYTES);
    struct event e = {.id = STR("e1"),
                      .user_message = STR("m1"),
                      .query = STR("entropy"),
                      .has_low_confidence = true,
                      .low_confidence = true,
                      .created_ms = 1772136899000};
    struct course c = {.id = STR("c1"),
                       .title = STR("Physics"),
                       .owner = STR("ada"),
                       .role = MEMBER_OWNER,
                       .created_ms = 1772136899000};
    struct member m = {.user = STR("*"), .role = MEMBER_READER};

    shape_event(&b, &e);
    shape_course(&b, &c);
    shape_member(&b, &m);
    CHECK_TEXT(
        done(&b),
        STR("{\"id\":\"e1\",\"userMessageId\":\"m1\",\"answerId\":null,"
            "\"kind\":\"rag\",\"query\":\"entropy\",\"lowConfidence\":true,"
            "\"coverage\":null,"
            "\"createdAt\":\"2026-02-26T20:14:59.000Z\",\"sources\":[]}"
            "{\"id\":\"c1\",\"title\":\"Physics\",\"description\":null,"
            "\"ownerId\":\"ada\",\"role\":\"owner\","
            "\"createdAt\":\"2026-02-26T20:14:59.000Z\","
            "\"insights\":false,"
            "\"archivedAt\":null}"
            "{\"userId\":\"*\",\"role\":\"reader\","
            "\"origin\":\"hand\"}"));
}
