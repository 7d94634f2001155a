/* ingest_test.c - kill -9 while documents are read in, and while they come.
 *
 * A child puts documents in and reads them; the parent kills it whenever a bit
 * more is stored, and starts another, until all are ready.  What is there then
 * is what an undisturbed reading gives, and every row has its object. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract.h"
#include "help/await_documents.h"
#include "help/raw_sql.h"
#include "ingest/work/ingest.h"
#include "own_store.h"
#include "store/document/document.h"
#include "store/document/job.h"
#include "store/session/course.h"

enum { PARAGRAPHS = 2500, PAGES = 1000, KILLS = 5, KILLS_SOAK = 100 };

static struct footnote_err err;
static struct arena out;

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

/* ---- A PDF of many pages ------------------------------------------------ */

struct pdf {
    struct buf b;
    size_t at[2 * PAGES + 4]; /* where each object begins */
    int n;                    /* objects so far */
};

static void object(struct pdf *p)
{
    p->at[++p->n] = p->b.n;
    buf_printf(&p->b, "%d 0 obj\n", p->n);
}

/* Objects 1 to 3 are catalogue, pages and font; each page has two more.  No two
 * pages have a line in common, or it would be left out as a heading of all. */
static void page(struct pdf *p, int number)
{
    static const char *const words[16] = {"heat",   "work", "steam",  "engine",
                                          "cold",   "warm", "piston", "water",
                                          "boiler", "coal", "wheel",  "gas",
                                          "valve",  "iron", "fire",   "smoke"};
    AUTO(buf_free) struct buf text = BUF(4096);
    unsigned n = (unsigned)number;

    buf_printf(&text, "BT /F1 24 Tf 60 460 Td (Slide %d) Tj", number);
    for (int line = 0; line < 6; line++) {
        buf_add(&text, STR(" 0 -40 Td ("));
        for (int i = 0; i < 7; i++, n = n * 1103515245 + 12345)
            buf_printf(&text, "%s ", words[(n >> 16) % 16]);
        buf_add(&text, STR(") Tj"));
    }
    buf_add(&text, STR(" ET"));
    object(p);
    buf_printf(&p->b,
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 800 540] "
               "/Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>\n"
               "endobj\n",
               p->n + 1);
    object(p);
    buf_printf(&p->b, "<< /Length %zu >>\nstream\n%.*s\nendstream\nendobj\n",
               text.n, STR_ARG(buf_str(&text)));
}

static void begin_pdf(struct pdf *p)
{
    buf_add(&p->b, STR("%PDF-1.4\n"));
    object(p);
    buf_add(&p->b, STR("<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"));
    object(p);
    buf_printf(&p->b, "<< /Type /Pages /Count %d /Kids [", PAGES);
    for (int i = 0; i < PAGES; i++)
        buf_printf(&p->b, "%d 0 R ", 4 + 2 * i);
    buf_add(&p->b, STR("] >>\nendobj\n"));
    object(p);
    buf_add(&p->b, STR("<< /Type /Font /Subtype /Type1 "
                       "/BaseFont /Helvetica >>\nendobj\n"));
}

static struct str slides(void)
{
    static struct pdf p;
    size_t table;

    p = (struct pdf){.b = BUF((size_t)64 * 1024 * 1024)};
    begin_pdf(&p);
    for (int i = 1; i <= PAGES; i++)
        page(&p, i);
    table = p.b.n;
    buf_printf(&p.b, "xref\n0 %d\n0000000000 65535 f \n", p.n + 1);
    for (int i = 1; i <= p.n; i++)
        buf_printf(&p.b, "%010zu 00000 n \n", p.at[i]);
    buf_printf(&p.b,
               "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n",
               p.n + 1, table);
    CHECK_OK(buf_rc(&p.b, &err), &err);
    return buf_str(&p.b); /* lives as long as the process */
}

/* ---- Documents ---------------------------------------------------------- */

static const char *filename = "a.md";

static enum footnote_rc put(struct store *st, struct objects *o, const char *id,
                            struct str bytes, struct footnote_err *e)
{
    struct object stored;
    struct document_put op = {.document = {.id = str_c(id),
                                           .course = STR("c"),
                                           .kind = DOCUMENT_TEXT,
                                           .filename = str_c(filename),
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

/* A child says "." for each step that it has done, and "!" at the end. */
static int steps[2];

static void say(char c)
{
    if (write(steps[1], &c, 1) != 1)
        _exit(1);
}

static char next_step(void)
{
    char c;

    CHECK_INT(read(steps[0], &c, 1), 1);
    return c;
}

static pid_t start(void (*child)(void))
{
    pid_t pid;

    fflush(NULL);
    CHECK_INT(pipe2(steps, O_CLOEXEC), 0);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        child();
        _exit(0);
    }
    close(steps[1]);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(steps[0]);
}

static int kills_of(void)
{
    return (int)test_count(KILLS, KILLS_SOAK);
}

/* ---- While it is read --------------------------------------------------- */

static bool reads, reads_to_the_end; /* in a child */

/* What it does is told when it is done.  After two batches it waits to be
 * killed, so that a parent who is late finds it still at work; the first one
 * has it killed at any point of the second. */
static void tell(const struct store_op *kind, const void *op)
{
    static int batches;
    const struct job_step *step = op;

    if (kind == OP(job_end))
        say('!');
    if (kind != OP(job_step) || step->passages_n == 0)
        return;
    say('.');
    while (!reads_to_the_end && batches > 0)
        pause();
    batches++;
}

enum footnote_rc __real_store_own(struct store *st, const struct store_op *kind,
                                  void *op, struct footnote_err *e);
enum footnote_rc __wrap_store_own(struct store *st, const struct store_op *kind,
                                  void *op, struct footnote_err *e);

enum footnote_rc __wrap_store_own(struct store *st, const struct store_op *kind,
                                  void *op, struct footnote_err *e)
{
    enum footnote_rc rc = __real_store_own(st, kind, op, e);

    if (reads && rc == FOOTNOTE_OK)
        tell(kind, op);
    return rc;
}

static void read_in(void)
{
    reads = true;
    work(own_store(), own_objects());
    for (;;)
        pause();
}

static void check_same(const struct passages_read *a,
                       const struct passages_read *b)
{
    CHECK_INT(a->passages_n, b->passages_n);
    for (size_t i = 0; i < a->passages_n; i++) {
        CHECK_INT(a->passages[i].position, b->passages[i].position);
        CHECK_TEXT(a->passages[i].text, b->passages[i].text);
        CHECK_TEXT(a->passages[i].heading, b->passages[i].heading);
        CHECK(str_eq(a->passages[i].boxes, b->passages[i].boxes));
    }
}

static void prepare(struct str bytes)
{
    struct course_put course = {.id = STR("c")};
    struct store *st = own_store();
    struct objects *o = own_objects();
    struct ingest *in = work(st, o);

    CHECK_OK(store_write(st, ann(), OP(course_put), &course, &err), &err);
    documents_watch(st);
    CHECK_OK(put(st, o, "whole", bytes, &err), &err);
    documents_await(1);
    ingest_close(in);
    CHECK_OK(put(st, o, "d", bytes, &err), &err);
    store_close(st);
    objects_close(o);
}

/* Kills whoever reads it each time that more is stored; the last one is let
 * go on to the end.  The document is not to blame. */
static int kill_readers(void)
{
    int kills = 0;
    char step = '.';

    while (step != '!') {
        pid_t pid;

        reads_to_the_end = kills >= kills_of();
        pid = start(read_in);
        do
            step = next_step();
        while (reads_to_the_end && step == '.');
        end(pid);
        kills++;
    }
    return kills;
}

static void check_killed(struct str bytes, size_t passages_min)
{
    struct passages_read whole, killed;
    struct store *st;

    prepare(bytes);
    CHECK(kill_readers() > 2);
    st = own_store();
    CHECK_INT(look(st, "d").status, DOCUMENT_READY);
    CHECK_INT(look(st, "d").pages, look(st, "whole").pages);
    whole = passages(st, "whole", 1);
    killed = passages(st, "d", 1);
    CHECK(whole.passages_n >= passages_min);
    check_same(&whole, &killed);
    store_close(st);
}

CONTRACT_LIMIT(kill_9_while_reading_in_ends_with_the_same_passages, 120)
{
    out = ARENA((size_t)1024 * 1024 * 1024);
    check_killed(text(PARAGRAPHS), 1000);
    arena_free(&out);
}

CONTRACT_LIMIT(kill_9_while_reading_1000_pages_ends_with_the_same_passages, 120)
{
    struct str bytes = slides();

    out = ARENA((size_t)1024 * 1024 * 1024);
    filename = "slides.pdf";
    check_killed(bytes, PAGES / 2);
    free((void *)(uintptr_t)bytes.p);
    arena_free(&out);
}

/* ---- While it comes ----------------------------------------------------- */

static void put_for_ever(void)
{
    struct course_put course = {.id = STR("c")};
    struct store *st = own_store();
    struct objects *o = own_objects();
    struct footnote_err e;

    if (store_write(st, ann(), OP(course_put), &course, &e) != FOOTNOTE_OK)
        _exit(1);
    for (int i = 0;; i++) {
        char id[32];

        snprintf(id, sizeof(id), "%d-%d", (int)getpid(), i);
        if (put(st, o, id, text(1 + i % 300), &e) != FOOTNOTE_OK)
            _exit(1);
        say('.');
    }
}

static long long rows(void)
{
    return raw_number(test_is_postgres()
                          ? "SELECT count(*) FROM footnote.object"
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
    store_close(own_store());
    objects_close(own_objects());
}

CONTRACT_LIMIT(kill_9_while_documents_come_leaves_no_row_without_object, 120)
{
    struct store *st;
    struct objects *o;

    out = ARENA((size_t)1024 * 1024 * 1024);
    make_places();
    for (int i = 0; i < kills_of(); i++) {
        pid_t pid = start(put_for_ever);

        for (int k = 0; k < 5; k++)
            CHECK_INT(next_step(), '.');
        end(pid);
    }
    st = own_store();
    o = own_objects();
    check_objects(st, o);
    store_close(st);
    objects_close(o);
    arena_free(&out);
}
