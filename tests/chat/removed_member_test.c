/* removed_member_test.c - a member who is removed from a course, and her old
 * sessions of it: she keeps what was said, and asks nothing more. */
#include "contract.h"
#include "help/chat_site.h"

#define ASK                                                                    \
    "{'id':'old','model':'extractive','messages':[{'id':'q%d','role':'user',"  \
    "'parts':[{'type':'text','text':'How long do cats sleep?'}]}]%s}"

static struct answer_to ask(struct chat_site *r, const char *ada, int n,
                            const char *more)
{
    struct str body = arena_printf(&r->site.arena, ASK, n, more);
    char *p;

    memcpy(&p, &body.p, sizeof(p));
    for (size_t i = 0; i < body.n; i++)
        if (p[i] == '\'')
            p[i] = '"';
    return site_ask(&r->site, &(struct ask){.method = "POST",
                                            .path = "/api/chat",
                                            .header = ada,
                                            .body = body});
}

CONTRACT(right_that_is_taken_away_ends_asking_in_old_sessions)
{
    CHAT_SITE(r);
    const char *ada = talk_as_ada(&r.site);
    const char *history = "/api/sessions/old/messages";
    struct json *v;

    talk(&r.site, 200, "PUT", "/api/courses/cats/members/ada",
         "{'role':'reader'}");
    CHECK_INT(ask(&r, ada, 1, ",'courseId':'cats'").status, 200);
    talk(&r.site, 204, "DELETE", "/api/courses/cats/members/ada", NULL);

    CHECK_INT(ask(&r, ada, 2, "").status, 404);
    CHECK_INT(ask(&r, ada, 3, ",'courseId':'cats'").status, 404);
    talk_with(&r.site, ada, 404, "POST", "/api/query",
              "{'query':'cats','thread_id':'old','model':'extractive'}");
    talk_with(&r.site, ada, 404, "GET", "/api/search?q=cats&courseId=cats",
              NULL);
    v = talk_with(&r.site, ada, 200, "GET", history, NULL);
    CHECK_EACH(&r.site, v, "messages", "role", "'user' 'assistant'");
    CHECK_AT(&r.site, v, "messages.1.sources.0.state", "'withdrawn'");
    CHECK_AT(&r.site, v, "messages.1.sources.0.contentPreview", "null");

    talk(&r.site, 200, "PUT", "/api/courses/cats/members/ada",
         "{'role':'reader'}");
    CHECK_INT(ask(&r, ada, 2, "").status, 200);
}

/* ---- The turn that runs meanwhile ---------------------------------------- */

static void send_as(struct viewer *v, struct chat_site *r, const char *user,
                    const char *line, struct str body)
{
    client_open(&v->client, r->site.served.port);
    v->seen = BUF((size_t)1024 * 1024);
    client_send(&v->client,
                arena_printf(&r->site.arena,
                             "%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
                             "Content-Type: application/json\r\n"
                             "Content-Length: %zu\r\n\r\n",
                             line, user, body.n));
    client_send(&v->client, body);
}

static void check_withdrawn(struct viewer *v)
{
    viewer_await(v, "\"withdrawn\"");
    viewer_await(v, "One");
    CHECK(!memmem(v->client.in.p, v->client.in.n, "book", 4));
    CHECK(!memmem(v->client.in.p, v->client.in.n, "thirteen", 8));
}

/* A session of no course, which asks all that she may read. */
CONTRACT(right_that_is_taken_away_hides_the_sources_of_a_running_turn)
{
    struct str body =
        STR("{\"id\":\"s1\",\"messages\":[{\"id\":\"q1\",\"role\":\"user\","
            "\"parts\":[{\"type\":\"text\",\"text\":"
            "\"cats script:gated\"}]}]}");
    CHAT_SITE(r);
    const char *ada = talk_as_ada(&r.site);
    struct viewer first, resumed, again;

    chat_site_script(&r, "gated",
                     "text One [1].\\e\ngate g\ntext  Two.\ndone\n");
    talk(&r.site, 200, "PUT", "/api/courses/cats/members/ada",
         "{'role':'reader'}");
    send_as(&first, &r, ada, "POST /api/chat", body);
    viewer_await(&first, "One [1]");
    viewer_await(&first, "thirteen");
    talk(&r.site, 204, "DELETE", "/api/courses/cats/members/ada", NULL);
    send_as(&resumed, &r, ada, "GET /api/chat/s1/stream", STR(""));
    check_withdrawn(&resumed);
    send_as(&again, &r, ada, "POST /api/chat", body); /* its reply was lost */
    check_withdrawn(&again);
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&resumed));
    CHECK(!memmem(resumed.seen.p, resumed.seen.n, "thirteen", 8));
    viewer_close(&first);
    viewer_close(&resumed);
    viewer_close(&again);
}

/* The first line that says something. */
CONTRACT(title_of_a_question_that_begins_with_blank_lines)
{
    static const struct {
        const char *question, *title;
    } cases[] = {{"\\nHow long?", "'How long?'"},
                 {" \\r\\n\\t\\nHow long? \\nTell me.", "'How long?'"},
                 {"How long?", "'How long?'"}};
    SITE(s);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct str path = arena_printf(&s.arena, "/api/sessions/s%zu", i);

        talk(&s, 201, "POST", arena_printf(&s.arena, "%s/messages", path.p).p,
             arena_printf(&s.arena, "{'role':'user','content':'%s'}",
                          cases[i].question)
                 .p);
        CHECK_AT(&s, talk(&s, 200, "GET", path.p, NULL), "title",
                 cases[i].title);
    }
}
