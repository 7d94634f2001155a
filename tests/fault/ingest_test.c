/* ingest_test.c - kill -9 while documents are read in, and while they come.
 *
 * A child puts documents in and reads them; the parent kills it whenever a bit
 * more is stored, and starts another, until all are ready.  What is there then
 * is what an undisturbed reading gives, and every row has its object. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "contract.h"
#include "ingest/ingest.h"
#include "raw.h"

enum { PARAGRAPHS = 2500, KILLS = 5, KILLS_SOAK = 100 };

static struct footnote_err err;
static struct arena out;

static struct who ann(void)
{
    return (struct who){STR("default"), STR("ann")};
}

static struct objects *open_objects(void)
{
    struct objects *o = NULL;
    char url[600];

    snprintf(url, sizeof(url), "files:%s/objects", test_dir());
    CHECK_OK(objects_open(str_c(url), &o, &err), &err);
    return o;
}

static struct store *open_store(void)
{
    struct store *st = NULL;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    return st;
}

/* The same for the same number. */
static struct str text(int paragraphs)
{
    AUTO(buf_free) struct buf b = BUF((size_t)64 * 1024 * 1024);

    for (int i = 0; i < paragraphs; i++)
        buf_printf(&b,
                   "%sIn paragraph %d it says that heat goes from warm to "
                   "cold, and that nobody has ever seen it turn back. It says "
                   "so at some length, for the sake of a test, %d times.\n\n",
                   i % 25 ? "" : "# A chapter\n\n", i, i);
    CHECK_OK(buf_rc(&b, &err), &err);
    return arena_str(&out, buf_str(&b));
}

static enum footnote_rc put(struct store *st, struct objects *o, const char *id,
                            struct str bytes, struct footnote_err *e)
{
    struct object stored;
    struct document_put op = {.document = {.id = str_c(id),
                                           .course = STR("c"),
                                           .kind = DOCUMENT_TEXT,
                                           .filename = STR("a.md"),
                                           .has_bytes = true},
                              .queue = true};

    TRY(object_store(o, bytes, &stored, e));
    op.document.object_key = str_c(stored.key);
    op.document.digest = stored.digest;
    op.document.bytes = stored.bytes;
    return store_write(st, ann(), OP(document_put), &op, e);
}

static struct document look(struct store *st, const char *id)
{
    struct document_get get = {.id = str_c(id)};

    CHECK_OK(store_read(st, ann(), &out, OP(document_get), &get, &err), &err);
    return get.document;
}

static struct passages_read passages(struct store *st, const char *id,
                                     int64_t version)
{
    struct passages_read op = {.document = str_c(id), .version = version};

    CHECK_OK(store_read(st, ann(), &out, OP(passages_read), &op, &err), &err);
    return op;
}

static struct ingest *work(struct store *st, struct objects *o)
{
    struct ingest_options options = {.store = st, .objects = o, .workers = 1};
    struct ingest *in = NULL;

    CHECK_OK(ingest_open(&options, &in, &err), &err);
    return in;
}

static void pause_1ms(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static pid_t start(void (*child)(void))
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        child();
        _exit(0);
    }
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static int kills_of(void)
{
    return getenv("SOAK") ? KILLS_SOAK : KILLS;
}

/* ---- While it is read --------------------------------------------------- */

static void read_in(void)
{
    work(open_store(), open_objects());
    for (;;)
        pause();
}

static long long stored(void)
{
    return raw_number(test_is_postgres()
                          ? "SELECT count(*) FROM ai.passage WHERE document = "
                            "(SELECT document FROM ai.document WHERE id = 'd')"
                          : "SELECT count(*) FROM passage WHERE document = "
                            "(SELECT document FROM document WHERE id = 'd')");
}

static bool is_ready(void)
{
    return raw_number(test_is_postgres()
                          ? "SELECT status FROM ai.document WHERE id = 'd'"
                          : "SELECT status FROM document WHERE id = 'd'") >= 2;
}

static void check_same(const struct passages_read *a,
                       const struct passages_read *b)
{
    CHECK_INT(a->passages_n, b->passages_n);
    for (size_t i = 0; i < a->passages_n; i++) {
        CHECK_INT(a->passages[i].position, b->passages[i].position);
        CHECK_TEXT(a->passages[i].text, b->passages[i].text);
        CHECK_TEXT(a->passages[i].heading, b->passages[i].heading);
    }
}

static void prepare(void)
{
    struct course_put course = {.id = STR("c")};
    struct store *st = open_store();
    struct objects *o = open_objects();
    struct ingest *in = work(st, o);

    CHECK_OK(store_write(st, ann(), OP(course_put), &course, &err), &err);
    CHECK_OK(put(st, o, "whole", text(PARAGRAPHS), &err), &err);
    while (look(st, "whole").status != DOCUMENT_READY)
        pause_1ms();
    ingest_close(in);
    CHECK_OK(put(st, o, "d", text(PARAGRAPHS), &err), &err);
    store_close(st);
    objects_close(o);
}

/* A process that died three times in a row would be taken for the document's
 * fault; these died of us. */
static void forgive(void)
{
    raw_sql(test_is_postgres() ? "UPDATE ai.ingest_job SET attempts = 0"
                               : "UPDATE ingest_job SET attempts = 0");
}

CONTRACT_LIMIT(kill_9_while_reading_in_ends_with_the_same_passages, 120)
{
    struct passages_read whole, killed;
    struct store *st;
    int kills = 0;

    out = ARENA((size_t)1024 * 1024 * 1024);
    prepare();
    while (!is_ready()) {
        long long had = stored();
        pid_t pid = start(read_in);

        while (!is_ready() && (kills >= kills_of() || stored() == had))
            pause_1ms();
        end(pid);
        forgive();
        kills++;
    }
    CHECK(kills > 2);
    st = open_store();
    CHECK_INT(look(st, "d").status, DOCUMENT_READY);
    whole = passages(st, "whole", 1);
    killed = passages(st, "d", 1);
    CHECK(whole.passages_n > 1000);
    check_same(&whole, &killed);
    store_close(st);
    arena_free(&out);
}

/* ---- While it comes ----------------------------------------------------- */

static void put_for_ever(void)
{
    struct course_put course = {.id = STR("c")};
    struct store *st = open_store();
    struct objects *o = open_objects();
    struct footnote_err e;

    if (store_write(st, ann(), OP(course_put), &course, &e) != FOOTNOTE_OK)
        _exit(1);
    for (int i = 0;; i++) {
        char id[32];

        snprintf(id, sizeof(id), "%d-%d", (int)getpid(), i);
        if (put(st, o, id, text(1 + i % 300), &e) != FOOTNOTE_OK)
            _exit(1);
    }
}

static long long rows(void)
{
    return raw_number(test_is_postgres() ? "SELECT count(*) FROM ai.object"
                                         : "SELECT count(*) FROM object");
}

static void check_objects(struct store *st, struct objects *o)
{
    struct document_list list = {.course = STR("c")};

    CHECK_OK(store_read(st, ann(), &out, OP(document_list), &list, &err), &err);
    CHECK(list.documents_n > 0);
    for (size_t i = 0; i < list.documents_n; i++) {
        const struct document *d = &list.documents[i];
        AUTO(buf_free) struct buf b = BUF((size_t)64 * 1024 * 1024);
        struct object want;

        CHECK_OK(object_of(d->object_key, d->bytes, &d->digest, &want, &err),
                 &err);
        CHECK_OK(object_read(o, &want, &b, &err), &err);
    }
    CHECK_INT(rows(), (long long)list.documents_n);
}

static void make_places(void)
{
    store_close(open_store());
    objects_close(open_objects());
}

CONTRACT_LIMIT(kill_9_while_documents_come_leaves_no_row_without_object, 120)
{
    struct store *st;
    struct objects *o;

    out = ARENA((size_t)1024 * 1024 * 1024);
    make_places();
    for (int i = 0; i < kills_of(); i++) {
        long long had = rows();
        pid_t pid = start(put_for_ever);

        while (rows() < had + 5)
            pause_1ms();
        end(pid);
    }
    st = open_store();
    o = open_objects();
    check_objects(st, o);
    store_close(st);
    objects_close(o);
    arena_free(&out);
}
