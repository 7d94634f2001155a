/* log_privacy_test.c - what a server tells its operator about turns: numbers,
 * and never a word of what users say or the secrets that they sign in with. */
#include <fcntl.h>
#include <unistd.h>

#include "base/log.h"
#include "canary_site.h"
#include "contract.h"
#include "mask_ids.h"

enum { LOG_BYTES_MAX = 1024 * 1024 };

static void check_has(struct str text, const char *part)
{
    if (!text_has(text, part))
        FAIL("no \"%s\" in: %.*s", part, STR_ARG(text));
}

/* ---- Numbers ------------------------------------------------------------ */

CONTRACT(metrics_count_turns_and_what_they_cite)
{
    static const char *const lines[] = {
        "\nfootnote_turns_total 2\n",
        "\nfootnote_turns_failed_total 0\n",
        "\nfootnote_turns_running 1\n",
        "\nfootnote_answer_first_token_seconds_bucket{le=\"+Inf\"} 2\n",
        "\nfootnote_answer_first_token_seconds_count 2\n",
        "\nfootnote_citations_total{kind=\"text\"} 1\n",
        "\nfootnote_citations_total{kind=\"web\"} 0\n",
        "\nfootnote_citations_unresolved_total 4\n",
        "\nfootnote_verdicts_total{verdict=\"not_found\"} 1\n",
        "\nfootnote_verdicts_total{verdict=\"carried\"} 0\n"};
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};
    struct str text;

    canary_site_open(&e); /* one turn runs */
    upstream_add(e.up, "bogus",
                 "text Ice [1], [9] and [1,77], [98-99].\nfinish stop\ndone\n");
    talk_with(&e.site, e.headers[OWNER], 200, "POST", "/api/query",
              "{'query':'" TOPIC " script:bogus','course_id':'" PRIVATE
              "','thread_id':'t'}");
    text = site_get(&e.site, "/metrics").body;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        check_has(text, lines[i]);
}

/* ---- Silence ------------------------------------------------------------ */

static struct str read_log(struct canary_site *e, const char *path)
{
    int fd = open(path, O_RDONLY);
    char *bytes = arena_alloc(&e->site.arena, LOG_BYTES_MAX);
    ssize_t n;

    CHECK(fd >= 0 && bytes);
    n = read(fd, bytes, LOG_BYTES_MAX - 1);
    close(fd);
    CHECK(n >= 0);
    return (struct str){bytes, (size_t)n};
}

static void check_silent(struct canary_site *e, struct str text)
{
    CHECK(!text_has(text, MINE));
    CHECK(!text_has(text, COURSE));
    for (int p = 0; p < NOBODY; p++)
        CHECK(
            !text_has(text, e->headers[p] + strlen("Authorization: Bearer ")));
}

/* Good calls, bad calls, and a model that fails with the user's own words. */
static void talk_of_everything(struct canary_site *e)
{
    const char *owner = e->headers[OWNER];

    upstream_add(e->up, "broken",
                 "status 500\njson {\"error\":{\"message\":\"" MINE "\"}}\n");
    talk_with(&e->site, owner, 503, "POST", "/api/query",
              "{'query':'" TOPIC " " MINE " script:broken'}");
    talk_with(&e->site, owner, 200, "POST", "/api/query",
              "{'query':'" TOPIC " " MINE "','model':'extractive'}");
    talk_with(&e->site, owner, 400, "POST", "/api/sessions",
              "{'" MINE "':'" MINE "'}");
    talk_with(&e->site, owner, 200, "GET", "/api/search?q=" MINE, NULL);
    talk_with(&e->site, owner, 404, "GET", "/api/sessions/" MINE, NULL);
    talk_with(&e->site, owner, 202, "POST", "/api/courses/" SHARED "/documents",
              "{'kind':'text','title':'" MINE "','text':'" MINE "'}");
    talk_with(&e->site, NULL, 401, "POST", "/api/login",
              "{'key':'fn_" MINE "'}");
    talk_with(&e->site, owner, 200, "POST", "/api/chat/" RUNNING "/stop", "{}");
}

CONTRACT(log_and_metrics_never_say_what_users_say)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};
    char path[500];
    struct str log;
    int fd;

    canary_site_open(&e);
    snprintf(path, sizeof(path), "%s/log", test_dir());
    fd = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
    CHECK(fd >= 0);
    log_setup(fd, LOG_INFO, LOG_JSON);
    talk_of_everything(&e);
    log_setup(2, LOG_ERROR, LOG_JSON);
    log = read_log(&e, path);
    check_has(log, "\"route\":\"/api/query\"");
    check_silent(&e, log);
    check_silent(&e, site_get(&e.site, "/metrics").body);
}
