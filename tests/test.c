/* test.c - registry, checks and report of the harness.
 *
 * Prints one line per file and all that a failed test printed; V=1 lists each
 * test.  TEST_JOBS tests (4) run at once.  Uses nothing of src/, so that the
 * tests of the installed library can link it. */
#include "test.h"
#include "process.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 64, SHOWN_BYTES = 64 * 1024 };

static struct test *tests;
static struct test **last = &tests;

void test_register(struct test *t)
{
    *last = t;
    last = &t->next;
}

/* --- Checks --------------------------------------------------------------- */

void test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    printf("%s:%d: ", file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    test_end_failed();
}

void test_check(bool ok, const char *what, const char *file, int line)
{
    if (!ok)
        test_fail(file, line, "%s does not hold", what);
}

void test_check_int(long long got, long long want, const char *what,
                    const char *file, int line)
{
    if (got != want)
        test_fail(file, line, "%s is %lld, not %lld", what, got, want);
}

/* The same bits: 0.0 and -0.0 differ, and NaN equals itself. */
void test_check_f64(double got, double want, const char *what, const char *file,
                    int line)
{
    uint64_t got_bits, want_bits;
    memcpy(&got_bits, &got, sizeof(got));
    memcpy(&want_bits, &want, sizeof(want));
    if (got_bits != want_bits)
        test_fail(file, line, "%s is %.17g, not %.17g", what, got, want);
}

void test_check_str(const char *got, const char *want, const char *what,
                    const char *file, int line)
{
    test_check_text(str_c(got), str_c(want), what, file, line);
}

static void print_text(const char *label, struct str s)
{
    printf("  %s: ", label);
    if (!s.p) {
        printf("absent\n");
        return;
    }
    printf("%zu bytes \"", s.n);
    for (size_t i = 0; i < s.n && i < 2000; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c >= 0x20 && c < 0x7f)
            putchar(c);
        else
            printf("\\x%02x", c);
    }
    printf("\"%s\n", s.n > 2000 ? "..." : "");
}

static size_t first_difference(struct str a, struct str b)
{
    size_t i = 0;
    while (i < a.n && i < b.n && a.p[i] == b.p[i])
        i++;
    return i;
}

void test_check_text(struct str got, struct str want, const char *what,
                     const char *file, int line)
{
    bool both = got.p && want.p;
    if (!got.p && !want.p)
        return;
    if (both && got.n == want.n &&
        (got.n == 0 || memcmp(got.p, want.p, got.n) == 0))
        return;
    print_text("got ", got);
    print_text("want", want);
    test_fail(file, line, "%s differs at byte %zu", what,
              both ? first_difference(got, want) : 0);
}

static const char *code_name(enum footnote_rc rc)
{
#define NAME(name, status, code, text) "FOOTNOTE_" #name,
    static const char *const names[] = {FOOTNOTE_RC_MAP(NAME)};
#undef NAME
    return (unsigned)rc < FOOTNOTE_RC_N ? names[rc] : "no code of ours";
}

void test_check_ok(enum footnote_rc rc, const struct footnote_err *err,
                   const char *what, const char *file, int line)
{
    if (rc != FOOTNOTE_OK)
        test_fail(file, line, "%s failed with %s: %s", what, code_name(rc),
                  err ? err->text : "");
}

/* --- Which tests ---------------------------------------------------------- */

/* A word may be several, separated by commas: one of them must be there. */
static bool has_word(const char *name, const char *word)
{
    char part[128];
    while (*word) {
        size_t n = strcspn(word, ",");
        if (n > 0 && n < sizeof(part)) {
            memcpy(part, word, n);
            part[n] = '\0';
            if (strstr(name, part))
                return true;
        }
        word += n + (word[n] == ',');
    }
    return false;
}

static bool chosen(const struct test *t, char **words)
{
    for (; *words; words++)
        if (**words == '-' ? has_word(t->name, *words + 1)
                           : !has_word(t->name, *words))
            return false;
    return true;
}

/* --- Running and reporting ------------------------------------------------ */

/* One file's tests; they register together. */
struct file {
    const char *name;
    int left, passed, failed;
    int64_t start_ms;
};
struct job {
    const struct test *test;
    struct file *file;
    pid_t pid;
    int out;
    int64_t start_ms;
};
static struct run {
    char **words;
    char dir[200];
    bool verbose;
    const struct test *next;
    struct file *files, *file; /* all, and the one that `next` is in */
    int started, passed, failed;
} run;

/* Counts each file's chosen tests, in the order of registration. */
static void plan(void)
{
    size_t n = 1;
    for (const struct test *t = tests; t; t = t->next)
        n++;
    run.files = calloc(n, sizeof(*run.files));
    if (!run.files)
        abort();
    struct file *f = run.files;
    for (const struct test *t = tests; t; t = t->next) {
        if (f->name && strcmp(f->name, t->file) != 0)
            f++;
        f->name = t->file;
        f->left += chosen(t, run.words);
    }
    run.file = run.files;
    run.next = tests;
}

/* The next chosen test, or NULL; moves run.file along. */
static const struct test *take_test(void)
{
    while (run.next && !chosen(run.next, run.words))
        run.next = run.next->next;
    const struct test *t = run.next;
    if (!t)
        return NULL;
    run.next = t->next;
    while (strcmp(run.file->name, t->file) != 0)
        run.file++;
    return t;
}

static void start(struct job *j, const struct test *t)
{
    char dir[256];
    snprintf(dir, sizeof(dir), "%s/%d", run.dir, ++run.started);
    if (run.file->start_ms == 0)
        run.file->start_ms = test_now_ms();
    j->test = t;
    j->file = run.file;
    j->start_ms = test_now_ms();
    j->out = memfd_create("test", MFD_CLOEXEC);
    j->pid = process_start(t, dir, j->out);
    if (j->out < 0 || j->pid < 0) {
        perror("cannot start a test");
        exit(1);
    }
}

/* The end of the output is what tells why. */
static void show_output(int out)
{
    char part[4096];
    off_t size = lseek(out, 0, SEEK_END);
    off_t from = size > SHOWN_BYTES ? size - SHOWN_BYTES : 0;
    ssize_t n;
    while ((n = pread(out, part, sizeof(part), from)) > 0) {
        fwrite(part, 1, (size_t)n, stdout);
        from += n;
    }
}

/* Nobody overlooks a test that could not be run: it is shown, not counted. */
static bool was_skipped(int out)
{
    char head[sizeof(TEST_SKIPPED) - 1];

    return pread(out, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
           memcmp(head, TEST_SKIPPED, sizeof(head)) == 0;
}

/* What a test took of the processor, with all its processes, in seconds. */
static double cpu_s(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

static void finish(struct job *j, int status, const struct rusage *used)
{
    struct file *f = j->file;
    bool ok = status == 0;
    bool skipped = ok && was_skipped(j->out);

    if (!skipped) {
        ok ? f->passed++ : f->failed++;
        ok ? run.passed++ : run.failed++;
    }
    if (!ok || skipped)
        printf("%s %s (%s)\n", ok ? "SKIP" : "FAIL", j->test->name, f->name);
    else if (run.verbose)
        printf("ok   %-60s %6.2f s, cpu %6.2f s\n", j->test->name,
               (double)(test_now_ms() - j->start_ms) / 1000, cpu_s(used));
    if (!ok || skipped)
        show_output(j->out);
    if (--f->left == 0)
        printf("  %-44s %4d passed %4d failed %7.1f s\n", f->name, f->passed,
               f->failed, (double)(test_now_ms() - f->start_ms) / 1000);
    fflush(stdout);
    close(j->out);
    *j = (struct job){0};
}

static struct job *find(struct job *jobs, int n, pid_t pid)
{
    for (int i = 0; i < n; i++)
        if (jobs[i].pid == pid)
            return &jobs[i];
    return NULL;
}

static void run_all(int jobs_n)
{
    struct job jobs[JOBS_MAX] = {0};
    struct rusage used;
    int running = 0, status;

    for (;;) {
        const struct test *t;
        while (running < jobs_n && (t = take_test())) {
            start(find(jobs, jobs_n, 0), t);
            running++;
        }
        if (running == 0)
            return;
        pid_t pid = wait4(-1, &status, 0, &used);
        struct job *j = pid > 0 ? find(jobs, jobs_n, pid) : NULL;
        if (j) {
            finish(j, status, &used);
            running--;
        }
    }
}

static void run_here(void)
{
    const struct test *t;
    char dir[256];
    while ((t = take_test())) {
        printf("%s\n", t->name);
        snprintf(dir, sizeof(dir), "%s/%d", run.dir, ++run.started);
        process_run_here(t, dir);
        run.passed++;
    }
}

static int number_from(const char *name, int otherwise, int max)
{
    const char *text = getenv(name);
    long n = text ? strtol(text, NULL, 10) : 0;
    return n > 0 && n <= max ? (int)n : otherwise;
}

static void make_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(run.dir, sizeof(run.dir), "%s/footnote-test-XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    /* Others may pass: PostgreSQL runs as another user than root. */
    if (!mkdtemp(run.dir) || chmod(run.dir, 0755) != 0) {
        perror(run.dir);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    run.words = argv + 1;
    run.verbose = number_from("V", 0, 1) == 1;
    make_folder();
    plan();
    if (number_from("TEST_NOFORK", 0, 1))
        run_here();
    else
        run_all(number_from("TEST_JOBS", 4, JOBS_MAX));
    rmdir(run.dir);
    free(run.files);
    printf("%d passed, %d failed\n", run.passed, run.failed);
    return run.failed == 0 && run.passed > 0 ? 0 : 1;
}
