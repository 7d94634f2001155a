/* readers_test.c - a page whose reader does not come to an end: others are
 * served, their documents are read, and the server can be closed. */
#include <signal.h>
#include <unistd.h>

#include "attack_site.h"
#include "contract.h"
#include "help/jailed_child.h"
#include "ingest/work/ingest.h"

static struct ingest *start_workers(struct attack_site *a, int workers)
{
    struct ingest_options o = {.store = a->site.served.store,
                               .objects = a->site.served.objects,
                               .jailed = jailed_usual(),
                               .workers = workers};
    struct footnote_err err;
    struct ingest *in;

    CHECK_OK(ingest_open(&o, &in, &err), &err);
    return in;
}

static void upload_long_page(struct attack_site *a, struct client *c)
{
    talk_with(&a->site, a->mallory, 201, "POST", "/api/courses",
              "{'id':'m','title':'M'}");
    attack_send(a, c, "POST",
                "/api/courses/m/documents?filename=long.html&id=long",
                "Content-Type: application/octet-stream\r\n",
                jailed_long_page(&a->site.arena));
}

CONTRACT(attack_reader_that_hangs_holds_up_nobody)
{
    ATTACK_SITE(a);
    struct ingest *in = start_workers(&a, 2);
    struct client c;
    struct json *v;
    pid_t reader;

    upload_long_page(&a, &c);
    reader = jailed_child_hold();
    other_user_goes_on(&a);
    talk_with(&a.site, a.bo, 201, "POST", "/api/courses",
              "{'id':'b','title':'B'}");
    talk_ask(&a.site, 202,
             &(struct ask){
                 .method = "POST",
                 .path = "/api/courses/b/documents?filename=ice.html&id=ice",
                 .type = "application/octet-stream",
                 .header = a.bo,
                 .body = STR("<!doctype html><p>Ice is water.")});
    v = talk_with(&a.site, a.bo, 200, "GET", "/api/documents/ice?wait=20",
                  NULL);
    while (strcmp(json_at(&a.site, v, "status"), "'ready'") != 0)
        v = talk_with(&a.site, a.bo, 200, "GET", "/api/documents/ice?wait=20",
                      NULL);
    CHECK(!jailed_child_is_dead(reader)); /* all that was while it hung */
    client_close(&c);
    ingest_close(in); /* returns, although it hangs */
    CHECK(jailed_child_is_dead(reader));
}

CONTRACT(attack_reader_ends_when_its_document_is_deleted)
{
    ATTACK_SITE(a);
    struct ingest *in = start_workers(&a, 1);
    struct client c;
    pid_t reader;

    upload_long_page(&a, &c);
    reader = jailed_child_hold();
    talk_with(&a.site, a.mallory, 204, "DELETE", "/api/documents/long", NULL);
    WAIT_UNTIL(jailed_child_is_dead(reader));
    client_close(&c);
    ingest_close(in);
}
