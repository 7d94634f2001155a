/* search_again_test.c - the database is away while a turn searches.
 *
 * Reading fails for as long as the test says, as it does while another machine
 * becomes the primary; writing goes on.  So the question is stored, and its
 * turn has to wait. */
#include <stdatomic.h>

#include "contract.h"
#include "help/chat_site.h"
#include "retrieve/retrieve.h"
#include "store/read/history.h"

static atomic_bool away_searching, away_reading;
static atomic_int failed_n;

enum footnote_rc __real_retriever_search(struct retriever *r, struct arena *a,
                                         struct search *s,
                                         struct footnote_err *err);
enum footnote_rc __wrap_retriever_search(struct retriever *r, struct arena *a,
                                         struct search *s,
                                         struct footnote_err *err);
enum footnote_rc __real_store_read(struct store *st, struct who who,
                                   struct arena *out,
                                   const struct store_op *kind, void *op,
                                   struct footnote_err *err);
enum footnote_rc __wrap_store_read(struct store *st, struct who who,
                                   struct arena *out,
                                   const struct store_op *kind, void *op,
                                   struct footnote_err *err);

static enum footnote_rc away(struct footnote_err *err)
{
    failed_n++;
    return err_set(err, FOOTNOTE_BUSY, "the test took the database away");
}

enum footnote_rc __wrap_retriever_search(struct retriever *r, struct arena *a,
                                         struct search *s,
                                         struct footnote_err *err)
{
    return away_searching ? away(err) : __real_retriever_search(r, a, s, err);
}

enum footnote_rc __wrap_store_read(struct store *st, struct who who,
                                   struct arena *out,
                                   const struct store_op *kind, void *op,
                                   struct footnote_err *err)
{
    return away_reading && kind == OP(history)
               ? away(err)
               : __real_store_read(st, who, out, kind, op, err);
}

static void ask_and_wait(struct viewer *v, struct chat_site *r,
                         atomic_bool *away_from, int tries)
{
    chat_site_script(r, "plain", "text They do [1].\nfinish stop\ndone\n");
    *away_from = true;
    viewer_ask(v, r, chat_site_body(r, "s1", "q1", "cats script:plain", NULL));
    viewer_await(v, "\"start\"");
    WAIT_UNTIL(failed_n >= tries);
}

CONTRACT(turn_searches_again_when_the_database_is_back)
{
    CHAT_SITE(r);
    struct viewer v;
    struct json *got;

    ask_and_wait(&v, &r, &away_searching, 3);
    away_searching = false;
    CHECK(viewer_end(&v));
    viewer_close(&v);
    got = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, got, "messages.1.status", "'complete'");
    CHECK_AT(&r.site, got, "messages.1.content", "'They do [1].'");
    CHECK_AT(&r.site, got, "messages.1.sources.0.state", "'live'");
}

CONTRACT(turn_reads_its_thread_again_when_the_database_is_back)
{
    CHAT_SITE(r);
    struct viewer v;
    struct json *got;

    ask_and_wait(&v, &r, &away_reading, 3);
    away_reading = false;
    CHECK(viewer_end(&v));
    viewer_close(&v);
    got = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, got, "messages.1.status", "'complete'");
    CHECK_AT(&r.site, got, "messages.1.sources.0.state", "'live'");
}

/* It is stopped while the database is still away. */
CONTRACT(turn_that_waits_for_the_database_can_be_stopped)
{
    CHAT_SITE(r);
    struct viewer v;
    struct json *got;

    ask_and_wait(&v, &r, &away_searching, 4);
    talk(&r.site, 200, "POST", "/api/chat/s1/stop", NULL);
    CHECK(viewer_end(&v));
    CHECK(away_searching);
    viewer_close(&v);
    got = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, got, "messages.1.status", "'stopped'");
}
