/* doctor.c - `footnote doctor`: looks at everything that a server rests on, a
 * line each with the command that mends it.
 *
 * It works beside a running server and without one.  Looking changes nothing:
 * the database is opened for reading, a missing folder is not made.  --repair
 * mends only what is made from something else and can be made again. */
#include "cli/doctor/doctor.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "config/table.h"
#include "store/store.h"

enum {
    LINES_MAX = 500,
    LINE_BYTES_MAX = 1000,
    REPORT_LINE_BYTES = 4000, /* text and what mends it */
    REPORT_BYTES_MAX = 1024 * 1024,
    BAR_MS = 100,
    PROGRESS_MS = 5000
};

const struct doctor_check doctor_checks[] = {
    {"settings", check_settings, false, false},
    {"disk", check_disk, false, false},
    {"clock", check_clock, false, false},
    {"database", check_database, false, false},
    {"rows", check_rows, true, true},
    {"way-back", check_way_back, true, true},
    {"usage", check_usage, true, true},
    {"objects", check_objects, true, false},
    {"index", check_index, true, true},
    {"storage", check_storage, false, false},
    {"jail", check_jail, false, false},
    {"pdf", check_pdf, false, false},
    {"model", check_models, false, false},
    {"embeddings", check_embeddings, false, false},
    {"jwks", check_jwks, false, false},
    {"public-url", check_public_url, false, false},
};
const size_t doctor_checks_n = sizeof(doctor_checks) / sizeof(doctor_checks[0]);

static const char *const grade_colors[] = {[DOCTOR_OK] = "\033[32m",
                                           [DOCTOR_MENDED] = "\033[33m",
                                           [DOCTOR_SKIPPED] = "\033[2m",
                                           [DOCTOR_WARNING] = "\033[33m",
                                           [DOCTOR_BAD] = "\033[31m"};
static const char *const grade_words[] = {[DOCTOR_OK] = "ok",
                                          [DOCTOR_MENDED] = "mended",
                                          [DOCTOR_SKIPPED] = "skipped",
                                          [DOCTOR_WARNING] = "warning",
                                          [DOCTOR_BAD] = "bad"};

/* ---- The report ---------------------------------------------------------- */

static void print_line(struct doctor *d, const struct doctor_line *l)
{
    AUTO(buf_free) struct buf b = BUF(REPORT_LINE_BYTES);

    progress_clear(&d->progress);
    buf_printf(&b, "%s%-8s%s %-11s %.*s\n",
               cli_has_color(d->c, stdout) ? grade_colors[l->grade] : "",
               grade_words[l->grade],
               cli_has_color(d->c, stdout) ? "\033[0m" : "", l->check,
               STR_ARG(l->text));
    if (l->mend.p)
        buf_printf(&b, "%20s -> %.*s\n", "", STR_ARG(l->mend));
    (void)cli_print(d->c, &b);
}

/* A damaged row or another server may have put anything into a text. */
static void make_printable(char *text)
{
    bool whole = utf8_valid(str_c(text));

    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < ' ' || *c == 0x7F || (*c > 0x7F && !whole))
            *c = '?';
}

static void add_line(struct doctor *d, enum doctor_grade grade,
                     const char *mend, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));
static void add_line(struct doctor *d, enum doctor_grade grade,
                     const char *mend, const char *format, va_list args)
{
    char text[LINE_BYTES_MAX];
    struct doctor_line *l;

    if (d->lines_n == LINES_MAX)
        return;
    vsnprintf(text, sizeof(text), format, args);
    make_printable(text);
    l = &d->lines[d->lines_n++];
    *l = (struct doctor_line){.check = d->check->name,
                              .grade = grade,
                              .text = arena_str(&d->c->arena, str_c(text)),
                              .mend = arena_str(&d->c->arena, str_c(mend))};
    if (!d->c->json)
        print_line(d, l);
}

#define ADD_LINE(grade, mend)                                                  \
    do {                                                                       \
        va_list args;                                                          \
        va_start(args, format);                                                \
        add_line(d, (grade), (mend), format, args);                            \
        va_end(args);                                                          \
    } while (0)

void doctor_ok(struct doctor *d, const char *format, ...)
{
    ADD_LINE(DOCTOR_OK, NULL);
}

void doctor_mended(struct doctor *d, const char *format, ...)
{
    ADD_LINE(DOCTOR_MENDED, NULL);
}

void doctor_skipped(struct doctor *d, const char *format, ...)
{
    ADD_LINE(DOCTOR_SKIPPED, NULL);
}

void doctor_warning(struct doctor *d, const char *mend, const char *format, ...)
{
    ADD_LINE(DOCTOR_WARNING, mend);
}

static int severity(int code)
{
    static const int order[] = {CLI_DONE, CLI_FAILED, CLI_UNREACHABLE,
                                CLI_CONFIG, CLI_DAMAGED};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        if (order[i] == code)
            return (int)i;
    return 1; /* any other code is a failure */
}

static void worsen(struct doctor *d, int code)
{
    if (severity(code) > severity(d->code))
        d->code = severity(code) == 1 ? CLI_FAILED : code;
}

void doctor_bad(struct doctor *d, int code, const char *mend,
                const char *format, ...)
{
    ADD_LINE(DOCTOR_BAD, mend);
    worsen(d, code);
}

void doctor_failed(struct doctor *d, const struct footnote_err *err)
{
    doctor_bad(d, cli_exit_code(err->rc), NULL, "%s", err->text);
}

void doctor_progress(struct doctor *d, const char *format, ...)
{
    char text[LINE_BYTES_MAX], line[LINE_BYTES_MAX + 40];
    va_list args;

    if (!progress_is_due(&d->progress))
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    snprintf(line, sizeof(line), "%s: %s", d->check->name, text);
    progress_draw(&d->progress, -1, line);
}

static int print_json(struct doctor *d)
{
    AUTO(buf_free) struct buf b = BUF(REPORT_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_object(&w);
    json_key(&w, STR("ok"));
    json_bool(&w, d->code == CLI_DONE);
    json_key(&w, STR("exit"));
    json_i64(&w, d->code);
    json_key(&w, STR("checks"));
    json_array(&w);
    for (size_t i = 0; i < d->lines_n; i++) {
        const struct doctor_line *l = &d->lines[i];

        json_object(&w);
        json_key(&w, STR("name"));
        json_str(&w, str_c(l->check));
        json_key(&w, STR("result"));
        json_str(&w, str_c(grade_words[l->grade]));
        json_key(&w, STR("text"));
        json_str(&w, l->text);
        json_key(&w, STR("mend"));
        json_str(&w, l->mend);
        json_end(&w, '}');
    }
    json_end(&w, ']');
    json_end(&w, '}');
    buf_add_c(&b, '\n');
    return cli_print(d->c, &b);
}

/* ---- The patient --------------------------------------------------------- */

/* A folder that is not there is not made.  Root becomes the folder's owner, so
 * that no file gets another one. */
static void enter_folder(struct doctor *d, struct footnote_err *err)
{
    const struct config *c = &d->c->config;
    struct stat st;

    *err = (struct footnote_err){.text = ""};
    if (stat(c->data.p, &st) != 0)
        return;
    d->has_folder = folder_enter(c, err) == FOOTNOTE_OK;
    if (d->has_folder)
        (void)lock_read_address(c, &d->c->arena, &d->server, NULL);
}

struct store *doctor_writer(struct doctor *d)
{
    struct footnote_err err;

    if (!d->writer && folder_open_store(&d->c->arena, &d->c->config, &d->writer,
                                        &err) != FOOTNOTE_OK)
        doctor_failed(d, &err);
    return d->writer;
}

static void close_all(struct doctor *d)
{
    store_close(d->writer);
    store_close(d->store);
}

/* ---- The verb ------------------------------------------------------------ */

static bool is_asked(const struct doctor *d, const struct doctor_check *k)
{
    for (size_t i = 0; i < d->c->operands_n; i++)
        if (str_eq(d->c->operands[i], str_c(k->name)))
            return true;
    return d->c->operands_n == 0;
}

static int check_names(struct cli *c)
{
    for (size_t i = 0; i < c->operands_n; i++) {
        struct nearest near = {.word = c->operands[i]};
        bool known = false;

        for (size_t j = 0; j < doctor_checks_n; j++) {
            nearest_try(&near, str_c(doctor_checks[j].name));
            known |= str_eq(c->operands[i], str_c(doctor_checks[j].name));
        }
        if (!known)
            return cli_usage(c, "there is no check \"%.50s\"%s",
                             c->operands[i].p,
                             nearest_hint(&c->arena, &near, ""));
    }
    return CLI_GO_ON;
}

/* The store is opened by the check of the database, so that one runs also for
 * a check that needs the store. */
static bool is_needed(const struct doctor *d, const struct doctor_check *k)
{
    if (is_asked(d, k))
        return true;
    for (size_t i = 0; k->run == check_database && i < doctor_checks_n; i++)
        if (doctor_checks[i].needs_store && is_asked(d, &doctor_checks[i]))
            return true;
    return false;
}

static int run(struct doctor *d)
{
    struct footnote_err err;

    enter_folder(d, &err);
    for (size_t i = 0; i < doctor_checks_n; i++) {
        const struct doctor_check *k = &doctor_checks[i];

        if (!is_needed(d, k))
            continue;
        d->check = k;
        progress_begin(&d->progress, d->c->json || d->c->quiet);
        if (k->run == check_disk && err.text[0])
            doctor_bad(d, CLI_FAILED, "chown it to the user who serves it",
                       "%s", err.text);
        if (k->reads_all && d->quick)
            doctor_skipped(d, "--quick leaves it out");
        else if (k->needs_store && !d->store)
            doctor_skipped(d, "the database cannot be read");
        else
            k->run(d);
    }
    if (arena_rc(&d->c->arena, &err) != FOOTNOTE_OK)
        return cli_fail(d->c, err.rc, &err);
    if (d->c->json && print_json(d) != CLI_DONE)
        return CLI_FAILED;
    return d->code;
}

int verb_doctor(struct cli *c)
{
    AUTO(close_all)
    struct doctor d = {.c = c};
    bool healthz = false;
    const struct cli_option options[] = {{.name = "json", .on = &c->json},
                                         {.name = "quick", .on = &d.quick},
                                         {.name = "repair", .on = &d.repair},
                                         {.name = "healthz", .on = &healthz}};
    int code = cli_read(c, options, 4);

    if (code == CLI_GO_ON)
        code = healthz ? cli_expect(c, 0, 0, "") : check_names(c);
    if (code != CLI_GO_ON)
        return code;
    if (healthz)
        return doctor_healthz(c);
    log_setup(STDERR_FILENO, c->verbose ? LOG_DEBUG : LOG_ERROR,
              LOG_AUTO); /* the lines tell the rest */
    d.lines = arena_many(&c->arena, LINES_MAX, struct doctor_line);
    if (!d.lines)
        return CLI_FAILED;
    return run(&d);
}
