/* jailed_child.c - children of a test, as /proc shows them. */
#include "jailed_child.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "test.h"

const char *jailed_program(void)
{
    static char path[700];
    char self[600];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    char *slash;

    CHECK(n > 0);
    self[n] = '\0';
    slash = strrchr(self, '/');
    CHECK(slash != NULL);
    *slash = '\0';
    snprintf(path, sizeof(path), "%s/../footnote", self);
    if (access(path, X_OK) != 0)
        FAIL("%s is missing: make it first", path);
    return path;
}

const struct jailed_options *jailed_usual(void)
{
    static struct jailed_options o;

    o.program = jailed_program();
    o.wall_ms_max = (int64_t)3600 * 1000;
    return &o;
}

struct str jailed_long_page(struct arena *a)
{
    enum { ELEMENTS = 4500, ATTRIBUTES = 250, BYTES_MAX = 8 * 1024 * 1024 };
    AUTO(buf_free) struct buf b = BUF(BYTES_MAX);
    struct footnote_err err;

    buf_add(&b, STR("<!doctype html><title>Heat</title>"));
    for (int i = 0; i < ELEMENTS; i++) {
        buf_add(&b, STR("<p"));
        for (int k = 0; k < ATTRIBUTES; k++)
            buf_printf(&b, " a%d", k);
        buf_printf(&b, ">In paragraph %d it says that heat flows.", i);
    }
    CHECK_OK(buf_rc(&b, &err), &err);
    return arena_str(a, buf_str(&b));
}

/* The state of a process and its parent; false when it is gone. */
static bool look_at(pid_t pid, char *state, pid_t *parent)
{
    char path[64], text[512];
    FILE *f;
    const char *name_end = NULL;
    int of = 0;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    f = fopen(path, "r");
    if (f && fgets(text, sizeof(text), f))
        name_end = strrchr(text, ')');
    if (f)
        fclose(f);
    if (!name_end || sscanf(name_end, ") %c %d", state, &of) != 2)
        return false;
    *parent = of;
    return true;
}

pid_t jailed_child_find(void)
{
    DIR *d = opendir("/proc");
    pid_t found = 0;

    CHECK(d != NULL);
    for (struct dirent *e = readdir(d); e && !found; e = readdir(d)) {
        pid_t pid = (pid_t)strtol(e->d_name, NULL, 10), parent;
        char state;

        if (pid > 0 && look_at(pid, &state, &parent) && parent == getpid() &&
            !strchr("ZXT", state))
            found = pid;
    }
    closedir(d);
    return found;
}

static bool is_stopped(pid_t pid)
{
    pid_t parent;
    char state;

    return look_at(pid, &state, &parent) && state == 'T';
}

/* One that ended first is followed by the next. */
static bool stop_one(pid_t *pid)
{
    *pid = jailed_child_find();
    if (!*pid || kill(*pid, SIGSTOP) != 0)
        return false;
    while (!is_stopped(*pid) && !jailed_child_is_dead(*pid)) {
    }
    return is_stopped(*pid);
}

pid_t jailed_child_hold(void)
{
    pid_t pid = 0;

    WAIT_UNTIL(stop_one(&pid));
    return pid;
}

bool jailed_child_is_dead(pid_t pid)
{
    pid_t parent;
    char state;

    return !look_at(pid, &state, &parent) || strchr("ZX", state);
}
