/* body_test.c - large bodies: from strangers, and from one account. */
#include "attack_site.h"
#include "contract.h"

enum { CONNECTIONS = 20, MB = 1024 * 1024 };

static const char *const rows[] = {"/api/chat", "/v1/chat/completions"};

/* ---- Nobody's body ------------------------------------------------------ */

static void send_head(struct attack_site *a, struct client *c, const char *path,
                      const char *more, size_t bytes)
{
    client_open(c, a->site.served.port);
    client_send(c, arena_printf(&a->site.arena,
                                "POST %s HTTP/1.1\r\nHost: localhost\r\n"
                                "Content-Type: application/json\r\n"
                                "%sContent-Length: %zu\r\n\r\n",
                                path, more, bytes));
}

CONTRACT(attack_body_of_a_stranger_is_refused_by_its_head)
{
    ATTACK_SITE(a);
    struct client c;
    struct response answer;

    for (size_t i = 0; i < 2; i++) {
        send_head(&a, &c, rows[i], "Expect: 100-continue\r\n", 30 * MB);
        CHECK(client_answer(&c, &answer));
        CHECK_INT(answer.status, 401);
        CHECK(answer.closes);
        client_close(&c);
        send_head(&a, &c, rows[i], "Authorization: Bearer fn_01234567_abc\r\n",
                  30 * MB);
        client_send(&c, STR("{\"messages\":["));
        CHECK(client_answer(&c, &answer));
        CHECK_INT(answer.status, 401);
        client_close(&c);
    }
}

CONTRACT(attack_bodies_of_strangers_take_no_memory)
{
    ATTACK_SITE(a);
    struct client c[CONNECTIONS];
    struct buf piece = BUF(MB);
    struct response answer;
    long before = client_memory();

    while (piece.n < MB)
        buf_add_c(&piece, ' ');
    for (int i = 0; i < CONNECTIONS; i++)
        send_head(&a, &c[i], rows[i % 2], "", 30 * MB);
    for (int i = 0; i < CONNECTIONS; i++)
        for (int n = 0; n < 3; n++)
            client_send(&c[i], buf_str(&piece));
    other_user_goes_on(&a);
    client_check_memory(before, 16 * 1024);
    for (int i = 0; i < CONNECTIONS; i++) {
        CHECK(client_answer(&c[i], &answer));
        CHECK_INT(answer.status, 401);
        client_close(&c[i]);
    }
    buf_free(&piece);
}

/* What was refused unread is not taken for a request. */
CONTRACT(attack_body_that_was_refused_is_no_request)
{
    ATTACK_SITE(a);
    struct client c;
    struct response answer;
    struct str hidden = STR("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");

    send_head(&a, &c, rows[0], "", hidden.n);
    client_send(&c, hidden);
    CHECK(client_answer(&c, &answer));
    CHECK_INT(answer.status, 401);
    CHECK(answer.closes);
    CHECK(!client_answer(&c, &answer));
    client_close(&c);
}

/* Bodies that came with their heads wait for the sign-in, and so does the
 * client that waits to be told. */
CONTRACT(attack_body_of_a_known_user_is_read_in_its_turn)
{
    ATTACK_SITE(a);
    struct client c;
    struct response answer;
    struct str body = STR("{\"id\":\"p1\"}");
    struct str one =
        arena_printf(&a.site.arena,
                     "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
                     "Content-Type: application/json\r\n"
                     "Content-Length: %zu\r\n\r\n%.*s",
                     a.bo, body.n, STR_ARG(body));

    client_open(&c, a.site.served.port);
    client_send(&c, arena_printf(&a.site.arena, "%.*s%.*s", STR_ARG(one),
                                 STR_ARG(one)));
    CHECK(client_answer(&c, &answer));
    CHECK_INT(answer.status, 201);
    CHECK(client_answer(&c, &answer));
    CHECK_INT(answer.status, 200);
    client_send(&c, arena_printf(&a.site.arena,
                                 "POST /api/sessions HTTP/1.1\r\n"
                                 "Host: localhost\r\n%s\r\n"
                                 "Content-Type: application/json\r\n"
                                 "Expect: 100-continue\r\n"
                                 "Content-Length: %zu\r\n\r\n",
                                 a.bo, body.n));
    CHECK(client_answer(&c, &answer));
    CHECK_INT(answer.status, 100);
    client_send(&c, body);
    CHECK(client_answer(&c, &answer));
    CHECK_INT(answer.status, 200);
    client_close(&c);
}

/* What anybody may send is small. */
CONTRACT(attack_body_of_a_sign_in_is_small)
{
    ATTACK_SITE(a);
    struct client c;
    struct response answer;

    send_head(&a, &c, "/api/login", "", 17 * 1024);
    CHECK(client_answer(&c, &answer));
    CHECK_INT(answer.status, 413);
    client_close(&c);
}

/* ---- One account's bodies ----------------------------------------------- */

/* 16 MB for all bodies, 4 MB for those of one user. */
#define SMALL_SITE(name)                                                       \
    AUTO(attack_site_close)                                                    \
    struct attack_site name = {.site.served.config.bodies_bytes = 16 * MB};    \
    attack_site_open(&name)

static void send_as(struct attack_site *a, struct client *c, const char *user,
                    const char *path, size_t bytes)
{
    send_head(a, c, path, arena_printf(&a->site.arena, "%s\r\n", user).p,
              bytes);
}

/* An object that says nothing, but for its last byte. */
static void send_body(struct client *c, size_t bytes)
{
    struct buf b = BUF(bytes);

    buf_add_c(&b, '{');
    while (b.n < bytes - 1)
        buf_add_c(&b, ' ');
    client_send(c, buf_str(&b));
    buf_free(&b);
}

static void check_answer(struct client *c, int status, const char *code)
{
    struct response answer;

    CHECK(client_answer(c, &answer));
    CHECK_INT(answer.status, status);
    CHECK(memmem(answer.body.p, answer.body.n, code, strlen(code)) != NULL);
    if (status == 429 || status == 503)
        CHECK(response_header(&answer, "retry-after").n > 0);
    client_close(c);
}

static uint64_t held(struct attack_site *a)
{
    struct server_counts n;

    server_count(a->site.served.server, &n);
    return n.body_bytes;
}

CONTRACT(attack_bodies_of_one_account_have_a_share)
{
    SMALL_SITE(a);
    struct client c[3], bo;

    for (int i = 0; i < 2; i++) {
        send_as(&a, &c[i], a.mallory, rows[i], 3 * MB / 2);
        send_body(&c[i], 3 * MB / 2);
    }
    WAIT_UNTIL(held(&a) >= 3 * MB - 1);
    send_as(&a, &c[2], a.mallory, rows[0], 3 * MB);
    send_body(&c[2], 3 * MB);
    check_answer(&c[2], 429, "rate_limited");
    send_as(&a, &bo, a.bo, rows[0], 3 * MB);
    send_body(&bo, 3 * MB);
    other_user_goes_on(&a);
    client_send(&bo, STR("}"));
    check_answer(&bo, 400, "error");
    client_send(&c[0], STR("}"));
    check_answer(&c[0], 400, "error");
    client_close(&c[1]); /* in the middle of its body */
    WAIT_UNTIL(held(&a) == 0);
}

CONTRACT(attack_bodies_of_many_accounts_have_an_end)
{
    SMALL_SITE(a);
    struct client c[5];
    struct who who = {.tenant = STR("default")};

    for (int i = 0; i < 5; i++) {
        who.user = arena_printf(&a.site.arena, "m%d", i);
        const char *user =
            arena_printf(&a.site.arena, "Authorization: Bearer %.*s",
                         STR_ARG(site_key_of(&a.site, who)))
                .p;

        send_as(&a, &c[i], user, rows[0], 7 * MB / 2);
        send_body(&c[i], 7 * MB / 2);
        if (i < 4)
            WAIT_UNTIL(held(&a) >= (uint64_t)(i + 1) * (7 * MB / 2));
    }
    check_answer(&c[4], 503, "store_busy");
    other_user_goes_on(&a); /* small bodies are not counted */
    for (int i = 0; i < 4; i++)
        client_close(&c[i]);
    WAIT_UNTIL(held(&a) == 0);
}

/* Two bytes of text are a value, which takes 64 in memory. */
CONTRACT(attack_tree_of_a_body_counts)
{
    SMALL_SITE(a);
    struct client c;
    struct buf b = BUF(2 * MB);
    long before = client_memory();

    buf_add(&b, STR("{\"messages\":[0"));
    while (b.n < MB - 2)
        buf_add(&b, STR(",0"));
    buf_add(&b, STR("]}"));
    for (size_t i = 0; i < 2; i++) {
        attack_send(&a, &c, "POST", rows[i], "", buf_str(&b));
        check_answer(&c, 413, "too_large");
        WAIT_UNTIL(held(&a) == 0); /* it is given back after the answer */
    }
    attack_send(&a, &c, "POST", "/api/sources/by-message", "", buf_str(&b));
    check_answer(&c, 413, "too_large");
    client_check_memory(before, 16 * 1024);
    WAIT_UNTIL(held(&a) == 0);
    buf_free(&b);
}

/* A large body is read in a worker: the loop goes on meanwhile. */
enum footnote_rc __real_json_read(struct arena *a, struct str text,
                                  struct json **out, struct footnote_err *err);
enum footnote_rc __wrap_json_read(struct arena *a, struct str text,
                                  struct json **out, struct footnote_err *err);

enum footnote_rc __wrap_json_read(struct arena *a, struct str text,
                                  struct json **out, struct footnote_err *err)
{
    if (text.n > 100 * 1024)
        hold_here();
    return __real_json_read(a, text, out, err);
}

CONTRACT(attack_large_body_is_read_off_the_loop)
{
    static const char *const paths[] = {
        "/api/sessions/s/messages", "/api/sessions", "/api/sources/by-message",
        "/api/sessions/s/retrievals", "/api/courses"};
    ATTACK_SITE(a);
    struct client c;
    struct buf b = BUF(MB);

    buf_add(&b, STR("{\"no\":\""));
    while (b.n < MB / 2)
        buf_add_c(&b, 'x');
    buf_add(&b, STR("\"}"));
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        hold_next();
        attack_send(&a, &c, "POST", paths[i], "", buf_str(&b));
        hold_await();
        other_user_goes_on(&a);
        other_user_goes_on(&a); /* on both loops, whichever has them */
        hold_release();
        check_answer(&c, 400, "error");
    }
    buf_free(&b);
}
