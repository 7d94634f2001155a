/* import.c - `footnote import`: answers of other products, with citations. */
#include "import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/progress.h"

enum { LINE_BYTES_MAX = 16 * 1024 };

struct importing {
    struct cli *c;
    struct import_options o;
    struct import_counts counts;
    struct progress progress;
};

static void close_store(struct store **st)
{
    if (*st)
        store_close(*st);
}

/* ---- While it goes on ---------------------------------------------------- */

static void add_text(struct json_out *w, struct str key, struct str value)
{
    json_key(w, key);
    json_str(w, value);
}

static void add_number(struct json_out *w, struct str key, int64_t value)
{
    json_key(w, key);
    json_i64(w, value);
}

static void print_line(struct importing *im, struct json_out *w)
{
    json_end(w, '}');
    buf_add_c(w->b, '\n');
    (void)cli_print(im->c, w->b);
}

static void on_note(void *arg, enum import_note kind, struct str where,
                    struct str text)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct importing *im = arg;

    if (!im->c->json) {
        progress_clear(&im->progress);
        fprintf(stderr, "%s%.*s: %.*s\n",
                kind == IMPORT_LEFT_OUT ? "left out: " : "changed: ",
                STR_ARG(where), STR_ARG(text));
        return;
    }
    json_object(&w);
    add_text(&w, STR("event"),
             kind == IMPORT_LEFT_OUT ? STR("leftOut") : STR("changed"));
    add_text(&w, STR("row"), where);
    add_text(&w, STR("reason"), text);
    print_line(im, &w);
}

static void tell_progress(struct importing *im)
{
    const struct import_counts *n = &im->counts;
    char text[PROGRESS_TEXT_BYTES];

    if (!progress_is_due(&im->progress))
        return;
    snprintf(text, sizeof(text), "%lld of %lld sessions, %lld messages",
             (long long)n->sessions, (long long)n->sessions_in_source,
             (long long)n->messages);
    progress_draw(&im->progress,
                  n->sessions_in_source > 0
                      ? (double)n->sessions / (double)n->sessions_in_source
                      : -1,
                  text);
}

static void on_session(void *arg, const struct import_session_done *done)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct importing *im = arg;
    char digest[sizeof("sha256:") + SHA256_HEX] = "sha256:";

    tell_progress(im);
    sha256_hex(&done->digest, digest + strlen("sha256:"));
    if (!im->c->json) {
        if (!im->c->quiet) {
            progress_clear(&im->progress);
            printf("%.*s  %s\n", STR_ARG(done->id), digest);
        }
        return;
    }
    json_object(&w);
    add_text(&w, STR("event"), STR("session"));
    add_text(&w, STR("id"), done->id);
    add_text(&w, STR("user"), done->user);
    add_number(&w, STR("messages"), done->messages);
    add_number(&w, STR("references"), done->references);
    json_key(&w, STR("new"));
    json_bool(&w, done->made);
    add_text(&w, STR("digest"), str_c(digest));
    print_line(im, &w);
}

/* ---- In the end ---------------------------------------------------------- */

static void add_counts(struct json_out *w, const struct import_counts *n)
{
    add_number(w, STR("sessions"), n->sessions);
    add_number(w, STR("unchanged"), n->unchanged);
    add_number(w, STR("messages"), n->messages);
    add_number(w, STR("sources"), n->sources);
    add_number(w, STR("references"), n->references);
    add_number(w, STR("retrievals"), n->events);
    add_number(w, STR("leftOut"), n->left_out);
    add_number(w, STR("changed"), n->changed);
}

static int print_counts(struct importing *im)
{
    AUTO(buf_free) struct buf b = BUF(LINE_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    const struct import_counts *n = &im->counts;

    if (im->c->json) {
        json_object(&w);
        add_text(&w, STR("event"), STR("end"));
        add_counts(&w, n);
        json_end(&w, '}');
        buf_add_c(&b, '\n');
    } else {
        buf_printf(&b,
                   "%lld sessions (%lld were there), %lld messages, %lld "
                   "sources, %lld references, %lld searches; %lld left out, "
                   "%lld changed%s\n",
                   (long long)n->sessions, (long long)n->unchanged,
                   (long long)n->messages, (long long)n->sources,
                   (long long)n->references, (long long)n->events,
                   (long long)n->left_out, (long long)n->changed,
                   im->o.dry ? "; nothing was written" : "");
    }
    return cli_print(im->c, &b);
}

static int run(struct importing *im)
{
    AUTO(close_store) struct store *st = NULL;
    struct cli *c = im->c;
    struct footnote_err err;
    enum footnote_rc rc = folder_enter(&c->config, &err);
    int code;

    if (rc == FOOTNOTE_OK)
        rc = folder_open_store(&c->arena, &c->config, &st, &err);
    if (rc != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    im->o.store = st;
    progress_begin(&im->progress, im->c->quiet);
    rc = import_run(&im->o, &im->counts, &err);
    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    code = print_counts(im);
    return code == CLI_DONE && im->counts.left_out ? CLI_SOME_FAILED : code;
}

int verb_import(struct cli *c)
{
    const char *tmp = getenv("TMPDIR");
    struct importing im = {.c = c,
                           .o = {.who = {STR("default"), STR("local")},
                                 .scratch = tmp ? tmp : "/tmp",
                                 .note = on_note,
                                 .session = on_session}};
    const struct cli_option options[] = {
        {.name = "user-map", .text = &im.o.users},
        {.name = "texts", .text = &im.o.texts},
        {.name = "course", .text = &im.o.course},
        {.name = "user", .text = &im.o.who.user},
        {.name = "tenant", .text = &im.o.who.tenant},
        {.name = "dry-run", .on = &im.o.dry},
        {.name = "json", .on = &c->json}};
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));

    if (code == CLI_GO_ON)
        code = cli_expect(c, 2, 2, "the kind, and where it is");
    if (code != CLI_GO_ON)
        return code;
    if (!import_kind_exists(c->operands[0]))
        return cli_usage(c, "the kind is %s", import_kinds());
    im.o.kind = c->operands[0].p;
    im.o.source = c->operands[1];
    im.o.arg = &im;
    return run(&im);
}
