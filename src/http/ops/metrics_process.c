/* metrics_process.c - the process itself, under the names that every exporter
 * for Prometheus uses, from /proc. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "http/ops/metrics.h"

enum { STAT_BYTES = 1024 };

/* Fields of /proc/self/stat by their numbers in proc(5). */
enum {
    STATE = 3,
    UTIME = 14,
    STIME = 15,
    THREADS = 20,
    START = 22,
    VSIZE = 23,
    RSS = 24,
    FIELDS
};

/* The program's name may hold anything; behind its bracket come numbers. */
static bool read_stat(int64_t out[FIELDS])
{
    char text[STAT_BYTES];
    FILE *f = fopen("/proc/self/stat", "re");
    size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
    const char *at;
    struct str left;

    if (f)
        fclose(f);
    text[n] = '\0';
    at = strrchr(text, ')');
    left = str_c(at ? at + 2 : "");
    for (int i = STATE; i < FIELDS; i++) {
        size_t end = str_find(left, ' ');

        out[i] = 0;
        if (end == left.n ||
            (i > STATE && !str_i64((struct str){left.p, end}, &out[i])))
            return false;
        left = str_skip(left, end + 1);
    }
    return true;
}

static uint64_t count_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    uint64_t n = 0;

    if (!d)
        return 0;
    while (readdir(d))
        n++;
    closedir(d);
    return n > 3 ? n - 3 : 0; /* two dots, and the folder itself */
}

/* When the machine was started, in seconds since 1970. */
static int64_t boot_time(void)
{
    FILE *f = fopen("/proc/stat", "re");
    const struct str name = STR("btime ");
    int64_t seconds = 0;
    char line[256];

    while (f && fgets(line, sizeof(line), f)) {
        struct str s = {line, str_find(str_c(line), '\n')};

        if (str_starts(s, name) && str_i64(str_skip(s, name.n), &seconds))
            break;
    }
    if (f)
        fclose(f);
    return seconds;
}

static void add_float(struct buf *b, const char *name, const char *kind,
                      const char *help, double value)
{
    metrics_comment(b, name, kind, help);
    buf_printf(b, "%s %.2f\n", name, value);
}

void metrics_write_process(struct buf *b)
{
    double tick = (double)sysconf(_SC_CLK_TCK);
    struct rlimit files = {.rlim_cur = 0};
    int64_t s[FIELDS];

    if (!read_stat(s) || tick <= 0)
        return;
    add_float(b, "process_cpu_seconds_total", "counter",
              "Time of processors, of the program and the kernel for it.",
              (double)(s[UTIME] + s[STIME]) / tick);
    metrics_add(b, "process_resident_memory_bytes", "gauge",
                "Memory that is in use.",
                (uint64_t)s[RSS] * (uint64_t)sysconf(_SC_PAGESIZE));
    metrics_add(b, "process_virtual_memory_bytes", "gauge",
                "Addresses that are in use.", (uint64_t)s[VSIZE]);
    add_float(b, "process_start_time_seconds", "gauge",
              "When the process was started, since 1970.",
              (double)boot_time() + (double)s[START] / tick);
    metrics_add(b, "process_threads", "gauge", "Threads.",
                (uint64_t)s[THREADS]);
    metrics_add(b, "process_open_fds", "gauge", "Open files and connections.",
                count_files());
    (void)getrlimit(RLIMIT_NOFILE, &files);
    metrics_add(b, "process_max_fds", "gauge", "How many there may be.",
                files.rlim_cur);
}
