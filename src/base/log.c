/* log.c - one record, one line, one write().
 *
 * The line is built on the stack, so that a program which is out of memory
 * can still say so. */
#include "base/log.h"
#include "base/clock.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { LINE_BYTES = 4096, VALUE_BYTES = 512, TAIL_BYTES = 16 };

struct line {
    size_t n;
    bool full;
    char p[LINE_BYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int fd;
    enum log_form form;
} setup = {.fd = 2}; /* under the lock */
/* Outside of the lock: a record that is not wanted costs next to nothing. */
static _Atomic int from_level = LOG_INFO;

void log_setup(int fd, enum log_level from, enum log_form form)
{
    pthread_mutex_lock(&lock);
    setup.fd = fd;
    atomic_store(&from_level, from);
    setup.form = form;
    pthread_mutex_unlock(&lock);
}

/* Keeps room for the end of the record. */
static void add(struct line *l, struct str s)
{
    if (l->full || s.n > LINE_BYTES - TAIL_BYTES - l->n) {
        l->full = true;
        return;
    }
    memcpy(l->p + l->n, s.p, s.n);
    l->n += s.n;
}

static void add_tail(struct line *l, struct str s)
{
    assert(s.n <= LINE_BYTES - l->n);
    memcpy(l->p + l->n, s.p, s.n);
    l->n += s.n;
}

/* Characters that end the line early or change the order it is shown in: C0,
 * DEL and C1 controls, line separators, and the bidi marks. */
static bool is_unsafe(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E ||
           c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* One character, escaped if need be; *i moves behind it. */
static void add_character(struct line *l, struct str s, size_t *i)
{
    struct str one = {s.p + *i, 1};
    char escape[8];

    while (one.n < 4 && one.n < s.n - *i && !utf8_valid(one))
        one.n++;
    if (!utf8_valid(one)) {
        add(l, STR("\xEF\xBF\xBD")); /* U+FFFD */
        *i += 1;
        return;
    }
    size_t start = 0;
    uint32_t c = utf8_next(one, &start);
    *i += one.n;
    if (c == '"' || c == '\\')
        add(l, STR("\\"));
    if (is_unsafe(c)) {
        snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)(c & 0xFFFF));
        one = str_c(escape);
    }
    add(l, one);
}

/* At most VALUE_BYTES of s; an ellipsis says that there was more. */
static void add_escaped(struct line *l, struct str s)
{
    bool cut = s.n > VALUE_BYTES;

    if (cut)
        s.n = utf8_whole((struct str){s.p, VALUE_BYTES});
    for (size_t i = 0; i < s.n;)
        add_character(l, s, &i);
    if (cut)
        add(l, STR("\xE2\x80\xA6"));
}

/* A field goes in whole or not at all, so that the line stays readable. */
static void add_field(struct line *l, const struct log_field *f, bool json)
{
    size_t before = l->n;
    char digits[24];

    add(l, json ? STR(",\"") : STR(" "));
    add_escaped(l, str_c(f->key));
    add(l, json ? STR("\":") : STR("="));
    if (f->text.p) {
        add(l, STR("\""));
        add_escaped(l, f->text);
        add(l, STR("\""));
    } else {
        snprintf(digits, sizeof(digits), "%lld", (long long)f->number);
        add(l, str_c(digits));
    }
    if (l->full)
        l->n = before;
}

static void add_head(struct line *l, enum log_level level, const char *message,
                     bool json)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};
    char time[CLOCK_TEXT + 1];

    clock_text(clock_wall_ms(), time);
    add(l, json ? STR("{\"ts\":\"") : STR(""));
    add(l, str_c(time));
    add(l, json ? STR("\",\"level\":\"") : STR(" "));
    add(l, str_c(names[level]));
    add(l, json ? STR("\",\"msg\":\"") : STR(" "));
    add_escaped(l, str_c(message));
    add(l, json ? STR("\"") : STR(""));
}

static void write_line(int fd, const struct line *l)
{
    for (size_t done = 0; done < l->n;) {
        ssize_t n = write(fd, l->p + done, l->n - done);
        if (n < 0 && errno != EINTR)
            return; /* there is nobody left to tell */
        done += n > 0 ? (size_t)n : 0;
    }
}

void log_fields(enum log_level level, const struct log_field *fields,
                size_t fields_n)
{
    struct line l;

    assert(fields_n > 0);
    if ((int)level < atomic_load_explicit(&from_level, memory_order_relaxed))
        return;
    pthread_mutex_lock(&lock);
    int fd = setup.fd;
    enum log_form form = setup.form;
    pthread_mutex_unlock(&lock);
    bool json = form == LOG_JSON || (form == LOG_AUTO && !isatty(fd));
    l.n = 0;
    l.full = false;
    add_head(&l, level, fields[0].key, json);
    for (size_t i = 1; i < fields_n && !l.full; i++)
        add_field(&l, &fields[i], json);
    if (l.full)
        add_tail(&l, json ? STR(",\"cut\":true") : STR(" cut"));
    add_tail(&l, json ? STR("}\n") : STR("\n"));
    write_line(fd, &l);
}
