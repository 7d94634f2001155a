/* signed_out_test.c - a key or a login that is revoked while its answer
 * streams: the stream ends with that answer, and nothing else is let in. */
#include "contract.h"
#include "help/chat_site.h"
#include "store/session/access.h"

#define QUESTION "cats script:gated"

static void ask_as(struct viewer *v, struct chat_site *r, const char *user)
{
    struct str body = chat_site_body(r, "s1", "q1", QUESTION, "");

    client_open(&v->client, r->site.served.port);
    v->seen = BUF((size_t)1024 * 1024);
    client_send(&v->client,
                arena_printf(&r->site.arena,
                             "POST /api/chat HTTP/1.1\r\nHost: localhost\r\n"
                             "%s\r\nContent-Type: application/json\r\n"
                             "Content-Length: %zu\r\n\r\n",
                             user, body.n));
    client_send(&v->client, body);
}

/* Begins an answer, which stands at the gate with its first word said. */
static void begin(struct viewer *v, struct chat_site *r, const char *user)
{
    chat_site_script(r, "gated",
                     "text One.\\e\ngate g\ntext  Two.\nfinish stop\ndone\n");
    ask_as(v, r, user);
    viewer_await(v, "One.");
}

/* Whoever has it only from now on gets nothing, the answer itself among it. */
static void check_refused(struct chat_site *r, const char *user)
{
    static const char *const paths[] = {"/api/chat/s1/stream",
                                        "/api/sessions/s1/messages",
                                        "/api/sessions", "/api/courses"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        talk_with(&r->site, user, 401, "GET", paths[i], NULL);
    talk_with(&r->site, user, 401, "POST", "/api/sessions", "{}");
}

static void end(struct viewer *v, struct chat_site *r)
{
    upstream_pass(r->up, "g");
    viewer_await(v, "Two.");
    CHECK(viewer_end(v));
    CHECK(memmem(v->seen.p, v->seen.n, "[DONE]", 6) != NULL);
    viewer_close(v);
}

struct signed_in {
    struct chat_site r;
    struct str key;
    const char *bearer, *cookie;
};

static void sign_in(struct signed_in *s)
{
    struct str line;

    s->r.site.keys_only = true;
    chat_site_open(&s->r);
    s->key =
        site_key_of(&s->r.site, (struct who){STR("default"), STR("local")});
    s->bearer = arena_printf(&s->r.site.arena, "Authorization: Bearer %.*s",
                             STR_ARG(s->key))
                    .p;
    talk(&s->r.site, 200, "POST", "/api/login",
         arena_printf(&s->r.site.arena, "{'key':'%.*s'}", STR_ARG(s->key)).p);
    line = talk_header("Set-Cookie");
    line.n = str_find(line, ';');
    s->cookie = arena_printf(&s->r.site.arena, "Cookie: %.*s", STR_ARG(line)).p;
}

static void sign_out(struct signed_in *s)
{
    chat_site_close(&s->r);
}

CONTRACT(key_and_its_logins_end_while_an_answer_streams)
{
    AUTO(sign_out) struct signed_in s = {.bearer = NULL};
    struct access_key_revoke op = {.prefix = STR_NONE};
    struct footnote_err err;
    struct viewer v;

    sign_in(&s);
    begin(&v, &s.r, s.bearer);
    talk_with(&s.r.site, s.cookie, 200, "GET", "/api/sessions/s1/messages",
              NULL);
    op.prefix = access_prefix(s.key);
    CHECK_OK(store_write(s.r.site.served.store,
                         (struct who){STR("default"), STR("local")},
                         OP(access_key_revoke), &op, &err),
             &err);
    check_refused(&s.r, s.bearer);
    check_refused(&s.r, s.cookie);
    end(&v, &s.r);
    check_refused(&s.r, s.bearer);
}

CONTRACT(login_is_signed_out_while_its_answer_streams)
{
    AUTO(sign_out) struct signed_in s = {.bearer = NULL};
    struct viewer v;
    struct json *kept;

    sign_in(&s);
    begin(&v, &s.r, s.cookie);
    talk_with(&s.r.site, s.cookie, 204, "POST", "/api/logout", NULL);
    check_refused(&s.r, s.cookie);
    end(&v, &s.r);
    check_refused(&s.r, s.cookie);
    /* The key is not over, and the answer is kept whole. */
    kept = talk_with(&s.r.site, s.bearer, 200, "GET",
                     "/api/sessions/s1/messages", NULL);
    CHECK_AT(&s.r.site, kept, "messages.1.status", "'complete'");
    CHECK_AT(&s.r.site, kept, "messages.1.content", "'One. Two.'");
}
