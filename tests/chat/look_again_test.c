/* look_again_test.c - a model looks at an answer again: beside, never instead.
 */
#include <stdlib.h>

#include "contract.h"
#include "help/chat_site.h"

#define ENTRY(sentence, verdict)                                               \
    "{\"sentence\":" sentence ",\"verdict\":\"" verdict "\"}"
#define LIST(entries) "text {\"verdicts\":[" entries "]}\nfinish stop\ndone\n"
#define SAYS(verdict) LIST(ENTRY("2", "partly") "," ENTRY("1", verdict))

#define ANSWER                                                                 \
    "text Cats sleep thirteen hours a day [1]. Old cats sleep even longer "    \
    "[1].\nfinish stop\ndone\n"

static struct config_model judge = {
    .name = {"judge", 5}, .model = {"judge", 5}, .usage = true};

static void with_judge(struct config *c)
{
    judge.url = c->model_url;
    c->models = &judge;
    c->models_n = 1;
    c->verify_model = judge.name;
    c->verify_per_minute = 1000;
}

static void open_judged(struct chat_site *r)
{
    chat_site_open(r);
    chat_site_script(r, "plain", ANSWER);
}

#define JUDGED_SITE(name)                                                      \
    AUTO(chat_site_close)                                                      \
    struct chat_site name = {.site = {.adjust = with_judge}};                  \
    open_judged(&(name))

static const char *at(struct chat_site *r, const char *session,
                      const char *path)
{
    struct json *v = talk(
        &r->site, 200, "GET",
        arena_printf(&r->site.arena, "/api/sessions/%s/messages", session).p,
        NULL);

    return json_at(&r->site, v,
                   arena_printf(&r->site.arena, "messages.1.%s", path).p);
}

static long looks(struct chat_site *r, const char *outcome)
{
    struct str all = site_get(&r->site, "/metrics").body;
    struct str line =
        arena_printf(&r->site.arena,
                     "\nfootnote_second_looks_total{outcome=\"%s\"} ", outcome);
    const char *p = memmem(all.p, all.n, line.p, line.n);

    return p ? strtol(p + line.n, NULL, 10) : -1;
}

static void first_stands(struct chat_site *r, const char *session)
{
    CHECK_STR(at(r, session, "status"), "'complete'");
    CHECK_STR(
        at(r, session, "content"),
        "'Cats sleep thirteen hours a day [1]. Old cats sleep even longer "
        "[1].'");
    CHECK_STR(at(r, session, "verdicts.0.judge"), "'text'");
    CHECK_STR(at(r, session, "verdicts.0.carried"), "2");
}

/* The reader has the end while the model is still silent. */
CONTRACT(second_look_is_a_record_beside_the_first)
{
    JUDGED_SITE(r);
    struct str asked;

    chat_site_script(&r, "judge", "gate g\n" SAYS("contradicts"));
    chat_site_ask(&r, "s1", "q1", "Do cats sleep? script:plain");
    upstream_await(r.up, "g");
    first_stands(&r, "s1");
    CHECK_STR(at(&r, "s1", "verdicts.1"), "absent");
    upstream_pass(r.up, "g");
    WAIT_UNTIL(looks(&r, "kept") == 1);
    first_stands(&r, "s1");
    CHECK_STR(at(&r, "s1", "verdicts.1.judge"), "'judge'");
    CHECK_STR(at(&r, "s1", "verdicts.1.carried"), "0");
    CHECK_STR(at(&r, "s1", "verdicts.1.of"), "2");
    CHECK_STR(at(&r, "s1", "verdicts.1.sentences.0.verdict"), "'contradicts'");
    CHECK_STR(at(&r, "s1", "verdicts.1.sentences.0.number"), "1");
    CHECK_STR(at(&r, "s1", "verdicts.1.sentences.0.support"), "absent");
    asked = upstream_request(r.up, upstream_asked(r.up) - 1).body;
    CHECK(memmem(asked.p, asked.n, "passage [1]", 11) != NULL);
    CHECK(memmem(asked.p, asked.n, "thirteen hours", 14) != NULL);
}

static const struct {
    const char *name, *script, *outcome;
} rude[] = {
    {"words", "text I think it is fine.\nfinish stop\ndone\n", "unreadable"},
    {"nothing", "finish stop\ndone\n", "unreadable"},
    {"array", "text [1,2]\nfinish stop\ndone\n", "unreadable"},
    {"empty", "text {\"verdicts\":[]}\nfinish stop\ndone\n", "unreadable"},
    {"one of two", LIST(ENTRY("1", "carried")), "unreadable"},
    {"other sentence", LIST(ENTRY("1", "carried") "," ENTRY("3", "carried")),
     "unreadable"},
    {"none", LIST(ENTRY("0", "carried") "," ENTRY("1", "carried")),
     "unreadable"},
    {"no number", LIST(ENTRY("\"1\"", "carried") "," ENTRY("2", "carried")),
     "unreadable"},
    {"unknown word", SAYS("verified"), "unreadable"},
    {"not asked for", SAYS("no_source"), "unreadable"},
    {"twice", LIST(ENTRY("1", "carried") "," ENTRY("1", "carried")),
     "unreadable"},
    {"huge", "repeat forever text {\"verdicts\":[{\"sentence\":1,\n",
     "unreadable"},
    {"busy", "status 429\njson {\"error\":{\"message\":\"slow down\"}}\n",
     "failed"},
    {"refused", "status 401\njson {\"error\":{\"message\":\"no\"}}\n",
     "failed"},
    {"cut", "text {\"verd\ncut\n", "failed"},
    {"reset", "reset\n", "failed"},
};

CONTRACT(second_look_that_fails_leaves_the_first_record)
{
    long unreadable = 0, failed = 0;
    JUDGED_SITE(r);

    for (size_t i = 0; i < sizeof(rude) / sizeof(rude[0]); i++) {
        const char *session = arena_printf(&r.site.arena, "s%zu", i).p;
        bool read = strcmp(rude[i].outcome, "failed") == 0;

        chat_site_script(&r, "judge", rude[i].script);
        chat_site_ask(&r, session, arena_printf(&r.site.arena, "q%zu", i).p,
                      "Do cats sleep? script:plain");
        failed += read;
        unreadable += !read;
        WAIT_UNTIL(looks(&r, "failed") == failed &&
                   looks(&r, "unreadable") == unreadable);
        first_stands(&r, session);
        CHECK_STR(at(&r, session, "verdicts.1"), "absent");
    }
    CHECK_INT(looks(&r, "kept"), 0);
    /* And it is asked again, the next time. */
    chat_site_script(&r, "judge", SAYS("carried"));
    chat_site_ask(&r, "last", "ql", "Do cats sleep? script:plain");
    WAIT_UNTIL(looks(&r, "kept") == 1);
    CHECK_STR(at(&r, "last", "verdicts.1.carried"), "1");
}

/* A server stops beside a model that never ends. */
CONTRACT(second_look_does_not_hold_up_the_end)
{
    JUDGED_SITE(r);

    chat_site_script(&r, "judge", "head\ngate never\n");
    chat_site_ask(&r, "s1", "q1", "Do cats sleep? script:plain");
    upstream_await(r.up, "never");
}

static void rarely(struct config *c)
{
    with_judge(c);
    c->verify_per_minute = 1;
}

CONTRACT(second_look_is_rationed)
{
    AUTO(chat_site_close)
    struct chat_site r = {.site = {.adjust = rarely}};

    open_judged(&r);
    chat_site_script(&r, "judge", SAYS("carried"));
    /* Of three at least one is within the minute of another. */
    for (int i = 0; i < 3; i++)
        chat_site_ask(&r, arena_printf(&r.site.arena, "s%d", i).p,
                      arena_printf(&r.site.arena, "q%d", i).p,
                      "Do cats sleep? script:plain");
    WAIT_UNTIL(looks(&r, "kept") + looks(&r, "skipped") == 3);
    CHECK(looks(&r, "skipped") >= 1 && looks(&r, "kept") >= 1);
}
