/* plan.c - prepares a jail: the filter, the rules, the program.
 *
 * The filter lists the calls that are allowed, so that calls of newer kernels
 * are forbidden.  A forbidden call fails as if the kernel did not have it
 * (ENOSYS), for which libraries are prepared. */
#include "ingest/jail/plan.h"
#include "base/fd.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SECRET_ROOM = 16 * 1024 * 1024, SECRET_ALIGN = 16 };

/* --- What may be read -------------------------------------------------------
 */

/* The programs, their libraries, and fonts for pages that bring none. */
const char *const jail_readable[] = {
    "/usr",       "/lib",
    "/lib64",     "/etc/ld.so.cache",
    "/etc/fonts", "/var/cache/fontconfig",
    "/dev/null",  NULL,
};

static void allow_file(int rules, int fd, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | access,
        .parent_fd = fd,
    };

    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

static void allow_path(int rules, const char *path)
{
    AUTO(fd_closep) int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return;
    bool folder = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
    allow_file(rules, fd,
               folder ? LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE
                      : 0);
}

/* --- The filter -------------------------------------------------------------
 */

/* The calls of the dynamic loader, libc and poppler.  libseccomp skips names
 * that a processor does not have. */
static const int allowed[] = {
    SCMP_SYS(access),
    SCMP_SYS(arch_prctl),
    SCMP_SYS(brk),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(close),
    SCMP_SYS(dup),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fadvise64),
    SCMP_SYS(fcntl),
    SCMP_SYS(fstat),
    SCMP_SYS(fstatfs),
    SCMP_SYS(futex),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(getegid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getrandom),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getuid),
    SCMP_SYS(ioctl),
    SCMP_SYS(lseek),
    SCMP_SYS(lstat),
    SCMP_SYS(madvise),
    SCMP_SYS(mmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(newfstatat),
    SCMP_SYS(poll),
    SCMP_SYS(pread64),
    SCMP_SYS(read),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(readv),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(stat),
    SCMP_SYS(statfs),
    SCMP_SYS(statx),
    SCMP_SYS(sysinfo),
    SCMP_SYS(time),
    SCMP_SYS(uname),
};

/* A condition on argument i of a call.  libseccomp's macros leave a field out,
 * for which clang warns. */
static struct scmp_arg_cmp same(unsigned i, scmp_datum_t v)
{
    return (struct scmp_arg_cmp){i, SCMP_CMP_EQ, v, 0};
}

static struct scmp_arg_cmp at_most(unsigned i, scmp_datum_t v)
{
    return (struct scmp_arg_cmp){i, SCMP_CMP_LE, v, 0};
}

static struct scmp_arg_cmp without(unsigned i, scmp_datum_t bits)
{
    return (struct scmp_arg_cmp){i, SCMP_CMP_MASKED_EQ, bits, 0};
}

static scmp_datum_t address(const void *p)
{
    return (scmp_datum_t)(uintptr_t)p;
}

/* Returns 0, or a negative error of libseccomp. */
static int allow_calls(scmp_filter_ctx ctx)
{
    const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
    const uint32_t yes = SCMP_ACT_ALLOW, never = SCMP_ACT_KILL_PROCESS;
    int bad = 0;

    for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
        bad |= seccomp_rule_add(ctx, yes, allowed[i], 0);
    /* Files may be opened for reading only. */
    bad |= seccomp_rule_add(ctx, yes, SCMP_SYS(open), 1, without(1, writing));
    bad |= seccomp_rule_add(ctx, yes, SCMP_SYS(openat), 1, without(2, writing));
    /* Only the pipes may be written to. */
    bad |= seccomp_rule_add(ctx, yes, SCMP_SYS(write), 1,
                            at_most(0, JAIL_FD_REPORT));
    bad |= seccomp_rule_add(ctx, yes, SCMP_SYS(writev), 1,
                            at_most(0, JAIL_FD_REPORT));
    /* Limits may be read, not set. */
    bad |= seccomp_rule_add(ctx, yes, SCMP_SYS(prlimit64), 1, same(2, 0));
    bad |= seccomp_rule_add(ctx, never, SCMP_SYS(execve), 0);
    bad |= seccomp_rule_add(ctx, never, SCMP_SYS(ptrace), 0);
    return bad;
}

static int allow_exec(scmp_filter_ctx ctx, const struct jail_secret *s)
{
    return seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(execveat), 5,
                            same(0, JAIL_FD_PROGRAM), same(1, address(s->path)),
                            same(2, address(s->argv)),
                            same(3, address(s->envp)), same(4, AT_EMPTY_PATH));
}

static void releasep(scmp_filter_ctx *ctx)
{
    if (*ctx)
        seccomp_release(*ctx);
}

/* The child must not allocate, but seccomp_load() does.  So the filter program
 * is exported here; libseccomp 2.5 can do so only to a file. */
static bool export_filter(scmp_filter_ctx ctx, struct jail_plan *p)
{
    AUTO(fd_closep) int fd = memfd_create("filter", MFD_CLOEXEC);
    struct stat st;

    if (fd < 0 || seccomp_export_bpf(ctx, fd) || fstat(fd, &st))
        return false;
    size_t bytes = (size_t)st.st_size;
    size_t n = bytes / sizeof(*p->filter);
    if (n == 0 || n > JAIL_FILTER_MAX)
        return false;
    p->filter = malloc(bytes);
    p->filter_n = (unsigned short)n;
    return p->filter && pread(fd, p->filter, bytes, 0) == (ssize_t)bytes;
}

static bool make_filter(struct jail_plan *p)
{
    AUTO(releasep) scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));

    return ctx && !allow_calls(ctx) && !allow_exec(ctx, p->secret) &&
           export_filter(ctx, p);
}

/* --- The root ---------------------------------------------------------------
 */

enum { ROOT_KB = 64, KB = 1024 };

/* As large as what will be in it. */
static void size_root(struct jail_plan *p)
{
    struct stat st;
    long long kb = ROOT_KB;

    if (p->job->input_is_file && fstat(p->job->input, &st) == 0)
        kb += st.st_size / KB + 1;
    snprintf(p->root_options, sizeof(p->root_options), "size=%lldk,mode=755",
             kb);
}

/* --- The rest of the plan ---------------------------------------------------
 */

/* The kernel places the room by about 28 random bits, once for the process; the
 * secret is placed in it by 20 more, once a job.  The room costs one page of
 * memory, since no other page is touched. */
static bool make_secret(struct jail_plan *p)
{
    const size_t places = (SECRET_ROOM - sizeof(*p->secret)) / SECRET_ALIGN;
    uint32_t r;

    void *room = mmap(NULL, SECRET_ROOM, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return false;
    p->room = room;
    if (getrandom(&r, sizeof(r), 0) != sizeof(r))
        return false;
    p->secret = (void *)(p->room + r % places * SECRET_ALIGN);
    return true;
}

enum footnote_rc jail_plan_init(struct jail_plan *p, const struct jail_job *job,
                                struct footnote_err *err)
{
    const struct landlock_ruleset_attr handled = {
        .handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1,
    };

    *p = (struct jail_plan){.job = job,
                            .parent = getpid(),
                            .uid = geteuid(),
                            .program = -1,
                            .rules = -1,
                            .input = -1,
                            .output = -1,
                            .error_output = -1,
                            .report = -1};
    p->program = open(job->argv[0], O_RDONLY | O_CLOEXEC);
    if (p->program < 0)
        return err_set(err, FOOTNOTE_INTERNAL,
                       "%s is not installed on this server", job->argv[0]);
    if (!make_secret(p))
        return err_set(err, FOOTNOTE_NOMEM, "running %s", job->argv[0]);
    p->secret->envp[0] = job->setting;
    for (size_t n = 0; job->argv[n]; n++) {
        assert(n < JAIL_ARGS);
        p->secret->argv[n] = job->argv[n];
    }
    if (!make_filter(p))
        return err_set(err, FOOTNOTE_INTERNAL,
                       "no filter could be made to run %s in", job->argv[0]);
    /* The kernel may have no Landlock: it is the second fence.  A rule that
     * could not be added forbids more, so it is no danger. */
    p->rules =
        (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);
    for (size_t i = 0; p->rules >= 0 && jail_readable[i]; i++)
        allow_path(p->rules, jail_readable[i]);
    /* Our own program may lie anywhere, as what it reads. */
    if (p->rules >= 0)
        allow_file(p->rules, p->program, LANDLOCK_ACCESS_FS_EXECUTE);
    if (p->rules >= 0 && job->input_is_file)
        allow_file(p->rules, job->input, 0);
    size_root(p);
    snprintf(p->uid_map, sizeof(p->uid_map), "%d %u 1\n", JAIL_NOBODY,
             (unsigned)p->uid);
    snprintf(p->gid_map, sizeof(p->gid_map), "%d %u 1\n", JAIL_NOBODY,
             (unsigned)getegid());
    return FOOTNOTE_OK;
}

void jail_plan_free(struct jail_plan *p)
{
    const int fds[] = {p->program, p->rules,        p->input,
                       p->output,  p->error_output, p->report};

    for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
        fd_closep(&fds[i]);
    free(p->filter);
    if (p->room)
        munmap(p->room, SECRET_ROOM);
}
