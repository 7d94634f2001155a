/* state_test.c - the state of a graph, from MongoDB or Redis. */
#include <stdlib.h>
#include <string.h>

#include "importing.h"

enum { THREADS = 210 };

static struct footnote_err err;

/* The form has one %d. */
static void add_slide(FILE *f, const char *form, int t)
{
    const char *at = strstr(form, "%d");

    fprintf(f, "%.*s%d%s", (int)(at - form), form, t, at + 2);
}

/* What an answer's picture is written like; all mean snapshots/S/P.png. */
static void add_answer(FILE *f, int t)
{
    static const char *const before[] = {
        "\"image_source\": {", "\"image_source\": {", "\"imageSource\": {", ""};
    static const char *const after[] = {
        "\"slide_id\": \"slide-%d\", \"page_number\": 42},",
        "\"slideId\": \"slide-%d\", \"page_number\": \"42\"},",
        ("\"slideId\": \"slide-%d\", \"pageNumber\": {\"$numberInt\":"
         " \"42\"}},"),
        "\"slide_id\": \"slide-%d\", \"page_number\": 42.0,"};

    fprintf(f, "{\"type\": \"ai\", ");
    if (t % 5 < 4)
        fprintf(f, "%s\"s3key\": \"snapshots/slide-%d/page-42.png\", ",
                before[t % 5], t);
    if (t % 5 < 4)
        add_slide(f, after[t % 5], t);
    if (t % 5 < 4)
        fprintf(f,
                "\"rag_source_ids\": [\"tool-%d\", \"tool-x\"],"
                " \"web_source_ids\": [\"web-%d\"],"
                " \"timestamp\": \"2024-01-15T10:30:%02dZ\",",
                t, t, t % 60);
    fprintf(f, "\"content\": \"On [^Page] \\u00fc %d\", \"id\": \"a-%d\"}", t,
            t);
}

/* A thread of the fifth kind has it all beside the messages. */
static void add_thread(FILE *f, int t)
{
    fprintf(f, "{\"_id\": {\"$oid\": \"65a5%020x\"}, \"user_id\": \"u%d\", ", t,
            t % 4);
    fprintf(f, "\"created_at\": {\"$date\": ");
    if (t % 2)
        fprintf(f, "\"2024-01-15T10:00:%02d.000Z\"}, ", t % 60);
    else
        fprintf(f, "{\"$numberLong\": \"%lld\"}}, ",
                1705312800000LL + t % 60 * 1000);
    fprintf(f, "\"title\": \"T%d\", ", t);
    if (t % 5 == 4)
        fprintf(f,
                "\"sources_data\": {\"a-%d\": {\"rag_source_ids\":"
                " [\"tool-%d\", \"tool-x\"], \"web_source_ids\": [\"web-%d\"],"
                " \"s3key\": \"snapshots/slide-%d/page-42.png\","
                " \"slide_id\": \"slide-%d\", \"page_number\": \"42\","
                " \"timestamp\": \"2024-01-15T10:30:%02dZ\"}}, ",
                t, t, t, t, t, t % 60);
    fprintf(f,
            "%s\"messages\": [{\"type\": \"human\", \"content\": [{\"type\":"
            " \"text\", \"text\": \"What is \"}, {\"type\": \"image_url\"},"
            " {\"type\": \"text\", \"text\": \"this?\"}], \"id\": \"q-%d\"},"
            "{\"type\": \"tool\", \"content\": \"x\", \"id\": \"tool-%d\"},",
            t % 3 ? "" : "\"channel_values\": {", t, t);
    add_answer(f, t);
    fprintf(f, "]%s}\n", t % 3 ? "" : "}");
}

static const char *make_original(const char *between, const char *end)
{
    const char *path;
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    for (int t = 0; t < THREADS; t++) {
        if (t)
            fputs(between, f);
        else
            fputs(*between ? "[" : "", f);
        add_thread(f, t);
    }
    fputs(end, f);
    fclose(f);
    path = text_file("threads.jsonl", text);
    free(text);
    return path;
}

static void check_thread(struct comparing *c, int t)
{
    char id[40], user[10], slide[20], key[60], tool[20];
    const struct history *h;
    const struct message *m;

    snprintf(id, sizeof(id), "65a5%020x", t);
    snprintf(user, sizeof(user), "u%d", t % 4);
    snprintf(slide, sizeof(slide), "slide-%d", t);
    snprintf(key, sizeof(key), "snapshots/slide-%d/page-42.png", t);
    snprintf(tool, sizeof(tool), "tool-%d", t);
    h = comparing_session(c, str_c(user), str_c(id));
    CHECK_INT(h->messages_n, 2);
    CHECK_INT(h->head.created_ms, 1705312800000LL + t % 60 * 1000);
    CHECK_TEXT(h->messages[0].content, STR("What is this?"));
    m = &h->messages[1];
    CHECK(m->has_image && m->has_image_page);
    CHECK_TEXT(m->image_s3key, str_c(key));
    CHECK_TEXT(m->image_slide, str_c(slide));
    CHECK_INT(m->image_page, 42);
    CHECK_INT(m->rag_source_ids_n, 2);
    CHECK_TEXT(m->rag_source_ids[0], str_c(tool));
    CHECK_INT(m->web_source_ids_n, 1);
    CHECK_INT(m->created_ms, 1705314600000LL + t % 60 * 1000);
}

static void check_all(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    for (int t = 0; t < THREADS; t++)
        check_thread(&c, t);
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.messages, THREADS * 2);
    CHECK_INT(im->counts.left_out, 0);
}

static struct proof made(const char *between, const char *end)
{
    return (struct proof){
        .o = {.kind = "state", .source = str_c(make_original(between, end))},
        .sessions = THREADS,
        .killed_at = 63,
        .counts = check_counts,
        .check = check_all};
}

CONTRACT_LIMIT(a_state_comes_whole_from_lines, 120)
{
    struct proof p = made("", "");

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(a_state_comes_whole_from_a_list, 120)
{
    struct proof p = made(",\n", "]");

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(a_state_that_was_killed_goes_on, 120)
{
    struct proof p = made("", "");

    prove_killed(&p, test_url());
}

TEST_LIMIT(sqlite_a_state_without_room_goes_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = made("", "");
    prove_full(&p);
}

/* Lines that are messages, and what cannot be placed. */
CONTRACT(a_state_of_single_messages)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im = importing_begin(
        test_url(), "state",
        text_file(
            "state.jsonl",
            "{\"thread_id\":\"t\",\"user_id\":\"ann\",\"type\":\"human\","
            "\"data\":{\"content\":\"hi\",\"id\":\"1\",\"type\":\"human\"}}\n"
            "\n"
            "{\"thread_id\":\"t\",\"type\":\"ai\",\"content\":\"yes\","
            "\"id\":\"2\",\"s3key\":\"k\",\"page_number\":\"7\"}\n"
            "{\"_id\":\"m\",\"type\":\"ai\",\"content\":\"lost\"}\n"
            "{\"thread_id\":\"u\",\"type\":\"ai\",\"content\":\"no\","
            "\"id\":\"3\",\"s3key\":\"k\",\"page_number\":\"vii\"}\n"
            "{\"type\":\"ai\",\"content\":\"no\",\"id\":\"4\"}\n"
            "{\"thread_id\":\"v\",\"messages\":{}}\n"));

    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.sessions, 2);
    CHECK(importing_noted(&im, "threads:4", "names no thread"));
    CHECK(importing_noted(&im, "session u: ", "page_number of 3"));
    CHECK(importing_noted(&im, "threads:6", "has no thread_id"));
    CHECK(importing_noted(&im, "threads:7", "messages is no list"));
    CHECK_INT(im.counts.left_out, 4);
    c.store = im.o.store;
    h = comparing_session(&c, STR("ann"), STR("t"));
    CHECK_INT(h->messages_n, 2);
    CHECK_INT(h->messages[1].image_page, 7);
    importing_end(&im);
}

/* A text that is too long is no empty one. */
CONTRACT(a_state_with_a_text_over_the_limit_stays_out)
{
    char *text = NULL;
    struct importing im;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    fprintf(f,
            "{\"thread_id\":\"t\",\"messages\":[{\"type\":\"ai\",\"id\":"
            "\"1\",\"content\":[{\"text\":\"a\"},{\"type\":\"text\","
            "\"text\":\"%0*d\"},{\"type\":\"reasoning\",\"text\":"
            "\"hm\"}]}]}\n",
            STORE_CONTENT_BYTES_MAX, 1);
    fclose(f);
    im = importing_begin(test_url(), "state", text_file("state.json", text));
    free(text);
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.sessions, 0);
    CHECK(importing_noted(&im, "session t", "2097153 bytes"));
    importing_end(&im);
}

/* Values of one line are told apart. */
CONTRACT(a_state_on_a_single_line)
{
    struct importing im = importing_begin(
        test_url(), "state",
        text_file("state.json",
                  "[{\"thread_id\":\"t\",\"type\":\"human\",\"content\":\"a\","
                  "\"id\":\"1\"},{\"thread_id\":\"t\",\"type\":\"ai\","
                  "\"content\":\"b\",\"id\":\"2\"},{\"type\":\"ai\"}]"));

    CHECK_OK(importing_run(&im, &err), &err);
    CHECK_INT(im.counts.sessions, 1);
    CHECK_INT(im.counts.messages, 2);
    CHECK(importing_noted(&im, "threads:3", "has no thread_id"));
    importing_end(&im);
}

static void refused(const char *text, const char *why)
{
    struct importing im =
        importing_begin(test_url(), "state", text_file("state.jsonl", text));

    CHECK_INT(importing_run(&im, &err), FOOTNOTE_INVALID);
    if (!strstr(err.text, why) && !strstr(im.notes, why))
        FAIL("%s\n%s\nnot: %s", err.text, im.notes, why);
    CHECK_INT(im.counts.sessions, 0);
    importing_end(&im);
}

/* Nobody knows whose a broken row is, so nothing is imported. */
CONTRACT(a_broken_file_is_refused_whole)
{
    static const char good[] =
        "{\"thread_id\":\"t\",\"messages\":[{\"type\":\"ai\",\"content\":"
        "\"x\",\"id\":\"1\"}]}";
    char text[1000];

    snprintf(text, sizeof(text), "%s\n%.40s", good, good);
    refused(text, "threads:2");
    snprintf(text, sizeof(text), "%s\n%.40s\n%s\n", good, good, good);
    refused(text, "1 rows cannot be read");
    snprintf(text, sizeof(text), "[%s,\n%s", good, good);
    refused(text, "ends within its list");
    snprintf(text, sizeof(text), "[%s,\n%.40s", good, good);
    refused(text, "threads:2");
    snprintf(text, sizeof(text),
             "%s\n{\"thread_id\":\"u\",\"messages\":[{\"type\":\"ai\","
             "\"content\":\"\xff\",\"id\":\"1\"}]}\n",
             good);
    refused(text, "threads:2");
    refused("[1, 2]", "no JSON object");
}

/* Whatever a byte becomes, it is told, and nothing else happens. */
TEST_LIMIT(sqlite_damaged_bytes_of_a_state_are_harmless, 120)
{
    static const char good[] =
        "{\"thread_id\":\"t\",\"created_at\":{\"$date\":\"2024-01-15\"},"
        "\"sources_data\":{\"1\":{\"s3key\":\"k\",\"page_number\":\"7\"}},"
        "\"messages\":[{\"type\":\"ai\",\"content\":[{\"text\":\"x\"}],"
        "\"id\":\"1\",\"sources\":[{\"sourceId\":\"s\",\"chunkNumber\":1}]}]"
        "}\n";
    static const char bytes[] = "\"\\{}[]:,0-\xff\n ";
    struct importing im;
    char text[sizeof(good)];

    contract_engine("sqlite");
    im = importing_begin(test_url(), "state", text_file("state.jsonl", good));
    im.o.dry = true;
    for (size_t i = 0; i < sizeof(good) - 1; i++) {
        memcpy(text, good, sizeof(good));
        text[i] = bytes[i % sizeof(bytes)]; /* the NUL as well */
        (void)text_file("state.jsonl", text);
        if (importing_run(&im, &err) != FOOTNOTE_OK)
            CHECK_INT(err.rc, FOOTNOTE_INVALID);
        CHECK(im.counts.sessions <= 2);
    }
    importing_end(&im);
}
