/* export_test.c - a session leaves over a socket and comes back in. */
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "help/talk.h"

#define ANSWER                                                                 \
    "{'id':'a1','role':'assistant','content':'So [1].','docRefs':['d'],"       \
    "'sources':[{'sourceType':'web','url':'https://example.org/',"             \
    "'contentPreview':'so'}]}"

static struct answer_to file_of(struct site *s, const char *header,
                                const char *path)
{
    const struct ask ask = {.method = "GET", .path = path, .header = header};

    return talk_ask(s, 200, &ask);
}

static struct answer_to bring(struct site *s, const char *header, int status,
                              struct str file)
{
    const struct ask ask = {.method = "POST",
                            .path = "/api/sessions/import",
                            .header = header,
                            .body = file};

    return talk_ask(s, status, &ask);
}

static void fill(struct site *s)
{
    talk(s, 201, "POST", "/api/sessions",
         "{'id':'a b','title':'T','courseId':'c'}");
    talk(s, 201, "POST", "/api/sessions/a%20b/messages",
         "{'id':'q1','role':'user','content':'Why?'}");
    talk(s, 201, "POST", "/api/sessions/a%20b/messages", ANSWER);
    talk(s, 201, "POST", "/api/sessions/a%20b/messages",
         "{'id':'a2','parentId':'q1','role':'assistant','content':'No.'}");
    talk(s, 201, "POST", "/api/sessions/a%20b/retrievals",
         "{'userMessageId':'q1','query':'why','sources':[]}");
}

CONTRACT(export_comes_in_for_another_and_is_the_same)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct answer_to mine, hers;

    fill(&s);
    mine = file_of(&s, NULL, "/api/sessions/a%20b/export");
    CHECK_TEXT(mine.type, STR("application/json"));
    CHECK(memmem(mine.headers.p, mine.headers.n, "attachment", 10));
    CHECK(memmem(mine.body.p, mine.body.n, "userId", 6) == NULL);
    /* The course is not hers; without it there is nothing of mine. */
    bring(&s, ada, 404, mine.body);
    talk(&s, 200, "PUT", "/api/courses/c/members/ada", "{'role':'reader'}");
    bring(&s, ada, 201, mine.body);
    CHECK_TEXT(talk_header("Location"), STR("/api/sessions/a%20b"));
    hers = file_of(&s, ada, "/api/sessions/a%20b/export?format=jsonl");
    CHECK_TEXT(hers.body, mine.body);
    CHECK_TEXT(hers.type, STR("application/jsonl"));
    bring(&s, ada, 200, mine.body);
    CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
    /* What was read can be posted again, too. */
    talk_with(&s, ada, 200, "POST", "/api/sessions/a%20b/messages",
              "{'id':'a1','role':'assistant','content':'So [1].','docRefs':"
              "['d'],'sources':[{'sourceType':'web','chunkNumber':1,'url':"
              "'https://example.org/','contentPreview':'so'}]}");
}

static bool has(struct str text, const char *words)
{
    return memmem(text.p, text.n, words, strlen(words)) != NULL;
}

/* Nothing is said of what is carried; a note is one line in which nothing is
 * markup. */
CONTRACT(export_for_readers_notes_what_is_not_carried)
{
    SITE(s);
    struct answer_to md, html;

    talk(&s, 201, "POST", "/api/sessions", "{'id':'v','title':'T'}");
    talk(&s, 201, "POST", "/api/sessions/v/messages",
         "{'id':'a','role':'assistant','content':'\xF0\x9F\x94\xA5 Erasing "
         "one bit costs heat [1]. In 1971 *erasing* one bit <b>costs</b> heat "
         "[1]. Plants make sugar of light [9].','sources':[{'sourceType':'web',"
         "'url':'https://example.org/','contentPreview':'Landauer showed in "
         "1961 that erasing one bit costs heat.'}]}");
    md = file_of(&s, NULL, "/api/sessions/v/export?format=markdown");
    CHECK(has(md.body,
              "*1 of 3 sentences carried by the words of their "
              "sources; not these:*\n\n- \xE2\x80\x9CIn 1971 "
              "\\*erasing\\* one bit \\<b\\>costs\\</b\\> heat \\[1\\]."
              "\xE2\x80\x9D: contradicts \\[1\\]: 1971\n- "));
    CHECK(has(md.body, "no source has the number \\[9\\]"));
    html = file_of(&s, NULL, "/api/sessions/v/export?format=html");
    CHECK(has(html.body, "<li><q dir=\"auto\">In 1971 *erasing* one bit "
                         "&lt;b&gt;costs&lt;/b&gt; heat [1].</q>: contradicts "
                         "[1]: 1971</li>"));
}

CONTRACT(export_for_readers_has_the_shown_path)
{
    static const struct {
        const char *format, *type;
    } formats[] = {
        {"markdown", "text/markdown; charset=utf-8"},
        {"html", "text/html; charset=utf-8"},
        {"bibtex", "application/x-bibtex"},
        {"csl", "application/vnd.citationstyles.csl+json"},
        {"ris", "application/x-research-info-systems"},
    };
    SITE(s);

    fill(&s);
    talk(&s, 200, "PATCH", "/api/sessions/a%20b", "{'shown':'a1'}");
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        struct str path =
            arena_printf(&s.arena, "/api/sessions/a%%20b/export?format=%s",
                         formats[i].format);
        struct answer_to file = file_of(&s, NULL, path.p);

        CHECK_TEXT(file.type, str_c(formats[i].type));
        CHECK(memmem(file.body.p, file.body.n, "https://example.org/", 20));
        CHECK(memmem(file.body.p, file.body.n, "/c/a", 4));
        CHECK(!memmem(file.body.p, file.body.n, "No.", 3));
        CHECK(memmem(file.headers.p, file.headers.n, "attachment", 10));
    }
}

CONTRACT(export_of_what_is_there_and_differs_is_refused)
{
    SITE(s);
    struct answer_to file;

    fill(&s);
    file = file_of(&s, NULL, "/api/sessions/a%20b/export");
    bring(&s, NULL, 200, file.body);
    talk(&s, 200, "PATCH", "/api/sessions/a%20b", "{'title':'Other'}");
    CHECK_AT(&s, site_json(&s, bring(&s, NULL, 409, file.body).body), "code",
             "'id_taken'");
    talk(&s, 204, "DELETE", "/api/sessions/a%20b", NULL);
    CHECK_AT(&s, site_json(&s, bring(&s, NULL, 404, file.body).body), "code",
             "'session_not_found'");
    talk_refused(&s, 400, "invalid_field", NULL, "GET",
                 "/api/sessions/a%20b/export?format=doc", NULL);
    talk_refused(&s, 404, "session_not_found", NULL, "GET",
                 "/api/sessions/none/export", NULL);
}

/* What is not the caller's stays hidden, whatever a file says of it. */
CONTRACT(export_import_does_not_open_what_is_closed)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct answer_to file;
    struct json *v;

    talk(&s, 201, "POST", "/api/courses", "{'id':'mine','title':'Secret'}");
    file = bring(
        &s, ada, 404,
        STR("{\"footnote\":\"session\",\"version\":1,\"id\":\"x\","
            "\"courseId\":\"mine\",\"createdAt\":\"2026-02-26T20:15:00Z\","
            "\"updatedAt\":\"2026-02-26T20:15:00Z\",\"messages\":[]}"));
    CHECK(memmem(file.body.p, file.body.n, "Secret", 6) == NULL);
    /* A course of one's own keeps its title. */
    bring(&s, NULL, 201,
          STR("{\"footnote\":\"session\",\"version\":1,\"id\":\"x\","
              "\"courseId\":\"mine\",\"courseTitle\":\"Other\","
              "\"createdAt\":\"2026-02-26T20:15:00Z\","
              "\"updatedAt\":\"2026-02-26T20:15:00Z\",\"messages\":[]}"));
    v = talk(&s, 200, "GET", "/api/courses/mine", NULL);
    CHECK_AT(&s, v, "title", "'Secret'");
}

/* Many small rows are refused before the writer gets them. */
CONTRACT(export_import_of_too_many_rows_is_refused)
{
    enum { ROWS = 5001 };
    SITE(s);
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);

    CHECK(f);
    fputs("{\"footnote\":\"session\",\"version\":1,\"id\":\"x\",\"createdAt\":"
          "\"2026-02-26T20:15:00Z\",\"updatedAt\":\"2026-02-26T20:15:00Z\","
          "\"messages\":[",
          f);
    for (int i = 0; i < ROWS; i++)
        fprintf(f,
                "%s{\"id\":\"%d\",\"shown\":\"%s\",\"role\":\"user\","
                "\"status\":\"complete\",\"createdAt\":"
                "\"2026-02-26T20:15:00Z\",\"content\":\"\"}",
                i ? "," : "", i, i ? "no" : "yes");
    fputs("]}", f);
    fclose(f);
    CHECK_AT(&s,
             site_json(&s, bring(&s, NULL, 413, (struct str){text, n}).body),
             "code", "'too_large'");
    talk_refused(&s, 404, "session_not_found", NULL, "GET", "/api/sessions/x",
                 NULL);
    free(text);
}
