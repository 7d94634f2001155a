/* jail_test.c - what a program in the jail can and cannot do.
 *
 * The programs are perl scripts, since perl belongs to every Debian system and
 * can try any system call.  Each is run as whoever runs the tests, and the
 * ones about what is forbidden also as an ordinary user when that is root. */
#include "base/buf.h"
#include "ingest/jail/jail.h"
#include "test.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB ((size_t)1024 * 1024)

static enum footnote_rc collect(struct str bytes, void *arg,
                                struct footnote_err *err)
{
    buf_add(arg, bytes);
    return buf_rc(arg, err);
}

static enum footnote_rc count(struct str bytes, void *arg,
                              struct footnote_err *err)
{
    (void)err;
    *(size_t *)arg += bytes.n;
    return FOOTNOTE_OK;
}

/* Runs a script with these limits; its output is added to *out. */
static struct jail_end perl(const char *script, struct jail_job limits,
                            struct buf *out)
{
    const char *argv[] = {"/usr/bin/perl", "-e", script, NULL};
    struct footnote_err err;
    struct jail_end end;

    limits.argv = argv;
    if (!limits.output) {
        limits.output = collect;
        limits.arg = out;
    }
    CHECK_OK(jail_run(&limits, &end, &err), &err);
    return end;
}

static struct jail_job usual(void)
{
    return (struct jail_job){.input = -1,
                             .wall_ms_max = 20000,
                             .cpu_s_max = 10,
                             .memory_bytes_max = 256 * MB,
                             .output_bytes_max = MB};
}

/* What the script prints. */
static const char *said(const char *script)
{
    static char text[4096];
    AUTO(buf_free) struct buf out = BUF(sizeof(text) - 1);
    struct jail_end end = perl(script, usual(), &out);

    if (end.how != JAIL_EXITED || end.status != 0)
        FAIL("%s: how %d, status %d, said %s", script, (int)end.how, end.status,
             end.error_output);
    memcpy(text, out.p ? out.p : "", out.n);
    text[out.n] = '\0';
    return text;
}

enum { NO_OTHER_USER = 99 }; /* root may be the only one in a container */

/* Runs fn as nobody in particular. */
static void as_ordinary_user(void (*fn)(void))
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        if (geteuid() == 0 &&
            (setgroups(0, NULL) || setresgid(4242, 4242, 4242) ||
             setresuid(4242, 4242, 4242)))
            _exit(NO_OTHER_USER);
        fn();
        _exit(0);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == NO_OTHER_USER);
}

/* --- A program works in there -----------------------------------------------
 */

TEST(jail_gives_stdin_and_takes_stdout_in_order)
{
    AUTO(buf_free) struct buf out = BUF(4 * MB);
    int fd = memfd_create("input", MFD_CLOEXEC);
    struct jail_job job = usual();

    for (int i = 0; i < 200000; i++)
        CHECK_INT(dprintf(fd, "%06d\n", i), 7);
    job.input = fd; /* at its end: the program gets it from its start */
    job.output_bytes_max = 4 * MB;
    struct jail_end end = perl("print while <STDIN>", job, &out);
    CHECK_INT(end.how, JAIL_EXITED);
    CHECK_INT(end.output_bytes, 1400000);
    CHECK_INT(out.n, 1400000);
    CHECK(memcmp(out.p + out.n - 7, "199999\n", 7) == 0);
    close(fd);
}

TEST(jail_tells_status_and_what_was_said)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    struct jail_end end =
        perl("print STDERR 'no such thing'; exit 5", usual(), &out);

    CHECK_INT(end.how, JAIL_EXITED);
    CHECK_INT(end.status, 5);
    CHECK_STR(end.error_output, "no such thing");
}

TEST(jail_keeps_only_the_start_of_what_is_said)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    struct jail_end end = perl("print STDERR 'x' x 300000", usual(), &out);

    CHECK_INT(end.status, 0);
    CHECK_INT(strlen(end.error_output), JAIL_ERROR_BYTES - 1);
}

TEST(jail_names_a_program_that_is_not_there)
{
    const char *argv[] = {"/usr/bin/no-such-program", NULL};
    struct jail_job job = usual();
    struct footnote_err err;
    struct jail_end end;

    job.argv = argv;
    job.output = count;
    CHECK_INT(jail_run(&job, &end, &err), FOOTNOTE_INTERNAL);
    CHECK_STR(err.text, "/usr/bin/no-such-program is not installed on this "
                        "server");
}

static enum footnote_rc refuse(struct str bytes, void *arg,
                               struct footnote_err *err)
{
    (void)bytes;
    (void)arg;
    return err_set(err, FOOTNOTE_ENDED, "enough");
}

TEST(jail_ends_with_the_failure_of_its_reader)
{
    const char *argv[] = {"/usr/bin/perl", "-e", "$|=1; print 'x' while 1",
                          NULL};
    struct jail_job job = usual();
    struct footnote_err err;
    struct jail_end end;

    job.argv = argv;
    job.output = refuse;
    CHECK_INT(jail_run(&job, &end, &err), FOOTNOTE_ENDED);
    CHECK_STR(err.text, "enough");
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static enum footnote_rc enough_the_third_time(void *arg,
                                              struct footnote_err *err)
{
    return ++*(int *)arg < 3 ? FOOTNOTE_OK
                             : err_set(err, FOOTNOTE_ENDED, "enough");
}

/* It says nothing and uses no time, so that only the question can end it. */
TEST(jail_asks_whether_a_silent_program_goes_on)
{
    const char *argv[] = {"/usr/bin/perl", "-e", "sysread STDIN, my $x, 1",
                          NULL};
    struct jail_job job = usual();
    struct footnote_err err;
    struct jail_end end;
    int asked = 0, ends[2]; /* of a pipe that nobody writes to */

    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    job.argv = argv;
    job.input = ends[0];
    job.output = count;
    job.goes_on = enough_the_third_time;
    job.arg = &asked;
    CHECK_INT(jail_run(&job, &end, &err), FOOTNOTE_ENDED);
    CHECK_STR(err.text, "enough");
    CHECK_INT(asked, 3);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* --- What is forbidden ------------------------------------------------------
 */

static void no_network(void)
{
    CHECK_STR(said("print socket(S, 2, 1, 0) ? 'open' : 'refused'"), "refused");
    CHECK_STR(said("print socket(S, 1, 1, 0) ? 'open' : 'refused'"), "refused");
    CHECK_STR(said("print socketpair(S, T, 1, 1, 0) ? 'open' : 'refused'"),
              "refused");
}

TEST(jail_has_no_network)
{
    no_network();
    as_ordinary_user(no_network);
}

static void no_processes(void)
{
    CHECK_STR(said("print defined(fork) ? 'forked' : 'refused'"), "refused");
    AUTO(buf_free) struct buf out = BUF(MB);
    struct jail_end end = perl("exec '/usr/bin/true'", usual(), &out);
    CHECK_INT(end.how, JAIL_DIED);
    CHECK_INT(end.status, SIGSYS);
}

TEST(jail_has_no_other_process_and_no_second_program)
{
    no_processes();
    as_ordinary_user(no_processes);
}

/* execveat by hand: the call is there, but not for these addresses. */
TEST(jail_lets_only_its_own_exec_through)
{
    CHECK_STR(said("open F, '<', '/usr/bin/true' or die;"
                   "my ($p, $a, $e) = (\"\\0\", pack('Q', 0), pack('Q', 0));"
                   "my $r = syscall(322, fileno(F), $p, $a, $e, 0x1000);"
                   "print $r < 0 ? 'refused' : 'ran'"),
              "refused");
}

/* ENOSYS shows that it is the filter which refuses, and not only the rights of
 * a file. */
static void no_writing(void)
{
    static const char *const tries[] = {
        "open(F, '>', '/tmp/x')",
        "open(F, '>', 'x')",
        "open(F, '+<', '/dev/null')",
        "open(F, '>>', '/dev/null')",
        "mkdir('x')",
        "unlink('/usr/bin/perl')",
        "rename('/usr', '/x')",
        "symlink('/usr', 'x')",
        "chmod(0777, '/usr')",
        "truncate('/dev/null', 0)",
    };

    for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
        char script[128];
        snprintf(script, sizeof(script),
                 "print %s ? 'done' : $!{ENOSYS} ? "
                 "'filter' : $!",
                 tries[i]);
        CHECK_STR(said(script), "filter");
    }
}

TEST(jail_writes_no_files)
{
    no_writing();
    as_ordinary_user(no_writing);
}

TEST(jail_cannot_trace_or_kill)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    char script[64];

    snprintf(script, sizeof(script), "print kill(9, %d) ? 'killed' : 'refused'",
             (int)getpid());
    CHECK_STR(said(script), "refused");
    struct jail_end end = perl("syscall(101, 16, 1, 0, 0)", usual(), &out);
    CHECK_INT(end.how, JAIL_DIED);
    CHECK_INT(end.status, SIGSYS);
}

static bool can_unshare(void)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        _exit(unshare(CLONE_NEWNS | CLONE_NEWNET |
                      (geteuid() ? CLONE_NEWUSER : 0)) != 0);
    CHECK(waitpid(pid, &status, 0) == pid);
    return status == 0;
}

static void no_files(void)
{
    if (!can_unshare())
        return;
    CHECK_STR(said("print join ' ', grep -e, qw(/empty /usr /etc /etc/fonts "
                   "/etc/passwd /etc/hosts /proc /sys /home /root /tmp /run)"),
              "/empty /usr /etc /etc/fonts");
}

TEST(jail_sees_no_files_of_the_machine)
{
    if (!can_unshare()) {
        printf(TEST_SKIPPED "this machine allows no namespaces\n");
        return;
    }
    no_files();
    as_ordinary_user(no_files);
}

static void reads_what_it_needs(void)
{
    if (!can_unshare())
        return;
    umask(077); /* as a server has it */
    CHECK_STR(said("print join ' ', grep { open F, '<', $_ } "
                   "qw(/etc/ld.so.cache /usr/bin/perl /dev/null)"),
              "/etc/ld.so.cache /usr/bin/perl /dev/null");
}

TEST(jail_opens_what_it_needs_under_any_umask)
{
    reads_what_it_needs();
    as_ordinary_user(reads_what_it_needs);
}

/* A large one, which has no name. */
static void opens_its_input(void)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    int fd = memfd_create("input", MFD_CLOEXEC);
    struct jail_job job = usual();

    if (!can_unshare())
        return;
    umask(077);
    for (int i = 0; i < 200000; i++)
        CHECK_INT(dprintf(fd, "%06d\n", i), 7);
    job.input = fd;
    job.input_is_file = true;
    perl("open F, '<', '/dev/stdin' or die $!; seek F, -7, 2;"
         "print scalar(<STDIN>), <F>, -s F, open(F, '+<', '/dev/stdin')",
         job, &out);
    CHECK_TEXT(buf_str(&out), STR("000000\n199999\n1400000"));
    close(fd);
}

TEST(jail_input_can_be_opened_by_its_name)
{
    opens_its_input();
    as_ordinary_user(opens_its_input);
}

TEST(jail_input_has_no_name_unless_asked)
{
    if (can_unshare())
        CHECK_STR(said("print -e '/dev/stdin' ? 'there' : 'not there'"),
                  "not there");
}

/* It tells what it has, so that an operator can be told. */
TEST(jail_tells_which_layers_it_has)
{
    AUTO(buf_free) struct buf out = BUF(100);
    struct jail_end end = perl("print 1", usual(), &out);
    bool namespaces = can_unshare();

    CHECK_INT((end.layers & JAIL_LAYER_NAMESPACES) != 0, namespaces);
    CHECK_INT((end.layers & JAIL_LAYER_ROOT) != 0, namespaces);
    CHECK_INT((end.layers & JAIL_LAYER_RULES) != 0,
              syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 0);
}

/* Without namespaces it is Landlock that refuses. */
TEST(jail_reads_only_what_it_needs)
{
    if (!can_unshare() &&
        syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 0) {
        printf(TEST_SKIPPED
               "this kernel has neither Landlock nor namespaces\n");
        return;
    }
    CHECK_STR(said("print open(F, '<', '/etc/passwd') ? 'open' : 'refused'"),
              "refused");
    CHECK_STR(said("print open(F, '<', '/usr/bin/perl') ? 'open' : 'refused'"),
              "open");
}

TEST(jail_has_an_empty_environment)
{
    setenv("SECRET", "canary", 1);
    CHECK_STR(said("print join ',', keys %ENV"), "");
}

TEST(jail_does_not_see_descriptors_of_its_parent)
{
    int canary = open("/etc/passwd", O_RDONLY); /* not even close-on-exec */

    CHECK(canary >= 0 && dup2(canary, 77) == 77 && dup2(canary, 20) == 20);
    CHECK_STR(said("my @open; for my $fd (0 .. 300) {"
                   " push @open, $fd if open(my $f, '<&', $fd) }"
                   "print \"@open\""),
              "0 1 2");
}

TEST(jail_is_nobody_and_has_no_rights)
{
    if (geteuid() != 0) {
        printf(TEST_SKIPPED "only root has rights to lose\n");
        return;
    }
    CHECK_STR(said("print \"$< $> $(\""), "65534 65534 65534");
}

/* --- Limits -----------------------------------------------------------------
 */

TEST(jail_ends_a_memory_bomb)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    struct jail_job job = usual();

    job.memory_bytes_max = 64 * MB;
    struct jail_end end =
        perl("my @a; push @a, 'x' x 1000000 while 1", job, &out);
    CHECK(end.how == JAIL_DIED || (end.how == JAIL_EXITED && end.status != 0));
}

TEST(jail_kills_when_the_time_is_over)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    struct jail_job job = usual();

    job.wall_ms_max = 150;
    struct jail_end end = perl("$|=1; print 'x'; select undef, undef, undef, "
                               "0.01 while 1",
                               job, &out);
    CHECK_INT(end.how, JAIL_TIME);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* The pipes are closed and it still runs: only the time ends it. */
TEST(jail_kills_a_program_that_hides)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    struct jail_job job = usual();

    job.wall_ms_max = 150;
    struct jail_end end =
        perl("close STDOUT; close STDERR; 1 while 1", job, &out);
    CHECK_INT(end.how, JAIL_TIME);
}

TEST(jail_ends_what_uses_up_its_processor_time)
{
    AUTO(buf_free) struct buf out = BUF(MB);
    struct jail_job job = usual();

    job.cpu_s_max = 1;
    struct jail_end end = perl("$SIG{XCPU} = 'IGNORE'; 1 while 1", job, &out);
    CHECK_INT(end.how, JAIL_CPU);
}

static enum footnote_rc kill_it(struct str bytes, void *arg,
                                struct footnote_err *err)
{
    (void)arg;
    (void)err;
    CHECK(kill((pid_t)strtol(bytes.p, NULL, 10), SIGKILL) == 0);
    return FOOTNOTE_OK;
}

/* As the kernel does when the machine has no memory left. */
TEST(jail_tells_a_killed_program_from_one_out_of_time)
{
    struct jail_job job = usual();

    job.output = kill_it;
    struct jail_end end = perl("$|=1; print \"$$\\n\"; 1 while 1", job, NULL);
    CHECK_INT(end.how, JAIL_DIED);
    CHECK_INT(end.status, SIGKILL);
}

TEST(jail_ends_a_flood_of_64_mb_of_output)
{
    size_t got = 0;
    struct jail_job job = usual();

    job.output_bytes_max = 64 * MB;
    job.output = count;
    job.arg = &got;
    struct jail_end end = perl("print 'x' x 65536 while 1", job, NULL);
    CHECK_INT(end.how, JAIL_OUTPUT);
    CHECK(got <= 64 * MB && got > 63 * MB);
    CHECK_INT(end.output_bytes, got);
}

/* --- Its parent -------------------------------------------------------------
 */

static enum footnote_rc pass_on(struct str bytes, void *arg,
                                struct footnote_err *err)
{
    (void)err;
    CHECK(write(*(int *)arg, bytes.p, bytes.n) == (ssize_t)bytes.n);
    return FOOTNOTE_OK;
}

/* Gone, or a zombie that the harness has yet to collect. */
static bool is_dead(pid_t pid)
{
    char path[64], state[256] = "";

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    ssize_t n = read(fd, state, sizeof(state) - 1);
    close(fd);
    return n <= 0 || strstr(state, ") Z ") || strstr(state, ") X ");
}

/* The jailed program says its process id and goes on for ever; its parent is
 * killed. */
TEST(jail_dies_with_its_parent)
{
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    pid_t parent = fork();
    if (parent == 0) {
        struct jail_job job = usual();
        job.output = pass_on;
        job.arg = &ends[1];
        perl("$|=1; print \"$$\\n\"; 1 while 1", job, NULL);
        _exit(1);
    }
    char text[32] = "";
    CHECK(read(ends[0], text, sizeof(text) - 1) > 0);
    pid_t jailed = (pid_t)strtol(text, NULL, 10);
    CHECK(jailed > 1 && kill(jailed, 0) == 0);
    CHECK(kill(parent, SIGKILL) == 0 && waitpid(parent, NULL, 0) == parent);
    close(ends[1]);
    CHECK_INT(read(ends[0], text, sizeof(text)), 0);
    WAIT_UNTIL(is_dead(jailed));
}

static void *work(void *arg)
{
    for (int i = 0; i < 8; i++) {
        size_t got = 0;
        struct jail_job job = usual();
        job.output = count;
        job.arg = &got;
        struct jail_end end = perl("print 'x' x 100000", job, NULL);
        CHECK_INT(end.how, JAIL_EXITED);
        atomic_fetch_add((atomic_size_t *)arg, got);
    }
    return NULL;
}

static int open_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

TEST(jail_runs_from_many_threads_and_leaves_nothing)
{
    pthread_t threads[4];
    atomic_size_t got = 0;
    int before = open_files();

    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, work, &got) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK_INT(got, 4 * 8 * 100000);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    CHECK_INT(open_files(), before);
}
