/* confined.c - runs a program under the filters that systemd would give it.
 *
 *     confined [-e] [-w] [-f FAMILY]... [-l LISTEN] NAMES PROGRAM WORD...
 *
 * NAMES is a file with the calls that are allowed, one a line; names that
 * this machine does not know are passed over, as systemd does.  Another call
 * kills the process, or with -e fails with EPERM (SystemCallErrorNumber).
 * -w is MemoryDenyWriteExecute, -f RestrictAddressFamilies.  With -l, which is
 * ADDRESS:PORT, the program gets a socket that listens there, as from a unit
 * of sockets; "confined: PORT" says which port. */
#include <arpa/inet.h>
#include <errno.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { NAME_BYTES = 80, LISTEN_FD = 3 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "confined: %s: %s\n", what, strerror(errno));
    exit(125);
}

static void must(bool ok, const char *what)
{
    if (!ok)
        die(what);
}

static void allow_names(scmp_filter_ctx ctx, const char *path)
{
    FILE *names = fopen(path, "r");
    char name[NAME_BYTES];

    must(names != NULL, path);
    while (fscanf(names, "%79s", name) == 1) {
        int call = seccomp_syscall_resolve_name(name);

        if (call != __NR_SCMP_ERROR)
            (void)seccomp_rule_add(ctx, SCMP_ACT_ALLOW, call, 0);
    }
    fclose(names);
}

static void forbid(scmp_filter_ctx ctx, int error, int call,
                   struct scmp_arg_cmp when)
{
    must(seccomp_rule_add_array(ctx, SCMP_ACT_ERRNO((uint16_t)error), call, 1,
                                &when) == 0,
         "a rule");
}

static struct scmp_arg_cmp has(unsigned arg, scmp_datum_t bits)
{
    return (struct scmp_arg_cmp){arg, SCMP_CMP_MASKED_EQ, bits, bits};
}

/* A filter of its own, as systemd makes several: the strictest answer counts.
 */
static void load_memory(void)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    const int exec = PROT_EXEC, both = PROT_EXEC | PROT_WRITE;

    must(ctx != NULL, "a filter");
    forbid(ctx, EPERM, SCMP_SYS(mmap), has(2, (scmp_datum_t)both));
    forbid(ctx, EPERM, SCMP_SYS(mprotect), has(2, (scmp_datum_t)exec));
    forbid(ctx, EPERM, SCMP_SYS(pkey_mprotect), has(2, (scmp_datum_t)exec));
    must(seccomp_load(ctx) == 0, "loading a filter");
    seccomp_release(ctx);
}

static int family_of(const char *name)
{
    static const struct {
        const char *name;
        int family;
    } known[] = {
        {"AF_UNIX", AF_UNIX}, {"AF_INET", AF_INET}, {"AF_INET6", AF_INET6}};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].family;
    errno = EINVAL;
    die(name);
}

static void load_families(const bool *allowed, int n)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    const struct scmp_arg_cmp above = {0, SCMP_CMP_GE, (scmp_datum_t)n, 0};

    must(ctx != NULL, "a filter");
    for (int i = 0; i < n; i++)
        if (!allowed[i])
            forbid(ctx, EAFNOSUPPORT, SCMP_SYS(socket),
                   (struct scmp_arg_cmp){0, SCMP_CMP_EQ, (scmp_datum_t)i, 0});
    forbid(ctx, EAFNOSUPPORT, SCMP_SYS(socket), above);
    must(seccomp_load(ctx) == 0, "loading a filter");
    seccomp_release(ctx);
}

static void load_names(const char *path, bool fails)
{
    scmp_filter_ctx ctx =
        seccomp_init(fails ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_KILL_PROCESS);

    must(ctx != NULL, "a filter");
    allow_names(ctx, path);
    must(seccomp_load(ctx) == 0, "loading a filter");
    seccomp_release(ctx);
}

/* LISTEN_FDS and LISTEN_PID say that descriptor 3 is for this process. */
static void give_socket(const char *listen_on)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t n = sizeof(at);
    char host[64], pid[16];
    unsigned port;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    must(sscanf(listen_on, "%63[0-9.]:%u", host, &port) == 2, listen_on);
    at.sin_port = htons((uint16_t)port);
    must(inet_pton(AF_INET, host, &at.sin_addr) == 1, host);
    must(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 &&
             listen(fd, 16) == 0 &&
             getsockname(fd, (struct sockaddr *)&at, &n) == 0,
         "a socket");
    if (fd != LISTEN_FD)
        must(dup2(fd, LISTEN_FD) == LISTEN_FD, "a socket");
    snprintf(pid, sizeof(pid), "%d", (int)getpid());
    setenv("LISTEN_PID", pid, 1);
    setenv("LISTEN_FDS", "1", 1);
    fprintf(stderr, "confined: %d\n", ntohs(at.sin_port));
}

int main(int argc, char **argv)
{
    bool fails = false, memory = false, families = false;
    bool allowed[AF_MAX] = {false};
    int option;

    while ((option = getopt(argc, argv, "+ewf:l:")) != -1) {
        fails = fails || option == 'e';
        memory = memory || option == 'w';
        if (option == 'f')
            families = allowed[family_of(optarg)] = true;
        if (option == 'l')
            give_socket(optarg);
    }
    if (argc - optind < 2) {
        fprintf(stderr, "usage: confined [-ew] [-f FAMILY]... [-l LISTEN] "
                        "NAMES PROGRAM WORD...\n");
        return 125;
    }
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    /* The last one may forbid to load another. */
    if (memory)
        load_memory();
    if (families)
        load_families(allowed, AF_MAX);
    load_names(argv[optind], fails);
    execv(argv[optind + 1], argv + optind + 1);
    die(argv[optind + 1]);
}
