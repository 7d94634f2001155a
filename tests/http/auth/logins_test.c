/* logins_test.c - logins over sockets: listed, ended, and whose. */
#include "contract.h"
#include "help/talk.h"

static const char *sign_in(struct site *s, struct str key, const char *agent)
{
    struct str line;

    talk_with(s, agent, 200, "POST", "/api/login",
              arena_printf(&s->arena, "{'key':'%.*s'}", STR_ARG(key)).p);
    line = talk_header("Set-Cookie");
    line.n = str_find(line, ';');
    return arena_printf(&s->arena, "Cookie: %.*s", STR_ARG(line)).p;
}

static const char *path_of(struct site *s, const struct json *v, const char *at)
{
    const char *id = json_at(s, v, at);

    return arena_printf(&s->arena, "/api/logins/%.*s", (int)strlen(id) - 2,
                        id + 1)
        .p;
}

CONTRACT(thread_logins_are_listed_and_one_can_end_those_elsewhere)
{
    AUTO(site_close) struct site s = {.keys_only = true};
    const char *here, *there, *path;
    struct str key;
    struct json *v;

    site_open(&s);
    key = site_key(&s);
    there = sign_in(&s, key, "User-Agent: lost phone");
    here = sign_in(&s, key, "User-Agent: desk\xE2\x80\xAE");
    v = talk_with(&s, here, 200, "GET", "/api/logins", NULL);
    CHECK_EACH(&s, v, "logins", "current", "true false");
    CHECK_AT(&s, v, "logins.0.agent", "null"); /* it turned text around */
    CHECK_AT(&s, v, "logins.1.agent", "'lost phone'");
    CHECK_AT(&s, v, "logins.1.method", "'key'");
    path = path_of(&s, v, "logins.1.id");
    /* Not for others. */
    talk_with(&s,
              sign_in(&s,
                      site_key_of(&s, (struct who){STR("default"), STR("eve")}),
                      "User-Agent: x"),
              204, "DELETE", path, NULL);
    talk_with(&s, there, 200, "GET", "/api/me", NULL);
    talk_with(&s, here, 204, "DELETE", path, NULL);
    talk_with(&s, there, 401, "GET", "/api/me", NULL);
    v = talk_with(&s, here, 200, "GET", "/api/logins", NULL);
    CHECK_AT(&s, v, "logins.1", "absent");
    talk_with(&s, here, 204, "DELETE", path, NULL);
}

CONTRACT(thread_logins_that_were_copied_end_with_signing_out)
{
    AUTO(site_close) struct site s = {.keys_only = true};
    const char *mine, *altered;
    struct str key;

    site_open(&s);
    key = site_key(&s);
    mine = sign_in(&s, key, "User-Agent: x");
    altered = arena_printf(&s.arena, "%.*s0", (int)strlen(mine) - 1, mine).p;
    if (strcmp(mine, altered) == 0)
        altered =
            arena_printf(&s.arena, "%.*s1", (int)strlen(mine) - 1, mine).p;
    /* Who knows the id alone ends nothing. */
    talk_with(&s, altered, 204, "POST", "/api/logout", NULL);
    talk_with(&s, mine, 200, "GET", "/api/me", NULL);
    talk_with(&s, mine, 204, "POST", "/api/logout", NULL);
    talk_with(&s, mine, 401, "GET", "/api/me", NULL);
    talk_with(&s, mine, 204, "POST", "/api/logout", NULL);
    talk_with(&s, arena_printf(&s.arena, "Authorization: Bearer %s", key.p).p,
              200, "GET", "/api/me", NULL);
}

static void behind_a_proxy(struct config *c)
{
    c->public_url = STR("http://127.0.0.1");
    c->failed_sign_ins_per_minute = 60;
}

static int wrong(struct site *s, const char *client, int i)
{
    struct ask ask = {
        .method = "GET",
        .path = "/api/me",
        .header = arena_printf(&s->arena,
                               "Authorization: Bearer fn_a%09d_"
                               "0123456789012345678901234567890123456789012"
                               "\r\nX-Forwarded-For: 6.6.6.%d, %s",
                               i, i % 250, client)
                      .p};

    return site_ask(s, &ask).status;
}

TEST(thread_logins_that_fail_count_by_who_the_proxy_names)
{
    AUTO(site_close)
    struct site s = {.keys_only = true, .adjust = behind_a_proxy};
    struct str key;
    int refused = 0, waiting = 0;

    site_open(&s);
    key = site_key(&s);
    for (int i = 0; i < 120; i++) { /* a minute may end in between */
        int status = wrong(&s, "198.51.100.7", i);

        refused += status == 401;
        waiting += status == 429;
    }
    CHECK_INT(refused + waiting, 120);
    CHECK(refused >= 60 && waiting > 0);
    CHECK_INT(wrong(&s, "198.51.100.8", 1), 401);
    talk_with(&s,
              arena_printf(&s.arena,
                           "Authorization: Bearer %s\r\n"
                           "X-Forwarded-For: 198.51.100.7",
                           key.p)
                  .p,
              200, "GET", "/api/me", NULL);
}
