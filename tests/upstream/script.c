/* script.c - reads a script: one command per line. */
#include "upstream/script.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"

enum { BYTES_MAX = 128 * 1024 * 1024 };

void upstream_die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("upstream: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

void *upstream_alloc(void *p, size_t bytes)
{
    void *made = realloc(p, bytes);

    if (!made)
        upstream_die("no memory");
    return made;
}

/* ---- Bytes -----------------------------------------------------------------
 */

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* \n \r \t \\ \xHH; \e ends a line whose last blank counts. */
static void unescape(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        int byte = 0;

        if (c != '\\' || i + 1 >= s.n) {
            buf_add_c(b, c);
            continue;
        }
        c = s.p[++i];
        if (c == 'x' && i + 2 < s.n && hex(s.p[i + 1]) >= 0) {
            byte = hex(s.p[i + 1]) * 16 + hex(s.p[i + 2]);
            buf_add_c(b, (char)byte);
            i += 2;
        } else if (c != 'e') {
            buf_add_c(b, (char)(c == 'n'   ? '\n'
                                : c == 'r' ? '\r'
                                : c == 't' ? '\t'
                                           : c));
        }
    }
}

#define CHUNK                                                                  \
    "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1," \
    "\"model\":\"scripted\",\"choices\":"

static void add_text(struct buf *b, struct str arg)
{
    AUTO(buf_free) struct buf text = BUF(BYTES_MAX);

    unescape(&text, arg);
    buf_add(b, STR(CHUNK "[{\"index\":0,\"delta\":{\"content\":"));
    buf_add_json(b, text.n ? buf_str(&text) : STR(""));
    buf_add(b, STR("},\"finish_reason\":null}]}\n\n"));
}

static void add_finish(struct buf *b, struct str reason)
{
    buf_add(b, STR(CHUNK "[{\"index\":0,\"delta\":{},\"finish_reason\":"));
    buf_add_json(b, reason);
    buf_add(b, STR("}]}\n\n"));
}

static void add_usage(struct buf *b, struct str arg)
{
    struct str in = {arg.p, str_find(arg, ' ')};

    buf_printf(b,
               CHUNK "[],\"usage\":{\"prompt_tokens\":%.*s,"
                     "\"completion_tokens\":%.*s}}\n\n",
               STR_ARG(in), STR_ARG(str_skip(arg, in.n + (in.n < arg.n))));
}

static void add_data(struct buf *b, struct str arg)
{
    buf_add(b, STR("data: "));
    buf_add(b, arg);
    buf_add(b, STR("\n\n"));
}

static void add_json(struct buf *b, struct str arg)
{
    buf_add(b, arg);
}

static void add_done(struct buf *b, struct str arg)
{
    (void)arg;
    buf_add(b, STR("data: [DONE]\n\n"));
}

/* ---- Commands --------------------------------------------------------------
 */

struct command { /* NOLINT(clang-analyzer-optin.performance.Padding): a row */
    const char *word;
    enum step_kind kind;
    void (*bytes)(struct buf *b, struct str arg); /* of STEP_RAW */
    bool number;
};
static const struct command commands[] = {
    {"status", STEP_STATUS, NULL, true},
    {"header", STEP_HEADER, NULL, false},
    {"until-close", STEP_FRAMING, NULL, false},
    {"head", STEP_HEAD, NULL, false},
    {"raw", STEP_RAW, unescape, false},
    {"data", STEP_RAW, add_data, false},
    {"text", STEP_RAW, add_text, false},
    {"finish", STEP_RAW, add_finish, false},
    {"usage", STEP_RAW, add_usage, false},
    {"done", STEP_RAW, add_done, false},
    {"json", STEP_RAW, add_json, false},
    {"line", STEP_LINE, NULL, true},
    {"split", STEP_SPLIT, NULL, true},
    {"delay", STEP_DELAY, NULL, true},
    {"gate", STEP_GATE, NULL, false},
    {"stall", STEP_STALL, NULL, false},
    {"cut", STEP_CUT, NULL, false},
    {"reset", STEP_RESET, NULL, false},
};

struct reading {
    struct script *script;
    int line;
};

static struct str copy(const struct buf *b)
{
    char *p = upstream_alloc(NULL, b->n + 1);

    if (b->broken)
        upstream_die("a step is too large");
    if (b->n)
        memcpy(p, b->p, b->n);
    p[b->n] = '\0';
    return (struct str){p, b->n};
}

static struct str word_of(struct str *line)
{
    struct str word = {line->p, str_find(*line, ' ')};

    *line = str_skip(*line, word.n + (word.n < line->n));
    return word;
}

static int64_t number_of(const struct reading *r, struct str s)
{
    int64_t factor = 1, n;

    if (s.n && (s.p[s.n - 1] == 'K' || s.p[s.n - 1] == 'M')) {
        factor = s.p[s.n - 1] == 'K' ? 1024 : 1024 * 1024;
        s.n--;
    }
    if (!str_i64(s, &n))
        upstream_die("%s:%d: a number is missing", r->script->name, r->line);
    return n * factor;
}

static struct scene *add_scene(struct script *s, bool on_tool)
{
    s->scenes = upstream_alloc(s->scenes, (s->n + 1) * sizeof(*s->scenes));
    s->scenes[s->n] = (struct scene){.on_tool = on_tool};
    return &s->scenes[s->n++];
}

static void add_step(const struct reading *r, struct step step)
{
    struct scene *s = &r->script->scenes[r->script->n - 1];

    s->steps = upstream_alloc(s->steps, (s->n + 1) * sizeof(*s->steps));
    s->steps[s->n++] = step;
}

static void read_command(struct reading *r, struct str line, int64_t times)
{
    AUTO(buf_free) struct buf b = BUF(BYTES_MAX);
    struct str word = word_of(&line);
    struct step step = {.times = times};

    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        const struct command *c = &commands[i];

        if (!str_eq(word, str_c(c->word)))
            continue;
        if (c->bytes == add_json)
            read_command(r, STR("header content-type: application/json"), 1);
        step.kind = c->kind;
        if (c->number)
            step.number = number_of(r, line);
        else if (c->bytes)
            c->bytes(&b, line);
        else
            buf_add(&b, line);
        step.text = copy(&b);
        add_step(r, step);
        return;
    }
    upstream_die("%s:%d: %.*s is no command", r->script->name, r->line,
                 STR_ARG(word));
}

static void read_line(struct reading *r, struct str line)
{
    struct str rest = line, word = word_of(&rest);
    int64_t times = 1;

    if (line.n == 0 || line.p[0] == '#')
        return;
    if (str_eq(line, STR("next")) || str_eq(line, STR("on tool"))) {
        add_scene(r->script, line.p[0] == 'o');
        return;
    }
    if (str_eq(word, STR("repeat"))) {
        word = word_of(&rest);
        times = str_eq(word, STR("forever")) ? -1 : number_of(r, word);
        line = rest;
    }
    read_command(r, line, times);
}

struct script *script_read(const char *name, struct str text)
{
    struct script *s = upstream_alloc(NULL, sizeof(*s));
    struct reading r = {.script = s};

    *s = (struct script){.name = strdup(name)};
    if (!s->name)
        upstream_die("no memory");
    add_scene(s, false);
    while (text.n) {
        size_t end = str_find(text, '\n');

        r.line++;
        read_line(&r, (struct str){text.p, end});
        text = str_skip(text, end < text.n ? end + 1 : end);
    }
    return s;
}

void script_free(struct script *s)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < s->scenes[i].n; j++)
            free((void *)(uintptr_t)s->scenes[i].steps[j].text.p);
        free(s->scenes[i].steps);
    }
    free(s->scenes);
    free(s->name);
    free(s);
}
