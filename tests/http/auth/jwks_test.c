/* jwks_test.c - where keys come from, and when they are read again. */
#include "http/token/fetch.h"
#include "http/token/jwks.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "test.h"
#include "tokens.h"

static struct arena arena = {.max_bytes = 16 << 20};
static const struct jwt_rules rules;

#define CLAIMS "{\"sub\":\"ann\",\"exp\":1872000000}"

static enum footnote_rc verify(struct jwks *j, enum signer by, const char *kid)
{
    struct str header = arena_printf(&arena, "{\"alg\":\"%s\",\"kid\":\"%s\"}",
                                     by == BY_EC   ? "ES256"
                                     : by == BY_ED ? "EdDSA"
                                                   : "RS256",
                                     kid);
    struct jwt_claims claims;

    return jwks_verify(j, &rules, &arena,
                       token_make(&arena, by, header.p, CLAIMS), &claims, NULL);
}

static void write_file(const char *path, struct str text)
{
    FILE *f = fopen(path, "w");

    CHECK(f != NULL);
    CHECK(fwrite(text.p, 1, text.n, f) == text.n);
    CHECK(fclose(f) == 0);
}

static struct str set_of(enum signer by, const char *kid)
{
    return arena_printf(&arena, "{\"keys\":[%s]}",
                        tokens_jwk(&arena, by, kid, "").p);
}

static const char *path(void)
{
    return arena_printf(&arena, "%s/keys.json", test_dir()).p;
}

TEST(an_unknown_kid_reads_the_set_again_but_not_twice_a_minute)
{
    struct footnote_err err;
    struct jwks *j;

    tokens_clock(TOKENS_NOW_S);
    write_file(path(), set_of(BY_EC, "one"));
    CHECK_OK(jwks_open(STR_NONE, str_c(path()), &j, &err), &err);
    CHECK_INT(verify(j, BY_EC, "one"), FOOTNOTE_OK);
    CHECK_INT(verify(j, BY_ED, "two"), FOOTNOTE_NOTFOUND);
    write_file(path(), set_of(BY_ED, "two"));
    tokens_clock(TOKENS_NOW_S + 59);
    CHECK(!jwks_is_due(j, true));
    CHECK(jwks_refresh(j, true)); /* somebody did, this minute */
    CHECK_INT(verify(j, BY_ED, "two"), FOOTNOTE_NOTFOUND);
    tokens_clock(TOKENS_NOW_S + 60);
    CHECK(jwks_is_due(j, true));
    CHECK(!jwks_is_due(j, false));
    CHECK(jwks_refresh(j, true));
    CHECK(!jwks_is_due(j, true));
    CHECK_INT(verify(j, BY_ED, "two"), FOOTNOTE_OK);
    CHECK_INT(verify(j, BY_EC, "one"), FOOTNOTE_NOTFOUND);
    jwks_close(j);
}

TEST(a_set_is_read_again_after_ten_minutes)
{
    struct footnote_err err;
    struct jwks *j;

    tokens_clock(TOKENS_NOW_S);
    write_file(path(), set_of(BY_EC, "one"));
    CHECK_OK(jwks_open(STR_NONE, str_c(path()), &j, &err), &err);
    tokens_clock(TOKENS_NOW_S + 599);
    CHECK(!jwks_is_due(j, false));
    CHECK(!jwks_refresh(j, false));
    tokens_clock(TOKENS_NOW_S + 600);
    CHECK(jwks_is_due(j, false));
    CHECK(jwks_refresh(j, false));
    CHECK(!jwks_is_due(j, false));
    jwks_close(j);
}

TEST(a_set_that_went_bad_leaves_the_keys_as_they_are)
{
    struct footnote_err err;
    struct jwks *j;

    log_setup(2, LOG_ERROR, LOG_JSON);
    tokens_clock(TOKENS_NOW_S);
    write_file(path(), set_of(BY_EC, "one"));
    CHECK_OK(jwks_open(STR(TOKENS_SECRET), str_c(path()), &j, &err), &err);
    write_file(path(), STR("{\"keys\":["));
    tokens_clock(TOKENS_NOW_S + 600);
    CHECK(!jwks_refresh(j, false));
    CHECK_INT(verify(j, BY_EC, "one"), FOOTNOTE_OK);
    CHECK(!jwks_is_due(j, false));
    tokens_clock(TOKENS_NOW_S + 660);
    CHECK(jwks_is_due(j, false)); /* sooner than after a good one */
    write_file(path(), set_of(BY_EC, "one"));
    CHECK(jwks_refresh(j, false));
    jwks_close(j);
}

TEST(a_file_that_is_missing_or_bad_does_not_start)
{
    struct footnote_err err;
    struct jwks *j;

    CHECK_INT(jwks_open(STR_NONE, STR("/nowhere/keys"), &j, &err),
              FOOTNOTE_INVALID);
    CHECK(j == NULL);
    write_file(path(), STR("{}"));
    CHECK_INT(jwks_open(STR_NONE, str_c(path()), &j, &err), FOOTNOTE_INVALID);
    CHECK_INT(jwks_open(STR("short"), STR_NONE, &j, &err), FOOTNOTE_INVALID);
}

/* ---- A server that says what it is told to ------------------------------- */

struct peer {
    int fd, port;
    pthread_t thread;
    struct str answer; /* to the first; the others get a good one */
    int asked;
};

#define GOOD "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

static void answer_one(struct peer *p, int fd)
{
    char request[4096];
    struct str s = p->asked++ ? STR(GOOD) : p->answer;

    CHECK(read(fd, request, sizeof(request)) > 0);
    for (size_t at = 0; at < s.n;) {
        ssize_t n = send(fd, s.p + at, s.n - at, MSG_NOSIGNAL);

        if (n <= 0)
            break; /* it has heard enough */
        at += (size_t)n;
    }
    close(fd);
}

/* Until the socket is shut down. */
static void *serve(void *arg)
{
    struct peer *p = arg;
    int fd;

    while ((fd = accept(p->fd, NULL, NULL)) >= 0)
        answer_one(p, fd);
    return NULL;
}

static void peer_start(struct peer *p, struct str answer)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    socklen_t n = sizeof(a);

    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *p = (struct peer){.answer = answer};
    p->fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(p->fd, (struct sockaddr *)&a, n) == 0);
    CHECK(listen(p->fd, 4) == 0);
    CHECK(getsockname(p->fd, (struct sockaddr *)&a, &n) == 0);
    p->port = ntohs(a.sin_port);
    CHECK(pthread_create(&p->thread, NULL, serve, p) == 0);
}

static enum footnote_rc fetch(struct str answer, struct str *out)
{
    struct peer p;
    struct str url;
    enum footnote_rc rc;

    peer_start(&p, answer);
    url = arena_printf(&arena, "http://127.0.0.1:%d/keys", p.port);
    rc = fetch_text(&(struct fetch){.url = url}, out, NULL);
    shutdown(p.fd, SHUT_RDWR);
    pthread_join(p.thread, NULL);
    close(p.fd);
    CHECK_INT(p.asked, 1);
    return rc;
}

TEST(a_set_comes_from_a_url)
{
    struct str set = set_of(BY_EC, "one"), got;
    struct str answer = arena_printf(&arena,
                                     "HTTP/1.1 200 OK\r\nContent-Length: "
                                     "%zu\r\n\r\n%s",
                                     set.n, set.p);

    CHECK_INT(fetch(answer, &got), FOOTNOTE_OK);
    CHECK_TEXT(got, set);
    free((void *)(uintptr_t)got.p);
}

TEST(redirects_errors_and_large_answers_are_not_taken)
{
    struct str got;
    char *large = arena_alloc(&arena, JWKS_BYTES_MAX + 100);
    int n = snprintf(large, 100, "HTTP/1.0 200 OK\r\n\r\n");

    CHECK_INT(fetch(STR("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"
                        "Location: /other\r\n\r\n"),
                    &got),
              FOOTNOTE_BUSY);
    CHECK_INT(fetch(STR("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n"
                        "{}"),
                    &got),
              FOOTNOTE_BUSY);
    CHECK_INT(
        fetch(STR("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}"), &got),
        FOOTNOTE_BUSY);
    CHECK_INT(
        fetch(STR("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n{"), &got),
        FOOTNOTE_BUSY);
    memset(large + n, ' ', JWKS_BYTES_MAX + 1);
    CHECK_INT(fetch((struct str){large, (size_t)n + JWKS_BYTES_MAX + 1}, &got),
              FOOTNOTE_TOOBIG);
    CHECK(!got.p);
}

TEST(only_this_machine_is_asked_without_tls)
{
    static const char *const bad[] = {"http://keys.example/",
                                      "http://10.0.0.1/", "http://",
                                      "http://user:word@localhost/"};
    struct str got;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_INT(fetch_text(&(struct fetch){.url = str_c(bad[i])}, &got, NULL),
                  FOOTNOTE_INVALID);
}

TEST(a_url_that_does_not_answer_is_asked_again_later)
{
    struct footnote_err err;
    struct jwks *j;

    log_setup(2, LOG_ERROR, LOG_JSON);
    tokens_clock(TOKENS_NOW_S);
    /* Port 1 of this machine: nobody is there. */
    CHECK_OK(
        jwks_open(STR(TOKENS_SECRET), STR("http://127.0.0.1:1/"), &j, &err),
        &err);
    CHECK_INT(verify(j, BY_EC, "one"), FOOTNOTE_NOTFOUND);
    CHECK(!jwks_is_due(j, true));
    tokens_clock(TOKENS_NOW_S + 60);
    CHECK(jwks_is_due(j, false));
    CHECK(!jwks_refresh(j, true));
    jwks_close(j);
}

/* ---- Many at once -------------------------------------------------------- */

static void *verify_and_refresh(void *arg)
{
    struct arena own = ARENA(1 << 20);
    struct jwks *j = arg;
    struct jwt_claims claims;

    for (int i = 0; i < 200; i++) {
        jwks_refresh(j, i % 2);
        jwks_verify(j, &rules, &own, STR("e30.e30.e30"), &claims, NULL);
        arena_reset(&own);
    }
    arena_free(&own);
    return NULL;
}

TEST(threads_verify_while_keys_are_exchanged)
{
    enum { THREADS = 4 };
    struct footnote_err err;
    pthread_t threads[THREADS];
    struct jwks *j;

    tokens_clock(TOKENS_NOW_S);
    write_file(path(), set_of(BY_EC, "one"));
    CHECK_OK(jwks_open(STR_NONE, str_c(path()), &j, &err), &err);
    tokens_clock(TOKENS_NOW_S + 600);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, verify_and_refresh, j) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(verify(j, BY_EC, "one"), FOOTNOTE_OK);
    jwks_close(j);
}
