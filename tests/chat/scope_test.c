/* scope_test.c - what a question is limited to, from the request to the model
 * and back: kept with the question, never widened, told when it is empty. */
#include "contract.h"
#include "help/chat_site.h"
#include "store/document/document.h"
#include "store/session/course.h"

/* Slides (`book`), two journal entries and a page on cats in the course; a
 * course of somebody else, with a document about the same. */
static void fill(struct chat_site *r)
{
    struct who local = {STR("default"), STR("local")};
    struct who eve = {STR("default"), STR("eve")};
    struct course_put other = {.id = STR("other"), .title = STR("Others")};
    struct course_put hers = {.id = STR("hers"), .title = STR("Hers")};
    struct document_put put = {.document = {.id = STR("secret"),
                                            .course = STR("hers"),
                                            .kind = DOCUMENT_TEXT}};
    struct passage p = {.position = 1,
                        .text = STR("Cats sleep in secret places, hours.")};
    struct passages_add add = {.document = STR("secret"),
                               .version = 1,
                               .passages = &p,
                               .passages_n = 1};
    struct document_status_set ready = {.document = STR("secret"),
                                        .status = DOCUMENT_READY};
    struct store *st = r->site.served.store;
    static const char *const days[] = {"2026-02-26", "2026-03-01"};
    struct footnote_err err;

    CHECK_OK(store_write(st, local, OP(course_put), &other, &err), &err);
    CHECK_OK(store_write(st, eve, OP(course_put), &hers, &err), &err);
    CHECK_OK(store_write(st, eve, OP(document_put), &put, &err), &err);
    CHECK_OK(store_write(st, eve, OP(passages_add), &add, &err), &err);
    CHECK_OK(store_write(st, eve, OP(document_status_set), &ready, &err), &err);
    for (int i = 0; i < 2; i++) {
        struct document d = {.id = str_c(i ? "march" : "february"),
                             .course = STR("cats"),
                             .title = str_c(i ? "March" : "February"),
                             .date = str_c(days[i]),
                             .kind = DOCUMENT_JOURNAL};
        struct passage entry = {
            .position = 1,
            .text = str_c(i ? "In March the cats sleep eleven hours."
                            : "In February the cats sleep twelve hours.")};

        chat_site_add(r, &d, &entry, 1);
    }
    chat_site_page(r, "page", "https://cats.example/", "Cats sleep on mats.");
    chat_site_add(
        r,
        &(struct document){.id = STR("elsewhere"),
                           .course = STR("other"),
                           .title = STR("Elsewhere"),
                           .kind = DOCUMENT_TEXT},
        &(struct passage){.position = 1, .text = STR("Cats sleep elsewhere.")},
        1);
}

/* Documents of the last answer's sources. */
static const char *sources(struct chat_site *r, const char *session)
{
    char path[200];
    struct json *v, *last = NULL;

    snprintf(path, sizeof(path), "/api/sessions/%s/messages", session);
    v = talk(&r->site, 200, "GET", path, NULL);
    for (struct json *m = json_get(v, STR("messages"))->first; m; m = m->next)
        last = m;
    return json_each(&r->site, last, "sources", "title");
}

static const char *scope_of(struct chat_site *r, const char *session,
                            const char *place)
{
    char path[200];

    snprintf(path, sizeof(path), "/api/sessions/%s/messages", session);
    return json_at(&r->site, talk(&r->site, 200, "GET", path, NULL), place);
}

static bool has(struct str s, const char *text)
{
    return memmem(s.p, s.n, text, strlen(text)) != NULL;
}

#define EXTRACTIVE ",'model':'extractive','limit':9"

CONTRACT(scope_limits_a_question_and_is_kept_with_it)
{
    CHAT_SITE(r);
    struct json *v;

    fill(&r);
    chat_site_ask_with(&r, "s1", "q1", "How long do cats sleep?",
                       EXTRACTIVE ",'scope':{'kinds':['journal'],"
                                  "'date_from':'2026-02-27'}");
    CHECK_STR(sources(&r, "s1"), "'March'");
    CHECK_STR(scope_of(&r, "s1", "messages.0.scope"),
              "{'courseId':'cats','kinds':['journal'],'dateFrom':"
              "'2026-02-27'}");
    CHECK_STR(scope_of(&r, "s1", "messages.1.scope"), "absent");
    v = talk(&r.site, 200, "GET", "/api/sessions/s1/messages?as=ui", NULL);
    CHECK_AT(&r.site, v, "messages.0.metadata.scope.dateFrom", "'2026-02-27'");
    /* Again: the client says nothing of it, or something else. */
    chat_site_ask_with(&r, "s1", "q1", "How long do cats sleep?",
                       EXTRACTIVE ",'trigger':'regenerate-message'");
    CHECK_STR(sources(&r, "s1"), "'March'");
    chat_site_ask_with(&r, "s1", "q1", "How long do cats sleep?",
                       EXTRACTIVE ",'trigger':'regenerate-message',"
                                  "'scope':{'kinds':['page']}");
    CHECK_STR(sources(&r, "s1"), "'March'");
    /* Asked anew, with other words and another scope. */
    chat_site_ask_with(&r, "s1", "q1", "How long do old cats sleep?",
                       EXTRACTIVE ",'messageId':'q1','scope':{"
                                  "'documentIds':['book','february']}");
    CHECK(strstr(sources(&r, "s1"), "'February'") &&
          strstr(sources(&r, "s1"), "'The book of cats'") &&
          !strstr(sources(&r, "s1"), "March"));
    CHECK_STR(scope_of(&r, "s1", "messages.0.scope.documentIds.1"),
              "'february'");
    /* One document, as clients wrote it before. */
    chat_site_ask_with(&r, "s1", "q2", "Do cats sleep on mats?",
                       EXTRACTIVE ",'documentId':'page'");
    CHECK_STR(sources(&r, "s1"), "'A page on cats'");
    CHECK_STR(scope_of(&r, "s1", "messages.2.scope.documentIds"), "['page']");
    /* Documents that are gone by then are passed over. */
    talk(&r.site, 204, "DELETE", "/api/documents/february", NULL);
    chat_site_ask_with(&r, "s1", "q1", "x",
                       EXTRACTIVE ",'trigger':'regenerate-message'");
    CHECK(strstr(sources(&r, "s1"), "book") &&
          !strstr(sources(&r, "s1"), "February"));
    talk(&r.site, 204, "DELETE", "/api/documents/page", NULL);
    CHECK_STR(
        stream_text(&r, chat_site_ask_with(&r, "s1", "q2", "x",
                                           EXTRACTIVE
                                           ",'trigger':'regenerate-message'")),
        "No document lies in what this question is limited to. Choose "
        "other documents, kinds or dates, and ask again.");
}

CONTRACT(scope_that_is_empty_is_told_without_asking_a_model)
{
    CHAT_SITE(r);
    struct ask es = {
        .method = "POST", .path = "/api/chat", .header = "Accept-Language: es"};
    struct json *v;

    fill(&r);
    chat_site_script(&r, "plain", "text Made up.\nfinish stop\ndone\n");
    CHECK_STR(
        stream_text(&r, chat_site_ask_with(&r, "s1", "q1",
                                           "How do cats sleep? script:plain",
                                           ",'scope':{'kinds':['lecture']}")),
        "No document lies in what this question is limited to. Choose other "
        "documents, kinds or dates, and ask again.");
    es.body = chat_site_body(&r, "s2", "q2", "Cats? script:plain",
                             ",'scope':{'changedSince':'2999-01-01'}");
    CHECK_STR(stream_text(&r, talk_ask(&r.site, 200, &es).body),
              "Ningún documento entra en los límites de esta pregunta. Elige "
              "otros documentos, tipos o fechas y pregunta otra vez.");
    CHECK_INT(upstream_asked(r.up), 0);
    v = talk(&r.site, 200, "GET",
             "/api/search?q=cats&courseId=cats&kind=lecture", NULL);
    CHECK_AT(&r.site, v, "scopeEmpty", "true");
    CHECK_AT(&r.site, v, "hits", "[]");
    v = talk(&r.site, 200, "GET",
             "/api/search?q=zymurgy&courseId=cats&kind=page", NULL);
    CHECK_AT(&r.site, v, "scopeEmpty", "false");
}

/* It asks for another course, for documents outside, for what is not hers. */
CONTRACT(scope_is_not_widened_by_a_model_that_lies)
{
    static const char *const lies[] = {
        "{\\\"query\\\":\\\"cats sleep\\\",\\\"documentId\\\":"
        "\\\"book\\\"}",
        "{\\\"query\\\":\\\"cats sleep\\\",\\\"courseId\\\":"
        "\\\"other\\\",\\\"kinds\\\":[\\\"text\\\"]}",
        "{\\\"query\\\":\\\"cats sleep\\\",\\\"documentId\\\":"
        "\\\"secret\\\"}",
        "{\\\"query\\\":\\\"cats sleep\\\",\\\"dateFrom\\\":"
        "\\\"2026-01-01\\\",\\\"dateTo\\\":\\\"2026-02-28\\\"}",
    };
    CHAT_SITE(r);

    fill(&r);
    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
        char name[16], session[16], id[16], text[64];
        struct str told;

        snprintf(name, sizeof(name), "lie%zu", i);
        snprintf(session, sizeof(session), "s%zu", i);
        snprintf(id, sizeof(id), "q%zu", i);
        snprintf(text, sizeof(text), "cats sleep script:%s", name);
        chat_site_script(
            &r, name,
            arena_printf(
                &r.site.arena,
                "data {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{"
                "\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":"
                "{\"name\":\"search_course_materials\",\"arguments\":"
                "\"%s\"}}]}}]}\nfinish tool_calls\ndone\n"
                "on tool\ntext So they do [1].\nfinish stop\ndone\n",
                lies[i])
                .p);
        chat_site_ask_with(&r, session, id, text,
                           ",'limit':9,'scope':{'documentIds':['march']}");
        CHECK_STR(sources(&r, session), "'March'");
        told = upstream_request(r.up, upstream_asked(r.up) - 1).body;
        CHECK(has(told, "No document lies in"));
        CHECK(!has(told, "secret places") && !has(told, "elsewhere") &&
              !has(told, "Kittens"));
    }
    CHECK_INT(upstream_asked(r.up), 8);
}

CONTRACT(scope_names_what_one_may_not_read_as_if_it_were_not_there)
{
    static const struct {
        const char *path, *theirs, *none;
    } cases[] = {
        {"/api/chat",
         "{'id':'s','messages':[{'role':'user','content':'cats'}],'scope':{"
         "'documentIds':['secret']}}",
         "{'id':'s','messages':[{'role':'user','content':'cats'}],'scope':{"
         "'documentIds':['nobody']}}"},
        {"/api/chat",
         "{'id':'s','messages':[{'role':'user','content':'cats'}],'courseId':"
         "'cats','scope':{'documentIds':['book','secret']}}",
         "{'id':'s','messages':[{'role':'user','content':'cats'}],'courseId':"
         "'cats','scope':{'documentIds':['book','nobody']}}"},
        {"/api/query",
         "{'query':'cats','model':'extractive','scope':{'document_ids':["
         "'secret']}}",
         "{'query':'cats','model':'extractive','scope':{'document_ids':["
         "'nobody']}}"},
        {"/v1/chat/completions",
         "{'model':'footnote','messages':[{'role':'user','content':'cats'}],"
         "'scope':{'documentIds':['secret']}}",
         "{'model':'footnote','messages':[{'role':'user','content':'cats'}],"
         "'scope':{'documentIds':['nobody']}}"},
    };
    CHAT_SITE(r);

    fill(&r);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *path = cases[i].path;
        const char *theirs =
            json_at(&r.site, talk(&r.site, 404, "POST", path, cases[i].theirs),
                    "error.message");

        CHECK_STR(json_at(&r.site,
                          talk(&r.site, 404, "POST", path, cases[i].none),
                          "error.message"),
                  theirs);
    }
    talk(&r.site, 404, "GET", "/api/search?q=cats&documentId=secret", NULL);
    talk(&r.site, 404, "GET",
         "/api/search?q=cats&courseId=cats&documentId=book&documentId=secret",
         NULL);
    CHECK_EACH(&r.site,
               talk(&r.site, 200, "GET",
                    "/api/search?q=cats&courseId=cats&documentId=page&"
                    "documentId=march&kind=page&kind=text",
                    NULL),
               "hits", "title", "'A page on cats'");
    CHECK_INT(upstream_asked(r.up), 0);
}

CONTRACT(scope_that_cannot_be_is_refused_and_asks_nothing)
{
    static const struct {
        const char *scope, *where, *code;
    } cases[] = {{"{'kinds':['novel']}", "/scope/kinds"},
                 {"{'kinds':[]}", "/scope/kinds"},
                 {"{'documentIds':[]}", "/scope/documentIds"},
                 {"{'documentIds':['']}", NULL},
                 {"{'documentIds':[7]}", "/scope/documentIds/0"},
                 {"{'kind':['slides']}", "/scope/kind", "unknown_field"},
                 {"{'dateFrom':'26.02.2026'}", NULL},
                 {"{'dateFrom':'2026-03-01','dateTo':'2026-02-01'}", NULL},
                 {"{'changedSince':'yesterday'}", "/scope/changedSince"},
                 {"{'courseId':'other','kinds':['page']}", "/scope/courseId"},
                 {"'book'", "/scope"},
                 {"[]", "/scope"}};
    CHAT_SITE(r);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        talk_refused(&r.site, 400,
                     cases[i].code ? cases[i].code : "invalid_field",
                     cases[i].where, "POST", "/api/chat",
                     arena_printf(&r.site.arena,
                                  "{'id':'s','courseId':'cats','messages':[{"
                                  "'role':'user','content':'cats'}],'scope':"
                                  "%s}",
                                  cases[i].scope)
                         .p);
    talk_refused(&r.site, 400, "invalid_field", "/documentId", "POST",
                 "/api/chat",
                 "{'id':'s','documentId':'book','messages':[{'role':'user',"
                 "'content':'cats'}],'scope':{'documentIds':['book']}}");
    talk(&r.site, 400, "GET", "/api/search?q=cats&kind=novel", NULL);
    talk(&r.site, 400, "GET", "/api/search?q=cats&dateFrom=now", NULL);
    talk(&r.site, 400, "GET", "/api/search?q=cats&changedSince=now", NULL);
    CHECK_INT(upstream_asked(r.up), 0);
}
