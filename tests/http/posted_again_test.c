/* posted_again_test.c - what was read is posted again, in every form: the same
 * is taken and changes nothing, and whatever is not the same is named. */
#include "contract.h"
#include "help/talk.h"
#include "json_edit.h"

#define MESSAGES "/api/sessions/s1/messages"

static void save_thread(struct site *s)
{
    talk(s, 201, "POST", MESSAGES,
         "{'id':'m1','role':'user','content':'What is entropy?'}");
    talk(s, 201, "POST", MESSAGES,
         "{'id':'m2','role':'assistant','content':'Disorder [1], see [^Page]. "
         "So [7][9].','lowConfidence':false,'docRefs':['2024-01-15:On "
         "entropy'],'ragSourceIds':['t1'],'webSourceIds':['t2'],'imageSource':"
         "{'s3key':'snapshots/sl/page-4.png','slideId':'sl','pageNumber':4},"
         "'createdAt':'2024-01-15T11:30:00.5+01:00','sources':[{'sourceType':"
         "'slide','documentId':'d1','slideNumber':14,'contentPreview':"
         "'Entropy measures disorder','score':0.5,'meta':{'aB':[1,null]}},"
         "{'sourceType':'web','url':'https://example.org/','chunkNumber':7},"
         "{'sourceType':'lecture','lectureId':'l','startSeconds':61.1,"
         "'endSeconds':75,'chunkNumber':9}]}");
    talk(s, 201, "POST", MESSAGES,
         "{'id':'m3','role':'user','content':'And then?'}");
    talk(s, 201, "POST", "/api/sessions/s1/retrievals",
         "{'userMessageId':'m3','query':'then','lowConfidence':true,"
         "'sources':[{'sourceType':'text','sourceId':'t','contentPreview':"
         "'Then it grows'}]}");
    talk(s, 201, "POST", MESSAGES,
         "{'id':'m4','role':'assistant','content':'It grows [1].',"
         "'status':'stopped'}");
    talk(s, 201, "POST", MESSAGES,
         "{'id':'m5','role':'assistant','content':'Or not.','parentId':'m3'}");
}

/* The messages in a form; *list is where they are. */
static const struct json *read_all(struct site *s, const char *path,
                                   const char *list)
{
    struct json *v = talk(s, 200, "GET", path, NULL);

    return *list ? json_get(v, str_c(list)) : v;
}

static struct answer_to post(struct site *s, int status, struct str body)
{
    struct ask ask = {.method = "POST", .path = MESSAGES, .body = body};

    return talk_ask(s, status, &ask);
}

static const struct form {
    const char *path, *list;
} forms[] = {
    {MESSAGES, "messages"},          {MESSAGES "?versions=all", "messages"},
    {MESSAGES "?as=rows", ""},       {MESSAGES "?as=state", "messages"},
    {MESSAGES "?as=ui", "messages"}, {"/api/sessions/s1", "history"}};
enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

CONTRACT(message_as_it_was_read_is_posted_again_and_nothing_changes)
{
    SITE(s);
    struct str before;

    save_thread(&s);
    before = site_get(&s, MESSAGES "?versions=all").body;
    for (size_t i = 0; i < FORMS; i++) {
        const struct json *all = read_all(&s, forms[i].path, forms[i].list);

        CHECK(all->n >= 4);
        for (const struct json *m = all->first; m; m = m->next) {
            post(&s, 200, m->raw);
            CHECK_TEXT(talk_header("Idempotent-Replayed"), STR("true"));
        }
    }
    CHECK_TEXT(site_get(&s, MESSAGES "?versions=all").body, before);
}

/* Links to a picture are made afresh each time. */
static bool is_link(struct str body)
{
    return memmem(body.p, body.n, "4,\"url\":17.25", 13) != NULL;
}

/* Every value of every form, one after the other, is changed to another text,
 * number or list: none of that is taken, but for a link and the like. */
CONTRACT(message_as_it_was_read_with_any_value_changed_is_refused)
{
    SITE(s);
    struct str before;

    save_thread(&s);
    before = site_get(&s, MESSAGES "?versions=all").body;
    for (size_t i = 0; i < FORMS; i++) {
        const struct json *all = read_all(&s, forms[i].path, forms[i].list);
        const struct json *m = all->first->next;
        size_t values = edit_count(m);

        for (size_t at = 1; at < values; at++) {
            AUTO(buf_free) struct buf b = BUF(1 << 20);
            struct edit e = {.change = REPLACE, .at = at, .with = STR("17.25")};
            struct ask ask = {.method = "POST", .path = MESSAGES};
            struct answer_to got;

            edit_write(&b, m, &e);
            ask.body = buf_str(&b);
            got = site_ask(&s, &ask);
            if (is_link(ask.body)) {
                CHECK_INT(got.status, 200);
                continue;
            }
            if (got.status == 200)
                FAIL("%s: taken: %.*s", forms[i].path, STR_ARG(ask.body));
            CHECK(got.status == 400 || got.status == 409);
        }
    }
    CHECK_TEXT(site_get(&s, MESSAGES "?versions=all").body, before);
}

CONTRACT(message_with_a_read_only_field_changed_is_told_which)
{
    static const char *const changes[][3] = {
        {"\"digest\":\"sha256:", "\"digest\":\"sha256:0", "/digest"},
        {"\"cited\":true", "\"cited\":false", "/sources/0/cited"},
        {"\"support\":", "\"support\":1", "/sources/0/support"},
        {"\"spans\":[[9,12]]", "\"spans\":[[9,13]]", "/sources/0/spans/0/1"},
        {"\"state\":\"external\"", "\"state\":\"live\"", "/sources/0/state"},
        {"\"failure\":null", "\"failure\":\"internal\"", "/failure"},
        {"\"replacedBy\":null", "\"replacedBy\":\"m9\"", "/replacedBy"},
        {"\"parentId\":\"m1\"", "\"parentId\":\"\"", "/parentId"},
        {"Disorder", "Order", "/content"},
        {"2024-01-15T10:30", "2024-01-15T10:31", "/createdAt"},
        {"\"score\":0.5", "\"score\":0.25", "/sources/0/score"},
        {"[1,null]", "[2,null]", "/sources/0/meta/aB/0"}};
    SITE(s);
    struct str m;

    save_thread(&s);
    m = read_all(&s, MESSAGES, "messages")->first->next->raw;
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const char *at = memmem(m.p, m.n, changes[i][0], strlen(changes[i][0]));
        size_t n = at ? (size_t)(at - m.p) : 0, cut = strlen(changes[i][0]);
        struct str body;
        struct json *v;

        CHECK(at);
        if (i == 0)
            cut++; /* a digit for a digit */
        body = arena_printf(&s.arena, "%.*s%s%.*s", (int)n, m.p, changes[i][1],
                            (int)(m.n - n - cut), at + cut);
        v = site_json(&s, post(&s, 409, body).body);
        CHECK_TEXT(json_text(v, STR("code")), STR("id_taken"));
        CHECK_TEXT(json_text(v, STR("where")), str_c(changes[i][2]));
    }
}

/* A repeat of the first request knows nothing of what was added since. */
CONTRACT(message_sent_again_as_it_was_first_sent_is_a_repeat)
{
    SITE(s);
    const char *first = "{'id':'m','role':'assistant','content':'So [1].',"
                        "'createdAt':'2024-01-15T10:30:00Z','sources':["
                        "{'sourceType':'text','sourceId':'a'}]}";

    talk(&s, 201, "POST", MESSAGES, first);
    talk(&s, 200, "POST", "/api/messages/m/sources",
         "{'sources':[{'sourceType':'text','sourceId':'b'}]}");
    talk(&s, 200, "POST", MESSAGES, first);
    talk_refused(&s, 409, "id_taken", "/sources/0/cited", "POST", MESSAGES,
                 "{'id':'m','role':'assistant','content':'So [1].',"
                 "'createdAt':'2024-01-15T10:30:00Z','sources':["
                 "{'sourceType':'text','sourceId':'a','cited':false}]}");
    talk_refused(&s, 409, "id_taken", NULL, "POST",
                 "/api/sessions/other/messages", first);
}

/* In another account it is new, with the digest that it had. */
CONTRACT(message_that_was_read_is_saved_elsewhere_with_its_digest)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    const struct json *all;
    struct str digests, got;

    save_thread(&s);
    digests = str_c(json_each(&s, talk(&s, 200, "GET", MESSAGES, NULL),
                              "messages", "digest"));
    for (size_t i = 0; i < FORMS; i++) {
        const char *path =
            arena_printf(&s.arena, "/api/sessions/s-%zu/messages", i).p;

        if (i == 1 || strstr(forms[i].path, "state"))
            continue; /* both versions; sources are not in a state */
        all = read_all(&s, forms[i].path, forms[i].list);
        for (const struct json *m = all->first; m; m = m->next)
            talk_ask(&s, 201,
                     &(struct ask){.method = "POST",
                                   .path = path,
                                   .body = m->raw,
                                   .header = ada});
        got = str_c(json_each(&s, talk_with(&s, ada, 200, "GET", path, NULL),
                              "messages", "digest"));
        CHECK_INT(got.n, digests.n);
        /* What was retrieved for a question is m4's own now. */
        CHECK_TEXT(((struct str){got.p, 3 * 73}),
                   ((struct str){digests.p, 3 * 73}));
        talk_with(&s, ada, 204, "DELETE",
                  arena_printf(&s.arena, "/api/sessions/s-%zu", i).p, NULL);
    }
    talk_refused(&s, 400, "invalid_field", "/digest", "POST",
                 "/api/sessions/new/messages",
                 "{'id':'n','role':'user','content':'x','digest':'sha256:"
                 "0000000000000000000000000000000000000000000000000000000000000"
                 "000'}");
    talk_refused(&s, 404, "session_not_found", NULL, "GET", "/api/sessions/new",
                 NULL);
}
