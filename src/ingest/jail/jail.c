/* jail.c - the caller's side of a jail: start, read, kill, wait.
 *
 * The child has a process descriptor, so that one poll() waits for its output,
 * its end and the deadline.  Every outcome ends the same way: kill what is
 * left, then wait for it. */
#include "ingest/jail/jail.h"
#include "base/clock.h"
#include "ingest/jail/plan.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_BYTES = 64 * 1024 };

enum { OUTPUT, ERRORS, REPORT, PIPES };

/* A running child. */
struct jail_process {
    const struct jail_job *job;
    struct jail_end *end;
    struct jail_report report;
    pid_t pid;
    int process; /* descriptor: readable when the child has ended */
    int pipes[PIPES];
    int64_t deadline_ms, look_ms; /* look_ms: the next call of goes_on */
    size_t errors_n;
    bool ended;
};

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Fit for AUTO.  Kills the session too, although the filter forbids the child
 * to have children. */
static void jail_process_end(struct jail_process *r)
{
    if (r->pid > 0) {
        kill(-r->pid, SIGKILL);
        kill(r->pid, SIGKILL);
        while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close_fd(&r->process);
    for (int i = 0; i < PIPES; i++)
        close_fd(&r->pipes[i]);
}

static bool open_pipe(int *ours, int *theirs)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *ours = ends[0];
    *theirs = ends[1];
    return true;
}

/* Signals are blocked during the fork, so that no handler of the caller runs in
 * the child.  _Fork() does not run the fork handlers of libraries either. */
static pid_t fork_child(const struct jail_plan *plan)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = _Fork();
    if (pid == 0)
        jail_child(plan);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static enum footnote_rc jail_process_start(struct jail_process *r,
                                           struct footnote_err *err)
{
    AUTO(jail_plan_free) struct jail_plan plan;
    const char *name = r->job->argv[0];

    TRY(jail_plan_init(&plan, r->job, err));
    plan.input = r->job->input >= 0 ? fcntl(r->job->input, F_DUPFD_CLOEXEC, 0)
                                    : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (plan.input < 0 || !open_pipe(&r->pipes[OUTPUT], &plan.output) ||
        !open_pipe(&r->pipes[ERRORS], &plan.error_output) ||
        !open_pipe(&r->pipes[REPORT], &plan.report))
        return err_set(err, FOOTNOTE_BUSY, "no file left to run %s", name);
    r->pid = fork_child(&plan);
    if (r->pid < 0)
        return err_set(err, FOOTNOTE_BUSY, "no process left to run %s", name);
    r->process = pidfd_open(r->pid, 0);
    if (r->process < 0)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "the kernel gives no descriptor of a process");
    return FOOTNOTE_OK;
}

/* --- While it runs ----------------------------------------------------------
 */

static enum footnote_rc pass_output(struct jail_process *r, struct str bytes,
                                    struct footnote_err *err)
{
    struct jail_end *end = r->end;
    size_t room = r->job->output_bytes_max - end->output_bytes;

    assert(end->output_bytes <= r->job->output_bytes_max);
    if (bytes.n > room) {
        end->how = JAIL_OUTPUT;
        r->ended = true;
        return FOOTNOTE_OK;
    }
    end->output_bytes += bytes.n;
    return r->job->output(bytes, r->job->arg, err);
}

static enum footnote_rc read_pipe(struct jail_process *r, int which,
                                  struct footnote_err *err)
{
    char bytes[READ_BYTES];
    assert(which >= 0 && which < PIPES && r->pipes[which] >= 0);
    ssize_t n = read(r->pipes[which], bytes, sizeof(bytes));

    if (n < 0 && errno == EINTR)
        return FOOTNOTE_OK;
    if (n <= 0) {
        close_fd(&r->pipes[which]);
        return FOOTNOTE_OK;
    }
    struct str s = {bytes, (size_t)n};
    if (which == OUTPUT)
        return pass_output(r, s, err);
    if (which == ERRORS) {
        size_t room = JAIL_ERROR_BYTES - 1 - r->errors_n;
        size_t kept = s.n < room ? s.n : room;
        memcpy(r->end->error_output + r->errors_n, s.p, kept);
        r->errors_n += kept;
        r->end->error_output[r->errors_n] = '\0';
    } else { /* the last report counts; a pipe keeps small writes whole */
        assert(s.n % sizeof(r->report) == 0);
        memcpy(&r->report, s.p + s.n - sizeof(r->report), sizeof(r->report));
        r->end->layers |= r->report.layers;
    }
    return FOOTNOTE_OK;
}

/* Asks whether it goes on, when it is time to; how long poll() may wait. */
static enum footnote_rc look(struct jail_process *r, int64_t now_ms,
                             int *wait_ms, struct footnote_err *err)
{
    int64_t left = r->deadline_ms - now_ms;

    if (r->job->goes_on && now_ms >= r->look_ms) {
        TRY(r->job->goes_on(r->job->arg, err));
        r->look_ms = now_ms + JAIL_LOOK_MS;
    }
    if (r->job->goes_on && left > JAIL_LOOK_MS)
        left = JAIL_LOOK_MS;
    *wait_ms = left < 60000 ? (int)left : 60000;
    return FOOTNOTE_OK;
}

/* Waits for one event.  poll() ignores descriptors that are -1.  The end of the
 * process counts only when its pipes are closed: all that it wrote is read. */
static enum footnote_rc wait_for_event(struct jail_process *r,
                                       struct footnote_err *err)
{
    struct pollfd fds[PIPES + 1];
    int64_t now_ms = clock_mono_ms();
    bool open = false;
    int wait_ms;

    if (now_ms >= r->deadline_ms) {
        r->end->how = JAIL_TIME;
        r->ended = true;
        return FOOTNOTE_OK;
    }
    TRY(look(r, now_ms, &wait_ms, err));
    for (int i = 0; i < PIPES; i++) {
        fds[i] = (struct pollfd){.fd = r->pipes[i], .events = POLLIN};
        open = open || r->pipes[i] >= 0;
    }
    fds[PIPES] = (struct pollfd){open ? -1 : r->process, POLLIN, 0};
    if (poll(fds, PIPES + 1, wait_ms) < 0)
        return errno == EINTR ? FOOTNOTE_OK
                              : err_set(err, FOOTNOTE_INTERNAL,
                                        "waiting for a program failed");
    for (int i = 0; i < PIPES && !r->ended; i++)
        if (fds[i].fd >= 0 && fds[i].revents)
            TRY(read_pipe(r, i, err));
    if (fds[PIPES].revents)
        r->ended = true;
    return FOOTNOTE_OK;
}

/* --- Its end ----------------------------------------------------------------
 */

static const char *const step_names[] = {
    [JAIL_STEP_NONE] = "nothing",
    [JAIL_STEP_FILES] = "its files",
    [JAIL_STEP_LIMITS] = "its limits",
    [JAIL_STEP_USER] = "giving up its rights",
    [JAIL_STEP_PARENT] = "its parent",
    [JAIL_STEP_FILTER] = "the seccomp filter",
    [JAIL_STEP_EXEC] = "executing it",
};

/* A program that used its processor time up dies of SIGXCPU, or of the kernel's
 * SIGKILL when it ignores that.  A SIGKILL before that time came from
 * elsewhere, as when the machine has no memory left.  A program that we killed
 * does not come here. */
static bool used_up_cpu(const struct jail_process *r, int signal,
                        const struct rusage *used)
{
    int64_t s = used->ru_utime.tv_sec + used->ru_stime.tv_sec;

    return signal == SIGXCPU || (signal == SIGKILL && s >= r->job->cpu_s_max);
}

static enum footnote_rc collect_status(struct jail_process *r,
                                       struct footnote_err *err)
{
    struct jail_end *end = r->end;
    struct rusage used;
    int status;

    pid_t got;
    while ((got = wait4(r->pid, &status, 0, &used)) < 0 && errno == EINTR)
        continue;
    pid_t was = r->pid;
    r->pid = 0;
    if (got != was)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "the end of a program was seen by someone else");
    assert(r->report.step <= JAIL_STEP_EXEC);
    if (r->report.step != JAIL_STEP_NONE)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "%s cannot be run safely on this machine: %s failed "
                       "(%s)",
                       r->job->argv[0], step_names[r->report.step],
                       strerrorname_np(r->report.error));
    end->how = JAIL_EXITED;
    end->status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) {
        end->status = WTERMSIG(status);
        end->how = used_up_cpu(r, end->status, &used) ? JAIL_CPU : JAIL_DIED;
    }
    return FOOTNOTE_OK;
}

enum footnote_rc jail_run(const struct jail_job *job, struct jail_end *end,
                          struct footnote_err *err)
{
    AUTO(jail_process_end)
    struct jail_process r = {.job = job,
                             .end = end,
                             .process = -1,
                             .pipes = {-1, -1, -1},
                             .deadline_ms = clock_mono_ms() + job->wall_ms_max};

    assert(job->argv[0][0] == '/' && job->output);
    *end = (struct jail_end){.how = JAIL_EXITED};
    TRY(jail_process_start(&r, err));
    while (!r.ended)
        TRY(wait_for_event(&r, err));
    if (end->how == JAIL_TIME || end->how == JAIL_OUTPUT)
        return FOOTNOTE_OK;
    return collect_status(&r, err);
}
