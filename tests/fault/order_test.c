/* order_test.c - what is shown is durable before: seen from the kernel.
 *
 * strace writes down what the real program does while it answers.  For every
 * piece of text and every other event it must be: the bytes go to the database,
 * the database says that they are durable (fdatasync() returns, or the reply to
 * COMMIT is read), and only then they go to the client. */
#include <signal.h>
#include <stdlib.h>

#include "contract.h"
#include "program_turns.h"

enum { LOG_BYTES_MAX = 256 * 1024 * 1024, PIECES = 6 };

struct trace {
    struct str *lines;
    size_t n;
};

/* ---- The trace ---------------------------------------------------------- */

static struct str read_file(struct arena *a, const char *path)
{
    AUTO(buf_free) struct buf b = BUF(LOG_BYTES_MAX);
    FILE *f = fopen(path, "rb");
    char piece[64 * 1024];
    size_t n;

    CHECK(f != NULL);
    while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
        buf_add(&b, (struct str){piece, n});
    fclose(f);
    return arena_str(a, buf_str(&b));
}

static void take_lines(struct arena *a, struct str text, struct trace *t)
{
    size_t n = 1;

    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    t->lines = arena_many(a, n, struct str);
    CHECK(t->lines != NULL);
    while (text.n) {
        size_t end = str_find(text, '\n');

        t->lines[t->n++] = (struct str){text.p, end};
        text = str_skip(text, end < text.n ? end + 1 : end);
    }
}

static bool has(struct str line, const char *what)
{
    return memmem(line.p, line.n, what, strlen(what)) != NULL;
}

/* "123 pwrite64(5, ..." begins a call; "123 <... pwrite64 resumed> ..." ends
 * one that another thread's came into. */
static bool begins(struct str line, const char *call)
{
    size_t blank = str_find(line, ' ');
    struct str rest = str_skip(line, blank);

    while (rest.n && *rest.p == ' ')
        rest = str_skip(rest, 1);
    return str_starts(rest, str_c(call)) && rest.n > strlen(call) &&
           rest.p[strlen(call)] == '(';
}

static struct str thread_of(struct str line)
{
    return (struct str){line.p, str_find(line, ' ')};
}

/* A line that shows an end: of the whole call, or of its rest. */
static bool ends(struct str line, const char *call)
{
    char resumed[64];

    snprintf(resumed, sizeof(resumed), "<... %s resumed>", call);
    return has(line, resumed) ||
           (begins(line, call) && !has(line, "<unfinished ...>"));
}

/* ---- What a line means -------------------------------------------------- */

/* The bytes go to the database. */
static bool is_kept(struct str line)
{
    return test_is_postgres() ? begins(line, "sendto") && !has(line, "HTTP/1.1")
                              : begins(line, "pwrite64");
}

static bool is_durable(struct str line)
{
    if (test_is_postgres())
        return ends(line, "recvfrom") && has(line, "COMMIT\\0");
    return ends(line, "fdatasync") && has(line, "= 0");
}

/* libuv writes with these: chunks, whose size is in front or a part of its own.
 */
static bool is_shown(struct str line)
{
    return (begins(line, "write") || begins(line, "writev")) &&
           (has(line, "\\r\\ndata: ") || has(line, "{iov_base=\"data: "));
}

static size_t first_shown(const struct trace *t, const char *what)
{
    for (size_t i = 0; i < t->n; i++)
        if (is_shown(t->lines[i]) && has(t->lines[i], what))
            return i;
    FAIL("%s was never shown", what);
}

/* The first time that `what` went to the database after line `from`, and then
 * was durable; t->n: never. */
static size_t first_durable(const struct trace *t, size_t from,
                            const char *what)
{
    size_t i = from, k;

    while (i < t->n && !(is_kept(t->lines[i]) && has(t->lines[i], what)))
        i++;
    for (k = i + 1; k < t->n; k++)
        if (is_durable(t->lines[k]) &&
            str_eq(thread_of(t->lines[k]), thread_of(t->lines[i])))
            return k;
    return t->n;
}

static bool is_in_order(const struct trace *t, const char *kept,
                        const char *shown)
{
    return first_durable(t, 0, kept) < first_shown(t, shown);
}

/* ---- The test ----------------------------------------------------------- */

static bool log_has(const char *log, const char *text)
{
    AUTO(arena_free) struct arena a = ARENA(LOG_BYTES_MAX);

    return has(read_file(&a, log), text);
}

/* The tracer is no child of ours (-D), so that the program is: it has seen all
 * when it has seen its end. */
static void await_end(const char *log, pid_t pid)
{
    char end[64];

    snprintf(end, sizeof(end), "%-5d +++ killed by", (int)pid); /* padded */
    WAIT_UNTIL(log_has(log, end));
}

static void run_traced(const char *log, const char *durability)
{
    static const char *const words[] = {
        "strace", "-D",
        "-f",     "-q",
        "-s",     "200000",
        "-e",     "trace=pwrite64,fdatasync,write,writev,sendto,recvfrom",
        "-o"};
    static struct turns t;
    size_t n = 0;
    pid_t pid;

    turns_prepare(&t, test_url());
    for (; n < sizeof(words) / sizeof(words[0]); n++)
        t.program.before[n] = words[n];
    t.program.before[n] = log;
    t.program.options[0] = "--durability";
    t.program.options[1] = durability;
    program_start(&t.program);
    turns_ask(&t, 1);
    turns_read_all(&t);
    turns_check(&t, TURNS_WHOLE);
    pid = t.program.pid;
    program_end(&t.program, SIGKILL); /* strace has SIGTERM ignored */
    await_end(log, pid);
    turns_close(&t);
}

/* strace needs a permission that some machines do not give. */
static bool may_trace(void)
{
    if (system("strace -qq -o /dev/null true 2>/dev/null") == 0)
        return true;
    printf(TEST_SKIPPED "strace may not trace\n");
    return false;
}

static void trace(struct arena *a, const char *durability, struct trace *t)
{
    char log[600];

    snprintf(log, sizeof(log), "%s/strace.log", test_dir());
    run_traced(log, durability);
    take_lines(a, read_file(a, log), t);
    printf("%zu calls\n", t->n);
}

/* Pieces of text "pN [M]", each of them. */
static unsigned pieces_in_order(const struct trace *t)
{
    unsigned n = 0;

    for (int i = 0; i < PIECES; i++) {
        char piece[32];

        snprintf(piece, sizeof(piece), "p%d [%d]", i, 1 + i % 3);
        n += is_in_order(t, piece, piece);
    }
    return n;
}

/* The question is stored with the answer's row before `start`, and once more
 * as the query of the search, with its sources, before those are shown; the
 * text as a whole before `finish`. */
static void check_events(const struct trace *t)
{
    size_t asked = first_durable(t, 0, "script:short");
    size_t found = first_durable(t, asked + 1, "script:short");
    size_t whole = first_durable(t, found + 1, "p4 [2] p5 [3] ");

    CHECK(asked < first_shown(t, "\\\"start\\\""));
    CHECK(found < first_shown(t, "data-rag-source"));
    CHECK(whole < first_shown(t, "data-citations"));
    CHECK(whole < first_shown(t, "\\\"finish\\\""));
}

CONTRACT_LIMIT(order_everything_is_durable_before_it_is_shown, 120)
{
    AUTO(arena_free) struct arena a = ARENA(LOG_BYTES_MAX);
    struct trace t = {.n = 0};

    if (!may_trace())
        return;
    trace(&a, "strict", &t);
    CHECK_INT(pieces_in_order(&t), PIECES);
    check_events(&t);
}

/* The same eyes see that relaxed text is not, and that the rest is. */
CONTRACT_LIMIT(order_relaxed_text_alone_is_shown_first, 120)
{
    AUTO(arena_free) struct arena a = ARENA(LOG_BYTES_MAX);
    struct trace t = {.n = 0};

    if (!may_trace())
        return;
    trace(&a, "relaxed", &t);
    CHECK(pieces_in_order(&t) < PIECES);
    check_events(&t);
}
