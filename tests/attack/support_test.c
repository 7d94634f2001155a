/* support_test.c - sentences times previews, where others wait for nothing. */
#include <sys/wait.h>

#include "attack_site.h"
#include "cite/judge/judge.h"
#include "contract.h"
#include "help/await_documents.h"
#include "ingest/work/ingest.h"
#include "store/answer/answer.h"
#include "store/answer/lease.h"

enum footnote_rc __real_judge_sentence(struct judge *j, struct arena *a,
                                       struct str sentence,
                                       const struct judge_source *source,
                                       struct verdict *out,
                                       struct footnote_err *err);
enum footnote_rc __wrap_judge_sentence(struct judge *j, struct arena *a,
                                       struct str sentence,
                                       const struct judge_source *source,
                                       struct verdict *out,
                                       struct footnote_err *err);
enum footnote_rc __wrap_judge_sentence(struct judge *j, struct arena *a,
                                       struct str sentence,
                                       const struct judge_source *source,
                                       struct verdict *out,
                                       struct footnote_err *err)
{
    if (str_starts(sentence, STR("The storm"))) /* the other user is calm */
        hold_here();
    return __real_judge_sentence(j, a, sentence, source, out, err);
}

#define SOURCE                                                                 \
    "{'sourceType':'slide','documentId':'d','slideNumber':1,"                  \
    "'contentPreview':'All is calm.'}"

static struct str cited_often(struct attack_site *a, const char *before)
{
    AUTO(buf_free) struct buf b = BUF(1024 * 1024);

    buf_add(&b, str_c(before));
    for (int i = 0; i < 20 * 1000; i++)
        buf_add(&b, STR("The storm [1]. "));
    buf_add(&b, STR("\"}"));
    return arena_str(&a->site.arena, buf_str(&b));
}

static void check_answered(struct client *c, int status)
{
    struct response r;

    CHECK(client_answer(c, &r));
    CHECK_INT(r.status, status);
    client_close(c);
}

CONTRACT(attack_support_of_a_saved_message)
{
    ATTACK_SITE(a);
    struct client c;

    hold_next();
    attack_send(&a, &c, "POST", "/api/sessions/m/messages", "",
                cited_often(&a, "{\"role\":\"assistant\",\"sources\":[{"
                                "\"sourceType\":\"slide\",\"documentId\":\"d\","
                                "\"slideNumber\":1,\"contentPreview\":"
                                "\"All is calm.\"}],\"content\":\""));
    hold_await();
    other_user_goes_on(&a);
    hold_release();
    check_answered(&c, 201);
}

CONTRACT(attack_support_of_an_answer_that_a_caller_ends)
{
    ATTACK_SITE(a);
    struct client c;

    talk_with(&a.site, a.mallory, 201, "POST", "/api/sessions/m/messages",
              "{'id':'x','role':'assistant','status':'streaming','content':"
              "'The storm [1].','sources':[" SOURCE "]}");
    hold_next();
    attack_send(&a, &c, "PATCH", "/api/messages/x", "",
                STR("{\"status\":\"complete\"}"));
    hold_await();
    other_user_goes_on(&a);
    hold_release();
    check_answered(&c, 200);
}

/* A turn without a model quotes what it found, so that there is something to
 * measure. */
CONTRACT(attack_support_of_an_answer_of_ours)
{
    ATTACK_SITE(a);
    struct ingest_options o = {.workers = 1,
                               .store = a.site.served.store,
                               .objects = a.site.served.objects};
    struct ingest *ingest;
    struct footnote_err err;
    struct client c;

    documents_watch(o.store);
    CHECK_OK(ingest_open(&o, &ingest, &err), &err);
    talk_with(&a.site, a.mallory, 201, "POST", "/api/courses",
              "{'id':'sea','title':'Sea'}");
    talk_with(&a.site, a.mallory, 202, "POST", "/api/courses/sea/documents",
              "{'id':'entry','kind':'journal','date':'2024-01-15',"
              "'title':'Sea','text':'The storm came in the morning.'}");
    documents_await(1);
    hold_next();
    attack_send(&a, &c, "POST", "/api/query", "",
                STR("{\"course_id\":\"sea\",\"thread_id\":\"m\","
                    "\"query\":\"When was the storm?\","
                    "\"model\":\"extractive\"}"));
    hold_await();
    other_user_goes_on(&a);
    hold_release();
    check_answered(&c, 200);
    ingest_close(ingest);
}

/* ---- The first sweep ----------------------------------------------------- */

enum footnote_rc __real_answer_cut_off(struct tx *tx, const struct answer *a,
                                       enum footnote_status status,
                                       struct footnote_err *err);
enum footnote_rc __wrap_answer_cut_off(struct tx *tx, const struct answer *a,
                                       enum footnote_status status,
                                       struct footnote_err *err);
enum footnote_rc __wrap_answer_cut_off(struct tx *tx, const struct answer *a,
                                       enum footnote_status status,
                                       struct footnote_err *err)
{
    hold_here();
    return __real_answer_cut_off(tx, a, status, err);
}

/* In a process of its own, which dies with its answer running. */
static void leave_an_answer(void)
{
    struct who bo = {STR("default"), STR("bo")};
    struct answer_begin op = {
        .question = {.session = STR("s"), .content = STR("Calm?")}};
    struct footnote_err err;
    struct store *st;
    int status;
    pid_t pid;

    test_url(); /* made once, here */
    pid = fork();
    if (pid == 0) {
        CHECK_OK(store_open(test_url(), &st, &err), &err);
        CHECK_OK(store_write(st, bo, OP(answer_begin), &op, &err), &err);
        _exit(0);
    }
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK_INT(status, 0);
}

CONTRACT(attack_a_start_does_not_wait_for_the_sweep)
{
    struct json *v;

    leave_an_answer();
    hold_next();
    SITE(s);
    hold_await();
    talk(&s, 200, "GET", "/healthz", NULL);
    talk(&s, 200, "GET", "/api/me", NULL);
    hold_release();
    v = talk(&s, 201, "POST", "/api/sessions/t/messages",
             "{'role':'user','content':'Still calm?'}");
    CHECK_AT(&s, v, "status", "'complete'");
}
