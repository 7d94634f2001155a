/* node.c - which process holds an answer, and whether it still lives.
 *
 * A name is made of the machine's boot, the pid namespace, the pid, the start
 * time and the number of the store in its process, so no name is used twice.
 * Only a process of our own boot and namespace can be looked up; the lease of
 * any other decides, unless we know that there can be none. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/node.h"
#include "store/state.h"

enum { START_FIELD = 22, BOOT_BYTES = 36, FILE_BYTES = 1024 };

static size_t slurp(const char *path, char *out, size_t max)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, max - 1);

    if (fd >= 0)
        close(fd);
    out[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

/* The start in clock ticks after boot; 0 when there is no such process.  The
 * name in parentheses may hold anything: fields count from the last ')'. */
static unsigned long long start_of(int pid)
{
    char path[64], text[FILE_BYTES], *p;
    int field = 2;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    slurp(path, text, sizeof(text));
    p = strrchr(text, ')');
    for (; p && field < START_FIELD; field++)
        p = strchr(p + 1, ' ');
    return p ? strtoull(p, NULL, 10) : 0;
}

static void boot_of(char out[BOOT_BYTES + 1])
{
    char text[FILE_BYTES];
    size_t n = slurp("/proc/sys/kernel/random/boot_id", text, sizeof(text));

    memset(out, '-', BOOT_BYTES);
    memcpy(out, text, n < BOOT_BYTES ? n : BOOT_BYTES);
    out[BOOT_BYTES] = '\0';
}

static void space_of(char out[64])
{
    ssize_t n = readlink("/proc/self/ns/pid", out, 63);

    out[n > 0 ? n : 0] = '\0';
}

void node_name(char out[NODE_BYTES])
{
    char boot[BOOT_BYTES + 1], space[64];

    static atomic_uint opened;
    int n;

    boot_of(boot);
    space_of(space);
    n = snprintf(out, NODE_BYTES, "%s %s %d %llu %u", boot, space,
                 (int)getpid(), start_of((int)getpid()),
                 atomic_fetch_add(&opened, 1) + 1);
    assert(n > 0 && n < NODE_BYTES); /* a cut name could be another's */
}

bool node_is_dead(const char *node, enum node_reach reach)
{
    char boot[BOOT_BYTES + 1], space[64];
    const char *p = node + BOOT_BYTES + 1;
    unsigned long long start;
    char *end;
    long pid;

    if (node[0] == '\0')
        return false; /* a caller's own answer */
    boot_of(boot);
    space_of(space);
    if (strncmp(node, boot, BOOT_BYTES) != 0)
        return reach != NODES_ANYWHERE;
    if (!str_starts(str_c(p), str_c(space)) || p[strlen(space)] != ' ')
        return reach == NODES_IN_SIGHT; /* its pid means another process here */
    pid = strtol(p + strlen(space), &end, 10);
    start = strtoull(end, NULL, 10);
    return start_of((int)pid) != start;
}
