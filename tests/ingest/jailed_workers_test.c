/* jailed_workers_test.c - workers whose child in the jail is held, cancelled,
 * or killed, on both engines. */
#include <signal.h>
#include <unistd.h>

#include "help/jailed_child.h"
#include "ingest_setup.h"

static void check_failed(const char *id, const char *words)
{
    struct document d = setup_await_document(id);

    CHECK_INT(d.status, DOCUMENT_FAILED);
    if (!strstr(d.error.p, words))
        FAIL("%s: \"%s\" has no \"%s\"", id, d.error.p, words);
}

INGEST_CASE(jailed_child_that_hangs_holds_up_its_own_worker_only)
{
    pid_t child;

    setup_start_workers(2);
    setup_put_document("long", jailed_long_page(&out), "long.html");
    child = jailed_child_hold();
    setup_put_document("page", STR("<html><p>Ice is water."), "a.html");
    setup_put_document("text", STR("Steam is water that left."), "a.txt");
    CHECK_INT(setup_await_document("page").status, DOCUMENT_READY);
    CHECK_INT(setup_await_document("text").status, DOCUMENT_READY);
    CHECK_INT(setup_read_document("long").status, DOCUMENT_INDEXING);
    CHECK_INT(kill(child, SIGCONT), 0);
    CHECK_INT(setup_await_document("long").status, DOCUMENT_READY);
}

/* Without a child that goes on there is no other way to an end: the workers
 * close, the job goes back, and it is read to the same passages later. */
INGEST_CASE(jailed_child_is_killed_when_workers_stop)
{
    struct sha256 whole, again;
    pid_t child;
    size_t n;

    setup_start_workers(1);
    setup_put_document("whole", jailed_long_page(&out), "long.html");
    CHECK_INT(setup_await_document("whole").status, DOCUMENT_READY);
    whole = setup_passages_digest("whole", &n);
    CHECK(n > 100);
    setup_put_document("d", jailed_long_page(&out), "long.html");
    child = jailed_child_hold();
    setup_stop_workers();
    CHECK(jailed_child_is_dead(child));
    CHECK_INT(setup_read_document("d").status, DOCUMENT_QUEUED);
    setup_start_workers(1);
    CHECK_INT(setup_await_document("d").status, DOCUMENT_READY);
    again = setup_passages_digest("d", &n);
    CHECK(sha256_eq(&whole, &again));
}

INGEST_CASE(jailed_child_is_killed_when_its_document_is_deleted)
{
    struct document_delete del = {.id = STR("long")};
    pid_t child;

    setup_start_workers(1);
    setup_put_document("long", jailed_long_page(&out), "long.html");
    child = jailed_child_hold();
    CHECK_OK(store_write(st, ANN, OP(document_delete), &del, &err), &err);
    WAIT_UNTIL(jailed_child_is_dead(child));
    setup_put_document("page", STR("<html><p>Ice is water."), "a.html");
    CHECK_INT(setup_await_document("page").status, DOCUMENT_READY);
}

INGEST_CASE(jailed_child_that_dies_fails_its_document_alone)
{
    pid_t child;

    setup_start_workers(1);
    setup_put_document("long", jailed_long_page(&out), "long.html");
    child = jailed_child_hold();
    CHECK_INT(kill(child, SIGKILL), 0);
    check_failed("long", "has failed on this one (signal 9)");
    setup_put_document("page", STR("<html><p>Ice is water."), "a.html");
    CHECK_INT(setup_await_document("page").status, DOCUMENT_READY);
    CHECK_INT(ingest_count(ingest).failed, 1);
}

/* A file that is given a millisecond, and bytes that a liar passes on. */
INGEST_CASE(jailed_child_out_of_time_or_out_of_its_mind_fails_its_document)
{
    static struct jailed_options o;
    struct ingest_options workers = {
        .store = st, .objects = objects, .workers = 1, .jailed = &o};

    o = (struct jailed_options){.program = jailed_program(), .wall_ms_max = 1};
    CHECK_OK(ingest_open(&workers, &ingest, &err), &err);
    setup_put_document("slow", STR("<html><p>Ice is water."), "a.html");
    check_failed("slow", "The file could not be read within 1 second");
    setup_stop_workers();
    o = (struct jailed_options){.program = "/usr/bin/tee"};
    CHECK_OK(ingest_open(&workers, &ingest, &err), &err);
    setup_put_document("lie", STR("<html>\n<p>Ice is water."), "b.html");
    check_failed("lie", "makes no sense");
}

/* Each is told in words, and none costs the others. */
INGEST_CASE(jailed_bombs_of_markup_fail_alone)
{
    AUTO(buf_free) struct buf attributes = BUF((size_t)4 * 1024 * 1024);
    AUTO(buf_free) struct buf depth = BUF((size_t)4 * 1024 * 1024);

    buf_add(&attributes, STR("<html><p"));
    for (int i = 0; i < 160000; i++)
        buf_printf(&attributes, " a%x", (unsigned)i);
    buf_add(&depth, STR("<html>"));
    for (int i = 0; i < 200000; i++)
        buf_add(&depth, STR("<div>"));
    setup_put_document("attributes", buf_str(&attributes), "a.html");
    setup_put_document("depth", buf_str(&depth), "d.html");
    setup_put_document("laughs", setup_load_file("laughs.docx"), "l.docx");
    setup_put_document("zip", setup_load_file("bomb.docx"), "b.docx");
    setup_put_document("fine", STR("<html><p>Ice is water."), "f.html");
    setup_start_workers(1);
    check_failed("attributes", "more than 256 attributes");
    check_failed("depth", "inside of each other");
    check_failed("laughs", "document type");
    check_failed("zip", "100 times its size");
    CHECK_INT(setup_await_document("fine").status, DOCUMENT_READY);
}
