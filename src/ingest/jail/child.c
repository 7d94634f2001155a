/* child.c - from fork to exec, with async-signal-safe calls only.
 *
 * The child gives up when a required step fails.  Steps that containers often
 * forbid (namespaces, mounts, Landlock) are optional.  The order matters:
 * mounting needs the rights that are dropped next, and Landlock forbids
 * mounting. */
#include "ingest/jail/plan.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls without libc: sanitizers watch libc, and would take what the
 * child does with descriptors for the work of a thread of its parent. */
static int dup_raw(int fd, int to, int flags)
{
    return (int)syscall(SYS_dup3, fd, to, flags);
}

static void close_raw(int fd)
{
    syscall(SYS_close, fd);
}

static long write_raw(int fd, const void *bytes, size_t n)
{
    return syscall(SYS_write, fd, bytes, n);
}

static int open_raw(const char *path, int flags, int mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode);
}

static _Noreturn void give_up(int report, enum jail_step step)
{
    struct jail_report r = {.step = step, .error = errno};

    if (write_raw(report, &r, sizeof(r)) < 0)
        _exit(126);
    _exit(127);
}

static void report_layers(unsigned layers)
{
    struct jail_report r = {.layers = layers};

    if (write_raw(JAIL_FD_REPORT, &r, sizeof(r)) < 0)
        give_up(JAIL_FD_REPORT, JAIL_STEP_FILES);
}

/* --- Descriptors ------------------------------------------------------------
 */

/* A copy with a high number, out of the way of the numbers assigned below. */
static int copy_high(int fd)
{
    return fd < 0 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 64);
}

static void arrange_files(const struct jail_plan *p)
{
    int report = copy_high(p->report), program = copy_high(p->program);
    int rules = copy_high(p->rules), input = copy_high(p->input);
    int output = copy_high(p->output),
        error_output = copy_high(p->error_output);

    bool ok = dup_raw(report, JAIL_FD_REPORT, O_CLOEXEC) >= 0 &&
              dup_raw(program, JAIL_FD_PROGRAM, O_CLOEXEC) >= 0 &&
              dup_raw(input, STDIN_FILENO, 0) >= 0 &&
              dup_raw(output, STDOUT_FILENO, 0) >= 0 &&
              dup_raw(error_output, STDERR_FILENO, 0) >= 0;
    if (!ok)
        give_up(report, JAIL_STEP_FILES);
    close_raw(JAIL_FD_RULES);
    if (rules >= 0)
        dup_raw(rules, JAIL_FD_RULES, O_CLOEXEC);
    /* Old kernels have no close_range(). */
    struct rlimit most = {.rlim_cur = 1024};
    if (close_range(JAIL_FD_REST, ~0U, 0) != 0) {
        getrlimit(RLIMIT_NOFILE, &most);
        for (int fd = JAIL_FD_REST; fd < (int)most.rlim_cur; fd++)
            close_raw(fd);
    }
    lseek(STDIN_FILENO, 0, SEEK_SET);
}

/* --- Namespaces and an empty root -------------------------------------------
 */

static void write_proc(const char *path, const char *text)
{
    int fd = open_raw(path, O_WRONLY, 0);

    if (fd < 0)
        return;
    if (write_raw(fd, text, strlen(text)) < 0)
        errno = 0; /* without the map, mounting fails, which is allowed */
    close_raw(fd);
}

/* An ordinary user gets rights over mounts and networks in a user namespace;
 * root needs none.  A process that must not be traced, such as a server, does
 * not own its files in /proc; so the child may be traced until its users are
 * mapped. */
static bool enter_namespaces(const struct jail_plan *p)
{
    int flags = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;

    if (p->uid != 0)
        flags |= CLONE_NEWUSER;
    if (unshare(flags) != 0)
        return false;
    if (p->uid != 0) {
        prctl(PR_SET_DUMPABLE, 1);
        write_proc("/proc/self/setgroups", "deny");
        write_proc("/proc/self/uid_map", p->uid_map);
        write_proc("/proc/self/gid_map", p->gid_map);
        prctl(PR_SET_DUMPABLE, 0);
    }
    return true;
}

/* Mounts /usr at usr in the new root, read-only.  A link in the old root (/lib
 * on most systems) becomes the same link in the new one. */
static bool mount_readable(const char *path)
{
    const unsigned long flags =
        MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV;
    const char *here = path + 1;
    char link[256];
    struct stat st;

    ssize_t n = readlink(path, link, sizeof(link) - 1);
    if (n > 0) {
        link[n] = '\0';
        return symlink(link, here) == 0;
    }
    if (stat(path, &st) != 0)
        return true; /* the old root does not have it either */
    if (S_ISDIR(st.st_mode)) {
        mkdir(here, 0755);
    } else {
        int fd = open_raw(here, O_WRONLY | O_CREAT, 0444);
        if (fd >= 0)
            close_raw(fd);
    }
    if (mount(path, here, NULL, MS_BIND | MS_REC, NULL) != 0)
        return false;
    if (S_ISDIR(st.st_mode))
        mount(NULL, here, NULL, flags, NULL); /* the filter forbids it anyway */
    return true;
}

static void allow_to_read(int fd)
{
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE, .parent_fd = fd};

    syscall(SYS_landlock_add_rule, JAIL_FD_RULES, LANDLOCK_RULE_PATH_BENEATH,
            &rule, 0);
}

/* The input in the new root.  Not the file itself: the program may run as a
 * user who must not open it, and it may have no name any more. */
static void copy_input(void)
{
    char bytes[16 * 1024];
    int fd = open_raw("dev/stdin", O_WRONLY | O_CREAT, 0444);
    ssize_t n;

    if (fd < 0)
        return;
    while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0)
        if (write_raw(fd, bytes, (size_t)n) != n)
            break;
    allow_to_read(fd);
    close_raw(fd);
    lseek(STDIN_FILENO, 0, SEEK_SET);
}

/* The root becomes a folder in memory that has only what may be read.  It is
 * complete before the switch, so that a failure changes nothing. */
static bool enter_root(const struct jail_plan *p)
{
    umask(022); /* another user will look into its folders */
    bool ok = mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
              mount("none", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV,
                    p->root_options) == 0 &&
              chdir("/tmp") == 0 && mkdir("etc", 0755) == 0 &&
              mkdir("dev", 0755) == 0 && mkdir("var", 0755) == 0 &&
              mkdir("var/cache", 0755) == 0 && mkdir("empty", 0555) == 0;

    for (size_t i = 0; ok && jail_readable[i]; i++)
        ok = mount_readable(jail_readable[i]);
    if (ok && p->job->input_is_file)
        copy_input();
    if (!ok || syscall(SYS_pivot_root, ".", ".") != 0)
        return false;
    umount2(".", MNT_DETACH);
    mount(NULL, "/", NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL);
    return true;
}

/* --- Rights and limits ------------------------------------------------------
 */

/* A container with few users may lack user "nobody": then root stays root,
 * without its rights.
 *
 * System calls without libc: libc changes every thread of the process, and
 * would wait for threads that a forked child does not have. */
static void drop_rights(const struct jail_plan *p)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    const int id = JAIL_NOBODY;

    if (p->uid == 0) {
        bool changed = syscall(SYS_setgroups, 0, NULL) == 0 &&
                       syscall(SYS_setresgid, id, id, id) == 0 &&
                       syscall(SYS_setresuid, id, id, id) == 0;
        if (!changed)
            prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED);
    }
    if (syscall(SYS_capset, &head, none) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        give_up(JAIL_FD_REPORT, JAIL_STEP_USER);
}

static bool set_limit(__rlimit_resource_t what, rlim_t most, rlim_t hard)
{
    struct rlimit r = {most, hard};

    return setrlimit(what, &r) == 0;
}

/* A program that ignores SIGXCPU is killed a second later. */
static void set_limits(const struct jail_job *job)
{
    rlim_t cpu = (rlim_t)job->cpu_s_max, memory = job->memory_bytes_max;

    if (!set_limit(RLIMIT_CPU, cpu, cpu + 1) ||
        !set_limit(RLIMIT_AS, memory, memory) ||
        !set_limit(RLIMIT_FSIZE, 0, 0) || !set_limit(RLIMIT_CORE, 0, 0) ||
        !set_limit(RLIMIT_NOFILE, JAIL_FILES, JAIL_FILES) ||
        !set_limit(RLIMIT_NPROC, 0, 0))
        give_up(JAIL_FD_REPORT, JAIL_STEP_LIMITS);
}

/* --- In order ---------------------------------------------------------------
 */

static void default_signals(void)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t none;

    for (int i = 1; i < 32; i++)
        sigaction(i, &plain, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn void jail_child(const struct jail_plan *p)
{
    struct sock_fprog filter = {p->filter_n, p->filter};
    unsigned layers = 0;

    setsid();
    arrange_files(p);
    if (enter_namespaces(p))
        layers |= JAIL_LAYER_NAMESPACES | (enter_root(p) ? JAIL_LAYER_ROOT : 0);
    if (chdir("/empty") != 0 && chdir("/") != 0)
        give_up(JAIL_FD_REPORT, JAIL_STEP_FILES);
    umask(077);
    drop_rights(p);
    if (syscall(SYS_landlock_restrict_self, JAIL_FD_RULES, 0) == 0)
        layers |= JAIL_LAYER_RULES;
    close_raw(JAIL_FD_RULES);
    set_limits(p->job);
    default_signals();
    /* Every change of user or rights forgets the signal, so this comes last;
     * the parent may have died before. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != p->parent)
        give_up(JAIL_FD_REPORT, JAIL_STEP_PARENT);
    report_layers(layers);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0)
        give_up(JAIL_FD_REPORT, JAIL_STEP_FILTER);
    syscall(SYS_execveat, JAIL_FD_PROGRAM, p->secret->path, p->secret->argv,
            p->secret->envp, AT_EMPTY_PATH);
    give_up(JAIL_FD_REPORT, JAIL_STEP_EXEC);
}
