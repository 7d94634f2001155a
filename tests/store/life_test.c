/* life_test.c - whose answers are given up, by which clock, and when.
 *
 * Another machine is a process of its own, with clocks of its own. */
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/document/document.h"
#include "store/document/job.h"
#include "store/idempotency.h"
#include "store_help.h"

enum { DAY_MS = 24 * 3600 * 1000 };

static enum footnote_status status_of(const char *id)
{
    return message_of(ANN, id).status;
}

/* As if the processes that hold something had run in another container. */
static void move_holders(void)
{
    sql_do("UPDATE answer_lease SET node = replace(node, 'pid:[', 'pid:[9')");
    sql_do(
        "UPDATE answer_word_log SET node = replace(node, 'pid:[', 'pid:[9')");
    sql_do("UPDATE ingest_job SET node = replace(node, 'pid:[', 'pid:[9')");
    sql_do("UPDATE node SET life = replace(life, 'pid:[', 'pid:[9')");
}

static void begin_one(void)
{
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);

    append(ANN, &op.answer, "so far");
}

/* A document that waits to be read in; what reads it. */
static struct job_claim claim_one(void)
{
    struct document_put put = {
        .document = {.id = STR("d"),
                     .course = STR("physics"),
                     .kind = DOCUMENT_SLIDES,
                     .filename = STR("a.pdf"),
                     .has_bytes = true,
                     .bytes = 5,
                     .object_key = STR("kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk")},
        .queue = true};
    struct job_claim c = {.out = &out};

    course_make(ANN, "physics");
    WRITE(ANN, document_put, &put);
    CHECK_OK(store_own(st, OP(job_claim), &c, &err), &err);
    CHECK(c.found);
    return c;
}

/* ---- Clocks ------------------------------------------------------------- */

/* Opens the database on a machine whose clocks differ; its first sweep ends
 * what it takes for dead. */
static void open_elsewhere(int64_t ahead_ms)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        struct store *other = NULL;

        if (test_is_postgres())
            clock_ahead(ahead_ms);
        else /* this one has the same monotonic clock */
            clock_set_ahead(ahead_ms);
        if (store_open(test_url(), &other, &err) != FOOTNOTE_OK)
            _exit(1);
        store_close(other);
        _exit(0);
    }
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK_INT(status, 0);
}

STORED(life_a_node_with_another_clock_ends_nothing_of_others)
{
    const int64_t aheads[] = {90 * 1000, -90 * 1000, DAY_MS, -DAY_MS,
                              (int64_t)3650 * DAY_MS};
    struct answer_begin op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct job_claim c = claim_one();
    struct job_step step = {.job = &c.job};

    for (size_t i = 0; i < sizeof(aheads) / sizeof(aheads[0]); i++) {
        open_elsewhere(aheads[i]);
        CHECK_INT(status_of("a"), FOOTNOTE_STREAMING);
        append(ANN, &op.answer, ".");
        CHECK_OK(store_own(st, OP(job_step), &step, &err), &err);
    }
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
}

/* Both see the other's lease by a clock that jumps. */
STORED(life_a_wall_clock_that_is_set_ends_and_holds_nothing)
{
    struct answer_begin ours = begin(ANN, "s", "q", "a", ANSWER_NEW), theirs;
    struct store *other, *first = st;

    CHECK_OK(store_open(test_url(), &other, &err), &err);
    st = other;
    theirs = begin(ANN, "t", "q2", "b", ANSWER_NEW);
    st = first;
    for (int i = -2; i <= 2; i++) {
        clock_set_ahead(i * (int64_t)DAY_MS);
        time_passes(5 * 1000);
        help_sweep();
        append(ANN, &ours.answer, ".");
        append(ANN, &theirs.answer, ".");
    }
    store_close(other);
    CHECK_INT(status_of("a"), FOOTNOTE_STREAMING);
    CHECK_INT(status_of("b"), FOOTNOTE_INTERRUPTED);
    move_holders();
    time_passes(STORE_LEASE_MS);
    help_sweep();
    CHECK_INT(status_of("a"), FOOTNOTE_INTERRUPTED);
}

/* It is looked for old ones every ten minutes. */
STORED(life_a_wall_clock_that_is_set_forgets_no_key)
{
    struct key_claim key = {.scope = STR("s"), .key = STR("k")};

    WRITE(ANN, key_claim, &key);
    for (int i = -2; i <= 2; i++) {
        clock_set_ahead(i * (int64_t)DAY_MS);
        clock_ahead((i + 3) * (int64_t)660 * 1000);
        help_sweep();
        CHECK_INT(sql_i64("SELECT count(*) FROM idempotency_key"), 1);
    }
}

/* The same to us as if our own went back: all is late by the new time, and
 * nobody has had the time to renew. */
TEST(postgres_life_a_database_whose_clock_is_set_ends_nothing)
{
    contract_engine("postgres");
    help_open();
    begin_one();
    move_holders();
    clock_ahead(90 * 1000);
    help_sweep();
    time_passes(90 * 1000);
    help_sweep();
    CHECK_INT(status_of("a"), FOOTNOTE_STREAMING);
    help_reopen(); /* one that has always known this time */
    CHECK_INT(status_of("a"), FOOTNOTE_INTERRUPTED);
    help_close();
}

/* A machine that was switched off begins its monotonic clock anew. */
TEST(sqlite_life_a_lease_of_before_the_boot_has_run_out)
{
    struct message_save open = saved("s", "own", FOOTNOTE_ASSISTANT, "So far");

    contract_engine("sqlite");
    help_open();
    open.message.status = FOOTNOTE_STREAMING;
    WRITE(ANN, message_save, &open);
    help_reopen();
    CHECK_INT(status_of("own"), FOOTNOTE_STREAMING);
    time_passes(-DAY_MS);
    help_reopen();
    CHECK_INT(status_of("own"), FOOTNOTE_INTERRUPTED);
    help_close();
}

/* ---- The folder's lock -------------------------------------------------- */

TEST(sqlite_life_who_has_the_folder_ends_what_others_held)
{
    contract_engine("sqlite");
    help_die(begin_one);
    move_holders();
    help_open();
    CHECK_INT(status_of("a"), FOOTNOTE_STREAMING); /* it may live */
    store_close(st);
    CHECK_OK(store_open_as(test_url(), &(struct store_options){.alone = true},
                           &st, &err),
             &err);
    CHECK_INT(status_of("a"), FOOTNOTE_INTERRUPTED);
    CHECK_TEXT(message_of(ANN, "a").content, STR("so far"));
    help_close();
}

/* A process that we can see may use the file by the library. */
TEST(sqlite_life_who_has_the_folder_ends_nothing_of_the_living)
{
    struct store *other;

    contract_engine("sqlite");
    help_open();
    begin_one();
    CHECK_OK(store_open_as(test_url(), &(struct store_options){.alone = true},
                           &other, &err),
             &err);
    CHECK_INT(status_of("a"), FOOTNOTE_STREAMING);
    store_close(other);
    help_close();
}

/* ---- Names -------------------------------------------------------------- */

static char said[200];

static void note(const char *sentence)
{
    snprintf(said, sizeof(said), "%s", sentence);
}

static enum footnote_rc open_named(const char *name, struct store **store)
{
    struct store_options o = {.node_name = name, .say = note};

    return store_open_as(test_url(), &o, store, &err);
}

static void live_as_one(void)
{
    store_close(st);
    CHECK_OK(open_named("one", &st), &err);
    begin_one();
    (void)claim_one();
}

/* A container is killed and started again, on another machine or not. */
CONTRACT(life_a_node_that_comes_back_ends_its_earlier_life)
{
    struct job_claim c = {.out = &out};

    help_die(live_as_one);
    move_holders();
    help_open();
    CHECK_INT(status_of("a"), FOOTNOTE_STREAMING);
    store_close(st);
    CHECK_OK(open_named("two", &st), &err);
    CHECK_INT(status_of("a"), FOOTNOTE_STREAMING);
    REFUSE(ANN, answer_begin,
           (&(struct answer_begin){
               .question = {.session = STR("s"), .content = STR("q")}}),
           FOOTNOTE_RUNNING, "is running");
    store_close(st);
    sql_do("UPDATE node SET until_ms = until_ms - 10000 WHERE name = 'one'");
    CHECK_OK(open_named("one", &st), &err);
    begin(ANN, "s", "q2", "a2", ANSWER_NEW); /* before any sweep */
    CHECK_INT(status_of("a"), FOOTNOTE_INTERRUPTED);
    CHECK_TEXT(message_of(ANN, "a").content, STR("so far"));
    clock_ahead(2000);
    help_sweep();
    CHECK_OK(store_own(st, OP(job_claim), &c, &err), &err);
    CHECK(c.found);
    CHECK_INT(c.job.attempts, 2);
    help_close();
    CHECK_INT(sql_i64("SELECT count(*) FROM node WHERE name = 'one'"), 0);
}

/* The first renews its name while the second looks. */
CONTRACT(life_of_two_living_nodes_with_one_name_the_second_is_refused)
{
    struct store *second = NULL;

    help_open();
    store_close(st);
    CHECK_OK(open_named("one", &st), &err);
    begin_one();
    CHECK_STR(said, "");
    CHECK_INT(open_named("one", &second), FOOTNOTE_BUSY);
    CHECK(!second);
    CHECK(strstr(err.text, "another server lives as one"));
    CHECK(strstr(said, "waiting to see"));
    CHECK_INT(status_of("a"), FOOTNOTE_STREAMING);
    CHECK_OK(open_named("two", &second), &err);
    store_close(second);
    help_close();
    CHECK_OK(open_named("one", &st), &err); /* at once: the first has ended */
    store_close(st);
}

/* It slept for so long that another was started in its place. */
CONTRACT(life_a_node_whose_name_was_taken_goes_on_without)
{
    struct answer_begin op;

    help_open();
    store_close(st);
    CHECK_OK(open_named("one", &st), &err);
    op = begin(ANN, "s", "q", "a", ANSWER_NEW);
    sql_do("UPDATE node SET life = 'another'");
    clock_ahead(3000);
    help_sweep();
    CHECK(strstr(said, "another server has taken"));
    finish(ANN, &op.answer, FOOTNOTE_COMPLETE);
    begin(ANN, "s", "q2", "a2", ANSWER_NEW);
    help_close();
    CHECK_INT(sql_i64("SELECT count(*) FROM node"), 1); /* the other's */
}

CONTRACT(life_a_name_that_is_too_long_is_refused)
{
    char name[102];
    struct store *store = NULL;

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    CHECK_INT(open_named(name, &store), FOOTNOTE_INVALID);
    CHECK(strstr(err.text, "node-name"));
}

/* ---- Stops -------------------------------------------------------------- */

STORED(life_a_stop_ends_the_answer_that_it_names_and_no_other)
{
    struct answer_begin old = begin(ANN, "s", "q", "a", ANSWER_NEW), next;
    struct answer_stop stop = {.session = STR("s"), .answer = STR("a")};
    struct answer_stop elsewhere = {.session = STR("t"), .answer = STR("b")};
    struct answer_stop others = {.session = STR("s"), .others = true};
    struct answer_stop any = {.session = STR("s")};

    finish(ANN, &old.answer, FOOTNOTE_COMPLETE);
    next = begin(ANN, "s", "q2", "b", ANSWER_NEW);
    begin(ANN, "t", "q3", "c", ANSWER_NEW);
    WRITE(ANN, answer_stop, &stop);
    CHECK(stop.found);
    CHECK_INT(stop.status, FOOTNOTE_COMPLETE);
    WRITE(ANN, answer_stop, &elsewhere); /* it is in another session */
    CHECK(!elsewhere.found);
    stop.answer = STR("q2"); /* a question is no answer */
    WRITE(ANN, answer_stop, &stop);
    CHECK(!stop.found);
    WRITE(ANN, answer_stop, &others); /* this process writes it */
    CHECK(!others.found);
    stop.answer = STR("b");
    WRITE(BEN, answer_stop, &stop);
    CHECK(!stop.found);
    append(ANN, &next.answer, "goes on");
    WRITE(ANN, answer_stop, &stop);
    CHECK(stop.found);
    CHECK_INT(stop.status, FOOTNOTE_STOPPED);
    CHECK_INT(status_of("b"), FOOTNOTE_STOPPED);
    WRITE(ANN, answer_stop, &any); /* nothing runs */
    CHECK(!any.found);
    CHECK_INT(status_of("c"), FOOTNOTE_STREAMING);
}
