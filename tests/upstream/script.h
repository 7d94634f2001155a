/* script.h - a script, read.  README.md has the format. */
#ifndef UPSTREAM_SCRIPT_H
#define UPSTREAM_SCRIPT_H
#include "base/str.h"

enum step_kind {
    STEP_STATUS,
    STEP_HEADER,
    STEP_FRAMING, /* until the connection ends, instead of chunks */
    STEP_HEAD,
    STEP_RAW, /* also data, text, finish, usage, done, json */
    STEP_LINE,
    STEP_SPLIT,
    STEP_DELAY,
    STEP_GATE,
    STEP_STALL,
    STEP_CUT,
    STEP_RESET
};

struct step {
    enum step_kind kind;
    struct str text; /* bytes, name of a gate, a header's line */
    int64_t number;
    int64_t times; /* -1: until the client leaves */
};

/* One answer. */
struct scene {
    struct step *steps;
    size_t n;
    bool on_tool; /* only for a request that ends with a tool's result */
};

struct script {
    char *name;
    struct scene *scenes;
    size_t n;
    size_t played; /* of those that are not on_tool */
    struct script *next;
};

/* Never NULL; ends the process, naming the line, when the text is wrong. */
struct script *script_read(const char *name, struct str text);
void script_free(struct script *s);

_Noreturn void upstream_die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void *upstream_alloc(void *p, size_t bytes); /* realloc that does not fail */

#endif
