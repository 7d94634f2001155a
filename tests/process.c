/* process.c - a test cannot harm the next one.
 *
 *     harness ---> supervisor ---> test ---> whatever it starts
 *
 * The supervisor is a "subreaper": processes that the test started and left,
 * daemons among them, become its children and are killed before it ends. */
#include "process.h"
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_S = 60, AFTER_MAX = 4, NOTE_BYTES = 256 };

static char folder[256];
static bool in_process;
static char *note;
static int limit_ms; /* of the test that runs */
static void (*after[AFTER_MAX])(void);
static size_t after_n;

/* --- For tests: test.h says what these do --------------------------------- */

const char *test_dir(void)
{
    static bool made;
    if (!made && mkdir(folder, 0755) != 0)
        FAIL("cannot make %s", folder);
    made = true;
    return folder;
}

void test_after(void (*fn)(void))
{
    if (after_n == AFTER_MAX)
        abort();
    after[after_n++] = fn;
}

char *test_note(void)
{
    return note;
}

int64_t test_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

int test_slow(void)
{
    const char *slow = getenv("TEST_SLOW");
    long times = slow ? strtol(slow, NULL, 10) : 1;
    return times > 0 && times <= 1000 ? (int)times : 1;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOWER = 3 };
#else
enum { SLOWER = 1 };
#endif

unsigned test_count(unsigned quick, unsigned soak)
{
    return getenv("SOAK") ? soak : (quick + SLOWER - 1) / SLOWER;
}

int test_wait_ms(void)
{
    return limit_ms / 2;
}

void test_wait_more(int64_t from_ms, const char *what, const char *file,
                    int line)
{
    if (test_now_ms() - from_ms > test_wait_ms())
        test_fail(file, line, "waited %d s for %s", test_wait_ms() / 1000,
                  what);
    poll(NULL, 0, 1);
}

_Noreturn void test_end_failed(void)
{
    fflush(NULL);
    if (in_process)
        abort(); /* a debugger stops here */
    _exit(1);    /* other threads may be running: no exit handlers */
}

/* --- The supervisor ------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

/* The limit times TEST_SLOW: a limit is for what hangs, and machines that are
 * busy with other things or sanitizers are slow. */
static void set_up(const struct test *t, const char *dir)
{
    snprintf(folder, sizeof(folder), "%s", dir);
    limit_ms = (t->timeout_s ? t->timeout_s : LIMIT_S) * 1000 * test_slow();
    note = mmap(NULL, NOTE_BYTES, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (note == MAP_FAILED)
        abort();
}

static void tear_down(void)
{
    for (size_t i = 0; i < after_n; i++)
        after[i]();
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Blocked in the supervisor, which waits for it with a time limit. */
static void hold_sigchld(int how)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(how, &child, NULL);
}

static _Noreturn void run_child(const struct test *t)
{
    hold_sigchld(SIG_UNBLOCK);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    t->run();
    exit(0); /* not _exit: LeakSanitizer reports in an exit handler */
}

/* Waits for the test; false when its time is up.  Reaps what it left on the
 * way: to a server that starts again, a dead one must not look alive. */
static bool wait_for(pid_t pid, int64_t deadline_ms, int *status)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (;;) {
        pid_t ended = waitpid(-1, status, WNOHANG);
        if (ended == pid)
            return true;
        if (ended > 0)
            continue;
        int64_t left = deadline_ms - test_now_ms();
        if (left <= 0)
            return false;
        sigtimedwait(&child, NULL,
                     &(struct timespec){left / 1000, left % 1000 * 1000000});
    }
}

static bool passed(pid_t pid)
{
    int status = 0;
    if (!wait_for(pid, test_now_ms() + limit_ms, &status)) {
        printf("stopped: not done after %d s\n", limit_ms / 1000);
        return false;
    }
    if (WIFSIGNALED(status))
        printf("killed by signal %d (%s)\n", WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) > 1)
        printf("ended with exit status %d\n", WEXITSTATUS(status));
    return status == 0;
}

/* False when there is nothing to kill, or no way to know. */
static bool kill_children(void)
{
    char list[4096], *p = list, *end;
    FILE *f = fopen("/proc/thread-self/children", "re");
    if (!f)
        return false;
    list[fread(list, 1, sizeof(list) - 1, f)] = '\0';
    fclose(f);
    for (long pid; (pid = strtol(p, &end, 10)) > 0; p = end)
        kill((pid_t)pid, SIGKILL);
    return p != list;
}

/* Children of those killed become ours, so go on until there are none. */
static void kill_strays(pid_t group)
{
    kill(-group, SIGKILL);
    while (kill_children() && waitpid(-1, NULL, 0) > 0) {
    }
}

/* A sanitizer may have reported in a process whose exit nobody looked at. */
static bool sanitizer_reported(int out)
{
    static const char *const words[] = {"AddressSanitizer", "LeakSanitizer",
                                        "ThreadSanitizer", "runtime error: "};
    struct stat st;
    bool found = false;

    if (fstat(out, &st) != 0 || st.st_size == 0)
        return false;
    size_t n = (size_t)st.st_size;
    void *text = mmap(NULL, n, PROT_READ, MAP_SHARED, out, 0);
    if (text == MAP_FAILED)
        return true;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        found = found || memmem(text, n, words[i], strlen(words[i]));
    munmap(text, n);
    return found;
}

static _Noreturn void supervise(const struct test *t, int out)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    hold_sigchld(SIG_BLOCK);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    pid_t pid = fork();
    if (pid == 0)
        run_child(t);
    if (pid < 0)
        _exit(1);
    setpgid(pid, pid);
    bool ok = passed(pid);
    kill_strays(pid);
    tear_down();
    fflush(NULL);
    _exit(ok && !sanitizer_reported(out) ? 0 : 1);
}

pid_t process_start(const struct test *t, const char *dir, int out)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    set_up(t, dir);
    supervise(t, out);
}

void process_run_here(const struct test *t, const char *dir)
{
    in_process = true;
    set_up(t, dir);
    t->run();
    tear_down();
}
