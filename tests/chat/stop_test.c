/* stop_test.c - a stop ends the answer that it means, wherever that is written.
 */
#include <semaphore.h>

#include "chat/chat.h"
#include "contract.h"
#include "help/chat_site.h"

#define GATED "text One [1].\ngate g\ntext  Two.\nfinish stop\ndone\n"

static struct str gated_in(struct chat_site *r, const char *session,
                           const char *question)
{
    return chat_site_body(r, session, question, "cats script:gated", NULL);
}

static struct str ask_gated(struct chat_site *r, const char *question)
{
    return gated_in(r, "s1", question);
}

static const char *status_at(struct chat_site *r, const char *path)
{
    struct json *v =
        talk(&r->site, 200, "GET", "/api/sessions/s1/messages", NULL);

    return json_at(&r->site, v, path);
}

/* The id of the answer that a viewer sees begin. */
static const char *id_of(struct chat_site *r, const struct viewer *v)
{
    static const char before[] = "\"messageId\":\"";
    const char *p =
        memmem(v->client.in.p, v->client.in.n, before, strlen(before));
    struct str rest;

    CHECK(p != NULL);
    p += strlen(before);
    rest = (struct str){p, v->client.in.n - (size_t)(p - v->client.in.p)};
    return arena_str(&r->site.arena, (struct str){p, str_find(rest, '"')}).p;
}

/* ---- It names its answer ------------------------------------------------ */

CONTRACT(stop_of_an_answer_that_has_ended_stops_nothing)
{
    CHAT_SITE(r);
    struct viewer v;
    const char *id, *body;
    struct json *said;

    chat_site_script(&r, "plain", "text One [1].\nfinish stop\ndone\n");
    chat_site_script(&r, "gated", GATED);
    id = stream_answer_id(&r,
                          chat_site_ask(&r, "s1", "q1", "cats script:plain"));
    viewer_ask(&v, &r, ask_gated(&r, "q2"));
    viewer_await(&v, "One [1].");
    body = arena_printf(&r.site.arena, "{'messageId':'%s'}", id).p;
    said = talk(&r.site, 200, "POST", "/api/chat/s1/stop", body);
    CHECK_AT(&r.site, said, "success", "true");
    CHECK_AT(&r.site, said, "status", "'complete'");
    said = talk(&r.site, 200, "POST", "/api/chat/s1/stop",
                "{'messageId':'not-there'}");
    CHECK_AT(&r.site, said, "status", "absent");
    talk(&r.site, 200, "POST", "/api/chat/s1/stop", "{'messageId':'q2'}");
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    CHECK_STR(status_at(&r, "messages.3.status"), "'complete'");
    viewer_close(&v);
}

CONTRACT(stop_that_names_the_running_answer_ends_it)
{
    CHAT_SITE(r);
    struct viewer v;
    struct json *said;
    const char *body;

    chat_site_script(&r, "gated", GATED);
    viewer_ask(&v, &r, ask_gated(&r, "q1"));
    viewer_await(&v, "One [1].");
    body = arena_printf(&r.site.arena, "{'messageId':'%s'}", id_of(&r, &v)).p;
    said = talk(&r.site, 200, "POST", "/api/chat/s1/stop", body);
    CHECK_AT(&r.site, said, "status", "'stopped'");
    CHECK(viewer_end(&v));
    said = talk(&r.site, 200, "POST", "/api/chat/s1/stop", body);
    CHECK_AT(&r.site, said, "status", "'stopped'"); /* again: the same */
    talk_refused(&r.site, 400, "invalid_field", "/messageId", "POST",
                 "/api/chat/s1/stop", "{'messageId':1}");
    viewer_close(&v);
}

/* ---- It begins just now ------------------------------------------------- */

static sem_t writer_may_go;

static enum footnote_rc wait_until_let_go(struct tx *tx, void *op,
                                          struct footnote_err *why)
{
    (void)tx;
    (void)op;
    (void)why;
    while (sem_wait(&writer_may_go) != 0)
        ;
    return FOOTNOTE_OK;
}

static void on_let_go(struct store_job *job, enum footnote_rc rc,
                      const struct footnote_err *why)
{
    (void)job;
    (void)rc;
    (void)why;
}

/* Nobody knows its name yet, as its question is not even stored. */
CONTRACT(stop_without_a_name_ends_what_is_about_to_begin)
{
    CHAT_SITE(r);
    const struct who local = {STR("default"), STR("local")};
    static const struct store_op hold = {NULL, wait_until_let_go};
    static struct store_job job = {
        .kind = &hold, .op = &job, .own = true, .done = on_let_go};
    struct footnote_err err;
    struct response said;
    struct client c;
    struct viewer v;

    sem_init(&writer_may_go, 0, 0);
    chat_site_script(&r, "gated", GATED);
    client_open(&c, r.site.served.port);
    CHECK_OK(store_submit(r.site.served.store, &job, &err), &err);
    viewer_ask(&v, &r, ask_gated(&r, "q1"));
    WAIT_UNTIL(chat_count_of(r.site.served.services.chat, local) > 0);
    client_send(&c, STR("POST /api/chat/s1/stop HTTP/1.1\r\n"
                        "Host: localhost\r\nContent-Length: 0\r\n\r\n"));
    for (int i = 0; i < 50; i++) /* by then the stop was read, too */
        CHECK_INT(client_once(r.site.served.port, "/healthz"), 200);
    sem_post(&writer_may_go);
    CHECK(client_answer(&c, &said));
    CHECK_TEXT(said.body, STR("{\"success\":true,\"status\":\"stopped\"}"));
    CHECK(viewer_end(&v));
    CHECK(memmem(v.seen.p, v.seen.n, "\"status\":\"stopped\"", 18));
    client_close(&c);
    viewer_close(&v);
}

/* ---- It comes late ------------------------------------------------------ */

/* The stop is under way while its answer ends by itself and the next question
 * is asked.  It names the answer in either way. */
enum { RACES = 200 };

static void send_stop(struct client *c, struct chat_site *r,
                      const char *session, const char *id, bool sdk)
{
    struct str body =
        arena_printf(&r->site.arena,
                     sdk ? "{\"assistantMessage\":{\"id\":\"%s\"}}"
                         : "{\"messageId\":\"%s\"}",
                     id);

    client_send(c, arena_printf(&r->site.arena,
                                "POST /api/chat/%s/stop HTTP/1.1\r\n"
                                "Host: localhost\r\n"
                                "Content-Type: application/json\r\n"
                                "Content-Length: %zu\r\n\r\n%s",
                                session, body.n, body.p));
}

static void race(struct chat_site *r, struct client *c, int i)
{
    const char *session = arena_printf(&r->site.arena, "s%d", i).p;
    const char *first = arena_printf(&r->site.arena, "a%d", i).p;
    const char *second = arena_printf(&r->site.arena, "b%d", i).p;
    struct viewer old, next;
    struct response said;

    viewer_ask(&old, r, gated_in(r, session, first));
    viewer_await(&old, "One [1].");
    upstream_pass(r->up, "g");
    if (i % 2)
        viewer_await(&old, "Two.");
    send_stop(c, r, session, id_of(r, &old), i % 4 < 2);
    CHECK(viewer_end(&old));
    viewer_close(&old);
    viewer_ask(&next, r, gated_in(r, session, second));
    CHECK(client_answer(c, &said));
    CHECK_INT(said.status, 200);
    viewer_await(&next, "One [1].");
    upstream_pass(r->up, "g");
    CHECK(viewer_end(&next));
    if (!memmem(next.seen.p, next.seen.n, "\"status\":\"complete\"", 19))
        FAIL("round %d: %.*s", i, (int)next.seen.n, next.seen.p);
    viewer_close(&next);
}

CONTRACT_LIMIT(stop_never_ends_the_question_behind_it, 240)
{
    CHAT_SITE(r);
    struct client c;

    chat_site_script(&r, "gated", GATED);
    client_open(&c, r.site.served.port);
    for (int i = 0; i < RACES; i++)
        race(&r, &c, i);
    client_close(&c);
}

/* ---- Through another node ----------------------------------------------- */

/* The model says nothing more, so nobody writes and finds out that way. */
static void open_three(struct chat_site *r, struct chat_site *second,
                       struct chat_site *third, struct viewer *v,
                       struct viewer *w)
{
    *second = *third = (struct chat_site){.up = r->up};
    site_open(&second->site);
    site_open(&third->site);
    chat_site_script(r, "gated", GATED);
    viewer_ask(v, r, ask_gated(r, "q1"));
    viewer_await(v, "One [1].");
    viewer_watch(w, third, "s1");
    viewer_await(w, "One [1].");
}

static bool has(const struct viewer *v, const char *text)
{
    return memmem(v->seen.p, v->seen.n, text, strlen(text)) != NULL;
}

CONTRACT(stop_through_another_node_ends_every_stream_as_stopped)
{
    CHAT_SITE(r);
    struct chat_site second, third;
    struct viewer v, w;
    struct json *said;

    open_three(&r, &second, &third, &v, &w);
    said = talk(&second.site, 200, "POST", "/api/chat/s1/stop", NULL);
    CHECK_AT(&second.site, said, "status", "'stopped'");
    CHECK(viewer_end(&v) && viewer_end(&w));
    chat_site_await_left(&r, 1);
    CHECK(has(&v, "\"status\":\"stopped\"") && !has(&v, "\"error\""));
    CHECK(has(&w, "\"status\":\"stopped\"") && !has(&w, "\"error\""));
    CHECK_STR(stream_parts(&r, buf_str(&v.seen)),
              stream_parts(&r, buf_str(&w.seen)));
    CHECK_STR(status_at(&r, "messages.1.status"), "'stopped'");
    CHECK_STR(status_at(&r, "messages.1.content"), "'One [1].'");
    viewer_close(&v);
    viewer_close(&w);
    chat_site_ask(&r, "s2", "q2", "cats"); /* it goes on as before */
    site_close(&second.site);
    site_close(&third.site);
}

CONTRACT(stop_by_deletion_through_another_node_says_so)
{
    CHAT_SITE(r);
    struct chat_site second, third;
    struct viewer v, w;

    open_three(&r, &second, &third, &v, &w);
    talk(&second.site, 204, "DELETE", "/api/sessions/s1", NULL);
    CHECK(viewer_end(&v) && viewer_end(&w));
    chat_site_await_left(&r, 1);
    CHECK(has(&v, "The session was deleted."));
    CHECK(has(&w, "The session was deleted."));
    talk_refused(&r.site, 404, "session_not_found", NULL, "GET",
                 "/api/sessions/s1", NULL);
    viewer_close(&v);
    viewer_close(&w);
    site_close(&second.site);
    site_close(&third.site);
}
