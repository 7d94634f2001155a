/* names_test.c - bodies without a type, and names that lie about what stands
 * around them: refused, and nothing is kept of them. */
#include "contract.h"
#include "help/talk.h"

static const char *const lies[] = {"a\\nb", "a\\u202efdp.exe", "\\u2066x",
                                   "a\\u2028b", "a\\u0007b"};
enum { LIES = sizeof(lies) / sizeof(lies[0]) };

static void refused(struct site *s, const char *method, const char *path,
                    const char *format)
{
    for (size_t i = 0; i < LIES; i++) {
        AUTO(buf_free) struct buf b = BUF(1000);
        struct answer_to a;

        for (const char *p = format; *p; p++)
            if (*p == '$')
                buf_add(&b, str_c(lies[i]));
            else
                buf_add_c(&b, (char)(*p == '\'' ? '"' : *p));
        a = site_ask(
            s,
            &(struct ask){.method = method, .path = path, .body = buf_str(&b)});
        if (a.status != 400)
            FAIL("%s %s with %.*s: %d", method, path, STR_ARG(buf_str(&b)),
                 a.status);
    }
}

TEST(thread_names_on_two_lines_or_turned_around_are_refused)
{
    SITE(s);

    talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'חום'}");
    talk(&s, 201, "POST", "/api/sessions", "{'id':'s','title':'Größe'}");
    refused(&s, "POST", "/api/courses", "{'id':'d','title':'$'}");
    refused(&s, "POST", "/api/courses", "{'id':'d$','title':'x'}");
    refused(&s, "PATCH", "/api/courses/c", "{'title':'$'}");
    refused(&s, "POST", "/api/sessions", "{'id':'t','title':'$'}");
    refused(&s, "POST", "/api/sessions", "{'id':'t$'}");
    refused(&s, "PATCH", "/api/sessions/s", "{'title':'$'}");
    refused(&s, "POST", "/api/courses/c/documents",
            "{'kind':'text','title':'$','text':'x'}");
    talk(&s, 400, "PUT", "/api/courses/c/members/a%0Ab", "{'role':'reader'}");
    talk(&s, 404, "GET", "/api/courses/d", NULL);
    talk(&s, 404, "GET", "/api/sessions/t", NULL);
}

static int status_of(struct served *s, const char *head, const char *body)
{
    AUTO(client_close) struct client c;
    AUTO(buf_free) struct buf b = BUF(10000);
    struct response a;

    client_open(&c, s->port);
    buf_printf(&b, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n",
               head, strlen(body));
    buf_printf(&b, "\r\n%s", body);
    client_send(&c, buf_str(&b));
    CHECK(client_answer(&c, &a));
    return a.status;
}

/* A page of another site can send these without asking first. */
TEST(thread_a_body_without_a_type_is_refused)
{
    SITE(s);
    struct served *v = &s.served;

    talk(&s, 201, "POST", "/api/courses", "{'id':'c','title':'x'}");
    CHECK_INT(status_of(v, "POST /api/sessions", "{\"id\":\"t\"}"), 415);
    CHECK_INT(status_of(v, "POST /api/login", "{\"key\":\"x\"}"), 415);
    CHECK_INT(status_of(v, "POST /api/chat", "{\"id\":\"t\"}"), 415);
    CHECK_INT(status_of(v, "POST /v1/chat/completions", "{}"), 415);
    CHECK_INT(status_of(v, "POST /api/courses/c/documents", "{}"), 415);
    CHECK_INT(
        status_of(v, "POST /api/courses/c/documents?filename=a.txt", "Words."),
        415);
    talk(&s, 404, "GET", "/api/sessions/t", NULL);
    /* Without a body there is nothing to name. */
    CHECK_INT(status_of(v, "POST /api/logout", ""), 204);
}
